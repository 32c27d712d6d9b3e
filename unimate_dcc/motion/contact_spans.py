"""When a foot stands: paper E.5, per contact joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import label, median_filter

from unimate_dcc.motion.quality import SKATES, contact_steps
from unimate_dcc.skeleton import BoolArray, FloatArray

MEDIAN, SHORTEST = 5, 3
"""Frames of the median filter and of the shortest span (paper E.5)."""


@dataclass(frozen=True)
class Span:
    """A foot stands from frame ``first`` up to and including ``last``."""

    first: int
    last: int


def contact_spans(positions: FloatArray, fps: float, contacts: Sequence[int], root_height: float) -> list[list[Span]]:
    """Spans of each contact joint.

    Args:
        positions: (T, K, 3), ground at y = 0.
        fps: Frames per second.
        contacts: C joints.
        root_height: Rest height of the root, in the unit of the positions.
    """
    _, steps, near = contact_steps(positions, fps, contacts, root_height)
    stands = near & (steps < SKATES)
    # A step has two ends; the first frame stands as the first step says.
    stands = np.concatenate([stands[:1], stands])
    return [_spans(stands[:, foot]) for foot in range(len(contacts))]


def _spans(stands: BoolArray) -> list[Span]:
    calm = median_filter(stands.astype(np.uint8), size=MEDIAN, mode="nearest")
    numbered, count = label(calm)
    found = []
    for number in range(1, count + 1):
        frames = np.flatnonzero(numbered == number)
        if len(frames) >= SHORTEST:
            found.append(Span(int(frames[0]), int(frames[-1])))
    return found
