"""Ranges longer than the model's window: where windows lie, and how one is turned to follow another.

Every later window begins with the last frames of the one before, turned so that the
first of them faces +Z, as the model was trained (SPEC e, expansion).
"""

from __future__ import annotations

import numpy as np

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model.features import ROTATION, from_six_d, turned
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.skeleton import FloatArray, IntArray

OVERLAP = 20
"""Frames; with the released 10 a walk slowed to two thirds of its pace at each window (design/lessons.md 10)."""


def check_overlap(overlap: int, window: int) -> None:
    """Refuse an overlap that leaves a window nothing new."""
    if not 1 <= overlap < window:
        raise BadRequestError("overlap", overlap, f"must be at least 1 and below the window of {window} frames")


def pieces(frames: int, window: int, overlap: int, first: bool) -> list[int]:
    """New frames of each window that a segment of ``frames`` takes; the ``first`` segment begins with a whole one."""
    left = max(frames - window, 0) if first else frames
    head = [frames - left] if first else []
    room = window - overlap
    return head + [room] * (left // room) + [left % room] * (left % room > 0)


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


def joined(windows: list[FloatArray], yaws: list[FloatArray], overlaps: list[int], parents: IntArray) -> FloatArray:
    """One run of features from several windows.

    Args:
        windows: Each (T_i, J, 12) unnormalised, each in its own facing.
        yaws: The (3, 3) turn between each window and the next, one fewer than ``windows``.
        overlaps: Frames that each window repeats of the one before; of the first 0.
        parents: (J,) parent indices.

    Returns:
        (sum of all T_i - overlap_i, J, 12) unnormalised features, facing as the first window.
    """
    back = np.eye(3)
    parts = [windows[0]]
    for window, yaw, overlap in zip(windows[1:], yaws, overlaps[1:], strict=True):
        back = yaw @ back
        parts.append(turned(window, parents, back.T)[overlap:])
    return np.concatenate(parts)


def _yaw(six: FloatArray) -> FloatArray:
    """The rotation about Y nearest to a facing, so that a tilt of the root's slot is not handed on."""
    facing = from_six_d(six)
    angle = np.arctan2(facing[0, 2] - facing[2, 0], facing[0, 0] + facing[2, 2])
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
