"""Change a clip and its rig together, so that one skeleton teaches many (paper 4, SPEC f)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.motion.resample import resample_rotations, resample_vectors
from unimate_dcc.rig.canonical import DIAMETER, bone_lengths
from unimate_dcc.rig.facing import FacingPair
from unimate_dcc.rig.labels import mirrored as mirrored_label
from unimate_dcc.rig.labels import without_side
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.topology import diameter

MIRROR = np.diag([-1.0, 1.0, 1.0])
BONE_SPREAD = 0.12
TIME_SPREAD = 0.15
MOST_REMOVED = 3


@dataclass(frozen=True, eq=False)
class Sample:
    """A rig and a motion of it."""

    rig: TrainingRig
    motion: RigMotion


def mirror(sample: Sample) -> Sample:
    """Left for right: labels and facing change sides, joints keep their numbers."""
    rig = sample.rig
    facing = rig.facing
    if facing is not None and not facing.body_axis:
        facing = FacingPair(facing.left, facing.right)
    labels = tuple(mirrored_label(label) for label in rig.labels)
    flipped = replace(rig, positions=rig.positions @ MIRROR, labels=labels, facing=facing)
    motion = RigMotion(MIRROR @ sample.motion.rotations @ MIRROR, sample.motion.root @ MIRROR)
    return Sample(flipped, motion)


def scale_bones(sample: Sample, random: np.random.Generator) -> Sample:
    """Bones longer and shorter by up to 12 %, alike on both sides; the diameter stays 2."""
    rig = sample.rig
    parts = [without_side(label) for label in rig.labels]
    factors = {part: 1.0 + random.uniform(-BONE_SPREAD, BONE_SPREAD) for part in dict.fromkeys(parts)}
    positions = rig.positions.copy()
    for joint in range(1, len(positions)):
        parent = rig.parents[joint]
        positions[joint] = positions[parent] + (rig.positions[joint] - rig.positions[parent]) * factors[parts[joint]]
    return Sample(replace(rig, positions=positions), sample.motion)


def remove_leaves(sample: Sample, random: np.random.Generator) -> Sample:
    """One to three leaves less, never a contact or a facing joint."""
    rig, motion = sample.rig, sample.motion
    needed = {*rig.contacts, *(rig.facing.right + rig.facing.left if rig.facing else ())}
    keep = list(range(len(rig.positions)))
    for _ in range(int(random.integers(1, MOST_REMOVED + 1))):
        inner = {int(rig.parents[joint]) for joint in keep}
        leaves = [joint for joint in keep if joint not in inner and joint not in needed and joint > 0]
        if len(keep) <= 4 or not leaves:
            break
        keep.remove(int(random.choice(leaves)))
    return Sample(kept(rig, keep), RigMotion(motion.rotations[:, keep], motion.root))


def kept(rig: TrainingRig, keep: list[int]) -> TrainingRig:
    """The rig with only some joints; every kept joint's parent is kept."""
    place = {old: new for new, old in enumerate(keep)}
    facing = rig.facing
    if facing is not None:
        right = tuple(place[joint] for joint in facing.right)
        facing = FacingPair(right, tuple(place[joint] for joint in facing.left), facing.body_axis)
    return replace(
        rig,
        positions=rig.positions[keep],
        parents=np.array([place.get(int(rig.parents[joint]), -1) for joint in keep]),
        labels=tuple(rig.labels[joint] for joint in keep),
        facing=facing,
        contacts=tuple(place[joint] for joint in rig.contacts if joint in place),
    )


def change_tempo(motion: RigMotion, factor: float, fps: float) -> RigMotion:
    """The motion played ``factor`` times as fast."""
    count = max(round((len(motion.root) - 1) / factor) + 1, 2)
    seconds = np.linspace(0.0, (len(motion.root) - 1) / fps, count)
    return RigMotion(resample_rotations(motion.rotations, fps, seconds), resample_vectors(motion.root, fps, seconds))


def rescaled(sample: Sample) -> Sample:
    """Back in the canonical frame: diameter 2, lowest joint on the ground, root at x = z = 0."""
    rig = sample.rig
    scale = DIAMETER / diameter(rig.parents, bone_lengths(rig.positions, rig.parents))
    positions = (rig.positions - rig.positions[0] * [1.0, 0.0, 1.0]) * scale
    positions -= [0.0, positions[:, 1].min(), 0.0]
    return Sample(replace(rig, positions=positions), RigMotion(sample.motion.rotations, sample.motion.root * scale))
