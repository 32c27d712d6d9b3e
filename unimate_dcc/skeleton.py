"""A skeleton as plain numpy: joint names, tree, rest pose.

Metres, Y up, right-handed, column-vector matrices, quaternions (w, x, y, z),
parents before children. Root joints carry everything above them (prim
transforms, up axis, units), so a root's local transform is its world transform.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The joints of one character in its rest pose.

    Attributes:
        joints: J full joint paths, in the file's own order; the path is the identity.
        parents: (J,) index of the parent joint, -1 for a root; always below the own index.
        rest_translations: (J, 3) metres, joint to parent.
        rest_rotations: (J, 4) unit quaternions wxyz, joint to parent.
        rest_scales: (J, 3) factors, applied before the rotation; may be negative or zero.
        weighted: (J,) True where a joint moves mesh points; None when no mesh is bound.
    """

    joints: tuple[str, ...]
    parents: IntArray
    rest_translations: FloatArray
    rest_rotations: FloatArray
    rest_scales: FloatArray
    weighted: BoolArray | None = None

    def __post_init__(self) -> None:
        count = len(self.joints)
        shapes = {
            "parents": (self.parents, (count,)),
            "rest_translations": (self.rest_translations, (count, 3)),
            "rest_rotations": (self.rest_rotations, (count, 4)),
            "rest_scales": (self.rest_scales, (count, 3)),
        }
        for name, (array, shape) in shapes.items():
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
        if np.any(self.parents >= np.arange(count)):
            raise ValueError("a parent must come before its children")

    @cached_property
    def rest_world(self) -> FloatArray:
        """(J, 4, 4) rest transforms, joint to world, metres."""
        local = local_matrices(self.rest_translations, self.rest_rotations, self.rest_scales)
        return forward_kinematics(self.parents, local)

    @property
    def leaf_names(self) -> tuple[str, ...]:
        """J last path elements; not unique, for people and labels only."""
        return tuple(joint.rsplit("/", 1)[-1] for joint in self.joints)


def joint_paths(names: Sequence[str], parents: Sequence[int] | IntArray) -> tuple[str, ...]:
    """Joint paths of J names without slashes, parents first."""
    paths: list[str] = []
    for name, parent in zip(names, parents, strict=True):
        paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
    return tuple(paths)


def quaternion_matrices(quaternions: FloatArray) -> FloatArray:
    """Rotation matrices of unit quaternions.

    Args:
        quaternions: (..., 4) wxyz; normalised here.

    Returns:
        (..., 3, 3) column-vector rotation matrices.
    """
    q = quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
        2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return np.stack(rows, axis=-1).reshape(*q.shape[:-1], 3, 3)


def matrix_quaternions(matrices: FloatArray) -> FloatArray:
    """Unit quaternions (..., 4) wxyz, w >= 0, of proper rotation matrices (..., 3, 3)."""
    from scipy.spatial.transform import Rotation

    flat = Rotation.from_matrix(matrices.reshape(-1, 3, 3)).as_quat(canonical=True)
    return np.asarray(np.roll(flat, 1, axis=-1).reshape(*matrices.shape[:-2], 4))


def quaternion_multiply(left: FloatArray, right: FloatArray) -> FloatArray:
    """Hamilton product (..., 4) wxyz; rotates by ``right`` first."""
    w0, x0, y0, z0 = np.moveaxis(left, -1, 0)
    w1, x1, y1, z1 = np.moveaxis(right, -1, 0)
    parts = [
        w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
        w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
        w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
    ]
    return np.stack(parts, axis=-1)


def unflipped(q: FloatArray) -> FloatArray:
    """Quaternions (T, ..., 4), each sign that of the frame before; lengths stay."""
    if len(q) < 2:
        return q
    flips = np.where(np.einsum("t...q,t...q->t...", q[1:], q[:-1]) < 0, -1.0, 1.0)
    if (flips > 0).all():
        return q
    signs = np.concatenate([np.ones_like(flips[:1]), np.cumprod(flips, axis=0)])
    return np.asarray(q * signs[..., None])


def local_matrices(translations: FloatArray, rotations: FloatArray, scales: FloatArray) -> FloatArray:
    """Joint-to-parent matrices (..., J, 4, 4) = translate . rotate . scale."""
    shape = np.broadcast_shapes(translations.shape[:-1], rotations.shape[:-1], scales.shape[:-1])
    out = np.zeros((*shape, 4, 4))
    out[..., :3, :3] = quaternion_matrices(rotations) * scales[..., None, :]
    out[..., :3, 3] = translations
    out[..., 3, 3] = 1.0
    return out


def forward_kinematics(parents: IntArray, local: FloatArray) -> FloatArray:
    """Joint-to-world matrices.

    Args:
        parents: (J,) parent indices, parents first.
        local: (..., J, 4, 4) joint-to-parent matrices.

    Returns:
        (..., J, 4, 4) joint-to-world matrices in the same order.
    """
    world = local.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            world[..., joint, :, :] = world[..., parent, :, :] @ local[..., joint, :, :]
    return world
