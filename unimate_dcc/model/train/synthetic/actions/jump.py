"""Jumps: crouch, push off, fly as gravity has it, land, rise."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.source import FPS
from unimate_dcc.model.train.synthetic.actions.posture import drag, fold_wings
from unimate_dcc.model.train.synthetic.actions.standing import stance
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import LEFT

GRAVITY = 9.81
"""Metres a second squared."""


def jump(body: Body, random: np.random.Generator) -> Take:
    """Up and down on the spot."""
    return _leap(body, random, 0.0, "jumps")


def leap(body: Body, random: np.random.Generator) -> Take:
    """Ahead by one to two heights of the hips."""
    return _leap(body, random, random.uniform(1.0, 2.0) * body.leg_height, "jumps forward")


def _leap(body: Body, random: np.random.Generator, far: float, verb: str) -> Take:
    frames = int(random.integers(30, 48))
    script, height = stance(body, random, frames), body.leg_height
    off, down = random.uniform(0.32, 0.38), random.uniform(0.64, 0.7)
    seconds = (down - off) * frames / FPS
    rise = float(np.clip(GRAVITY * seconds**2 / 8.0, 0.4 * height, 1.3 * height))
    share = np.clip((script.cycles - off) / (down - off), 0.0, 1.0)
    flight = 4.0 * rise * share * (1.0 - share)
    deep = random.uniform(0.15, 0.3) * height * (1.0 if len(body.legs) == 2 else 0.7)
    crouch = deep * track(
        frames, [(0.0, 0.0), (off - 0.15, 1.0), (off, 0.05), (down, 0.1), (down + 0.1, 0.8), (1.0, 0.0)]
    )
    on, feet = track(frames, [(off - 0.1, 0.0), (down + 0.1, far)]), track(frames, [(off, 0.0), (down, far)])
    script.root += np.stack([np.zeros(frames), flight - crouch, on], axis=1)
    lean = track(
        frames, [(0.0, 0.0), (off - 0.1, 0.25), (off + 0.05, -0.25), (down, 0.1), (down + 0.12, 0.2), (1.0, 0.0)]
    )
    upright = len(body.legs) == 2
    script.turn(0, LEFT, (0.7 if upright else 0.8) * lean)
    script.turn(body.spine, LEFT, (0.8 if upright else 0.3) * lean)
    script.turn(body.neck, LEFT, -0.6 * lean)
    drag(script, 1.2 * lean, LEFT)
    swing = track(frames, [(0.0, 0.0), (off - 0.1, 0.7), (off + 0.08, -1.4), (down, -0.6), (1.0, 0.0)])
    for arm in body.arms if body.category == "biped" else ():
        script.carry(arm.joints[0], LEFT, swing)
    fold_wings(script, random, -0.4 * np.sin(np.pi * share))
    tuck = random.uniform(0.15, 0.35) * height * np.sin(np.pi * share) ** 2
    targets = [body.standing(leg) + np.stack([np.zeros(frames), flight + tuck, feet], axis=1) for leg in body.legs]
    script.plant(targets, [0.4 * np.sin(np.pi * share) ** 2 * (leg.contact > leg.ankle) for leg in body.legs])
    script.rest_on_ground()
    path = np.stack([np.zeros(frames), np.zeros(frames), on], axis=1)
    return Take(verb, script, loop=far == 0.0, path=path if far else None)
