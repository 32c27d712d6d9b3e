"""What a clip is measured to do, so that no caption claims what it does not do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unimate_dcc.rig.facing import FacingPair, facing_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

SURE = 0.3
"""A shorter way tells no direction."""
TURNS = 30.0
"""Degrees between the first and the last facing; less is straight ahead."""
WAYS = ("forward", "to the left", "backward", "to the right")


@dataclass(frozen=True)
class Measured:
    """Facts about a clip.

    Attributes:
        way: One of ``WAYS`` relative to where the body faces on the way, or empty where it hardly leaves its place.
        turn: Degrees that the body turns from start to end; positive is to its left.
    """

    way: str
    turn: float


def measured(rig: Rig, motion: RigMotion) -> Measured:
    """Measure a motion of the rig; a body without facing goes ``forward`` wherever it goes."""
    steps = np.diff(motion.root, axis=0)[:, [0, 2]]
    along = steps.sum(0)
    facing = rig.facing
    headings = _headings(facing, motion.positions(rig)) if facing is not None else np.zeros(len(motion.root))
    turn = float(np.degrees(np.unwrap(headings)[-1] - headings[0]))
    if np.hypot(*along) < SURE:
        return Measured("", turn)
    ahead = np.stack([np.sin(headings[:-1]), np.cos(headings[:-1])], axis=-1)
    left = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
    forward, sideways = float((steps * ahead).sum()), float((steps * left).sum())
    quarter = round(float(np.arctan2(sideways, forward)) / (np.pi / 2)) % 4
    return Measured(WAYS[quarter] if facing is not None else WAYS[0], turn)


def _headings(facing: FacingPair, positions: FloatArray) -> FloatArray:
    """(T,) radians from +Z towards +X, the left of a body that faces +Z."""
    # facing_rotations turn the body back to +Z
    ahead = np.swapaxes(facing_rotations(positions, facing), -1, -2)[:, :, 2]
    return np.asarray(np.arctan2(ahead[:, 0], ahead[:, 2]))
