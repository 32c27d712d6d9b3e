"""Sitting and lying down, to stay."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import level_tails
from unimate_dcc.model.train.synthetic.actions.standing import settled, stance
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import LEFT


def sit(body: Body, random: np.random.Generator) -> Take:
    """Hips down and stay; four-legged ones keep their forelegs straight."""
    script = stance(body, random, int(random.integers(36, 60)))
    down = track(script.frames, [(0.05, 0.0), (0.6, 1.0)])
    height = body.leg_height
    if len(body.legs) == 4:
        front = next(leg for leg in body.legs if leg.row == 1)
        trunk = float(body.positions[front.joints[0], 2] - body.positions[0, 2])
        drop = random.uniform(0.5, 0.65) * height
        angle = np.arctan2(0.95 * drop, max(trunk, 0.3 * height))
        script.turn(0, LEFT, -angle * down)
        script.turn(body.neck, LEFT, 0.7 * angle * down)
        script.root[:, 1] -= drop * down
        script.root[:, 2] += trunk * (1.0 - np.cos(angle)) * down
    else:
        script.root[:, 1] -= random.uniform(0.4, 0.55) * height * down
        script.root[:, 2] -= random.uniform(0.25, 0.4) * height * down
        script.turn(body.spine, LEFT, 0.5 * track(script.frames, [(0.05, 0.0), (0.3, 1.0), (0.6, 0.2)]))
    level_tails(script, down)
    return Take("sits down", settled(script))


def lie(body: Body, random: np.random.Generator) -> Take:
    """Down on folded legs, and stay."""
    script = stance(body, random, int(random.integers(45, 80)))
    front = track(script.frames, [(0.05, 0.0), (0.5, 1.0)])
    back = track(script.frames, [(0.25, 0.0), (0.75, 1.0)])
    height = body.leg_height
    trunk = max(float(np.ptp([body.positions[leg.joints[0], 2] for leg in body.legs])), 0.3 * height)
    tilt = np.arctan2(0.6 * height * (front - back), trunk)
    script.turn(0, LEFT, tilt)
    script.root[:, 1] -= random.uniform(0.6, 0.72) * height * back
    script.turn(body.neck, LEFT, -0.5 * tilt + random.uniform(-0.1, 0.4) * back)
    level_tails(script, back)
    return Take("lies down", settled(script))
