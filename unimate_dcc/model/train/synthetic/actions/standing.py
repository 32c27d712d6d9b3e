"""Motions of the whole body on planted feet: idle, looking about, eating, picking up, calling, shaking."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import (
    arms_down,
    flutter,
    fold_wings,
    jaw_open,
    raise_tail,
    trail,
)
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import bump, track, wander, wave
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP
from unimate_dcc.skeleton import FloatArray

LIVELY = {"bird": 7.0, "arthropod": 3.0, "quadruped": 2.0}
"""How much more than a biped a body stirs when idle, so that joint speeds are those of real idles."""
TRIES = 40
"""Angles tried when the head looks for the ground."""


def stance(body: Body, random: np.random.Generator, frames: int, elbow: float | None = None) -> Script:
    """A body at ease: arms down, wings folded, knees a little bent; elbows by ``elbow`` radians, or as it comes."""
    script = Script(body, frames)
    arms_down(script, random, elbow)
    fold_wings(script, random)
    raise_tail(script, random)
    if body.legs:
        script.root[:, 1] -= body.leg_height * random.uniform(0.01, 0.05)
    return script


def settled(script: Script) -> Script:
    """Feet where they were, nothing below the ground."""
    script.stand()
    script.rest_on_ground()
    return script


def alive(script: Script, random: np.random.Generator, size: float = 1.0) -> None:
    """Breath, sway and small turns of the head and tail that close with the clip."""
    body, frames = script.body, script.frames
    height = body.leg_height if body.legs else 0.3 * body.size
    breaths = int(random.integers(1, 4))
    breath = wave(script.cycles * breaths)
    script.root[:, 0] += 0.012 * size * height * wander(random, frames, (1, 2))
    script.root[:, 1] += 0.008 * size * height * breath
    script.root[:, 2] += 0.008 * size * height * wander(random, frames, (1, 2))
    script.turn(body.spine, LEFT, 0.025 * size * breath)
    script.turn(body.spine, UP, 0.03 * size * wander(random, frames, (1, 2)))
    script.turn(body.neck, UP, 0.12 * size * wander(random, frames))
    script.turn(body.neck, LEFT, 0.05 * size * wander(random, frames))
    trail(script, script.cycles * breaths, 0.12 * size)
    flutter(script, script.cycles * breaths, 0.03 * size)
    for arm in body.arms:
        script.carry(arm.joints[0], LEFT, 0.03 * size * wander(random, frames, (1, 2)))


def idle(body: Body, random: np.random.Generator) -> Take:
    """Stand and breathe; birds turn their heads in jerks."""
    script = stance(body, random, int(random.integers(50, 110)))
    alive(script, random, LIVELY.get(body.category, 1.0) * random.uniform(0.6, 1.8))
    if body.category == "bird":
        looks = [(place, random.uniform(-0.5, 0.5)) for place in np.linspace(0.1, 0.8, 4)]
        held = [(place + 0.12, value) for place, value in looks]
        keys = sorted([(0.0, 0.0), *looks, *held, (1.0, 0.0)])
        script.turn(body.neck, UP, track(script.frames, keys))
    verb = str(random.choice(("stands idle", "stands idle, shifting slightly", "stands idle with small movements")))
    return Take(verb, settled(script), loop=True)


def look(body: Body, random: np.random.Generator) -> Take:
    """Turn the head to one side, then to the other."""
    script = stance(body, random, int(random.integers(60, 110)))
    alive(script, random, 0.6)
    side, size = float(random.choice((-1.0, 1.0))), random.uniform(0.6, 1.1)
    keys = [(0.05, 0.0), (0.2, side), (0.4, side), (0.6, -side), (0.8, -side), (0.97, 0.0)]
    angle = size * track(script.frames, keys)
    script.turn(body.neck, UP, 0.8 * angle)
    script.turn(body.spine, UP, 0.2 * angle)
    script.turn(body.neck, LEFT, -0.2 * np.abs(angle))
    return Take("looks around", settled(script), loop=True)


def bow(script: Script, angles: FloatArray) -> None:
    """Bend neck, back and, a little, the hips by (T,) radians in all."""
    body, upright = script.body, len(script.body.legs) == 2
    script.turn(0, LEFT, (0.3 if upright else 0.08) * angles)
    script.turn(body.spine, LEFT, (0.45 if upright else 0.12) * angles)
    script.turn(body.neck, LEFT, (0.35 if upright else 0.8) * angles)


def down_to_ground(body: Body, height: float) -> float:
    """The angle of ``bow`` that brings the head down to a height, metres."""
    trial = Script(body, TRIES)
    angles = np.linspace(0.0, 2.6, TRIES)
    bow(trial, angles)
    trial.root[:, 1] -= 0.3 * body.leg_height * angles / 2.6
    heights = trial.kinematics()[1][:, body.neck[-1], 1]
    below = np.flatnonzero(heights < height)
    return float(angles[below[0] if len(below) else heights.argmin()])


def eat(body: Body, random: np.random.Generator) -> Take:
    """Head down to the ground, a few bites, and up again."""
    script = stance(body, random, int(random.integers(60, 110)))
    full = down_to_ground(body, 0.12 * body.leg_height)
    down = track(script.frames, [(0.0, 0.0), (0.22, 1.0), (0.8, 1.0), (1.0, 0.0)])
    bites = int(random.integers(3, 6))
    nibble = down * np.abs(wave(script.cycles * bites / 1.2)) * random.uniform(0.05, 0.15)
    bow(script, full * (down - nibble))
    script.root[:, 1] -= 0.3 * body.leg_height * full * down / 2.6
    jaw_open(script, 1.5 * nibble)
    trail(script, script.cycles * 2, 0.15)
    return Take("lowers its head and eats", settled(script), loop=True)


def pick_up(body: Body, random: np.random.Generator) -> Take:
    """Bend down, reach the ground with a hand, stand up."""
    script = stance(body, random, int(random.integers(40, 70)))
    down = track(script.frames, [(0.0, 0.0), (0.4, 1.0), (0.55, 1.0), (1.0, 0.0)])
    bow(script, random.uniform(1.4, 1.9) * down)
    script.root[:, 1] -= random.uniform(0.25, 0.4) * body.leg_height * down
    script.root[:, 2] -= 0.15 * body.leg_height * down
    for arm in body.arms[: int(random.integers(1, 3))]:
        script.carry(arm.joints[0], LEFT, -random.uniform(1.0, 1.5) * down)
    return Take("bends down and picks something up", settled(script), loop=True)


def call(body: Body, random: np.random.Generator) -> Take:
    """Head up, mouth open, held and trembling."""
    script = stance(body, random, int(random.integers(45, 80)))
    up = track(script.frames, [(0.0, 0.0), (0.12, -0.25), (0.3, 1.0), (0.75, 1.0), (1.0, 0.0)])
    held = bump(script.frames, 0.2, 0.5, 0.85)
    script.turn(body.neck, LEFT, -random.uniform(0.5, 0.9) * up + 0.03 * held * wave(script.cycles * 9))
    script.turn(body.spine, LEFT, -0.2 * up)
    script.root[:, 2] -= 0.08 * body.leg_height * up
    jaw_open(script, 0.6 * np.maximum(up, 0.0))
    for arm in body.arms:
        script.carry(arm.joints[0], AHEAD, 0.5 * arm.side * np.maximum(up, 0.0))
    trail(script, script.cycles * 2, 0.2)
    return Take("howls with its head raised" if body.category == "quadruped" else "roars with its head raised",
                settled(script), loop=True)  # fmt: skip


def shake(body: Body, random: np.random.Generator) -> Take:
    """Shake from head to tail."""
    script = stance(body, random, int(random.integers(40, 60)))
    amount = track(script.frames, [(0.1, 0.0), (0.35, 1.0), (0.6, 1.0), (0.95, 0.0)])
    beats = script.cycles * script.frames / random.uniform(6.0, 8.0)
    script.turn(body.neck, AHEAD, 0.5 * amount * wave(beats))
    script.turn(body.spine, AHEAD, 0.25 * amount * wave(beats, 0.15))
    script.turn(0, AHEAD, 0.08 * amount * wave(beats, 0.3))
    script.turn(body.neck, LEFT, 0.25 * amount)
    for tail in body.tails:
        script.turn(tail, UP, 0.8 * amount * wave(beats, 0.4))
    return Take("shakes its whole body", settled(script), loop=True)
