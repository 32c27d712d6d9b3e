"""Rotations as matrices, over frames at once."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from unimate_dcc.skeleton import FloatArray

LEFT = np.array([1.0, 0.0, 0.0])
"""A positive turn about it lowers the nose and swings a hanging leg back."""
UP = np.array([0.0, 1.0, 0.0])
"""A positive turn about it turns to the left."""
AHEAD = np.array([0.0, 0.0, 1.0])
"""A positive turn about it raises the left side."""


def about(axis: FloatArray, angles: FloatArray | float) -> FloatArray:
    """(..., 3, 3) rotations about one unit axis (3,) by (...) radians."""
    angles = np.asarray(angles, dtype=np.float64)[..., None, None]
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.asarray(np.eye(3) + np.sin(angles) * cross + (1.0 - np.cos(angles)) * (cross @ cross))


def arcs(start: FloatArray, end: FloatArray) -> FloatArray:
    """(T, 3, 3) shortest rotations that bring directions (T, 3) onto directions (T, 3)."""
    start = start / np.maximum(np.linalg.norm(start, axis=-1, keepdims=True), 1e-12)
    end = end / np.maximum(np.linalg.norm(end, axis=-1, keepdims=True), 1e-12)
    x, y, z = np.moveaxis(np.cross(start, end), -1, 0)
    none = np.zeros_like(x)
    cross = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(-1, 3, 3)
    along = np.maximum(1.0 + (start * end).sum(-1), 1e-3)  # opposite directions have no shortest arc
    return np.asarray(np.eye(3) + cross + cross @ cross / along[:, None, None])


def blended(first: FloatArray, second: FloatArray, weight: FloatArray) -> FloatArray:
    """(T, 3, 3) rotations on the way from ``first`` to ``second`` by (T,) weights 0..1."""
    away = Rotation.from_matrix(np.swapaxes(first, -1, -2) @ second).as_rotvec()
    return np.asarray(first @ Rotation.from_rotvec(away * weight[:, None]).as_matrix())


def toward(bone: FloatArray, direction: FloatArray) -> FloatArray:
    """(3,) unit axis about which a positive turn brings a bone towards a direction."""
    axis = np.cross(bone, direction)
    length = float(np.linalg.norm(axis))
    return np.asarray(axis / length if length > 1e-9 else LEFT)
