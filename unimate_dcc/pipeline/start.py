"""Put a motion where the character stands, facing as it faces, at the first asked frame."""

from __future__ import annotations

from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig

LEVEL = 0.1
"""A character whose lowest joint is off the rest pose's ground by less (tree diameter 2) stands on that ground."""


def start_where_it_stands(rig: Rig, motion: RigMotion, standing: RigMotion, index: int) -> RigMotion:
    """Turn and move a motion as a whole.

    Args:
        rig: Whose motion.
        motion: T frames in the canonical frame, on the ground y = 0.
        standing: One frame: the pose the character has at the first asked frame.
        index: The frame of ``motion`` that is the first asked one.

    Returns:
        The motion, its frame ``index`` above the root and in the facing of ``standing``; its ground is the rest pose's,
        or, where the character stands clearly higher or lower, that of its lowest joint.
    """
    there = standing.positions(rig)
    now = RigMotion(motion.rotations[index : index + 1], motion.root[index : index + 1])
    wanted = facing_rotations(there, rig.facing)[0]
    found = facing_rotations(now.positions(rig), rig.facing)[0]
    turned = motion.turned(wanted.T @ found)
    lowest = float(there[..., 1].min())
    shift = (standing.root[0] - turned.root[index]) * [1.0, 0.0, 1.0]
    return turned.moved(shift + [0.0, lowest if abs(lowest) > LEVEL else 0.0, 0.0])
