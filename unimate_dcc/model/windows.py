"""Ranges longer than the model's window: where windows lie, and how one is turned to follow another.

Every later window begins with the last frames of the one before, turned so that the
first of them faces +Z, as the model was trained (SPEC e, expansion).
"""

from __future__ import annotations

import math

import numpy as np

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model.features import ROTATION, from_six_d, turned
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.skeleton import FloatArray, IntArray

OVERLAP = 20
"""Frames; with the released 10 a walk slowed to two thirds of its pace at each window (design/lessons.md 10)."""


def count_windows(frames: int, window: int, overlap: int) -> int:
    """How many windows of ``window`` frames cover ``frames``."""
    if frames <= window:
        return 1
    if not 1 <= overlap < window:
        raise BadRequestError("overlap", overlap, f"must be at least 1 and below the window of {window} frames")
    return math.ceil((frames - overlap) / (window - overlap))


def handed_on(tail: FloatArray, parents: IntArray, statistics: Statistics) -> tuple[FloatArray, FloatArray]:
    """What the next window starts from.

    Args:
        tail: (O, J, 12) normalised last frames of a window.
        parents: (J,) parent indices.
        statistics: Of the model.

    Returns:
        The tail turned so that its frame 0 faces +Z, normalised, constant channels as they were;
        and the (3, 3) turn it took.
    """
    features = statistics.denormalise(tail)
    yaw = _yaw(features[0, 0, ROTATION])
    ahead = statistics.normalise(turned(features, parents, yaw))
    return np.where(statistics.constant(len(parents)), tail, ahead), yaw


def joined(windows: list[FloatArray], yaws: list[FloatArray], parents: IntArray, overlap: int) -> FloatArray:
    """One run of features from several windows.

    Args:
        windows: Each (T, J, 12) unnormalised, each in its own facing.
        yaws: The (3, 3) turn between each window and the next, one fewer than ``windows``.
        parents: (J,) parent indices.
        overlap: Frames that each later window repeats.

    Returns:
        (T + (T - overlap) * (N - 1), J, 12) unnormalised features, facing as the first window.
    """
    back = np.eye(3)
    parts = [windows[0]]
    for window, yaw in zip(windows[1:], yaws, strict=True):
        back = yaw @ back
        parts.append(turned(window, parents, back.T)[overlap:])
    return np.concatenate(parts)


def _yaw(six: FloatArray) -> FloatArray:
    """The rotation about Y nearest to a facing, so that a tilt of the root's slot is not handed on."""
    facing = from_six_d(six)
    angle = np.arctan2(facing[0, 2] - facing[2, 0], facing[0, 0] + facing[2, 2])
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
