"""``preview``: pictures of a skeleton's motion."""

from __future__ import annotations

from pathlib import Path

import click

from unimate_dcc.cli.options import prim_flag, split, stage_flags
from unimate_dcc.errors import TargetError

SUFFIXES = (".png", ".webp", ".gif")


@click.command("preview", short_help="Draw a skeleton's motion.")
@click.argument("shot", type=click.Path())
@prim_flag
@click.option("-f", "--frames", metavar="RANGE", help="The shot's range by default.")
@click.option("--cells", type=click.IntRange(1, 60), default=10, show_default=True, help="Frames on a contact sheet.")
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help=".png for a sheet, .webp or .gif.")
@stage_flags
def command(
    shot: str, prim: str | None, frames: str | None, cells: int, out: Path, session_layer: str | None,
    mute: tuple[str, ...], mask: tuple[str, ...],
) -> None:  # fmt: skip
    """Draw what plays on a skeleton of SHOT: a contact sheet (.png) or an animation (.webp, .gif)."""
    if out.suffix.lower() not in SUFFIXES:
        raise TargetError(str(out), f"pictures are written to {', '.join(SUFFIXES)}")
    from unimate_dcc.pipeline.preview import preview
    from unimate_dcc.pipeline.stage import StageOptions

    preview(shot, out, prim=prim, frames=frames, cells=cells, stage=StageOptions(session_layer, mute, split(mask)))
    click.echo(str(out))
