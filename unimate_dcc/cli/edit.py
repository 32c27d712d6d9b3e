"""``edit``: generate some joints anew and keep everything else."""

from __future__ import annotations

from typing import Any

import click

from unimate_dcc.cli.options import split
from unimate_dcc.cli.taking import settle, take_flags
from unimate_dcc.request import EditRequest


@click.command("edit", short_help="Generate some joints anew.")
@click.argument("shot", type=click.Path())
@click.option("--prompt", required=True, help="What the character does: one motion, in English.")
@click.option(
    "--joints",
    multiple=True,
    required=True,
    metavar="JOINTS",
    help="Names, globs, labels such as 'left arm', NAME// with all below; commas, or repeated.",
)
@click.option(
    "--channels",
    default="translations,rotations",
    show_default=True,
    help="What is generated; translations move the root only.",
)
@click.option("-f", "--frames", metavar="RANGE", help="Frames to change; the shot's range by default.")
@click.option("--seconds", type=float, help="Length from the first frame, instead of --frames.")
@take_flags
def command(
    shot: str, prompt: str, joints: tuple[str, ...], channels: str, frames: str | None, seconds: float | None,
    **flags: Any,
) -> None:  # fmt: skip
    """Generate the motion of some joints of a character of SHOT; all other values stay, bit for bit."""
    from unimate_dcc.pipeline.edit import edit

    settled = settle(shot, flags)
    request = EditRequest(
        prompt=prompt, joints=split(joints), channels=split((channels,)), frames=frames, seconds=seconds,
        **settled.common,
    )  # fmt: skip
    settled.finish(request, edit)
