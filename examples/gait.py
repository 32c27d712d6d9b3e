"""A trot: planted paws, swinging legs, and a body that sinks over each pair of them.

The rest pose has no rotations, so that every joint's frame at rest is the world's, and bones keep their rest offsets.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from creature import SIDES, Creature

PERIOD = 0.5
"""Seconds of a stride, in which the two diagonal pairs take turns."""
SPEED = 1.05
"""Metres a second: a fox that is in no hurry."""
STANCE = 0.42
"""Share of a stride that a paw is planted; below a half, so that the trot hangs in the air for a moment."""
REACH = SPEED * PERIOD * STANCE / 2
CROUCH, BOB = 0.036, 0.010
HOME = {"Front": 0.004, "Hind": 0.0}
"""Metres that the middle of a paw's path lies ahead of where it stands at rest."""
LIFT = {"Front": 0.060, "Hind": 0.045}
SHOULDER = 22.0
"""Degrees that a shoulder blade swings either way."""
# Degrees about X over a stride (0 lands, 1 lands again): a paw rolls over its toes and hangs back when it is lifted.
PAW = ((0.0, -6.0), (0.10, 0.0), (0.26, 4.0), (STANCE, 38.0), (0.60, 75.0), (0.80, 35.0), (0.94, -8.0), (1.0, -6.0))
HOCK = ((0.0, -14.0), (0.20, 0.0), (STANCE, 30.0), (0.62, 48.0), (0.85, -4.0), (1.0, -14.0))
Motion = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Leg:
    """Joints of a leg from the body down, and when in the stride its paw lands."""

    end: str
    joints: tuple[str, ...]
    lands: float


LEGS = tuple(
    Leg(end, tuple(side + name for name in names), (lands + (0.0 if sign > 0 else 0.5)) % 1.0)
    for end, names, lands in (
        ("Front", ("Scapula", "FrontUpperLeg", "FrontLowerLeg", "FrontPaw", "FrontToe"), 0.0),
        ("Hind", ("HindThigh", "HindShin", "HindAnkle", "HindPaw", "HindToe"), 0.5),
    )
    for sign, side, _ in SIDES
)


class Pose:
    """Local rotations and translations of one frame, and where they put the joints."""

    def __init__(self, creature: Creature) -> None:
        self.place = {name: index for index, name in enumerate(creature.names)}
        self.parents = creature.parents
        self.rest = creature.positions
        self.rotations = np.tile(np.eye(3), (len(self.parents), 1, 1))
        self.translations = self.rest.copy()
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                self.translations[joint] -= self.rest[parent]

    def world(self, name: str) -> Motion:
        """Rotation (3, 3) and position (3,) of a joint in the creature's space."""
        turn, spot, joint = np.eye(3), np.zeros(3), self.place[name]
        while joint >= 0:
            spot = self.translations[joint] + self.rotations[joint] @ spot
            turn = self.rotations[joint] @ turn
            joint = self.parents[joint]
        return turn, spot

    def above(self, name: str) -> np.ndarray:
        """(3, 3) world rotation of a joint's parent."""
        return self.world(name)[0] @ self.rotations[self.place[name]].T

    def turn(self, name: str, rotation: np.ndarray) -> None:
        """Give a joint a local rotation (3, 3)."""
        self.rotations[self.place[name]] = rotation

    def face(self, name: str, rotation: np.ndarray) -> None:
        """Give a joint a world rotation (3, 3)."""
        self.turn(name, self.above(name).T @ rotation)

    def bone(self, start: str, end: str) -> np.ndarray:
        """(3,) offset of a joint from another one at rest."""
        return np.asarray(self.rest[self.place[end]] - self.rest[self.place[start]])


def trot(creature: Creature, seconds: np.ndarray) -> Motion:
    """Local rotations (T, J, 3, 3) and translations (T, J, 3) of a trot straight ahead, at the origin at second 0."""
    poses = [_pose(creature, time) for time in seconds.tolist()]
    return np.array([pose.rotations for pose in poses]), np.array([pose.translations for pose in poses])


def _pose(creature: Creature, time: float) -> Pose:
    pose, stride = Pose(creature), time / PERIOD
    pose.translations[pose.place["Root"]] += [0.0, 0.0, SPEED * time]
    _body(pose, stride)
    for leg in LEGS:
        _leg(pose, leg, (stride - leg.lands) % 1.0, SPEED * time)
    return pose


def _body(pose: Pose, stride: float) -> None:
    twice = 4 * np.pi * (stride - STANCE / 2)
    once = 2 * np.pi * stride
    pose.translations[pose.place["Hips"]] -= [0.0, CROUCH + BOB * np.cos(twice), 0.0]
    sway = 2.5 * np.sin(once)
    pose.turn("Hips", _about_y(sway) @ _about_x(1.2 * np.sin(twice)))
    pose.turn("Spine2", _about_y(-sway))
    pose.turn("Chest", _about_y(-sway) @ _about_x(-1.2 * np.sin(twice)))
    pose.turn("Neck", _about_x(9 + 2.0 * np.cos(twice + 0.6)) @ _about_y(0.5 * sway))
    pose.turn("Head", _about_x(-7 - 2.0 * np.cos(twice + 0.6)) @ _about_y(0.5 * sway))
    for number in range(1, 6):
        late = 0.5 * number
        pose.turn(f"Tail{number}", _about_y(5 * np.sin(once - late)) @ _about_x(-3 + 3 * np.cos(twice - late)))
    for _, side, _ in SIDES:
        pose.turn(f"{side}Ear", _about_x(-5 - 4 * np.cos(twice - 0.8)))


def _leg(pose: Pose, leg: Leg, phase: float, travel: float) -> None:
    first, *_, paw, toe = leg.joints
    ahead, height = _step(phase, LIFT[leg.end])
    tip = pose.rest[pose.place[toe]] + [0.0, height, travel + ahead + HOME[leg.end]]
    roll = _about_x(_eased(PAW, phase))
    target = tip - roll @ pose.bone(paw, toe)
    if leg.end == "Front":
        pose.turn(first, _about_x(-SHOULDER * ahead / REACH))
        _reach(pose, leg.joints[1], leg.joints[2], paw, target)
    else:
        hock = leg.joints[2]
        slant = _about_x(_eased(HOCK, phase))
        _reach(pose, first, leg.joints[1], hock, target - slant @ pose.bone(hock, paw))
        pose.face(hock, slant)
    pose.face(paw, roll)
    pose.face(toe, _about_x(0.0 if phase < STANCE else 0.6 * _eased(PAW, phase) * (phase - STANCE) / (1 - STANCE)))


def _step(phase: float, lift: float) -> tuple[float, float]:
    """How far ahead of its rest place under the body a paw is, and how high."""
    if phase < STANCE:
        return REACH * (1 - 2 * phase / STANCE), 0.0
    share = (phase - STANCE) / (1 - STANCE)
    back = -SPEED * PERIOD * (1 - STANCE)  # it leaves and lands at the ground's speed
    ease = share * share * (3 - 2 * share)
    ahead = REACH * (2 * ease - 1) + back * (share * (1 - share) ** 2 - share**2 * (1 - share))
    return ahead, lift * float(np.sin(np.pi * share) ** 1.5)


def _reach(pose: Pose, upper: str, lower: str, end: str, target: np.ndarray) -> None:
    """Turn two bones so that ``end`` lies at the target (3,), bent the way they are at rest."""
    above, spot = pose.above(upper), pose.world(upper)[1]
    thigh, shin = pose.bone(upper, lower), pose.bone(lower, end)
    wanted = above.T @ (target - spot)
    # The hinge turns about X: what the bones go sideways stays as it is, and the rest is a triangle in its plane.
    sides = float(np.linalg.norm(thigh[1:])), float(np.linalg.norm(shin[1:]))
    length = float(np.sqrt(wanted @ wanted - (thigh[0] + shin[0]) ** 2))
    if not abs(sides[0] - sides[1]) < length < sum(sides):
        raise ValueError(f"{end} is {length:.3f} m from {upper}, which reaches {sum(sides):.3f} m")
    cosine = (length**2 - sides[0] ** 2 - sides[1] ** 2) / (2 * sides[0] * sides[1])
    at_rest = _angle(shin) - _angle(thigh)
    bend = _about_x(np.degrees(np.sign(at_rest) * np.arccos(cosine) - at_rest))
    pose.turn(lower, bend)
    pose.turn(upper, _shortest(thigh + bend @ shin, wanted))


def _angle(bone: np.ndarray) -> float:
    """Radians about X of a hanging bone, 0 straight down."""
    return float(np.arctan2(-bone[2], -bone[1]))


def _eased(keys: tuple[tuple[float, float], ...], phase: float) -> float:
    for (start, first), (end, second) in pairwise(keys):
        if phase <= end:
            share = (phase - start) / (end - start)
            return first + (second - first) * share * share * (3 - 2 * share)
    return keys[-1][1]


def _about_x(degrees: float) -> np.ndarray:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])


def _about_y(degrees: float) -> np.ndarray:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]])


def _shortest(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The rotation (3, 3) by the shortest way between two directions."""
    first, second = start / np.linalg.norm(start), end / np.linalg.norm(end)
    x, y, z = np.cross(first, second)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1 + first @ second))
