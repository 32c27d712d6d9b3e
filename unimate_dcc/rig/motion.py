"""The motion of a canonical rig, read from a clip and written back onto the skeleton."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unimate_dcc.clip import Clip
from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.pose import nearest_rotations, pose, rest_relative
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray, local_matrices, matrix_quaternions

SINGULAR = 1e-9
"""A linear part whose smallest singular value is below this share of its largest cannot be inverted."""


@dataclass(frozen=True, eq=False)
class RigMotion:
    """What the driven joints do, in the canonical frame.

    Attributes:
        rotations: (T, K, 3, 3) rest-relative local rotations R' (SPEC c); identity is the rest pose.
        root: (T, 3) root positions, canonical units.
    """

    rotations: FloatArray
    root: FloatArray

    def positions(self, rig: Rig) -> FloatArray:
        """(T, K, 3) joint positions, canonical units."""
        return pose(rig.offsets, rig.parents, self.rotations, self.root)[1]

    def turned(self, turn: FloatArray) -> RigMotion:
        """The motion under a rotation (3, 3) of the whole canonical frame about Y."""
        rotations = self.rotations.copy()
        rotations[:, 0] = turn @ rotations[:, 0]
        return RigMotion(rotations, self.root @ turn.T)

    def moved(self, offset: FloatArray) -> RigMotion:
        """The motion shifted by (3,) canonical units."""
        return replace(self, root=self.root + offset)


def canonicalise(rig: Rig, clip: Clip) -> RigMotion:
    """Read a clip of the rig's own skeleton in the canonical frame of its rest pose.

    Scales and translations of other joints than the root do not survive.
    """
    source = _world_sources(rig)
    away = nearest_rotations(_away_from_rest(clip.world[:, source, :3, :3], rig.rest_linear))
    turn = rig.frame.turn
    rotations = rest_relative(rig.parents, turn @ away @ turn.T)
    return RigMotion(rotations, rig.frame.to_canonical(clip.positions[:, rig.source[0]]))


def aligned(rig: Rig, motion: RigMotion) -> RigMotion:
    """The motion on its own ground, its first frame facing +Z at x = z = 0 (SPEC c, d)."""
    positions = motion.positions(rig)
    turn = facing_rotations(positions, rig.facing)[0]
    lowest = positions[..., 1].min()
    start = motion.root[0] * [1.0, 0.0, 1.0] + [0.0, lowest, 0.0]
    return motion.moved(-start).turned(turn)


def apply(rig: Rig, motion: RigMotion, base: Clip) -> Clip:
    """Put a motion of T frames onto the skeleton.

    Args:
        rig: Whose motion it is.
        motion: T frames in the canonical frame of the rest pose.
        base: T samples; joints that are not driven keep these local transforms, bit for bit.

    Returns:
        ``base`` with the driven joints replaced: rest translations and scales, only the root is moved.
    """
    skeleton = base.skeleton
    turned, _ = pose(rig.offsets, rig.parents, motion.rotations, motion.root)
    turn = rig.frame.turn
    target = turn.T @ turned @ turn @ rig.rest_linear
    driven = {int(joint): slot for slot, joint in enumerate(rig.source) if joint >= 0}
    translations, rotations, scales = base.translations.copy(), base.rotations.copy(), base.scales.copy()
    world = np.zeros_like(base.world)
    local = np.broadcast_to(np.eye(4), (len(base.seconds), 4, 4)).copy()
    for joint, parent in enumerate(skeleton.parents):
        above = world[:, parent] if parent >= 0 else np.broadcast_to(np.eye(4), local.shape)
        slot = driven.get(joint)
        if slot is not None:
            scales[:, joint] = skeleton.rest_scales[joint]
            translations[:, joint] = skeleton.rest_translations[joint]
            rotations[:, joint] = _local_rotation(above, target[:, slot], skeleton.rest_scales[joint])
            if slot == 0:
                translations[:, joint] = _into(above, rig.frame.to_world(motion.root))
        local = local_matrices(translations[:, joint], rotations[:, joint], scales[:, joint])
        world[:, joint] = above @ local
    return Clip(skeleton, base.seconds, translations, rotations, scales)


def _world_sources(rig: Rig) -> np.ndarray:
    source = rig.source.copy()
    for joint in np.flatnonzero(source < 0):
        source[joint] = source[rig.parents[joint]]
    return source


def _away_from_rest(world: FloatArray, rest: FloatArray) -> FloatArray:
    values = np.linalg.svd(rest, compute_uv=False)
    sound = values[:, 2] > SINGULAR * values[:, 0]
    safe = np.where(sound[:, None, None], rest, np.eye(3))
    away = np.asarray(world @ np.linalg.inv(safe))
    away[:, ~sound] = np.eye(3)
    return away


def _local_rotation(above: FloatArray, target: FloatArray, scale: FloatArray) -> FloatArray:
    linear = np.linalg.solve(above[:, :3, :3], target) / np.where(scale == 0.0, 1.0, scale)
    return matrix_quaternions(nearest_rotations(linear))


def _into(above: FloatArray, points: FloatArray) -> FloatArray:
    away = (points - above[:, :3, 3])[..., None]
    return np.asarray(np.linalg.solve(above[:, :3, :3], away)[..., 0])
