"""Which take is the best, and whether the model was trained on anything like the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unimate_dcc.motion.quality import ranked
from unimate_dcc.pipeline.finish import Finished
from unimate_dcc.usd_io.finding import Finding

if TYPE_CHECKING:
    from unimate_dcc.model.text import TextEncoder
    from unimate_dcc.model.weights import Weights


def best_first(takes: Sequence[Finished], prompt: str) -> list[Finished]:
    """Takes of one prompt, the best first by the quality measures."""
    from unimate_dcc.model.eval.actions import action_of

    order = ranked([take.quality for take in takes], may_rest=action_of(prompt) == "idle")
    return [takes[number] for number in order]


def unknown_prompt(prompt: str, weights: Weights, encoder: TextEncoder) -> tuple[Finding, ...]:
    """A warning where the prompt is far from everything the weights were trained on; the prompt is used as it is."""
    from unimate_dcc.model.prompts import FAR, known_prompts, nearest

    near = nearest(prompt, known_prompts(weights), encoder)
    if not near or near[0].similarity >= FAR:
        return ()
    names = ", ".join(repr(one.caption) for one in near)
    message = f"these weights were trained on nothing like {prompt!r}; nearest known: {names}"
    return (Finding("prompt-unknown", "warning", f"weights {weights.name}", message),)
