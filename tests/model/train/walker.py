"""A two-legged body with knees and a walk whose planted feet tell a known speed."""

from __future__ import annotations

import numpy as np
from rig.rigs import Rows, body

from unimate_dcc.model.train.augment import Sample
from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, aligned
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

WALKER: Rows = [
    ("Hips", "", (0, 1.0, 0)), ("LeftUpLeg", "Hips", (0.1, 0.96, 0)), ("LeftLeg", "LeftUpLeg", (0.1, 0.5, 0)),
    ("LeftFoot", "LeftLeg", (0.1, 0.04, 0)), ("RightUpLeg", "Hips", (-0.1, 0.96, 0)),
    ("RightLeg", "RightUpLeg", (-0.1, 0.5, 0)), ("RightFoot", "RightLeg", (-0.1, 0.04, 0)),
    ("Head", "Hips", (0, 1.6, 0)),
]  # fmt: skip
SIDES = {"Left": 0.0, "Right": 0.5}
CROUCH = 0.08
"""Share of the leg by which the hips are lowered, so that the feet reach ahead and behind."""


def walker() -> Rig:
    """The body."""
    return build_rig(body(WALKER))


def walk(rig: Rig, period: int = 20, laps: int = 1, speed: float = 0.03, duty: float = 0.6) -> RigMotion:
    """A walk in place that starts and ends with the same pose.

    Args:
        rig: The walker.
        period: Frames of one lap.
        laps: How often.
        speed: Canonical units a frame by which a standing foot goes back.
        duty: Share of a lap in which a foot stands.
    """
    frames = period * laps + 1
    rotations = np.broadcast_to(np.eye(3), (frames, len(rig.joints), 3, 3)).copy()
    root = np.repeat(rig.positions[:1], frames, axis=0)
    place = {joint.rsplit("/", 1)[-1]: slot for slot, joint in enumerate(rig.joints)}
    bone = float(rig.positions[place["LeftUpLeg"], 1] - rig.positions[place["LeftLeg"], 1])
    root[:, 1] -= 2 * bone * CROUCH
    half = speed * duty * period / 2
    for side, shift in SIDES.items():
        phase = (np.arange(frames) / period + shift) % 1.0
        swing = np.clip((phase - duty) / (1 - duty), 0.0, 1.0)
        ahead = np.where(phase < duty, half * (1 - 2 * phase / duty), -half * np.cos(np.pi * swing))
        down = 2 * bone * (1 - CROUCH) - 0.3 * bone * np.sin(np.pi * swing)
        thigh = np.arctan2(ahead, down) + np.arccos(np.hypot(ahead, down) / (2 * bone))
        shin = 2 * np.arctan2(ahead, down) - thigh
        rotations[:, place[f"{side}UpLeg"]] = _swung(thigh)
        rotations[:, place[f"{side}Leg"]] = _swung(shin - thigh)
        rotations[:, place[f"{side}Foot"]] = _swung(-shin)
    return aligned(rig, RigMotion(rotations, root))


def training_rig(rig: Rig) -> TrainingRig:
    """The rig as the training set holds it."""
    contacts = tuple(contact.joint for contact in rig.contacts)
    return TrainingRig(rig.positions, rig.parents, rig.labels, rig.facing, contacts, "biped", "walker.glb", False)


def sample() -> Sample:
    """The walker and two laps of its walk."""
    rig = walker()
    return Sample(training_rig(rig), walk(rig, laps=2))


def _swung(angle: FloatArray) -> FloatArray:
    """(T, 3, 3) rotations that bring what hangs down forward by (T,) radians."""
    out = np.broadcast_to(np.eye(3), (len(angle), 3, 3)).copy()
    out[:, 1, 1] = out[:, 2, 2] = np.cos(angle)
    out[:, 1, 2], out[:, 2, 1] = np.sin(angle), -np.sin(angle)
    return out
