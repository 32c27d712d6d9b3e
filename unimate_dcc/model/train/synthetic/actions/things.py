"""What machines, doors and plants do."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import drag, trail
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track, wander, wave
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Action, Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP
from unimate_dcc.skeleton import FloatArray


def _visit(script: Script, random: np.random.Generator) -> FloatArray:
    """(T,) out to 1, held, and back to 0."""
    out, back = random.uniform(0.25, 0.4), random.uniform(0.6, 0.75)
    return track(script.frames, [(0.0, 0.0), (out, 1.0), (back, 1.0), (1.0, 0.0)])


def look(body: Body, random: np.random.Generator) -> Take:
    """A lamp turns its shade from side to side."""
    script, side = Script(body, int(random.integers(50, 90))), float(random.choice((-1.0, 1.0)))
    turn = track(script.frames, [(0.0, 0.0), (0.2, side), (0.4, side), (0.6, -side), (0.8, -side), (1.0, 0.0)])
    script.turn(body.spine[0], UP, random.uniform(0.5, 0.9) * turn)
    script.turn(body.neck, LEFT, -0.3 * np.abs(turn))
    return Take("looks around", script, loop=True)


def nod(body: Body, random: np.random.Generator) -> Take:
    """A lamp nods with its shade."""
    script = Script(body, int(random.integers(30, 60)))
    amount = track(script.frames, [(0.0, 0.0), (0.2, 1.0), (0.8, 1.0), (1.0, 0.0)])
    script.turn(body.neck, LEFT, 0.5 * amount * wave(script.cycles * int(random.integers(2, 4))))
    script.turn(body.spine[1:], LEFT, 0.1 * amount * wave(script.cycles * 2))
    return Take("nods", script, loop=True)


def bend(body: Body, random: np.random.Generator) -> Take:
    """Bend down over something and rise again."""
    script = Script(body, int(random.integers(40, 80)))
    down = _visit(script, random)
    script.turn(body.spine[1:], LEFT, random.uniform(0.5, 0.9) * down)
    script.turn(body.neck, LEFT, -0.3 * down)
    script.rest_on_ground()
    return Take("bends down", script, loop=True)


def hop(body: Body, random: np.random.Generator) -> Take:
    """A lamp crouches and hops on the spot."""
    script = Script(body, int(random.integers(26, 40)))
    squeeze = track(script.frames, [(0.0, 0.0), (0.28, 1.0), (0.38, -0.3), (0.62, 0.0), (0.75, 0.7), (1.0, 0.0)])
    share = np.clip((script.cycles - 0.36) / 0.28, 0.0, 1.0)
    script.turn(body.spine[:1], LEFT, -0.5 * squeeze)
    script.turn(body.spine[1:], LEFT, 0.9 * squeeze)
    script.root[:, 1] += random.uniform(0.6, 1.0) * body.size * share * (1.0 - share)
    script.rest_on_ground()
    return Take("jumps", script, loop=True)


def turn(side: float, verb: str) -> Action:
    """Turn the upper part to a side and back."""

    def act(body: Body, random: np.random.Generator) -> Take:
        script = Script(body, int(random.integers(50, 100)))
        angle = side * random.uniform(0.7, 1.4) * _visit(script, random)
        script.turn(body.spine[0], UP, angle)
        for tail in body.tails:
            late = np.interp(np.arange(script.frames) - 4.0, np.arange(script.frames), angle)
            script.turn(tail[0], AHEAD, 0.5 * (angle - late))
        return Take(verb, script, loop=True)

    return act


def reach(body: Body, random: np.random.Generator) -> Take:
    """An arm stretches out and comes back."""
    script = Script(body, int(random.integers(45, 90)))
    out = _visit(script, random)
    script.turn(body.spine[1], LEFT, random.uniform(0.4, 0.7) * out)
    script.turn(body.spine[2:], LEFT, -random.uniform(0.2, 0.5) * out)
    script.rest_on_ground()
    return Take("reaches out", script, loop=True)


def grab(body: Body, random: np.random.Generator) -> Take:
    """An arm goes down, closes its gripper, lifts."""
    script = Script(body, int(random.integers(50, 90)))
    down = track(script.frames, [(0.0, 0.0), (0.35, 1.0), (0.6, 1.0), (1.0, 0.0)])
    script.turn(body.spine[1:], LEFT, random.uniform(0.6, 0.9) * down)
    script.turn(body.neck, LEFT, -0.3 * down)
    close = track(script.frames, [(0.1, 0.0), (0.3, -0.5), (0.5, 0.5), (0.9, 0.5), (1.0, 0.0)])
    for grip in body.arms:
        script.turn(grip.joints[0], AHEAD, -grip.side * close)
    script.rest_on_ground()
    return Take("reaches down and grabs something", script, loop=True)


def opening(verb: str, way: float) -> Action:
    """Open, or close from open: lids, doors and gates."""

    def act(body: Body, random: np.random.Generator) -> Take:
        script = Script(body, int(random.integers(24, 60)))
        swing = track(script.frames, [(0.05, 0.0), (random.uniform(0.5, 0.8), 1.0), (0.9, 0.97), (1.0, 0.97)])
        size = random.uniform(1.0, 1.7) * (swing if way > 0 else 1.0 - swing)
        for leaf in body.fins:
            script.turn(leaf.joints[0], UP, leaf.side * size)
        if body.neck:
            script.turn(body.neck[0], LEFT, -size)
        return Take(verb, script)

    return act


def rattle(body: Body, random: np.random.Generator) -> Take:
    """A lid or a door shakes in its hinges."""
    script = Script(body, int(random.integers(24, 50)))
    shaken = wave(script.cycles * int(random.integers(3, 6))) ** 2 * track(
        script.frames, [(0.0, 0.0), (0.3, 1.0), (0.7, 1.0), (1.0, 0.0)]
    )
    for leaf in body.fins:
        script.turn(leaf.joints[0], UP, 0.12 * leaf.side * shaken)
    if body.neck:
        script.turn(body.neck[0], LEFT, -0.2 * shaken)
    return Take("rattles", script, loop=True)


def dig(body: Body, random: np.random.Generator) -> Take:
    """The boom goes down, the bucket curls, all comes up."""
    script = Script(body, int(random.integers(60, 110)))
    boom = track(script.frames, [(0.0, 0.0), (0.25, 1.0), (0.5, 0.8), (0.8, -0.4), (1.0, 0.0)])
    curl = track(script.frames, [(0.0, 0.0), (0.25, -0.6), (0.55, 1.0), (0.8, 1.0), (1.0, 0.0)])
    script.turn(body.spine[1], LEFT, 0.4 * boom)
    script.turn(body.neck[0], LEFT, 0.4 * curl)
    script.turn(body.neck[1], LEFT, random.uniform(0.7, 1.1) * curl)
    script.rest_on_ground()
    return Take("digs", script, loop=True)


def sway(body: Body, random: np.random.Generator) -> Take:
    """To and fro in the wind, leaves after the stem."""
    script = Script(body, int(random.integers(50, 110)))
    cycles, size = script.cycles * int(random.integers(1, 4)), random.uniform(0.12, 0.4)
    for place, joint in enumerate(body.spine):
        script.turn(joint, AHEAD, size / len(body.spine) * 2.0 * wave(cycles, 0.04 * place))
        script.turn(joint, LEFT, 0.4 * size / len(body.spine) * wander(random, script.frames, (1, 2)))
    for leaf in body.fins:
        script.turn(leaf.joints, AHEAD, 0.5 * size * wave(cycles, 0.3 + 0.1 * random.random()))
    return Take("sways", script, loop=True)


def wilt(body: Body, random: np.random.Generator) -> Take:
    """The stem bends over and stays."""
    script = Script(body, int(random.integers(50, 100)))
    down = track(script.frames, [(0.0, 0.0), (0.8, 1.0)])
    axis = LEFT if random.random() < 0.5 else AHEAD
    script.turn(body.spine[1:], axis, random.uniform(1.2, 2.0) * down)
    for leaf in body.fins:
        script.turn(leaf.joints[0], AHEAD, -leaf.side * 0.6 * down)
    script.rest_on_ground()
    return Take("wilts and hangs down", script)


def rise(body: Body, random: np.random.Generator) -> Take:
    """From bent over to upright."""
    script = Script(body, int(random.integers(50, 100)))
    down = track(script.frames, [(0.0, 1.0), (0.8, 0.0)])
    script.turn(body.spine[1:], LEFT, random.uniform(1.2, 2.0) * down)
    script.rest_on_ground()
    return Take("rises and unfolds", script)


def still(body: Body, random: np.random.Generator) -> Take:
    """Nothing but a hum."""
    script = Script(body, int(random.integers(40, 90)))
    for joint in (*body.spine[1:], *body.neck):
        script.turn(joint, LEFT, 0.012 * wander(random, script.frames))
    for fin in body.fins:
        script.turn(fin.joints[0], UP, 0.012 * wander(random, script.frames))
    trail(script, script.cycles * 2, 0.04, axis=LEFT)
    return Take("stands idle", script, loop=True)


def swing(body: Body, random: np.random.Generator) -> Take:
    """The load swings on its cable."""
    script = Script(body, int(random.integers(40, 80)))
    axis = LEFT if random.random() < 0.5 else AHEAD
    beats = int(random.integers(1, 3))
    script.turn(body.tails[0][0], axis, random.uniform(0.2, 0.5) * wave(script.cycles * beats))
    drag(script, 0.02 * wave(script.cycles * beats), axis)
    return Take("swings its load", script, loop=True)


ROUND: dict[str, Action] = {
    "left": turn(1.0, "turns to the left and back"),
    "right": turn(-1.0, "turns to the right and back"),
}
HINGED: dict[str, Action] = {
    "open": opening("opens", 1.0),
    "close": opening("closes", -1.0),
    "rattle": rattle,
    "idle": still,
}
GROWING: dict[str, Action] = {"sway": sway, "wilt": wilt, "rise": rise, "idle": still}
THINGS: dict[str, dict[str, Action]] = {
    "desk lamp": {"look": look, "nod": nod, "bend": bend, "hop": hop, "idle": still, **ROUND},
    "robot arm": {"reach": reach, "grab": grab, "bend": bend, "idle": still, **ROUND},
    "door": HINGED, "gate": HINGED, "box": HINGED,
    "digger": {"dig": dig, "reach": reach, "idle": still, **ROUND},
    "tower crane": {"swing": swing, "idle": still, **ROUND},
    "plant": GROWING, "flower": GROWING, "reed": GROWING,
}  # fmt: skip
"""What each thing can do."""
