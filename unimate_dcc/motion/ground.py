"""Bring a motion onto its ground: no hovering because of one deep frame, nothing below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from unimate_dcc.skeleton import FloatArray

STANDING = 20.0
"""Percentile of the lowest foot's height that is taken for the ground: the deepest frame of all may be a slip."""
REACH = 4
"""Frames on both sides over which a frame that sinks is lifted."""


def onto_ground(positions: FloatArray, contacts: Sequence[int], rest_heights: FloatArray) -> FloatArray:
    """(T,) by how much to lift the root at each frame, so that feet stand on y = 0 and nothing is below.

    Args:
        positions: (T, K, 3).
        contacts: C joints that stand on the ground; none leaves the lowest joint of all to stand on it.
        rest_heights: (K,) heights of the joints over the ground at rest.
    """
    if len(contacts):
        soles = (positions[:, list(contacts), 1] - rest_heights[list(contacts)]).min(1)
        level = float(np.percentile(soles, STANDING))
    else:
        level = float(positions[..., 1].min())
    lowest = positions[..., 1].min(1) - level
    sunk = np.maximum(-lowest, 0.0)
    # The envelope lies on or above what is sunk everywhere: a smoothed maximum over twice the smoothing's reach.
    wide = maximum_filter1d(sunk, 4 * REACH + 1, mode="nearest")
    return np.asarray(gaussian_filter1d(wide, REACH / 2, mode="nearest", truncate=4.0) - level)
