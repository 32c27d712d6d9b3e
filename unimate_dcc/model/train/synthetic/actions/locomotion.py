"""Going on legs: a gait's speed and stride, what the trunk and the arms do, feet that stand."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.source import FPS
from unimate_dcc.model.train.synthetic.actions.gaits import Style
from unimate_dcc.model.train.synthetic.actions.posture import (
    arms_down,
    bend_elbow,
    flutter,
    fold_wings,
    raise_tail,
    trail,
)
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import TURN
from unimate_dcc.model.train.synthetic.gait import Gait, stance_sweep
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Action, Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP
from unimate_dcc.skeleton import FloatArray

GRAVITY = 9.81
"""Metres a second squared; with the leg it sets the speed of a gait (Froude number v^2 / g h)."""
SHORTEST, LONGEST = 16, 60
"""Frames of a cycle: real clips lie between."""


def gait_of(style: Style) -> Action:
    """The action of a style."""

    def act(body: Body, random: np.random.Generator) -> Take:
        return go(body, random, style)

    return act


def go(body: Body, random: np.random.Generator, style: Style) -> Take:
    """One cycle that closes, or two and a half turning ones."""
    gait, drop = planned(body, random, style)
    turning = bool(style.turns)
    script = Script(body, round(gait.period * (2.5 if turning else 1)) + 1)
    frames = np.arange(script.frames, dtype=np.float64)
    cycles = frames / gait.period
    headings, path = gait.headings(frames), gait.travelled(frames)
    _trunk(script, random, style, cycles, drop)
    _limbs(script, random, style, cycles)
    script.local[:, 0] = headings @ script.local[:, 0]
    sway = script.root - body.positions[0]
    script.root = path + np.einsum("tij,tj->ti", headings, sway + body.positions[0])
    _feet(script, gait, frames, headings)
    script.rest_on_ground()
    return Take(style.verb, script, not turning, path)


def planned(body: Body, random: np.random.Generator, style: Style) -> tuple[Gait, float]:
    """Speed, stride and cycle that suit the legs, and by how many metres the hips are lowered."""
    height, duty = body.leg_height, random.uniform(*style.duty)
    speed = float(np.sqrt(random.uniform(*style.froude) * GRAVITY * height))
    froude = speed**2 / (GRAVITY * height)
    stride = 2.3 * froude**0.3 * height  # stride against Froude number over many mammals (Alexander 1989)
    half, drop = stance_sweep(body, 0.5 * duty * stride, style.crouch * height * random.uniform(0.7, 1.3))
    stride = 2.0 * half / duty
    period = int(np.clip(round(stride / speed * FPS), SHORTEST, LONGEST))
    along = np.array(style.way) / np.hypot(*style.way)
    turning = style.turns * random.uniform(0.3, 0.7) / period
    return Gait(period, duty, style.offsets(body), along * stride / period, turning, style.lift * height), drop


def _trunk(script: Script, random: np.random.Generator, style: Style, cycles: FloatArray, drop: float) -> None:
    body, draw = script.body, random.uniform
    height, steps = body.leg_height, TURN * cycles
    script.root[:, 1] += style.bounce * height * draw(0.7, 1.3) * np.cos(style.beats * steps) - drop
    two_legged = len(body.legs) == 2
    loose = draw(0.5, 1.4)
    if style.beats == 2:
        script.root[:, 0] += height * 0.03 * loose * np.cos(steps) * two_legged
        script.turn(0, UP, -0.08 * loose * np.sin(steps) * two_legged)
        script.turn(0, AHEAD, 0.05 * loose * np.cos(steps))
        script.turn(body.spine, UP, (0.14 if two_legged else 0.1) * loose * np.sin(steps))
        script.turn(body.spine, AHEAD, -0.05 * loose * np.cos(steps))
    else:
        rocking = 0.12 * loose * (0.3 if two_legged else 1.0)
        script.turn(0, LEFT, rocking * np.sin(steps))
        script.turn(body.spine, LEFT, -2.0 * rocking * np.sin(steps - 0.8))
    upright = 0.5 if two_legged else 0.0
    script.turn((0, *body.spine), LEFT, style.lean)
    script.turn(body.neck, LEFT, -0.7 * style.lean * upright + 0.06 * loose * np.sin(style.beats * steps - 0.6))
    if body.category == "bird":
        script.turn(body.neck[:-1], LEFT, draw(0.1, 0.35) * np.sin(2.0 * steps))
    raise_tail(script, random)
    trail(script, cycles, draw(0.1, 0.4))
    flutter(script, 2.0 * cycles, 0.08)


def _limbs(script: Script, random: np.random.Generator, style: Style, cycles: FloatArray) -> None:
    """Arms swing against the legs; wings are folded."""
    running = style.bounce < 0
    arms_down(script, random, random.uniform(0.9, 1.5) if running else None)
    fold_wings(script, random)
    if script.body.category == "arthropod":
        return
    swing = random.uniform(0.5, 0.9) if running else random.uniform(0.2, 0.5)
    for arm in script.body.arms:
        together = arm.side if style.beats == 2 else 1
        angle = swing * together * np.sin(TURN * cycles)
        script.carry(arm.joints[0], LEFT, -angle if style.way[1] >= 0 else angle)
        bend_elbow(script, arm, 0.3 * swing * (1.0 + together * np.sin(TURN * cycles)))


def _feet(script: Script, gait: Gait, frames: FloatArray, headings: FloatArray) -> None:
    body = script.body
    targets, pitches = [], []
    backward = gait.velocity[1] < 0
    for number, leg in enumerate(body.legs):
        target, place = gait.footfall(number, body.standing(leg), frames)
        targets.append(target)
        gone = (place - 0.5 * gait.duty + 0.5) % 1.0 - 0.5
        toe = leg.contact > leg.ankle
        leaving = np.exp(-((gone / 0.1) ** 2)) if toe else np.exp(-(((gone - 0.15) / 0.08) ** 2))
        pitches.append((0.0 if backward or body.category == "arthropod" else 0.5 if toe else 0.35) * leaving)
    script.plant(targets, pitches, headings)
