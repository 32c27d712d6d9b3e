"""One training example: a window of features and everything the network is told about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.features import features_from_motion
from unimate_dcc.model.train import augment
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.captions import mirrored
from unimate_dcc.model.train.cycles import unrolled
from unimate_dcc.model.train.source import FPS
from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.labels import NAMELESS
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.topology import Topology, describe
from unimate_dcc.skeleton import FloatArray, IntArray

MIRRORED, BONES, TEMPO, REMOVED, BLANKED = 0.5, 0.5, 0.5, 0.15, 0.1
"""Chances of each change."""


@dataclass(frozen=True, eq=False)
class Window:
    """T frames of features of one rig.

    Attributes:
        features: (T, K, 12) unnormalised.
        positions: (K, 3) canonical rest positions.
        parents: (K,) parents.
        labels: K labels; all ``Bone`` when names are blanked.
        topology: Graph descriptors.
        caption: What happens.
    """

    features: FloatArray
    positions: FloatArray
    parents: IntArray
    labels: tuple[str, ...]
    topology: Topology
    caption: str


def cut(
    rig: TrainingRig,
    clip: TrainingClip,
    frames: int,
    random: np.random.Generator,
    change: bool = True,
    augmented: bool = True,
) -> Window:
    """A random window of ``frames`` frames.

    Args:
        rig: The rig.
        clip: A clip of it.
        frames: T.
        random: Decides everything.
        change: Without it the clip as it is, from its start, with its most specific caption.
        augmented: Without it only phase and wording are drawn.
    """
    sample = augment.Sample(rig, clip.motion)
    caption = str(random.choice(clip.captions)) if change else clip.captions[0]
    if change and augmented:
        sample, caption = _changed(sample, caption, random)
    sample = augment.rescaled(sample)
    sample = augment.Sample(sample.rig, on_ground(sample.rig, sample.motion))
    motion = span(sample.motion, clip.loop, frames + 1, random, change)
    motion = facing_ahead(sample.rig, motion)
    rig = sample.rig
    features = features_from_motion(rig.offsets, rig.parents, rig.facing, motion.rotations, motion.root)
    nameless = change and augmented and random.random() < BLANKED
    labels = (NAMELESS,) * len(rig.labels) if nameless else rig.labels
    return Window(features, rig.positions, rig.parents, labels, describe(rig.parents), caption)


def _changed(sample: augment.Sample, caption: str, random: np.random.Generator) -> tuple[augment.Sample, str]:
    if random.random() < MIRRORED:
        sample, caption = augment.mirror(sample), mirrored(caption)
    if random.random() < BONES:
        sample = augment.scale_bones(sample, random)
    if random.random() < REMOVED:
        sample = augment.remove_leaves(sample, random)
    if random.random() < TEMPO:
        factor = 1.0 + random.uniform(-augment.TIME_SPREAD, augment.TIME_SPREAD)
        sample = augment.Sample(sample.rig, augment.change_tempo(sample.motion, factor, FPS))
    return sample, caption


def on_ground(rig: TrainingRig, motion: RigMotion) -> RigMotion:
    """The clip on its own ground: its lowest joint of all frames at y = 0 (SPEC c)."""
    return motion.moved(np.array([0.0, -_positions(rig, motion)[..., 1].min(), 0.0]))


def facing_ahead(rig: TrainingRig, motion: RigMotion) -> RigMotion:
    """Turned and moved so that the first pose faces +Z at x = z = 0."""
    turn = facing_rotations(_positions(rig, RigMotion(motion.rotations[:1], motion.root[:1])), rig.facing)[0]
    return motion.moved(-motion.root[0] * [1.0, 0.0, 1.0]).turned(turn)


def _positions(rig: TrainingRig, motion: RigMotion) -> FloatArray:
    return pose(rig.offsets, rig.parents, motion.rotations, motion.root)[1]


def span(motion: RigMotion, loop: bool, poses: int, random: np.random.Generator, change: bool) -> RigMotion:
    """``poses`` poses: loops unrolled from a random phase, long clips cropped, short ones held at their end."""
    have = len(motion.root)
    if loop:
        return unrolled(motion, poses, int(random.integers(have - 1)) if change else 0)
    if have >= poses:
        start = int(random.integers(have - poses + 1)) if change else 0
        return RigMotion(motion.rotations[start : start + poses], motion.root[start : start + poses])
    index = np.minimum(np.arange(poses), have - 1)
    return RigMotion(motion.rotations[index], motion.root[index])
