"""``animate``: generate motion from a prompt and publish it as a new layer."""

from __future__ import annotations

from typing import Any

import click

from unimate_dcc.cli.places import place_and_frames, target, waypoint
from unimate_dcc.cli.taking import settle, take_flags
from unimate_dcc.request import GenerateRequest, Heading


@click.command("animate", short_help="Generate motion from a prompt.")
@click.argument("shot", type=click.Path())
@click.option("--prompt", help="What the character does: one motion, in English.")
@click.option("--from-clip", metavar="PRIM", help="Use this SkelAnimation of the stage instead of generating.")
@click.option("-f", "--frames", metavar="RANGE", help="Such as 1001-1100 or 1001:1100; the shot's range by default.")
@click.option("--seconds", type=float, help="Length from the first frame, instead of --frames.")
@click.option("--handles", type=int, default=0, show_default=True, help="Frames added on both sides.")
@click.option("--path", metavar="PRIM", help="BasisCurves that the root follows, as fast as the motion steps.")
@click.option(
    "--waypoint",
    "waypoints",
    multiple=True,
    metavar="FRAME:X,Y,Z",
    help="Where the root is at a frame, in stage units; repeated.",
)
@click.option("--speed", type=float, help="Stage units a second along the path.")
@click.option("--heading", default="path", show_default=True, help="path faces along the path, free as it comes.")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="JOINT=PLACE@FRAMES",
    help="Such as 'left hand=/Set/Cup@1020-1030'; PLACE is a prim or X,Y,Z; repeated.",
)
@click.option("--look-at", multiple=True, metavar="PLACE@FRAMES", help="What the head looks at, and when; repeated.")
@take_flags
def command(
    shot: str, prompt: str | None, from_clip: str | None, frames: str | None, seconds: float | None, handles: int,
    path: str | None, waypoints: tuple[str, ...], speed: float | None, heading: Heading, targets: tuple[str, ...],
    look_at: tuple[str, ...], **flags: Any,
) -> None:  # fmt: skip
    """Generate motion for one character of SHOT and publish it as a new layer beside the shot.

    The shot and its assets are never written to.
    """
    from unimate_dcc.pipeline.animate import animate, animate_from_clip

    if prompt is None and from_clip is None:
        raise click.UsageError("say what to do with --prompt 'a fox trots forward', or name a --from-clip")
    settled = settle(shot, flags)
    wording = prompt if prompt is not None else f"as {from_clip}"
    request = GenerateRequest(
        prompt=wording, frames=frames, seconds=seconds, handles=handles, path=path, speed=speed, heading=heading,
        waypoints=tuple(waypoint(text) for text in waypoints), targets=tuple(target(text) for text in targets),
        look_at=tuple(place_and_frames("look_at", text) for text in look_at), **settled.common,
    )  # fmt: skip
    if from_clip is None:
        settled.finish(request, animate)
        return
    clip = from_clip
    settled.finish(request, lambda request, options, on_step: [animate_from_clip(request, clip, options)], model=False)
