"""Loops and travel: clips that close on themselves, and the ground speed that in-place gaits lost."""

from __future__ import annotations

import numpy as np

from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

CLOSES = 1.6
"""A clip is a loop when its last pose misses the first by at most this many of its own typical steps."""
STANCE = 0.15
"""A contact joint stands when it is within this share of its own lift above its lowest point."""
PLANTED = 0.35
"""Travel is believed when standing feet slide by less than this share of the speed found."""
TRAVELS = 0.1
"""Canonical units from start to end; less is in place."""
SLOWEST = 0.004
"""Canonical units a frame; a slower ground is standing still."""


def is_loop(rig: Rig, motion: RigMotion) -> bool:
    """Whether the last pose leads back to the first, travel on the ground aside."""
    positions = motion.positions(rig) - motion.root[:, None] * [1.0, 0.0, 1.0]
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(-1)
    seam = float(np.linalg.norm(positions[-1] - positions[0], axis=-1).max())
    return seam <= max(CLOSES * float(np.percentile(steps, 75)), 0.01)


def unrolled(motion: RigMotion, frames: int, start: int) -> RigMotion:
    """A loop repeated to ``frames`` poses from phase ``start``; travel goes on from turn to turn."""
    period = len(motion.root) - 1
    index = start + np.arange(frames)
    lap = (motion.root[-1] - motion.root[0]) * [1.0, 0.0, 1.0]
    root = motion.root[index % period] + (index // period)[:, None] * lap
    return RigMotion(motion.rotations[index % period], root)


def travels(motion: RigMotion) -> bool:
    """Whether the root leaves its place on the ground."""
    shift = motion.root[-1] - motion.root[0]
    return float(np.hypot(shift[0], shift[2])) >= TRAVELS


def travelling(rig: Rig, motion: RigMotion) -> RigMotion | None:
    """The motion with the ground speed that makes standing feet stand still; None where no speed is sure."""
    if not rig.contacts:
        return None
    if travels(motion):
        return None
    feet = motion.positions(rig)[:, [contact.joint for contact in rig.contacts]]
    low = feet[..., 1].min(0)
    lift = np.ptp(feet[..., 1], axis=0)
    standing = (feet[:-1, :, 1] - low < STANCE * lift) & (feet[1:, :, 1] - low < STANCE * lift) & (lift > 1e-3)
    steps = np.diff(feet, axis=0)[..., [0, 2]]
    if standing.sum() < 4:
        return None
    ground: FloatArray = np.median(steps[standing], axis=0)
    speed = float(np.hypot(*ground))
    slide = float(np.median(np.linalg.norm(steps[standing] - ground, axis=-1)))
    if speed < SLOWEST or slide > PLANTED * speed or -ground[1] < 0.8 * speed:
        return None
    offset = np.zeros_like(motion.root)
    offset[:, [0, 2]] = -np.arange(len(motion.root))[:, None] * ground
    return RigMotion(motion.rotations, motion.root + offset)
