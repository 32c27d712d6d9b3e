"""``animate``: generate motion from a prompt and publish it as a new layer."""

from __future__ import annotations

from typing import Any

import click

from unimate_dcc.cli.taking import settle, take_flags
from unimate_dcc.request import GenerateRequest


@click.command("animate", short_help="Generate motion from a prompt.")
@click.argument("shot", type=click.Path())
@click.option("--prompt", help="What the character does: one motion, in English.")
@click.option("--from-clip", metavar="PRIM", help="Use this SkelAnimation of the stage instead of generating.")
@click.option("-f", "--frames", metavar="RANGE", help="Such as 1001-1100 or 1001:1100; the shot's range by default.")
@click.option("--seconds", type=float, help="Length from the first frame, instead of --frames.")
@click.option("--handles", type=int, default=0, show_default=True, help="Frames added on both sides.")
@take_flags
def command(
    shot: str, prompt: str | None, from_clip: str | None, frames: str | None, seconds: float | None, handles: int,
    **flags: Any,
) -> None:  # fmt: skip
    """Generate motion for one character of SHOT and publish it as a new layer beside the shot.

    The shot and its assets are never written to.
    """
    from unimate_dcc.pipeline.animate import animate, animate_from_clip

    if prompt is None and from_clip is None:
        raise click.UsageError("say what to do with --prompt 'a fox trots forward', or name a --from-clip")
    settled = settle(shot, flags)
    wording = prompt if prompt is not None else f"as {from_clip}"
    request = GenerateRequest(prompt=wording, frames=frames, seconds=seconds, handles=handles, **settled.common)
    if from_clip is None:
        settled.finish(request, animate)
        return
    clip = from_clip
    settled.finish(request, lambda request, options, on_step: [animate_from_clip(request, clip, options)], model=False)
