"""The 12 features of a joint and a frame, from a motion and back (SPEC c).

Channels: 0-2 position in the facing frame, 3-8 the parent's rest-relative local
rotation as 6D (the root's slot: the facing itself), 9-11 velocity per frame.
F poses give F - 1 frames of features. numpy float64; canonical frame: Y up, +Z
ahead, the rest pose has identity rotations and tree diameter 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.facing import FacingPair, facing_rotations
from unimate_dcc.rig.pose import nearest_rotations, pose
from unimate_dcc.skeleton import FloatArray, IntArray

POSITION = slice(0, 3)
ROTATION = slice(3, 9)
VELOCITY = slice(9, 12)


def six_d(rotations: FloatArray) -> FloatArray:
    """(..., 6) first column, then second column, of (..., 3, 3) rotations."""
    return np.concatenate((rotations[..., 0], rotations[..., 1]), axis=-1)


def from_six_d(values: FloatArray) -> FloatArray:
    """(..., 3, 3) rotations of (..., 6): x normalised, z = x × y, y = z × x (SPEC c)."""
    first = values[..., :3] / np.maximum(np.linalg.norm(values[..., :3], axis=-1, keepdims=True), 1e-12)
    third = np.cross(first, values[..., 3:])
    third /= np.maximum(np.linalg.norm(third, axis=-1, keepdims=True), 1e-12)
    return np.stack((first, np.cross(third, first), third), axis=-1)


def features_from_motion(
    offsets: FloatArray,
    parents: Sequence[int] | IntArray,
    facing: FacingPair | None,
    rotations: FloatArray,
    root: FloatArray,
) -> FloatArray:
    """Features of a grounded motion whose first pose faces +Z at x = z = 0.

    Args:
        offsets: (J, 3) rest offsets.
        parents: J parent indices, parents first.
        facing: The joints that tell the facing.
        rotations: (T, J, 3, 3) rest-relative local rotations.
        root: (T, 3) root positions.

    Returns:
        (T - 1, J, 12) features, unnormalised.
    """
    _, positions = pose(offsets, parents, rotations, root)
    turn = facing_rotations(positions, facing)
    out = np.empty((len(root) - 1, len(offsets), 12))
    flat = positions - root[:, None] * [1.0, 0.0, 1.0]
    out[..., POSITION] = np.einsum("tab,tjb->tja", turn[:-1], flat[:-1])
    out[:, 0, POSITION] = root[:-1] * [0.0, 1.0, 0.0]
    out[:, 1:, ROTATION] = six_d(rotations[:-1, list(parents[1:])])
    out[:, 0, ROTATION] = six_d(turn[:-1])
    out[..., VELOCITY] = np.einsum("tab,tjb->tja", turn[1:], np.diff(positions, axis=0))
    return out


def motion_from_features(
    offsets: FloatArray, parents: Sequence[int] | IntArray, features: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The motion that features describe, decoded from rotations.

    Args:
        offsets: (J, 3) rest offsets; only their number matters here.
        parents: J parent indices, parents first.
        features: (T, J, 12) unnormalised features.

    Returns:
        (T, J, 3, 3) rest-relative local rotations, leaves identity; (T, 3) root positions from x = z = 0.
    """
    frames, joints = features.shape[:2]
    rotations = np.broadcast_to(np.eye(3), (frames, joints, 3, 3)).copy()
    copies = np.zeros((frames, joints, 3, 3))
    slots = from_six_d(features[..., ROTATION])
    for joint in range(1, len(offsets)):
        copies[:, parents[joint]] += slots[:, joint]
    inner = sorted({int(parent) for parent in parents[1:]})
    rotations[:, inner] = nearest_rotations(copies[:, inner])
    return rotations, root_path(features)


def root_path(features: FloatArray) -> FloatArray:
    """(T, 3) root positions that features (T, J, 12) describe, starting at x = z = 0."""
    turn = from_six_d(features[:, 0, ROTATION])
    step = features[:-1, 0, VELOCITY] * [1.0, 0.0, 1.0]
    root = np.zeros((len(features), 3))
    root[1:] = np.cumsum(np.einsum("tba,tb->ta", turn[1:], step), axis=0)
    root[:, 1] = features[:, 0, 1]
    return root


def positions_from_features(features: FloatArray) -> FloatArray:
    """(T, J, 3) positions decoded from the position channels, to cross-check the rotations (SPEC c, RIC)."""
    turn = from_six_d(features[:, 0, ROTATION])
    root = root_path(features)
    positions = np.einsum("tba,tjb->tja", turn, features[..., POSITION]) + root[:, None] * [1.0, 0.0, 1.0]
    positions[:, 0] = root
    return np.asarray(positions)


def rest_features(positions: FloatArray) -> FloatArray:
    """(J, 12) features of the canonical rest pose (J, 3): position, identity, no velocity (SPEC b3)."""
    out = np.zeros((len(positions), 12))
    out[:, POSITION] = positions
    out[:, ROTATION] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    return out


def turned(features: FloatArray, parents: Sequence[int] | IntArray, yaw: FloatArray) -> FloatArray:
    """The same motion, turned so that facing ``yaw`` becomes the new straight ahead.

    Args:
        features: (T, J, 12) unnormalised features.
        parents: J parent indices.
        yaw: (3, 3) rotation about Y, for example the facing of the first frame.

    Returns:
        (T, J, 12); only the root's slot and those of its direct children differ.
    """
    out = features.copy()
    out[:, 0, ROTATION] = six_d(from_six_d(features[:, 0, ROTATION]) @ yaw.T)
    children = [joint for joint in range(1, len(parents)) if parents[joint] == 0]
    out[:, children, ROTATION] = six_d(yaw @ from_six_d(features[:, children, ROTATION]))
    return out


def realigned(features: FloatArray, parents: Sequence[int] | IntArray) -> FloatArray:
    """Features (T, J, 12) whose first frame faces +Z."""
    return turned(features, parents, from_six_d(features[0, 0, ROTATION]))
