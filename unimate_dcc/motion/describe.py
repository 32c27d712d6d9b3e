"""What a clip does, in words, from nothing but its kinematics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from unimate_dcc.motion.measured import TURNS, measured
from unimate_dcc.motion.quality import excursions, speed
from unimate_dcc.rig.category import NOUNS
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

FPS = 30.0
CALM = 0.12
"""Canonical units a second of mean joint speed; real idles of bipeds have 0.03, of quadrupeds 0.06, walks 0.2."""
DOWN = 0.55
"""Of the root's height at the start: a body whose root ends lower has gone down."""
LEAP = 0.12
"""Of the root's rest height: a root that rises by more, all feet with it, has jumped."""
RUNS = 0.5
"""Froude number at which a walk breaks into a run (Alexander 1989)."""
GRAVITY = 9.81
TRAVELS = 0.15
"""Canonical units a second; a slower root is in place."""
TREADS = 0.05
"""Canonical units a second of the ground under feet that stand; less is no gait."""
SINKS = 0.65
"""Of the mean height of all joints at the start: a body that ends lower has gone down, whatever its root is."""
STANCE = 0.15
"""A foot stands when it is within this share of its own lift above its lowest point."""
LOW, HIGH = 0.7, 1.5
"""Of the usual pace of a gait: below it is slow, above it is fast."""
GOING = {"fish_marine": "swims", "snake_limbless": "slithers", "arthropod": "crawls"}


@dataclass(frozen=True)
class Description:
    """A clip in words and numbers.

    Attributes:
        action: What it does, such as ``walks forward``.
        seconds: How long it is.
        body_lengths: Ground speed in tree diameters a second, of the root, or of the ground under standing feet.
        travels: Whether the root itself leaves its place.
    """

    action: str
    seconds: float
    body_lengths: float
    travels: bool

    def __str__(self) -> str:
        where = "travelling" if self.travels else "in place"
        return f"{self.action}, {self.seconds:.2f} s, {self.body_lengths:.2f} body lengths a second, {where}"

    def prompt(self, category: str) -> str:
        """The action with the subject that a kind of body has in the training captions."""
        return f"{NOUNS[category]} {self.action}"


def describe(rig: Rig, motion: RigMotion) -> Description:
    """Describe a motion at 30 frames a second.

    Args:
        rig: Whose motion; its contacts and its size in metres are used.
        motion: T frames, T at least 4.
    """
    positions = motion.positions(rig)
    seconds = (len(motion.root) - 1) / FPS
    steady = gaussian_filter1d(motion.root, FPS / 5, axis=0, mode="nearest") * [1.0, 0.0, 1.0]
    own = float(np.linalg.norm(np.diff(steady, axis=0), axis=-1).mean()) * FPS
    ground = _ground_speed(rig, positions)
    pace = own if own >= TRAVELS or ground is None else ground
    action = _action(rig, motion, positions, pace, own >= TRAVELS)
    return Description(action, seconds, pace / 2.0, own >= TRAVELS)


def _action(rig: Rig, motion: RigMotion, positions: FloatArray, pace: float, travels: bool) -> str:
    heights = motion.root[:, 1]
    rest = max(float(rig.positions[0, 1]), 1e-6)
    end, mean = slice(-max(len(heights) // 10, 1), None), positions[..., 1].mean(1)
    if heights[end].mean() < DOWN * heights[0] or mean[end].mean() < SINKS * mean[0]:
        return "dies and falls"
    if _leaps(rig, positions, rest):
        return "jumps forward" if travels else "jumps"
    if travels or (pace >= TREADS and _steps(rig, positions)):
        return _gait(rig, motion, pace, rest, travels)
    if speed(positions, FPS) < CALM:
        return "stands idle"
    return "attacks" if excursions(positions).max() > 0.3 else "looks around"


def _gait(rig: Rig, motion: RigMotion, pace: float, rest: float, travels: bool) -> str:
    """Such as ``walks forward slowly`` or ``runs forward in place``."""
    if rig.category in ("bird", "flying_other") and _low(rig, motion) > 0.5 * rest:
        verb, tempo = "flies", 1.0
    else:
        metres = 1.0 / rig.frame.scale
        froude = (pace * metres) ** 2 / (GRAVITY * rest * metres)
        runs = froude > RUNS and rig.category not in GOING
        verb = "runs" if runs else GOING.get(rig.category, "walks")
        tempo = np.sqrt(froude / (1.2 if runs else 0.15))
    facts = measured(rig, motion)
    way = facts.way or "forward"
    word = " slowly" if tempo < LOW and travels else " fast" if tempo > HIGH and travels else ""
    turns = abs(facts.turn) >= TURNS and way == "forward"
    turn = f" and turns to the {'left' if facts.turn > 0 else 'right'}" if turns else ""
    return f"{verb} {way}{word}{turn}{'' if travels else ' in place'}"


def _leaps(rig: Rig, positions: FloatArray, rest: float) -> bool:
    """Whether root and all feet leave the ground at once, well above where they begin."""
    if not rig.contacts:
        return False
    feet = positions[:, [contact.joint for contact in rig.contacts], 1]
    air = feet.min(1) - np.percentile(feet.min(1), 5) > LEAP * rest
    rise = positions[:, 0, 1] - positions[0, 0, 1] > LEAP * rest
    return bool((air & rise).sum() >= 3)


def _steps(rig: Rig, positions: FloatArray) -> bool:
    """Whether feet go up and down again and again."""
    if not rig.contacts:
        return False
    feet = positions[:, [contact.joint for contact in rig.contacts], 1]
    lift = np.ptp(feet, axis=0)
    return bool((lift > 0.02).sum() >= 2)


def _ground_speed(rig: Rig, positions: FloatArray) -> float | None:
    """Speed of the ground, units a second, under feet that stand; None without feet."""
    if not rig.contacts:
        return None
    feet = positions[:, [contact.joint for contact in rig.contacts]] - positions[:, :1] * [1.0, 0.0, 1.0]
    low, lift = feet[..., 1].min(0), np.ptp(feet[..., 1], axis=0)
    standing = (feet[:-1, :, 1] - low < STANCE * lift) & (lift > 1e-3)
    if standing.sum() < 4:
        return None
    steps = np.diff(feet, axis=0)[standing]
    return float(np.linalg.norm(np.median(steps, axis=0)[[0, 2]])) * FPS


def _low(rig: Rig, motion: RigMotion) -> float:
    """How far the lowest joint stays above the rest pose's ground."""
    return float(motion.positions(rig)[..., 1].min())
