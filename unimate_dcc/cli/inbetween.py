"""``inbetween``: keep key poses and generate what lies between them."""

from __future__ import annotations

from typing import Any

import click

from unimate_dcc.cli.options import split
from unimate_dcc.cli.taking import settle, take_flags
from unimate_dcc.errors import BadFramesError
from unimate_dcc.frames import parse_frame_list
from unimate_dcc.request import InbetweenRequest


@click.command("inbetween", short_help="Generate between key poses.")
@click.argument("shot", type=click.Path())
@click.option("--prompt", required=True, help="What the character does between the keys.")
@click.option("--keys", required=True, metavar="FRAMES", help="Frames whose poses are kept, such as 1001,1024,1040.")
@click.option(
    "--pose",
    "poses",
    multiple=True,
    metavar="FRAME=ANIMATION",
    help="Pose of a key from another SkelAnimation: a prim of the stage, or FILE:PRIM; repeated.",
)
@take_flags
def command(shot: str, prompt: str, keys: str, poses: tuple[str, ...], **flags: Any) -> None:
    """Keep the poses that a character of SHOT has at some frames and generate the motion between them."""
    from unimate_dcc.pipeline.inbetween import inbetween

    settled = settle(shot, flags)
    frames = tuple(frame for part in parse_frame_list(keys) for frame in part.frames)
    request = InbetweenRequest(prompt=prompt, keys=frames, poses=_poses(poses), **settled.common)
    settled.finish(request, inbetween)


def _poses(texts: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    found = []
    for text in split(texts):
        frame, equals, source = text.partition("=")
        try:
            number = float(frame)
        except ValueError:
            number, equals = 0.0, ""
        if not equals or not source:
            raise BadFramesError(text, "write FRAME=ANIMATION, such as 1024=/Poses/crouch or 1024=poses.usd:/crouch")
        found.append((number, source))
    return tuple(found)
