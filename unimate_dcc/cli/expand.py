"""``expand``: go on after a clip, lead up to it, or begin from nothing."""

from __future__ import annotations

from typing import Any

import click

from unimate_dcc.cli.taking import settle, take_flags
from unimate_dcc.errors import BadPromptError
from unimate_dcc.request import ExpandRequest


@click.command("expand", short_help="Go on with one prompt after the other.")
@click.argument("shot", type=click.Path())
@click.option(
    "--prompt",
    "prompts",
    multiple=True,
    required=True,
    metavar="PROMPT:LENGTH",
    help="What happens and for how many frames of the shot, such as 'walks forward:60', or '...:2.5s'; repeated.",
)
@click.option("--start", type=float, help="Frame where it begins; by default the end of the bound animation.")
@click.option("--before", is_flag=True, help="Lead up to the bound animation instead.")
@click.option("--overlap", type=int, default=20, show_default=True, help="Model frames that windows share.")
@click.option("--loop", is_flag=True, help="Make the last frame the first one again.")
@take_flags
def command(
    shot: str, prompts: tuple[str, ...], start: float | None, before: bool, overlap: int, loop: bool, **flags: Any
) -> None:
    """Continue the animation of a character of SHOT with one prompt after the other."""
    from unimate_dcc.pipeline.expand import expand
    from unimate_dcc.pipeline.stage import rate_of

    settled = settle(shot, flags)
    segments = tuple(_segment(prompt, lambda: rate_of(shot, settled.options.stage)) for prompt in prompts)
    request = ExpandRequest(segments=segments, start=start, before=before, overlap=overlap, loop=loop, **settled.common)
    settled.finish(request, expand)


def _segment(text: str, rate: Any) -> tuple[str, float]:
    """Prompt and frames of ``PROMPT:LENGTH``; the length stands after the last colon."""
    prompt, _, length = text.rpartition(":")
    try:
        frames = round(float(length[:-1]) * rate()) if length.endswith("s") else float(int(length))
    except ValueError:
        prompt = ""
        frames = 0.0
    if not prompt:
        raise BadPromptError(f"{text!r} has no length; write 'walks forward:60' in frames or 'walks forward:2.5s'")
    return prompt, float(frames)
