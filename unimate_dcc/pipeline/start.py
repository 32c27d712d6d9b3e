"""Put a motion where the character stands, facing as it faces, at the first asked frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

LEVEL = 0.1
"""A character whose lowest joint is off the rest pose's ground by less (tree diameter 2) stands on that ground."""


@dataclass(frozen=True, eq=False)
class Home:
    """A place and a facing in the canonical frame of the rest pose; seen from there they are the origin and +Z.

    Attributes:
        turn: (3, 3) about Y, from the rest pose's frame to this one.
        origin: (3,) in the rest pose's frame; its height is that of the ground.
    """

    turn: FloatArray
    origin: FloatArray

    @classmethod
    def of(cls, rig: Rig, standing: RigMotion) -> Self:
        """Where the first frame of a motion stands; the ground is the rest pose's, or, where it stands clearly higher
        or lower, at its lowest joint."""
        there = standing.positions(rig)[:1]
        lowest = float(there[..., 1].min())
        ground = lowest if abs(lowest) > LEVEL else 0.0
        origin = standing.root[0] * [1.0, 0.0, 1.0] + [0.0, ground, 0.0]
        return cls(facing_rotations(there, rig.facing)[0], origin)

    def enter(self, motion: RigMotion) -> RigMotion:
        """A motion as seen from here."""
        return motion.moved(-self.origin).turned(self.turn)

    def leave(self, motion: RigMotion) -> RigMotion:
        """A motion seen from here, in the rest pose's frame."""
        return motion.turned(self.turn.T).moved(self.origin)

    def seen(self, points: FloatArray) -> FloatArray:
        """(..., 3) points of the rest pose's frame as seen from here."""
        return np.asarray((points - self.origin) @ self.turn.T)


def start_where_it_stands(rig: Rig, motion: RigMotion, standing: RigMotion, index: int) -> RigMotion:
    """Turn and move a motion as a whole.

    Args:
        rig: Whose motion.
        motion: T frames in the canonical frame, on the ground y = 0.
        standing: One frame: the pose the character has at the first asked frame.
        index: The frame of ``motion`` that is the first asked one.

    Returns:
        The motion, its frame ``index`` above the root and in the facing of ``standing``, on its ground.
    """
    now = RigMotion(motion.rotations[index : index + 1], motion.root[index : index + 1])
    found = facing_rotations(now.positions(rig), rig.facing)[0]
    here = motion.moved(-motion.root[index] * [1.0, 0.0, 1.0]).turned(found)
    return Home.of(rig, standing).leave(here)
