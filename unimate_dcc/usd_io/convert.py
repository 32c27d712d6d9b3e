"""Numbers across the border: units, axes, quaternion order, row and column matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from pxr import Gf, Vt

from unimate_dcc.rig.pose import nearest_rotations
from unimate_dcc.skeleton import FloatArray, matrix_quaternions

Z_TO_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""Turns a Z-up stage into Y up: X stays, Z becomes Y, Y becomes -Z."""


def stage_to_world(up_axis: str, metres_per_unit: float) -> FloatArray:
    """(3, 3) from stage axes and units to Y up and metres."""
    return (Z_TO_Y if up_axis == "Z" else np.eye(3)) * metres_per_unit


def column_matrix(matrix: Gf.Matrix4d) -> FloatArray:
    """(4, 4) column-vector matrix; Gf multiplies row vectors from the left."""
    return np.array(matrix, dtype=np.float64).T


def column_matrices(matrices: Vt.Matrix4dArray) -> FloatArray:
    """(N, 4, 4) column-vector matrices."""
    return np.swapaxes(np.asarray(matrices, dtype=np.float64).reshape(-1, 4, 4), -1, -2).copy()


def quaternions_from_vt(values: Any) -> FloatArray:
    """(N, 4) wxyz of a quatf or quath array; raw lengths."""
    # A quat array is (x, y, z, w) in numpy although Gf.Quatf() takes w first.
    raw = np.asarray(values).reshape(-1, 4)
    out = np.empty(raw.shape)
    out[:, 0], out[:, 1:] = raw[:, 3], raw[:, :3]
    return out


def quaternions_to_vt(values: FloatArray) -> list[Vt.QuatfArray]:
    """T quatf arrays of (T, N, 4) wxyz."""
    rolled = np.empty(values.shape, dtype=np.float32)
    rolled[..., :3], rolled[..., 3] = values[..., 1:], values[..., 0]
    return list(map(Vt.QuatfArray.FromNumpy, rolled))


def vectors_from_vt(values: Any) -> FloatArray:
    """(N, 3) of a float3 or half3 array."""
    return np.asarray(values, dtype=np.float64).reshape(-1, 3)


def translations_to_vt(values: FloatArray) -> list[Vt.Vec3fArray]:
    """T float3 arrays of (T, N, 3)."""
    return list(map(Vt.Vec3fArray.FromNumpy, np.ascontiguousarray(values, dtype=np.float32)))


def scales_to_vt(values: FloatArray) -> list[Vt.Vec3hArray]:
    """T half3 arrays of (T, N, 3)."""
    return list(map(Vt.Vec3hArray.FromNumpy, np.ascontiguousarray(values, dtype=np.float16)))


def decompose(matrices: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Translation (..., 3), rotation (..., 4) wxyz and scale (..., 3) of (..., 4, 4) matrices.

    A mirror goes into the sign of the x scale; a zero scale leaves the identity rotation; shear is dropped.
    """
    linear = matrices[..., :3, :3]
    scale = np.linalg.norm(linear, axis=-2)
    scale[..., 0] *= np.where(np.linalg.det(linear) < 0, -1.0, 1.0)
    sound = np.all(np.abs(scale) > 1e-12, axis=-1)[..., None, None]
    unit = np.where(sound, linear / np.where(np.abs(scale) > 1e-12, scale, 1.0)[..., None, :], np.eye(3))
    return matrices[..., :3, 3].copy(), matrix_quaternions(nearest_rotations(unit)), scale
