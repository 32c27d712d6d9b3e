"""Dying: legs give way, the body goes over and stays on the ground."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import fold_wings, level_tails
from unimate_dcc.model.train.synthetic.actions.standing import stance
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP, about

DIES = "dies and falls"


def _down(script: Script, start: float, end: float) -> np.ndarray:
    """(T,) from 0 to 1 as something falls, faster and faster."""
    share = np.clip((script.cycles - start) / (end - start), 0.0, 1.0)
    return np.asarray(share**2)


def sideways(body: Body, random: np.random.Generator) -> Take:
    """Legs buckle, the body rolls over onto its side."""
    script = stance(body, random, int(random.integers(40, 65)))
    side, end = float(random.choice((-1.0, 1.0))), random.uniform(0.5, 0.65)
    buckle = track(script.frames, [(0.0, 0.0), (0.3, 1.0)])
    over = track(script.frames, [(0.12, 0.0), (end, 1.0)])
    fall = _down(script, 0.12, end)
    for leg in body.legs:
        script.turn(leg.joints[0], LEFT, random.uniform(-0.5, 0.3) * over)
        if leg.side != side:
            script.carry(leg.joints[0], AHEAD, side * random.uniform(0.05, 0.2) * over)
        for joint in leg.joints[1 : leg.ankle]:
            script.turn(joint, LEFT, random.uniform(0.0, 0.25) * over)
    for chain in (body.spine, body.neck):
        script.turn(chain, AHEAD, side * 0.15 * over)
    script.turn(body.neck, LEFT, random.uniform(-0.2, 0.3) * over)
    for tail in body.tails:
        script.turn(tail, LEFT, -0.3 * over)
    for arm in body.arms:
        script.carry(arm.joints[0], AHEAD, -0.3 * arm.side * over)
        script.carry(arm.joints[0], LEFT, -random.uniform(0.2, 0.9) * over)
    script.turn(body.spine, LEFT, 0.2 * buckle * (1.0 - over))
    return _finished(script, about(AHEAD, -side * 1.62 * over), np.maximum(0.15 * buckle, 0.97 * fall), -side * over)


def slump(body: Body, random: np.random.Generator) -> Take:
    """Legs fold and slide outward, the body sinks onto its belly, head and wings spread on the ground."""
    script = stance(body, random, int(random.integers(40, 65)))
    height, down = body.leg_height, _down(script, 0.08, random.uniform(0.45, 0.65))
    slides = []
    for leg in body.legs:
        if leg.ankle == 1:
            script.turn(leg.joints[0], AHEAD, leg.side * random.uniform(1.35, 1.5) * down)
        out = np.array([leg.side * random.uniform(0.25, 0.45), 0.0, random.uniform(-0.2, 0.35)]) * height
        slides.append(body.standing(leg) + down[:, None] * out)
    fold_wings(script, random, -0.5 * down)
    for wing in body.wings:
        script.turn(wing.joints[0], AHEAD, -wing.side * random.uniform(0.0, 0.3) * down)
    script.carry(body.neck[0], LEFT, random.uniform(0.7, 1.0) * _rise(body) * down)
    level_tails(script, down)
    script.turn(0, AHEAD, random.uniform(-0.3, 0.3) * down)
    script.root[:, 1] -= 0.8 * height * down
    folding = [number for number, leg in enumerate(body.legs) if leg.ankle > 1]
    script.plant([slides[number] for number in folding], legs=folding)
    script.rest_on_ground()
    return Take(DIES, script)


def _rise(body: Body) -> float:
    """How steep the neck stands, radians."""
    _, up, ahead = body.positions[body.neck[-1]] - body.positions[body.parents[body.neck[0]]]
    return float(np.clip(np.arctan2(up, ahead), 0.2, 1.5))


def backward(body: Body, random: np.random.Generator) -> Take:
    """Thrown onto the back."""
    return _lengthways(body, random, -1.0)


def forward(body: Body, random: np.random.Generator) -> Take:
    """Onto the knees, then onto the face."""
    return _lengthways(body, random, 1.0)


def _lengthways(body: Body, random: np.random.Generator, way: float) -> Take:
    script = stance(body, random, int(random.integers(40, 65)), 0.05)
    end = random.uniform(0.55, 0.7)
    over = track(script.frames, [(0.1 if way < 0 else 0.3, 0.0), (end, 1.0)])
    buckle = track(script.frames, [(0.0, 0.0), (0.35, 1.0), (end, 0.0)])
    for leg in body.legs:
        knee = random.uniform(0.05, 0.35)
        script.turn(leg.joints[0], LEFT, -0.5 * buckle - (0.6 * knee * over if way < 0 else 0.0))
        script.turn(leg.joints[1 : leg.ankle], LEFT, 1.2 * buckle + knee * over)
    throw = track(script.frames, [(0.1, 0.0), (0.35, 1.0), (end + 0.05, 0.0)])
    for arm in body.arms:
        script.carry(
            arm.joints[0], AHEAD, arm.side * (random.uniform(0.3, 0.8) * throw + random.uniform(0.2, 0.9) * over)
        )
        script.carry(arm.joints[0], LEFT, -0.6 * way * throw)
    script.turn(body.spine, LEFT, way * 0.3 * throw)
    fall = np.maximum(0.4 * buckle * (way > 0), 0.97 * _down(script, 0.15, end))
    return _finished(script, about(LEFT, way * 1.55 * over), fall, 0.0 * over, way * over)


def _finished(
    script: Script, turns: np.ndarray, fall: np.ndarray, across: np.ndarray, along: np.ndarray | float = 0.0
) -> Take:
    height = script.body.leg_height
    script.local[:, 0] = turns @ script.local[:, 0]
    script.root[:, 1] *= 1.0 - fall
    script.root[:, 0] += 0.25 * height * across
    script.root[:, 2] += 0.25 * height * along
    script.stand(track(script.frames, [(0.0, 1.0), (0.1, 1.0), (0.35, 0.0)]))
    script.rest_on_ground()
    return Take(DIES, script)


def curl_up(body: Body, random: np.random.Generator) -> Take:
    """Over onto the back, legs curled in; or flat onto the belly."""
    script = stance(body, random, int(random.integers(36, 60)))
    flips = random.random() < 0.6
    over = track(script.frames, [(0.1, 0.0), (0.55, 1.0)])
    curl = track(script.frames, [(0.3, 0.0), (0.75, 1.0)])
    if flips:
        script.root[:, 1] += 0.8 * body.leg_height * np.sin(np.pi * over)
    for leg in body.legs:
        swing = (0.7 if flips else 0.35) * random.uniform(0.8, 1.2)
        script.turn(leg.joints[0], AHEAD, -leg.side * swing * curl if flips else leg.side * swing * over)
        folds = 1.0 + (0.6 if flips else -0.2) * curl
        inner = body.reaches[body.legs.index(leg)].inner(folds)
        for slot, joint in enumerate(leg.joints[1 : leg.ankle]):
            script.local[:, joint] = inner[:, slot]
    script.turn(body.neck, LEFT, 0.3 * curl)
    side = float(random.choice((-1.0, 1.0)))
    script.local[:, 0] = (
        about(AHEAD, side * np.pi * over * flips) @ about(UP, random.uniform(-0.4, 0.4) * over) @ script.local[:, 0]
    )
    script.root[:, 1] *= 1.0 - 0.97 * _down(script, 0.25, 0.7)
    script.stand(track(script.frames, [(0.0, 1.0), (0.08, 1.0), (0.25, 0.0)]))
    script.rest_on_ground()
    return Take(DIES, script)
