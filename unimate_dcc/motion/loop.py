"""Close a motion into a loop: begin where it closes best, and blend the end into the beginning."""

from __future__ import annotations

import numpy as np

from unimate_dcc.motion.bridge import carried_on
from unimate_dcc.motion.resample import resample_rotations, resample_vectors
from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

STRETCH = 0.1
"""A loop may be played this much faster or slower to close better."""
AFTER = 3
"""Frames past the end that show the beginning again, so that its velocity is met too."""


def closed(rig: Rig, motion: RigMotion, period: float) -> RigMotion:
    """A loop of ``period`` frames: its last frame is the first again, travel and turn aside, and so is its velocity.

    Args:
        rig: Whose motion.
        motion: T frames, T above ``period``; the frames to spare let the loop begin where it closes best.
        period: Frames of a turn; the result has the next whole number of them, and one.
    """
    start, length = _best(rig, motion, period)
    frames = int(np.ceil(period - 1e-6)) + 1
    places = np.asarray(start + np.arange(frames + AFTER) * length / period, dtype=np.float64)
    turn = RigMotion(resample_rotations(motion.rotations, 1.0, places), resample_vectors(motion.root, 1.0, places))
    again = _following(rig, turn, period, frames)
    whole = RigMotion(
        np.concatenate((turn.rotations[: frames - 1], again.rotations)),
        np.concatenate((turn.root[: frames - 1], again.root)),
    )
    back = carried_on(RigMotion(whole.rotations[::-1], whole.root[::-1]), AFTER + 1)
    return RigMotion(back.rotations[::-1][:frames], back.root[::-1][:frames])


def _following(rig: Rig, turn: RigMotion, period: float, frames: int) -> RigMotion:
    """The beginning of a turn put where the turn ends: frames ``frames - 1`` to ``frames - 1 + AFTER`` of the loop."""
    phase = np.asarray(np.arange(AFTER + 1) + (frames - 1 - period), dtype=np.float64)
    begin = RigMotion(resample_rotations(turn.rotations, 1.0, phase), resample_vectors(turn.root, 1.0, phase))
    ends = RigMotion(
        resample_rotations(turn.rotations, 1.0, np.array([0.0, period])),
        resample_vectors(turn.root, 1.0, np.array([0.0, period])),
    )
    facing = facing_rotations(ends.positions(rig), rig.facing)
    turned = facing[1].T @ facing[0]
    flat = np.array([1.0, 0.0, 1.0])
    return begin.moved(-ends.root[0] * flat).turned(turned).moved(ends.root[1] * flat)


def _best(rig: Rig, motion: RigMotion, period: float) -> tuple[int, float]:
    """Start and length of the part whose two ends are most alike in pose and velocity."""
    positions = motion.positions(rig) - motion.root[:, None] * [1.0, 0.0, 1.0]
    ahead = np.einsum("tab,tkb->tka", facing_rotations(motion.positions(rig), rig.facing), positions)
    state = np.concatenate((ahead[:-1], 3.0 * np.diff(ahead, axis=0)), axis=-1)
    best, found = np.inf, (0, period)
    for length in range(int(np.ceil(period * (1 - STRETCH))), int(period * (1 + STRETCH)) + 1):
        starts = np.arange(len(state) - length - AFTER)
        if not len(starts):
            break
        miss: FloatArray = np.linalg.norm(state[starts] - state[starts + length], axis=-1).mean(-1)
        miss = miss + 0.02 * abs(length - period) / period
        if miss.min() < best:
            best, found = float(miss.min()), (int(miss.argmin()), float(length))
    return found
