"""Swimming bodies: strokes of the tail, curves, darts, and turning over."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import flutter, jaw_open
from unimate_dcc.model.train.synthetic.bodies.limbless import WHALES
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track, wander, wave
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP
from unimate_dcc.skeleton import FloatArray


def _stroke(script: Script, cycles: FloatArray, size: FloatArray | float, random: np.random.Generator) -> None:
    """A wave that runs down the tail and grows; the head sways against it."""
    body = script.body
    script.root[:, 1] += 0.5 * body.size  # in the water, well off the ground
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
    body: Body,
    random: np.random.Generator,
    size: tuple[float, float],
    frames: tuple[int, int],
    stride: float,
    verb: str,
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
