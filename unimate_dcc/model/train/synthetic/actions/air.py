"""On wings: flying, hovering, gliding, taking off and striking in the air."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import arms_down, jaw_open, trail
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track, wander, wave
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP
from unimate_dcc.skeleton import FloatArray


def beat(script: Script, cycles: FloatArray, size: FloatArray | float, lag: float = 0.12) -> None:
    """Beat the wings with (T,) cycles by (T,) radians; outer joints come later, and the body rises on the stroke."""
    body = script.body
    for wing in body.wings:
        for place, joint in enumerate(wing.joints):
            share = 1.0 if place == 0 else 0.5
            script.turn(joint, AHEAD, wing.side * share * size * wave(cycles, lag * place))
        script.turn(wing.joints[0], LEFT, 0.25 * size * wave(cycles, 0.25))
    script.root[:, 1] -= 0.05 * body.size * size * wave(cycles, -0.05)


def legs_trailing(script: Script, random: np.random.Generator, weight: FloatArray | float = 1.0) -> None:
    """Legs drawn back under the body."""
    for leg in script.body.legs:
        back = random.uniform(0.7, 1.1) if leg.row == 0 else random.uniform(0.2, 0.6)
        script.turn(leg.joints[0], LEFT, back * np.asarray(weight))
        script.turn(leg.joints[leg.ankle - 1] if leg.ankle > 1 else leg.joints[0], LEFT, 0.3 * np.asarray(weight))


def _airborne(body: Body, random: np.random.Generator, frames: int, pitch: float) -> Script:
    script = Script(body, frames)
    script.root[:, 1] += 0.5 * body.size
    script.turn(0, LEFT, pitch)
    script.turn(body.neck, LEFT, -0.8 * pitch)
    arms_down(script, random)
    legs_trailing(script, random)
    trail(script, script.cycles, random.uniform(0.08, 0.25), axis=LEFT)
    return script


def _level(body: Body) -> float:
    """How far a body must lean to lie in the air: the rise of its back, radians."""
    if not body.spine:
        return 0.3
    _, up, ahead = body.positions[body.spine[-1]] - body.positions[0]
    return float(np.clip(np.arctan2(up, ahead), 0.0, 1.4)) * 0.8


def fly(body: Body, random: np.random.Generator) -> Take:
    """Ahead on beating wings."""
    beats = int(random.integers(1, 3))
    frames = beats * int(random.integers(10, 28)) + 1
    script = _airborne(body, random, frames, _level(body))
    cycles = beats * script.cycles
    beat(script, cycles, random.uniform(0.5, 0.95))
    script.turn(body.neck, LEFT, 0.06 * wave(cycles, 0.3))
    path = np.zeros((frames, 3))
    path[:, 2] = script.cycles * beats * random.uniform(0.5, 1.2) * body.size
    script.root += path
    return Take(str(random.choice(("flies forward", "flies forward by flapping its wings"))), script, True, path)


def hover(body: Body, random: np.random.Generator) -> Take:
    """On the spot, upright, with wide beats."""
    beats = int(random.integers(1, 4))
    script = _airborne(body, random, beats * int(random.integers(10, 22)) + 1, -random.uniform(0.1, 0.5))
    beat(script, beats * script.cycles, random.uniform(0.6, 1.0))
    script.root[:, 2] += 0.02 * body.size * wander(random, script.frames, (1,))
    return Take(str(random.choice(("hovers in place", "hovers in place, beating its wings"))), script, loop=True)


def glide(body: Body, random: np.random.Generator) -> Take:
    """Ahead on still wings, rocking a little."""
    script = _airborne(body, random, int(random.integers(40, 80)), _level(body))
    for wing in body.wings:
        script.turn(wing.joints, AHEAD, wing.side * (random.uniform(0.1, 0.3) + 0.05 * wander(random, script.frames)))
    script.turn(0, AHEAD, 0.08 * wander(random, script.frames, (1, 2)))
    path = np.zeros((script.frames, 3))
    path[:, 2] = script.cycles * script.frames / 30.0 * random.uniform(0.6, 1.4) * body.size
    script.root += path
    return Take("glides forward with its wings spread", script, True, path)


def strike(body: Body, random: np.random.Generator) -> Take:
    """Swoop with the body thrown back, and back again."""
    beats = int(random.integers(2, 4))
    script = _airborne(body, random, beats * int(random.integers(10, 15)) + 1, 0.0)
    beat(script, beats * script.cycles, 0.7)
    lunge = track(script.frames, [(0.0, 0.0), (0.3, -0.5), (0.5, 1.0), (0.65, 0.8), (1.0, 0.0)])
    script.root[:, 2] += 0.25 * body.size * lunge
    script.root[:, 1] -= 0.12 * body.size * lunge
    script.turn(0, LEFT, 0.35 * lunge)
    script.turn(body.neck, LEFT, 0.4 * lunge)
    for leg in body.legs:
        script.turn(leg.joints[0], LEFT, -1.2 * np.maximum(lunge, 0.0))
    jaw_open(script, 0.6 * np.maximum(lunge, 0.0))
    return Take("strikes while flying", script, loop=True)


def plummet(body: Body, random: np.random.Generator) -> Take:
    """Wings give up, the body drops and lies still."""
    script = _airborne(body, random, int(random.integers(34, 55)), 0.0)
    limp = track(script.frames, [(0.0, 0.0), (0.4, 1.0)])
    beat(script, script.cycles * 3, 0.6 * (1.0 - limp))
    side = float(random.choice((-1.0, 1.0)))
    for wing in body.wings:
        script.turn(wing.joints[0], AHEAD, -wing.side * random.uniform(0.0, 0.3) * limp)
        script.turn(wing.joints[0], UP, wing.side * 0.7 * limp)
    script.turn(0, AHEAD, side * random.uniform(0.1, 0.5) * limp)
    script.turn(body.neck, LEFT, 0.3 * limp)
    fallen = np.clip((script.cycles - 0.1) / 0.5, 0.0, 1.0) ** 2
    script.root[:, 1] = np.maximum(script.root[:, 1] * (1.0 - fallen), 0.0)
    script.rest_on_ground()
    return Take("dies and falls", script)
