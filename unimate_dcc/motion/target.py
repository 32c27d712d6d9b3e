"""A joint that has to be somewhere for a while, and a head that looks at something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from unimate_dcc.motion.limb import find_limb, reach
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose, rest_relative
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

BLEND = 0.3
"""Seconds before and after, over which a joint goes to its target and comes back."""
TRIES = 6
"""Times that a limb reaches again for what is left of the way."""
WIDEST = np.radians(80.0)
"""A head turns no further from the trunk."""
LOOKS = 4
"""Times the chain turns towards what it looks at; its eyes move while it turns."""


@dataclass(frozen=True, eq=False)
class Target:
    """Where a joint has to be.

    Attributes:
        joint: Of the rig.
        first: Second from which on it is there.
        last: Second until which it is.
        places: (T, 3) for every frame of the motion, in its frame.
    """

    joint: int
    first: float
    last: float
    places: FloatArray

    def share(self, seconds: FloatArray) -> FloatArray:
        """(T,) 1 while it holds, down to 0 before and after."""
        away = np.maximum(self.first - seconds, seconds - self.last)
        rise = np.clip(1.0 - away / BLEND, 0.0, 1.0)
        return np.asarray(rise * rise * (3 - 2 * rise))


def reached(rig: Rig, motion: RigMotion, target: Target, seconds: FloatArray) -> RigMotion:
    """The motion with its limb reaching for the target, as far as it reaches; nothing above the limb moves."""
    limb = find_limb(rig.parents, target.joint, [])
    share = target.share(seconds)
    frames = np.flatnonzero(share > 0)
    if not limb.joints or not len(frames):
        return motion
    rotations, root = motion.rotations[frames], motion.root[frames]
    path = pose(rig.offsets, rig.parents, rotations, root)[1][:, target.joint]
    wanted = path + share[frames, None] * (target.places[frames] - path)
    for _ in range(TRIES):
        rotations = reach(rig.offsets, rig.parents, rotations, root, limb, wanted)
    out = motion.rotations.copy()
    out[frames] = rotations
    return RigMotion(out, motion.root)


def missed(rig: Rig, motion: RigMotion, target: Target, seconds: FloatArray) -> tuple[float, int]:
    """Farthest distance from the target while it holds, canonical units, and the frame."""
    holds = (seconds >= target.first - 1e-6) & (seconds <= target.last + 1e-6)
    away = np.where(holds, np.linalg.norm(motion.positions(rig)[:, target.joint] - target.places, axis=-1), 0.0)
    return float(away.max()), int(away.argmax())


def looking(rig: Rig, motion: RigMotion, chain: tuple[int, ...], target: Target, seconds: FloatArray) -> RigMotion:
    """The motion with a chain of joints, neck to head, turned so that the last one's rest-forward points at a target.

    ``target.joint`` is the head.
    """
    share = target.share(seconds)
    out = motion
    for _ in range(LOOKS):
        turned, positions = pose(rig.offsets, rig.parents, out.rotations, out.root)
        head = turned[:, target.joint]
        towards = target.places - positions[:, target.joint]
        towards = towards / np.maximum(np.linalg.norm(towards, axis=-1, keepdims=True), 1e-9)
        trunk = turned[:, rig.parents[chain[0]]]
        towards = _within(trunk[..., 2], towards)
        turn = share[:, None] * _between(head[..., 2], towards)
        if np.abs(turn).max() < 1e-6:
            break
        for joint in chain:
            step = Rotation.from_rotvec(turn / len(chain)).as_matrix()
            for below in _at_and_below(rig, joint):
                turned[:, below] = step @ turned[:, below]
        out = RigMotion(rest_relative(rig.parents, turned), out.root)
    return out


def _within(ahead: FloatArray, towards: FloatArray) -> FloatArray:
    """Directions (T, 3) no further from (T, 3) ``ahead`` than a head turns."""
    turn = _between(ahead, towards)
    size = np.linalg.norm(turn, axis=-1, keepdims=True)
    turn = turn * np.minimum(1.0, WIDEST / np.maximum(size, 1e-9))
    return np.asarray(Rotation.from_rotvec(turn).apply(ahead))


def _between(start: FloatArray, end: FloatArray) -> FloatArray:
    """(T, 3) shortest rotation vectors from unit vectors to unit vectors."""
    axis = np.cross(start, end)
    sine = np.linalg.norm(axis, axis=-1, keepdims=True)
    angle = np.arctan2(sine, np.sum(start * end, axis=-1, keepdims=True))
    return np.asarray(axis / np.maximum(sine, 1e-9) * angle)


def _at_and_below(rig: Rig, joint: int) -> list[int]:
    found = [joint]
    for other in range(joint + 1, len(rig.parents)):
        if int(rig.parents[other]) in found:
            found.append(other)
    return found
