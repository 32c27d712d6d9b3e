"""Where a body faces, from the positions of a few joints (SPEC c, paper A.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unimate_dcc.skeleton import FloatArray

FLAT = 1e-8
"""A forward direction shorter than this on the ground has no heading."""


@dataclass(frozen=True)
class FacingPair:
    """Which joints tell where a body faces.

    Attributes:
        right: One or two joints on the right, or the head end of a body axis.
        left: As many on the left, or the tail end of the axis.
        body_axis: True where the line from ``left`` to ``right`` runs from tail to head.
        source: What told so, for people.
        confidence: 0 to 1.
    """

    right: tuple[int, ...]
    left: tuple[int, ...]
    body_axis: bool = False
    source: str = "given"
    confidence: float = 1.0


def facing_rotations(positions: FloatArray, facing: FacingPair | None) -> FloatArray:
    """The turn about Y that brings the facing of each frame to +Z, the inverse of its heading.

    Args:
        positions: (T, K, 3) joint positions.
        facing: None where the body has no facing: identity.

    Returns:
        (T, 3, 3) rotations. A frame without a direction takes that of the nearest frame with one;
        where no frame has one, identity.
    """
    frames = len(positions)
    if facing is None:
        return yaw_rotations(np.zeros(frames))
    across = positions[:, list(facing.right)].sum(1) - positions[:, list(facing.left)].sum(1)
    across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-12)
    forward = across if facing.body_axis else np.cross([0.0, 1.0, 0.0], across)
    good = np.flatnonzero(np.hypot(forward[:, 0], forward[:, 2]) > FLAT)
    if not len(good):
        return yaw_rotations(np.zeros(frames))
    nearest = good[np.abs(np.arange(frames)[:, None] - good[None]).argmin(1)]
    return yaw_rotations(-np.arctan2(forward[nearest, 0], forward[nearest, 2]))


def yaw_rotations(angles: FloatArray) -> FloatArray:
    """(..., 3, 3) rotations about Y by (...) radians."""
    out = np.zeros((*np.shape(angles), 3, 3))
    out[..., 0, 0] = out[..., 2, 2] = np.cos(angles)
    out[..., 0, 2] = np.sin(angles)
    out[..., 2, 0] = -np.sin(angles)
    out[..., 1, 1] = 1.0
    return out
