"""How a body carries itself before it does anything: arms down, wings folded, secondary motion of tails and ears."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.curves import wave
from unimate_dcc.model.train.synthetic.limb import Limb
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP, toward
from unimate_dcc.skeleton import FloatArray

HANGING = 1.35
"""Radians below level at which an arm hangs; straight down is 1.57."""


def arms_down(script: Script, random: np.random.Generator, elbow: float | None = None) -> None:
    """Bring arms from where they rest down to the sides, elbows a little bent."""
    body, lowered = script.body, HANGING + random.uniform(-0.12, 0.12)
    bend = random.uniform(0.15, 0.6) if elbow is None else elbow
    for arm in body.arms:
        bone = body.offsets[arm.joints[1]]
        below = np.arctan2(-bone[1], np.hypot(bone[0], bone[2]))
        if abs(bone[0]) > 0.4 * np.linalg.norm(bone) and len(arm.joints) > 2 and body.category == "biped":
            script.turn(arm.joints[0], AHEAD, -arm.side * max(lowered - below, 0.0))
        if body.category == "biped":
            bend_elbow(script, arm, bend)


def bend_elbow(script: Script, arm: Limb, angle: FloatArray | float) -> None:
    """Bend a forearm ahead by (T,) radians."""
    bone = script.body.offsets[arm.joints[2]]
    script.turn(arm.joints[1], toward(bone, AHEAD), angle)


def fold_wings(script: Script, random: np.random.Generator, weight: FloatArray | float = 1.0) -> None:
    """Lay wings along the body, as far as (T,) weights say."""
    amount = random.uniform(0.75, 1.0) * np.asarray(weight)
    for wing in script.body.wings:
        if script.body.kind == "penguin":
            continue
        script.turn(wing.joints[0], UP, wing.side * 1.25 * amount)
        script.turn(wing.joints[0], AHEAD, -wing.side * 0.35 * amount)
        for place, joint in enumerate(wing.joints[1:]):
            script.turn(joint, UP, wing.side * (-0.5, 0.5)[place % 2] * amount)


def raise_tail(script: Script, random: np.random.Generator) -> None:
    """Tails held a little higher or lower than they rest."""
    for tail in script.body.tails:
        script.turn(tail, LEFT, random.uniform(-0.2, 0.35))


def level_tails(script: Script, weight: FloatArray) -> None:
    """Bring tails that droop up to level, as far as (T,) weights say: a low body would stand on them."""
    for tail in script.body.tails:
        _, up, ahead = script.body.positions[tail[-1]] - script.body.positions[script.body.parents[tail[0]]]
        script.carry(tail[0], LEFT, max(float(np.arctan2(-up, -ahead)), 0.0) * weight)


def trail(
    script: Script, cycles: FloatArray, size: FloatArray | float, lag: float = 0.08, axis: FloatArray = UP
) -> None:
    """Tails sway with (T,) cycles, each joint later and further than the one before."""
    for tail in script.body.tails:
        for place, joint in enumerate(tail):
            growth = size * (0.5 + place / len(tail)) / np.sqrt(len(tail))
            script.turn(joint, axis, growth * wave(cycles, lag * (place + 1)))


def flutter(script: Script, cycles: FloatArray, size: float) -> None:
    """Ears, feelers and fins move a little with (T,) cycles."""
    for fin in script.body.fins:
        for place, joint in enumerate(fin.joints):
            script.turn(joint, LEFT, size * wave(cycles, 0.1 * place + 0.15 * (fin.side < 0)))


def drag(script: Script, values: FloatArray, axis: FloatArray, lag: float = 2.0) -> None:
    """Tails hang behind a body that turns by (T,) radians: they start later, swing back, and end at rest."""
    steps = np.arange(script.frames, dtype=np.float64)
    ending = np.clip((1.0 - script.cycles) / 0.2, 0.0, 1.0)
    for tail in script.body.tails:
        for place, joint in enumerate(tail):
            late = np.interp(steps - lag * (place + 1), steps, values)
            early = np.interp(steps - lag * place, steps, values)
            script.turn(joint, axis, (late - early) * ending)


def jaw_open(script: Script, angles: FloatArray | float) -> None:
    """Open the jaw, where there is one, by (T,) radians."""
    if script.body.jaw >= 0:
        script.turn(script.body.jaw, LEFT, angles)
