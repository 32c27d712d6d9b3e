"""Which take is the best, and whether the model was trained on anything like the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from unimate_dcc.motion.quality import Quality, measure, ranked
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.rig import Rig
from unimate_dcc.usd_io.finding import Finding

if TYPE_CHECKING:
    from unimate_dcc.model.generate import GeneratedMotion
    from unimate_dcc.model.text import TextEncoder
    from unimate_dcc.model.weights import Weights

MODEL_FPS = 30.0


def best_first(rig: Rig, motions: Sequence[GeneratedMotion], prompt: str) -> list[tuple[GeneratedMotion, Quality]]:
    """Takes of one prompt with their measures, the best first."""
    from unimate_dcc.model.eval.actions import action_of

    qualities = [_quality(rig, motion) for motion in motions]
    order = ranked(qualities, may_rest=action_of(prompt) == "idle")
    return [(motions[take], qualities[take]) for take in order]


def unknown_prompt(prompt: str, weights: Weights, encoder: TextEncoder) -> tuple[Finding, ...]:
    """A warning where the prompt is far from everything the weights were trained on; the prompt is used as it is."""
    from unimate_dcc.model.prompts import FAR, known_prompts, nearest

    near = nearest(prompt, known_prompts(weights), encoder)
    if not near or near[0].similarity >= FAR:
        return ()
    names = ", ".join(repr(one.caption) for one in near)
    message = f"these weights were trained on nothing like {prompt!r}; nearest known: {names}"
    return (Finding("prompt-unknown", "warning", f"weights {weights.name}", message),)


def _quality(rig: Rig, motion: GeneratedMotion) -> Quality:
    positions = pose(rig.offsets, rig.parents, motion.rotations, motion.root)[1]
    height = float(rig.positions[0, 1] - np.min(rig.positions[:, 1]))
    feet = [contact.joint for contact in rig.contacts] if height > 0 else []
    return measure(positions, MODEL_FPS, contacts=feet, root_height=height)
