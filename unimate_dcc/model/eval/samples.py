"""One motion under the measures: real, copied or generated, all 60 frames at 30 fps on the same terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.eval.actions import action_of
from unimate_dcc.model.eval.bodies import feet, inputs, posed, root_height
from unimate_dcc.model.eval.kinematics import FPS, kinematics
from unimate_dcc.model.eval.prompts import Prompt
from unimate_dcc.model.features import positions_from_features
from unimate_dcc.model.generate import GeneratedMotion, Generator
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.windows import facing_ahead, on_ground, span
from unimate_dcc.motion.quality import Quality, measure
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.skeleton import FloatArray

FRAMES = 60
"""The training window: 2 s hold a few steps of any gait, and the statistics need equal lengths."""
BATCH = 24
"""Clips of one call; more saves no time on a CPU and costs memory."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A motion and what is measured of it.

    Attributes:
        prompt: What it was made for, or the caption it has.
        category: Kind of body.
        positions: (T, K, 3) canonical.
        statistics: (48,) see ``kinematics``.
        quality: See ``motion.quality``.
        disagreement: Mean distance of the positions decoded from the position channels and those by rotations,
            canonical units; None for a motion that was not generated.
    """

    prompt: Prompt
    category: str
    positions: FloatArray
    statistics: FloatArray
    quality: Quality
    disagreement: float | None = None


def sample(rig: TrainingRig, prompt: Prompt, motion: RigMotion, features: FloatArray | None = None) -> Sample:
    """Measure one motion; ``features`` (T, K, 12) are what it was decoded from."""
    positions = posed(rig, motion)
    return Sample(
        prompt,
        rig.category,
        positions,
        kinematics(rig.positions, rig.parents, motion),
        measure(positions, FPS, contacts=feet(rig), root_height=root_height(rig)),
        None if features is None else disagreement(positions, features),
    )


def disagreement(positions: FloatArray, features: FloatArray) -> float:
    """Mean distance of (T, K, 3) positions from those in the position channels of (T, K, 12) features."""
    return float(np.linalg.norm(positions_from_features(features) - positions, axis=-1).mean())


def window(rig: TrainingRig, clip: TrainingClip, random: np.random.Generator) -> RigMotion:
    """60 frames of a clip as training cuts them: loops from a random phase, long clips anywhere, short ones held."""
    motion = span(on_ground(rig, clip.motion), clip.loop, FRAMES, random, True)
    return facing_ahead(rig, motion)


def real_samples(
    rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip], random: np.random.Generator
) -> list[Sample]:
    """One window of each clip."""
    return [sample(rigs[clip.rig], _caption(clip), window(rigs[clip.rig], clip, random)) for clip in clips]


def _caption(clip: TrainingClip) -> Prompt:
    return Prompt(clip.rig, clip.captions[0], action_of(clip.captions[0]), False)


def generated_samples(
    generator: Generator,
    rigs: Sequence[TrainingRig],
    prompts: Sequence[Prompt],
    seeds: Sequence[int],
    *,
    steps: int,
    guidance: float,
    progress: Callable[[str], None],
) -> list[Sample]:
    """Every prompt with every seed; the clips of one rig are made together."""
    made: list[Sample] = []
    for index in dict.fromkeys(prompt.rig for prompt in prompts):
        wanted = [(prompt, seed) for prompt in prompts if prompt.rig == index for seed in seeds]
        given = inputs(rigs[index])
        for part in _parts(wanted):
            texts, of = [prompt.text for prompt, _ in part], [seed for _, seed in part]
            takes = generator.generate(given, texts, FRAMES, seeds=of, steps=steps, guidance=guidance)
            made += [
                sample(rigs[index], prompt, motion_of(take), take.features)
                for (prompt, _), take in zip(part, takes, strict=True)
            ]
        progress(f"{len(made)} of {len(prompts) * len(seeds)} clips: {rigs[index].file}")
    return made


def motion_of(take: GeneratedMotion) -> RigMotion:
    """A take as a motion of its rig."""
    return RigMotion(take.rotations, take.root)


def _parts(wanted: list[tuple[Prompt, int]]) -> Iterator[list[tuple[Prompt, int]]]:
    for start in range(0, len(wanted), BATCH):
        yield wanted[start : start + BATCH]
