"""Bodies that lie on the ground in curves: slithering, rearing, striking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import jaw_open, trail
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import TURN, track, wander, wave
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP, about
from unimate_dcc.skeleton import FloatArray

Heading = Callable[[float], FloatArray]


def slither(body: Body, random: np.random.Generator) -> Take:
    """Ahead in curves: every joint goes where the head went."""
    return _slither(body, random, (24, 46), "slithers forward")


def slither_fast(body: Body, random: np.random.Generator) -> Take:
    """The same, quickly."""
    return _slither(body, random, (12, 20), "slithers forward fast")


def _slither(body: Body, random: np.random.Generator, frames: tuple[int, int], verb: str) -> Take:
    script = Script(body, int(random.integers(*frames)) + 1)
    wavelength, size = random.uniform(0.45, 0.9) * body.size, random.uniform(0.5, 0.95)

    def heading(ahead: float) -> FloatArray:
        """(T,) heading of the curve some metres ahead of the root."""
        return size * wave(script.cycles, -ahead / wavelength)

    _along(script, heading)
    way = heading(0.0)
    steps = np.stack([np.sin(way), np.zeros(script.frames), np.cos(way)], axis=1) * wavelength / (script.frames - 1)
    walked = np.concatenate([np.zeros((1, 3)), np.cumsum(0.5 * (steps[1:] + steps[:-1]), axis=0)])
    script.root += walked
    return Take(verb, script, True, script.cycles[:, None] * walked[-1:])


def _along(script: Script, heading: Heading) -> None:
    """Lay neck and tail along a curve given by its heading ahead of the root, metres to (T,) radians."""
    body = script.body
    script.turn(0, UP, heading(0.0))
    for chain, sign in ((body.neck, 1.0), (body.tails[0], -1.0)):
        before, at = heading(0.0), 0.0
        for place, joint in enumerate(chain):
            length = float(np.linalg.norm(body.offsets[joint]))
            at += length
            head = 0.4 if sign > 0 and place == len(chain) - 1 else 1.0
            here = head * heading(sign * (at + 0.5 * length))
            script.turn(joint, UP, here - before)
            before = here


def _coil(body: Body, random: np.random.Generator, frames: int, drawn: FloatArray | float = 1.0) -> Script:
    """At rest in curves, drawn up or stretched by (T,) factors."""
    script = Script(body, frames)
    wavelength, start = random.uniform(0.35, 0.8) * body.size, random.random()
    size = random.uniform(0.5, 1.1) * np.asarray(drawn) + np.zeros(frames)
    _along(script, lambda ahead: size * np.sin(TURN * (start + ahead / wavelength)))
    return script


def _rear(script: Script, amount: FloatArray, size: float = 0.9) -> None:
    """Lift neck and head by (T,) shares, the head level."""
    neck = script.body.neck
    script.carry(neck[0], LEFT, -size * amount)
    script.carry(neck[-1], LEFT, 0.9 * size * amount)


def rest(body: Body, random: np.random.Generator) -> Take:
    """Lie in curves; head and tail stir."""
    script = _coil(body, random, int(random.integers(50, 100)))
    raised = random.uniform(0.0, 0.6) * (random.random() < 0.6)
    _rear(script, raised + 0.04 * wave(script.cycles * 2))
    script.turn(body.neck, UP, random.uniform(0.05, 0.3) * wander(random, script.frames))
    trail(script, script.cycles * 2, 0.06)
    script.rest_on_ground()
    return Take(str(random.choice(("rests idle", "rests idle, shifting slightly"))), script, loop=True)


def snap(body: Body, random: np.random.Generator) -> Take:
    """Rear up, draw back, strike ahead."""
    frames = int(random.integers(22, 40))
    up = track(frames, [(0.0, 0.0), (0.35, 1.0), (0.5, 0.25), (0.65, 0.3), (1.0, 0.0)])
    lunge = track(frames, [(0.0, 0.0), (0.35, -0.5), (0.5, 1.0), (0.62, 0.9), (1.0, 0.0)])
    script = _coil(body, random, frames, 1.0 - random.uniform(0.4, 0.7) * lunge)
    _rear(script, up)
    script.root[:, 2] += random.uniform(0.1, 0.2) * body.size * lunge
    jaw_open(script, 0.7 * track(script.frames, [(0.3, 0.0), (0.45, 1.0), (0.55, 0.0)]))
    script.rest_on_ground()
    return Take(str(random.choice(("attacks", "bites"))), script, loop=True)


def writhe(body: Body, random: np.random.Generator) -> Take:
    """Rear up, fall over, lie still."""
    script = _coil(body, random, int(random.integers(40, 70)))
    up = track(script.frames, [(0.0, 0.0), (0.25, 1.0), (0.5, 0.0)])
    _rear(script, up)
    fades = track(script.frames, [(0.0, 0.0), (0.3, 1.0), (0.7, 0.0)])
    trail(script, script.cycles * 4, 0.5 * fades)
    roll = float(random.choice((-1.0, 1.0))) * 2.6 * track(script.frames, [(0.3, 0.0), (0.65, 1.0)])
    _roll(script, about(AHEAD, roll))
    script.rest_on_ground()
    return Take("dies and falls", script)


def _roll(script: Script, rolls: FloatArray) -> None:
    """Roll a body about its own line, curved as it lies, by (T, 3, 3) turns about straight ahead."""
    first = script.local[:, 0] @ rolls
    script.local = np.swapaxes(rolls, -1, -2)[:, None] @ script.local @ rolls[:, None]
    script.local[:, 0] = first


def look_up(body: Body, random: np.random.Generator) -> Take:
    """Raise the head and turn it from side to side."""
    script = _coil(body, random, int(random.integers(60, 100)))
    up = track(script.frames, [(0.0, 0.0), (0.2, 1.0), (0.8, 1.0), (1.0, 0.0)])
    _rear(script, up)
    side = float(random.choice((-1.0, 1.0)))
    keys: Sequence[tuple[float, float]] = [(0.2, 0.0), (0.35, side), (0.6, -side), (0.8, 0.0)]
    script.turn(body.neck, UP, random.uniform(0.5, 0.9) * track(script.frames, keys))
    script.rest_on_ground()
    return Take("raises its head and looks around", script, loop=True)
