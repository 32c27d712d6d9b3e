"""Bodies that move in waves: swimming, slithering, and what fish and snakes do besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import flutter, jaw_open, trail
from unimate_dcc.model.train.synthetic.bodies.limbless import WHALES
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import TURN, track, wander, wave
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP
from unimate_dcc.skeleton import FloatArray

Heading = Callable[[float], FloatArray]


def _stroke(script: Script, cycles: FloatArray, size: FloatArray | float, random: np.random.Generator) -> None:
    """A wave that runs down the tail and grows; the head sways against it."""
    body = script.body
    axis = LEFT if body.kind in WHALES else UP
    tail, lag = body.tails[0], random.uniform(0.08, 0.16)
    for place, joint in enumerate(tail):
        growth = 0.4 + 1.2 * (place + 1) / len(tail)
        script.turn(joint, axis, size * growth / np.sqrt(len(tail)) * wave(cycles, lag * (place + 1)))
    script.turn(0, axis, -0.25 * size * wave(cycles, lag))
    script.root[:, 1 if axis is LEFT else 0] += 0.03 * body.size * np.asarray(size) * wave(cycles, 0.3)
    flutter(script, cycles, 0.12)
    for fin in body.fins:
        script.turn(fin.joints, AHEAD, fin.side * (0.1 + 0.15 * wave(cycles, 0.2)))


def swim(body: Body, random: np.random.Generator) -> Take:
    """Ahead, a stroke or two."""
    return _swim(body, random, (0.3, 0.55), (18, 40), 0.6, "swims forward")


def swim_fast(body: Body, random: np.random.Generator) -> Take:
    """Ahead with quick strokes."""
    return _swim(body, random, (0.5, 0.8), (9, 15), 0.7, "swims forward fast")


def _swim(
    body: Body, random: np.random.Generator, size: tuple[float, float], frames: tuple[int, int], stride: float, verb: str
) -> Take:
    strokes = int(random.integers(1, 3))
    script = Script(body, strokes * int(random.integers(*frames)) + 1)
    _stroke(script, strokes * script.cycles, random.uniform(*size), random)
    path = np.zeros((script.frames, 3))
    path[:, 2] = script.cycles * strokes * stride * random.uniform(0.7, 1.3) * body.size
    script.root += path
    return Take(verb, script, True, path)


def swim_left(body: Body, random: np.random.Generator) -> Take:
    """A curve to the left."""
    return _curve(body, random, 1.0, "swims forward and turns to the left")


def swim_right(body: Body, random: np.random.Generator) -> Take:
    """A curve to the right."""
    return _curve(body, random, -1.0, "swims forward and turns to the right")


def _curve(body: Body, random: np.random.Generator, side: float, verb: str) -> Take:
    strokes = int(random.integers(2, 4))
    script = Script(body, strokes * int(random.integers(15, 25)) + 1)
    _stroke(script, strokes * script.cycles, random.uniform(0.3, 0.5), random)
    heading = side * random.uniform(0.9, 1.8) * script.cycles
    script.turn(body.tails[0], UP, -0.35 * side)
    script.carry(0, UP, heading)
    speed = strokes * 0.6 * body.size / (script.frames - 1)
    steps = speed * np.stack([np.sin(heading), np.zeros(script.frames), np.cos(heading)], axis=1)
    path = np.cumsum(steps, axis=0) - steps
    script.root += path
    return Take(verb, script, False, path)


def drift(body: Body, random: np.random.Generator) -> Take:
    """Hang in the water."""
    script = Script(body, int(random.integers(50, 100)))
    _stroke(script, script.cycles * int(random.integers(1, 3)), random.uniform(0.08, 0.2), random)
    script.root += 0.015 * body.size * np.stack([wander(random, script.frames, (1, 2)) for _ in range(3)], axis=1)
    return Take("floats in place", script, loop=True)


def dart(body: Body, random: np.random.Generator) -> Take:
    """Draw back, dart ahead with open jaws, come back."""
    script = Script(body, int(random.integers(24, 40)))
    lunge = track(script.frames, [(0.0, 0.0), (0.3, -0.35), (0.5, 1.0), (0.65, 0.9), (1.0, 0.0)])
    quick = track(script.frames, [(0.0, 0.1), (0.3, 0.3), (0.5, 1.0), (1.0, 0.1)])
    _stroke(script, script.cycles * 3, 0.6 * quick, random)
    script.root[:, 2] += random.uniform(0.15, 0.3) * body.size * lunge
    jaw_open(script, 0.7 * np.maximum(lunge, 0.0))
    script.turn(body.neck, LEFT, -0.3 * lunge)
    return Take(str(random.choice(("attacks", "bites"))), script, loop=True)


def belly_up(body: Body, random: np.random.Generator) -> Take:
    """The strokes die away, the body turns over."""
    script = Script(body, int(random.integers(45, 80)))
    over = track(script.frames, [(0.1, 0.0), (0.75, 1.0)])
    _stroke(script, script.cycles * 3, 0.4 * (1.0 - over), random)
    script.turn(0, AHEAD, float(random.choice((-1.0, 1.0))) * np.pi * over)
    script.turn(body.tails[0], LEFT, random.uniform(-0.5, 0.5) * over)
    script.root[:, 1] += 0.1 * body.size * over
    return Take("dies and turns over", script)


def flop(body: Body, random: np.random.Generator) -> Take:
    """On its side out of the water, head and tail beating."""
    beats = int(random.integers(2, 4))
    script = Script(body, beats * int(random.integers(8, 14)) + 1)
    cycles = beats * script.cycles
    bend = wave(cycles)
    script.turn(body.tails[0], UP, random.uniform(0.7, 1.1) * bend)
    script.turn(0, UP, -0.3 * bend)
    script.carry(0, AHEAD, 1.45)
    script.root[:, 1] = 0.25 * body.size * np.abs(wave(cycles, 0.1)) ** 1.5
    script.root[:, 1] -= np.minimum(script.lowest(), 0.0)
    return Take("flops about out of the water", script, loop=True)


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


def _coil(body: Body, random: np.random.Generator, frames: int) -> Script:
    """At rest in curves that stay."""
    script = Script(body, frames)
    wavelength, size, start = random.uniform(0.35, 0.8) * body.size, random.uniform(0.5, 1.1), random.random()
    still = np.zeros(frames)
    _along(script, lambda ahead: still + size * np.sin(TURN * (start + ahead / wavelength)))
    return script


def _rear(script: Script, amount: FloatArray, size: float = 0.9) -> None:
    """Lift neck and head by (T,) shares, the head level."""
    neck = script.body.neck
    for joint in neck[:1]:
        script.carry(joint, LEFT, -size * amount)
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
    script = _coil(body, random, int(random.integers(22, 40)))
    up = track(script.frames, [(0.0, 0.0), (0.35, 1.0), (0.5, 0.25), (0.65, 0.3), (1.0, 0.0)])
    lunge = track(script.frames, [(0.0, 0.0), (0.35, -0.5), (0.5, 1.0), (0.62, 0.9), (1.0, 0.0)])
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
    script.turn(0, AHEAD, float(random.choice((-1.0, 1.0))) * 2.6 * track(script.frames, [(0.3, 0.0), (0.65, 1.0)]))
    script.rest_on_ground()
    return Take("dies and falls", script)


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
