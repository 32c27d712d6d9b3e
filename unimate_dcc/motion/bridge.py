"""Bring a motion onto given poses by a smooth offset, so that the rest of it stays what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator
from scipy.spatial.transform import Rotation

from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.skeleton import FloatArray, IntArray

SETTLES = 0.4
"""Seconds over which a difference in velocity, or an offset that fades, dies away."""


@dataclass(frozen=True, eq=False)
class Anchor:
    """A pose that a motion has to have.

    Attributes:
        second: When.
        rotations: (K, 3, 3) rest-relative local rotations.
        root: (3,) root position.
        turning: (K, 3) radians a second, in the frame of each joint, that the motion arrives or leaves with; None
            leaves that to the motion.
        moving: (3,) units a second of the root; None with ``turning``.
    """

    second: float
    rotations: FloatArray
    root: FloatArray
    turning: FloatArray | None = None
    moving: FloatArray | None = None


def bridged(motion: RigMotion, seconds: FloatArray, anchors: Sequence[Anchor]) -> RigMotion:
    """A motion with an offset that makes it hit every anchor.

    Between anchors the offset runs on a monotone cubic that rests at the first and the last; beyond them it stays.
    An anchor that gives velocities must be the first or the last: the motion leaves or reaches it with them.

    Args:
        motion: (T) frames.
        seconds: (T,) their times, rising.
        anchors: One or more, rising, each at one of ``seconds``.
    """
    order = [int(np.abs(seconds - anchor.second).argmin()) for anchor in anchors]
    turns = np.stack([_away(motion.rotations[at], anchor.rotations) for at, anchor in zip(order, anchors, strict=True)])
    moves = np.stack([anchor.root - motion.root[at] for at, anchor in zip(order, anchors, strict=True)])
    times = seconds[order]
    turn, move = _between(times, turns, seconds), _between(times, moves, seconds)
    hit = RigMotion(motion.rotations @ _matrices(turn), motion.root + move)
    for at, anchor, later in ((order[0], anchors[0], 1), (order[-1], anchors[-1], -1)):
        if anchor.turning is None or anchor.moving is None or not 0 <= at + later < len(seconds):
            continue
        turning, moving = rates(hit, seconds, at, at + later)
        swing = _swing((seconds - seconds[at]) * later)
        if not swing[at + later]:
            continue
        swing *= (seconds[at + later] - seconds[at]) / swing[at + later]  # exact at the neighbour
        turn, move = swing[:, None, None] * (anchor.turning - turning), swing[:, None] * (anchor.moving - moving)
        hit = RigMotion(hit.rotations @ _matrices(turn), hit.root + move)
    return hit


def carried_on(motion: RigMotion, frame: int, fps: float = 30.0) -> RigMotion:
    """Frames from ``frame`` on moved so that pose and velocity run on from the two frames before; it fades."""
    if not 2 <= frame < len(motion.root) - 1:
        return motion
    before, last = motion.rotations[frame - 2], motion.rotations[frame - 1]
    turning, moving = _away(before, last), motion.root[frame - 1] - motion.root[frame - 2]
    turn = _away(motion.rotations[frame], last @ _matrices(turning))
    move = motion.root[frame - 1] + moving - motion.root[frame]
    tau = (np.arange(len(motion.root)) - frame) / fps
    fade, swing = _fade(tau), _swing(tau) * fps
    faster_turn = turning - _away(motion.rotations[frame], motion.rotations[frame + 1])
    faster_move = moving - (motion.root[frame + 1] - motion.root[frame])
    turns = fade[:, None, None] * turn + swing[:, None, None] * faster_turn
    moves = fade[:, None] * move + swing[:, None] * faster_move
    return RigMotion(motion.rotations @ _matrices(turns), motion.root + moves)


def healed(motion: RigMotion, frames: Sequence[int]) -> RigMotion:
    """A motion whose given frames lie between those around them; at an end they go on from their neighbours."""
    rotations, root = motion.rotations.copy(), motion.root.copy()
    good = np.setdiff1d(np.arange(len(root)), np.asarray(frames, dtype=np.int64))
    if len(good) < 2:
        return motion
    for frame in sorted(set(frames)):
        right = int(np.searchsorted(good, frame))
        low, high = (good[right - 1], good[right]) if 0 < right < len(good) else _edge(good, right)
        share = (frame - low) / (high - low)
        rotations[frame] = motion.rotations[low] @ _matrices(
            share * _away(motion.rotations[low], motion.rotations[high])
        )
        root[frame] = (1 - share) * motion.root[low] + share * motion.root[high]
    return RigMotion(rotations, root)


def rates(motion: RigMotion, seconds: FloatArray, first: int, second: int) -> tuple[FloatArray, FloatArray]:
    """(K, 3) radians and (3,) units a second from one frame to another."""
    step = seconds[second] - seconds[first]
    turning = _away(motion.rotations[first], motion.rotations[second]) / step
    return turning, (motion.root[second] - motion.root[first]) / step


def _edge(good: IntArray, right: int) -> tuple[int, int]:
    return (int(good[0]), int(good[1])) if right == 0 else (int(good[-2]), int(good[-1]))


def _between(times: FloatArray, values: FloatArray, seconds: FloatArray) -> FloatArray:
    """(T, ...) a monotone cubic through values at times that rests at both ends and is held beyond them."""
    if len(times) == 1:
        return np.repeat(values, len(seconds), axis=0)
    slopes = np.asarray(PchipInterpolator(times, values).derivative()(times))
    slopes[[0, -1]] = 0.0
    inside = np.clip(seconds, times[0], times[-1])
    return np.asarray(CubicHermiteSpline(times, values, slopes)(inside))


def _swing(tau: FloatArray) -> FloatArray:
    """Starts at 0 with slope 1 and is back at 0 with slope 0 after ``SETTLES`` seconds."""
    return np.where((tau > 0) & (tau < SETTLES), tau * (1 - tau / SETTLES) ** 2, 0.0)


def _fade(tau: FloatArray) -> FloatArray:
    """1 at 0, 0 after ``SETTLES`` seconds, level at both; 0 before."""
    share = np.clip(tau / SETTLES, 0.0, 1.0)
    return np.where(tau >= 0, 1 - share * share * (3 - 2 * share), 0.0)


def _away(start: FloatArray, end: FloatArray) -> FloatArray:
    """(..., 3) rotation vectors, in the frame of ``start``, that lead from (..., 3, 3) to (..., 3, 3)."""
    between = np.swapaxes(start, -1, -2) @ end
    return np.asarray(Rotation.from_matrix(between.reshape(-1, 3, 3)).as_rotvec().reshape(between.shape[:-1]))


def _matrices(vectors: FloatArray) -> FloatArray:
    return np.asarray(Rotation.from_rotvec(vectors.reshape(-1, 3)).as_matrix().reshape(*vectors.shape, 3))
