"""Gestures of the head and the hands on planted feet, and the flinch from a hit."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import bend_elbow, drag
from unimate_dcc.model.train.synthetic.actions.standing import alive, settled, stance
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track, wave
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP


def nod(body: Body, random: np.random.Generator) -> Take:
    """Nod the head."""
    script = stance(body, random, int(random.integers(36, 60)))
    alive(script, random, 0.5)
    amount = track(script.frames, [(0.05, 0.0), (0.25, 1.0), (0.75, 1.0), (0.95, 0.0)])
    script.turn(body.neck, LEFT, 0.4 * amount * wave(script.cycles * int(random.integers(2, 4))))
    return Take("nods for yes", settled(script), loop=True)


def refuse(body: Body, random: np.random.Generator) -> Take:
    """Shake the head."""
    script = stance(body, random, int(random.integers(36, 60)))
    alive(script, random, 0.5)
    amount = track(script.frames, [(0.05, 0.0), (0.25, 1.0), (0.75, 1.0), (0.95, 0.0)])
    script.turn(body.neck, UP, 0.6 * amount * wave(script.cycles * int(random.integers(2, 4))))
    return Take("shakes its head for no", settled(script), loop=True)


def greet(body: Body, random: np.random.Generator) -> Take:
    """Raise a hand and wave it."""
    script = stance(body, random, int(random.integers(50, 80)))
    alive(script, random, 0.5)
    arm = body.arms[int(random.integers(len(body.arms)))]
    up = track(script.frames, [(0.0, 0.0), (0.25, 1.0), (0.75, 1.0), (1.0, 0.0)])
    script.carry(arm.joints[0], AHEAD, arm.side * random.uniform(1.6, 2.0) * up)
    beats = int(random.integers(3, 5)) * script.cycles
    bend_elbow(script, arm, 0.3 * up)
    script.turn(arm.joints[1], AHEAD, arm.side * up * (0.8 + 0.4 * wave(beats)))
    return Take("waves a hand in greeting", settled(script), loop=True)


def flinch(body: Body, random: np.random.Generator) -> Take:
    """Thrown back by a hit, and back in place."""
    script = stance(body, random, int(random.integers(18, 32)))
    hit = track(script.frames, [(0.0, 0.0), (0.25, 1.0), (0.45, 0.7), (1.0, 0.0)])
    side, size = random.uniform(-0.4, 0.4), random.uniform(0.7, 1.3)
    script.root[:, 2] -= 0.12 * body.leg_height * hit * size
    script.root[:, 1] -= 0.06 * body.leg_height * hit * size
    script.turn(body.spine, LEFT, -0.35 * hit * size)
    script.turn((0, *body.spine), UP, side * hit)
    script.turn(body.neck, LEFT, 0.5 * size * track(script.frames, [(0.0, 0.0), (0.15, 1.0), (0.45, -0.5), (1.0, 0.0)]))
    drag(script, -0.3 * hit * size, LEFT)
    for arm in body.arms:
        script.carry(arm.joints[0], LEFT, -0.5 * hit * size)
    return Take("flinches from a hit", settled(script), loop=True)
