"""A path on the ground, and a motion bent along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from unimate_dcc.rig.facing import facing_rotations, yaw_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

SWAY = 8.0
"""Frames of smoothing that take the sway of a gait out of its travel: about half a stride at 30 a second."""
FINE = 0.02
"""Canonical units between the points of a path."""
GROUND = np.array([1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Path:
    """A smooth line on the ground by arc length.

    Attributes:
        points: (N, 3), y = 0, evenly spaced.
        lengths: (N,) arc length at each, from 0.
    """

    points: FloatArray
    lengths: FloatArray

    @classmethod
    def through(cls, points: FloatArray, smooth: bool = False) -> Self:
        """A path through (N, 3) points; ``smooth`` rounds the corners between them by a cubic spline."""
        flat = points * GROUND
        apart = np.linalg.norm(np.diff(flat, axis=0), axis=-1)
        flat = flat[np.concatenate(([True], apart > 1e-9))]
        along = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(flat, axis=0), axis=-1))))
        many = max(int(along[-1] / FINE), 2) + 1
        wanted = np.linspace(0.0, along[-1], 4 * many)
        if smooth and len(flat) > 2:
            line = np.asarray(CubicSpline(along, flat)(wanted))
        else:
            line = np.stack([np.interp(wanted, along, flat[:, axis]) for axis in range(3)], axis=-1)
        own = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=-1))))
        even = np.linspace(0.0, own[-1], many)
        points = np.stack([np.interp(even, own, line[:, axis]) for axis in range(3)], axis=-1)
        return cls(points, even)

    @property
    def length(self) -> float:
        """Of the whole path."""
        return float(self.lengths[-1])

    def at(self, travelled: FloatArray) -> FloatArray:
        """(T, 3) points at (T,) arc lengths; past the ends straight on."""
        inside = np.clip(travelled, 0.0, self.length)
        points = np.stack([np.interp(inside, self.lengths, self.points[:, axis]) for axis in range(3)], axis=-1)
        return np.asarray(points + (travelled - inside)[:, None] * self.ahead(travelled))

    def ahead(self, travelled: FloatArray) -> FloatArray:
        """(T, 3) unit directions at (T,) arc lengths."""
        step = np.gradient(self.points, axis=0)
        inside = np.clip(travelled, 0.0, self.length)
        found = np.stack([np.interp(inside, self.lengths, step[:, axis]) for axis in range(3)], axis=-1)
        return np.asarray(found / np.maximum(np.linalg.norm(found, axis=-1, keepdims=True), 1e-12))

    def nearest(self, point: FloatArray) -> float:
        """Arc length of the point of the path that is nearest to (3,)."""
        return float(self.lengths[np.linalg.norm(self.points - point * GROUND, axis=-1).argmin()])

    def distances(self, points: FloatArray) -> FloatArray:
        """(T,) from (T, 3) points to the path, heights aside."""
        apart = np.linalg.norm(points[:, None] * GROUND - self.points[None], axis=-1)
        return np.asarray(apart.min(1))


@dataclass(frozen=True, eq=False)
class Travel:
    """When a path is travelled.

    Attributes:
        path: The path.
        seconds: (N,) times, rising; empty to go as fast as the motion steps.
        lengths: (N,) arc lengths at them.
        turns: Whether the body faces along the path.
    """

    path: Path
    seconds: FloatArray
    lengths: FloatArray
    turns: bool = True

    @classmethod
    def timed(cls, path: Path, seconds: Sequence[float], points: FloatArray, turns: bool = True) -> Self:
        """A path that has to be at (N, 3) of its points at given times."""
        lengths = [path.nearest(point) for point in points]
        return cls(path, np.asarray(seconds, dtype=np.float64), np.maximum.accumulate(lengths), turns)

    def travelled(self, steady: FloatArray, seconds: FloatArray, start: float) -> FloatArray:
        """(T,) arc lengths; without times, those of a steady root (T, 3) from ``start`` on, not past the end."""
        if len(self.seconds):
            return np.asarray(
                PchipInterpolator(self.seconds, self.lengths)(np.clip(seconds, self.seconds[0], self.seconds[-1]))
            )
        steps = np.linalg.norm(np.diff(steady * GROUND, axis=0), axis=-1)
        return start + np.concatenate(([0.0], np.cumsum(steps)))


def follow(rig: Rig, motion: RigMotion, travel: Travel, seconds: FloatArray, start: float | None = None) -> RigMotion:
    """A motion bent along a path: sway and the way it carries itself stay, travel and heading are the path's.

    Args:
        rig: Whose motion.
        motion: T frames.
        travel: The path, and when it is travelled.
        seconds: (T,) times of the frames.
        start: Arc length of the first frame where the path has no times; None for the nearest place.
    """
    steady = gaussian_filter1d(motion.root, SWAY, axis=0, mode="nearest", truncate=3.0)
    steady = steady + _ends(motion.root, steady)
    begin = travel.path.nearest(motion.root[0]) if start is None else start
    lengths = travel.travelled(steady, seconds, begin)
    places, ahead = travel.path.at(lengths), travel.path.ahead(lengths)
    own = _headings(rig, motion, steady)
    wanted = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    bent = gaussian_filter1d(wanted, SWAY / 2, mode="nearest") - own
    turn = yaw_rotations(bent if travel.turns else np.zeros(len(own)))
    sway = np.einsum("tab,tb->ta", turn, (motion.root - steady) * GROUND)
    rotations = motion.rotations.copy()
    rotations[:, 0] = turn @ rotations[:, 0]
    return RigMotion(rotations, places + sway + motion.root * [0.0, 1.0, 0.0])


def _headings(rig: Rig, motion: RigMotion, steady: FloatArray) -> FloatArray:
    """(T,) radians from +Z in which a body goes, its swing aside: of its facing, or of its travel where it has none."""
    if rig.facing is not None:
        back = facing_rotations(motion.positions(rig), rig.facing)
        angles = np.unwrap(np.arctan2(back[:, 2, 0], back[:, 0, 0]))
    else:
        step = np.gradient(steady, axis=0)
        angles = np.unwrap(np.arctan2(step[:, 0], step[:, 2])) if np.linalg.norm(step) > 1e-6 else np.zeros(len(steady))
    return np.asarray(gaussian_filter1d(angles, SWAY, mode="nearest"))


def _ends(root: FloatArray, steady: FloatArray) -> FloatArray:
    """What a smoothed root lacks at both ends, so that it begins and ends where the root does; a straight line."""
    share = np.linspace(0.0, 1.0, len(root))[:, None]
    return np.asarray((1 - share) * (root[0] - steady[0]) + share * (root[-1] - steady[-1]))
