"""Read a uniformly sampled motion at other times, in seconds; never a retiming."""

from __future__ import annotations

import numpy as np

from unimate_dcc.skeleton import FloatArray, matrix_quaternions, quaternion_matrices

SNAP_SECONDS = 1e-6
"""A time this close to a sample is that sample: seconds from time codes lose their last bits (TM-10)."""


def resample_vectors(values: FloatArray, fps: float, seconds: FloatArray) -> FloatArray:
    """Linear interpolation.

    Args:
        values: (T, ...) samples at 0, 1/fps, 2/fps, ...
        fps: Samples per second.
        seconds: (S,) wanted times; held beyond both ends.

    Returns:
        (S, ...) values.
    """
    low, high, weight = _neighbours(len(values), fps, seconds)
    weight = weight.reshape(-1, *([1] * (values.ndim - 1)))
    return np.asarray(values[low] * (1.0 - weight) + values[high] * weight)


def resample_rotations(matrices: FloatArray, fps: float, seconds: FloatArray) -> FloatArray:
    """Spherical interpolation, the short way.

    Args:
        matrices: (T, ..., 3, 3) rotations at 0, 1/fps, 2/fps, ...
        fps: Samples per second.
        seconds: (S,) wanted times; held beyond both ends.

    Returns:
        (S, ..., 3, 3) rotations.
    """
    low, high, weight = _neighbours(len(matrices), fps, seconds)
    quaternions = matrix_quaternions(matrices)
    weight = weight.reshape(-1, *([1] * (quaternions.ndim - 1)))
    return quaternion_matrices(slerp(quaternions[low], quaternions[high], weight))


def slerp(start: FloatArray, end: FloatArray, weight: FloatArray) -> FloatArray:
    """Unit quaternions (..., 4) wxyz from ``start`` (weight 0) to ``end`` (weight 1), the short way."""
    cosine = np.sum(start * end, axis=-1, keepdims=True)
    end = np.where(cosine < 0, -end, end)
    angle = np.arccos(np.clip(np.abs(cosine), 0.0, 1.0))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - weight, np.sin((1.0 - weight) * angle) / safe)
    second = np.where(near, weight, np.sin(weight * angle) / safe)
    blended = first * start + second * end
    return np.asarray(blended / np.linalg.norm(blended, axis=-1, keepdims=True))


def _neighbours(count: int, fps: float, seconds: FloatArray) -> tuple[np.ndarray, np.ndarray, FloatArray]:
    place = np.asarray(seconds, dtype=np.float64) * fps
    nearest = np.round(place)
    place = np.where(np.abs(place - nearest) < SNAP_SECONDS * fps, nearest, place)
    place = np.clip(place, 0.0, count - 1)
    low = np.minimum(np.floor(place).astype(np.int64), max(count - 2, 0))
    high = np.minimum(low + 1, count - 1)
    return low, high, place - low
