"""Forward kinematics in the rest-rebased frame, where the rest pose has identity rotations (SPEC c)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.skeleton import FloatArray, IntArray


def rest_offsets(positions: FloatArray, parents: Sequence[int] | IntArray) -> FloatArray:
    """(K, 3) each joint minus its parent in the rest pose (K, 3), parents first; the root's is its position."""
    out = positions.copy()
    out[1:] -= positions[list(parents[1:])]
    return out


def pose(
    offsets: FloatArray, parents: Sequence[int] | IntArray, rotations: FloatArray, root: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Rotations and positions of all joints.

    Args:
        offsets: (K, 3) joint minus parent in the rest pose; the root's own is not used.
        parents: K parent indices, parents first.
        rotations: (T, K, 3, 3) rest-relative local rotations R'.
        root: (T, 3) root positions.

    Returns:
        (T, K, 3, 3) rotations away from rest and (T, K, 3) positions, in the frame of ``offsets``.
    """
    turned = rotations.copy()
    positions = np.empty(rotations.shape[:-1])
    positions[:, 0] = root
    for joint in range(1, len(offsets)):
        parent = parents[joint]
        turned[:, joint] = turned[:, parent] @ rotations[:, joint]
        positions[:, joint] = positions[:, parent] + turned[:, parent] @ offsets[joint]
    return turned, positions


def rest_relative(parents: Sequence[int] | IntArray, turned: FloatArray) -> FloatArray:
    """Local rotations R' (T, K, 3, 3) of rotations away from rest (T, K, 3, 3): the inverse of ``pose``."""
    local = turned.copy()
    local[:, 1:] = np.swapaxes(turned[:, list(parents[1:])], -1, -2) @ turned[:, 1:]
    return local


def nearest_rotations(matrices: FloatArray) -> FloatArray:
    """The proper rotations (..., 3, 3) closest to matrices (..., 3, 3) in the chordal sense."""
    left, _, right = np.linalg.svd(matrices)
    left[..., :, 2] *= np.linalg.det(left @ right)[..., None]
    return np.asarray(left @ right)
