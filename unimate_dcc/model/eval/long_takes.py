"""Whether long takes hold: 180 frames of rest and of a gait in place, windows after windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.eval.bodies import inputs, posed
from unimate_dcc.model.eval.kinematics import FPS
from unimate_dcc.model.eval.prompts import balanced_prompts
from unimate_dcc.model.eval.samples import motion_of
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.motion.quality import drift, speed

FRAMES = 180
PART = 60


@dataclass(frozen=True)
class LongTakes:
    """Medians over rigs.

    Attributes:
        rigs: How many.
        drift: Way of the root on the ground in 180 frames of standing idle, canonical units.
        pace: Joint speed of the last 60 frames of a walk over that of the first 60; 1 holds.
    """

    rigs: int
    drift: float
    pace: float


def long_takes(
    generator: Generator, rigs: Sequence[TrainingRig], legged: Sequence[int], seed: int, steps: int, guidance: float
) -> LongTakes | None:
    """Make and measure the two takes of each of ``legged``, indices of rigs with legs or wings; None for no rig."""
    drifts, paces = [], []
    for prompts in (balanced_prompts(rigs, [index], ("idle", "walk")) for index in legged):
        rig, texts = rigs[prompts[0].rig], [prompt.text for prompt in prompts]
        takes = generator.generate(inputs(rig), texts, FRAMES, seeds=(seed, seed), steps=steps, guidance=guidance)
        idle, walk = (posed(rig, motion_of(take)) for take in takes)
        drifts.append(drift(idle))
        paces.append(speed(walk[-PART:], FPS) / max(speed(walk[:PART], FPS), 1e-9))
    return LongTakes(len(drifts), float(np.median(drifts)), float(np.median(paces))) if drifts else None
