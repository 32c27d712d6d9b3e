"""``transfer``: put the motion of one character, in words, onto another."""

from __future__ import annotations

from typing import Any

import click

from unimate_dcc.cli.taking import settle, take_flags
from unimate_dcc.request import TransferRequest


@click.command("transfer", short_help="Put one character's motion onto another.")
@click.argument("shot", type=click.Path())
@click.option("--source", type=click.Path(), help="Stage of the character that moves; SHOT by default.")
@click.option("--source-prim", metavar="PATH", help="Skeleton that moves, or a prim above it.")
@click.option("--prompt", help="Words for the motion, instead of those that are measured.")
@click.option("--frames", "-f", metavar="RANGE", help="Frames to fill; as long as the source by default.")
@click.option(
    "--keep-path/--no-keep-path",
    default=True,
    show_default=True,
    help="Travel the source's path at its times, in body lengths.",
)
@click.option("--style-from", metavar="PRIM", help="SkelAnimation of this character, some of whose poses are held.")
@click.option("--style-share", type=float, default=0.1, show_default=True, help="Share of the frames that are held.")
@take_flags
def command(
    shot: str, source: str | None, source_prim: str | None, prompt: str | None, frames: str | None, keep_path: bool,
    style_from: str | None, style_share: float, **flags: Any,
) -> None:  # fmt: skip
    """Measure what another character does, say it in words, and animate a character of SHOT from the words."""
    from unimate_dcc.pipeline.transfer import read_source, transfer

    settled = settle(shot, flags)
    found = read_source(source or shot, source_prim, settled.options.stage).description
    words = prompt or found.prompt(_category(settled, shot, flags["prim"]))
    click.echo(f"prompt   {words!r} ({found})", err=True)
    request = TransferRequest(
        prompt=words, frames=frames, seconds=None if frames else found.seconds, source=source, source_prim=source_prim,
        keeps_path=keep_path, style_from=style_from, style_share=style_share, **settled.common,
    )  # fmt: skip
    settled.finish(request, transfer)


def _category(settled: Any, shot: str, prim: str | None) -> str:
    """Kind of body of the character that is to move."""
    from unimate_dcc.pipeline.job import category_of

    return category_of(shot, prim, settled.options)
