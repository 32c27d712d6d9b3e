"""Gaits on legs: walk, trot, run, gallop, sneak, backward, sideways, turning, hopping, crawling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import arms_down, bend_elbow, flutter, fold_wings, raise_tail, trail
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import TURN
from unimate_dcc.model.train.synthetic.gait import Gait, stance_sweep
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.synthetic.take import FPS, Action, Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP, about
from unimate_dcc.skeleton import FloatArray

GRAVITY = 9.81
"""Metres a second squared; with the leg it sets the speed of a gait (Froude number v^2 / g h)."""
SHORTEST, LONGEST = 12, 60
"""Frames of a cycle: real clips lie between."""

Offsets = Callable[[Body], Sequence[float]]


@dataclass(frozen=True)
class Style:
    """A manner of going.

    Attributes:
        verb: Words for it, ahead or on the spot.
        froude: Range of the Froude number; a walk breaks into a run at about 0.5 (Alexander 1989).
        duty: Range of the share of a cycle that feet stand.
        offsets: Place in the cycle of every leg.
        lift: Height of a swinging foot against the height of the hips.
        bounce: Rise of the body against the height of the hips; negative is lowest at mid-stance, as in a run.
        beats: Rises in a cycle.
        crouch: How much lower the hips are than at rest, against their height.
        lean: Forward lean of the trunk, radians.
        way: (left, ahead) direction of travel.
        turns: Sign of the turning; 1 is left.
    """

    verb: str
    froude: tuple[float, float]
    duty: tuple[float, float]
    offsets: Offsets
    lift: float = 0.12
    bounce: float = 0.02
    beats: int = 2
    crouch: float = 0.02
    lean: float = 0.0
    way: tuple[float, float] = (0.0, 1.0)
    turns: int = 0


def alternating(body: Body) -> list[float]:
    """Left and right by turns; with more rows than two, each row against the next."""
    return [0.25 * (1 - leg.side) + 0.5 * (leg.row % 2) for leg in body.legs]


def together(body: Body) -> list[float]:
    """Both sides at once, hind legs first."""
    return [0.4 * leg.row for leg in body.legs]


def lateral_walk(body: Body) -> list[float]:
    """Left hind, left fore, right hind, right fore, a quarter apart (Hildebrand 1965)."""
    return [0.25 * (1 - leg.side) + 0.25 * leg.row for leg in body.legs]


def gallop(body: Body) -> list[float]:
    """Hind pair, then fore pair, each a little staggered."""
    return [0.06 * (1 - leg.side) + 0.45 * leg.row for leg in body.legs]


def metachronal(body: Body) -> list[float]:
    """A wave from the last pair to the first, sides half a cycle apart."""
    rows = max(leg.row for leg in body.legs) + 1
    return [0.25 * (1 - leg.side) + leg.row / rows for leg in body.legs]


def gait_of(style: Style) -> Action:
    """The action of a style."""

    def act(body: Body, random: np.random.Generator) -> Take:
        return go(body, random, style)

    return act


def go(body: Body, random: np.random.Generator, style: Style) -> Take:
    """One cycle that closes, or two and a half turning ones."""
    gait, drop = planned(body, random, style)
    turning = bool(style.turns)
    script = Script(body, round(gait.period * (2.5 if turning else 1)) + 1)
    frames = np.arange(script.frames, dtype=np.float64)
    cycles = frames / gait.period
    headings, path = gait.headings(frames), gait.travelled(frames)
    _trunk(script, random, style, cycles, drop)
    _limbs(script, random, style, cycles)
    script.local[:, 0] = headings @ script.local[:, 0]
    sway = script.root - body.positions[0]
    script.root = path + np.einsum("tij,tj->ti", headings, sway + body.positions[0])
    _feet(script, gait, frames, headings)
    script.rest_on_ground()
    return Take(style.verb, script, not turning, path)


def planned(body: Body, random: np.random.Generator, style: Style) -> tuple[Gait, float]:
    """Speed, stride and cycle that suit the legs, and by how many metres the hips are lowered."""
    height, duty = body.leg_height, random.uniform(*style.duty)
    speed = float(np.sqrt(random.uniform(*style.froude) * GRAVITY * height))
    froude = speed**2 / (GRAVITY * height)
    stride = 2.3 * froude**0.3 * height  # stride against Froude number over many mammals (Alexander 1989)
    half, drop = stance_sweep(body, 0.5 * duty * stride, style.crouch * height * random.uniform(0.7, 1.3))
    stride = 2.0 * half / duty
    period = int(np.clip(round(stride / speed * FPS), SHORTEST, LONGEST))
    along = np.array(style.way) / np.hypot(*style.way)
    turning = style.turns * random.uniform(0.5, 1.1) / period
    return Gait(period, duty, style.offsets(body), along * stride / period, turning, style.lift * height), drop


def _trunk(script: Script, random: np.random.Generator, style: Style, cycles: FloatArray, drop: float) -> None:
    body, draw = script.body, random.uniform
    height, steps = body.leg_height, TURN * cycles
    script.root[:, 1] += style.bounce * height * draw(0.7, 1.3) * np.cos(style.beats * steps) - drop
    two_legged = len(body.legs) == 2
    loose = draw(0.5, 1.4)
    if style.beats == 2:
        script.root[:, 0] += height * 0.03 * loose * np.cos(steps) * two_legged
        script.turn(0, UP, -0.08 * loose * np.sin(steps) * two_legged)
        script.turn(0, AHEAD, 0.05 * loose * np.cos(steps))
        script.turn(body.spine, UP, (0.14 if two_legged else 0.1) * loose * np.sin(steps))
        script.turn(body.spine, AHEAD, -0.05 * loose * np.cos(steps))
    else:
        rocking = 0.12 * loose * (0.3 if two_legged else 1.0)
        script.turn(0, LEFT, rocking * np.sin(steps))
        script.turn(body.spine, LEFT, -2.0 * rocking * np.sin(steps - 0.8))
    upright = 0.5 if two_legged else 0.0
    script.turn((0, *body.spine), LEFT, style.lean)
    script.turn(body.neck, LEFT, -0.7 * style.lean * upright + 0.06 * loose * np.sin(style.beats * steps - 0.6))
    if body.category == "bird":
        script.turn(body.neck[:-1], LEFT, draw(0.1, 0.35) * np.sin(2.0 * steps))
    raise_tail(script, random)
    trail(script, cycles, draw(0.1, 0.4))
    flutter(script, 2.0 * cycles, 0.08)


def _limbs(script: Script, random: np.random.Generator, style: Style, cycles: FloatArray) -> None:
    """Arms swing against the legs; wings are folded."""
    running = style.bounce < 0
    arms_down(script, random, random.uniform(0.9, 1.5) if running else None)
    fold_wings(script, random)
    if script.body.category == "arthropod":
        return
    swing = random.uniform(0.5, 0.9) if running else random.uniform(0.2, 0.5)
    for arm in script.body.arms:
        together = arm.side if style.beats == 2 else 1
        angle = swing * together * np.sin(TURN * cycles)
        script.carry(arm.joints[0], LEFT, -angle if style.way[1] >= 0 else angle)
        bend_elbow(script, arm, 0.3 * swing * (1.0 + together * np.sin(TURN * cycles)))


def _feet(script: Script, gait: Gait, frames: FloatArray, headings: FloatArray) -> None:
    body = script.body
    targets, pitches = [], []
    backward = gait.velocity[1] < 0
    for number, leg in enumerate(body.legs):
        target, place = gait.footfall(number, body.standing(leg), frames)
        targets.append(target)
        gone = (place - 0.5 * gait.duty + 0.5) % 1.0 - 0.5
        toe = leg.contact > leg.ankle
        leaving = np.exp(-((gone / 0.1) ** 2)) if toe else np.exp(-(((gone - 0.15) / 0.08) ** 2))
        pitches.append((0.0 if backward else 0.5 if toe else 0.35) * leaving)
    script.plant(targets, pitches, headings)


TWO_LEGS = {
    "walk": Style("walks forward", (0.08, 0.3), (0.58, 0.68), alternating, 0.1, 0.025, 2, 0.02, 0.04),
    "run": Style("runs forward", (0.9, 2.2), (0.28, 0.38), alternating, 0.25, -0.06, 2, 0.06, 0.22),
    "sneak": Style("sneaks forward", (0.03, 0.08), (0.64, 0.72), alternating, 0.14, 0.01, 2, 0.16, 0.35),
    "backward": Style("walks backward", (0.05, 0.15), (0.58, 0.68), alternating, 0.1, 0.02, 2, 0.03, -0.05, (0.0, -1.0)),
    "left": Style("walks forward and turns to the left", (0.08, 0.2), (0.58, 0.68), alternating, 0.1, 0.02, 2, 0.03, 0.03, turns=1),
    "right": Style("walks forward and turns to the right", (0.08, 0.2), (0.58, 0.68), alternating, 0.1, 0.02, 2, 0.03, 0.03, turns=-1),
    "side left": Style("steps sideways to the left", (0.01, 0.03), (0.55, 0.62), alternating, 0.1, 0.02, 2, 0.04, way=(1.0, 0.0)),
    "side right": Style("steps sideways to the right", (0.01, 0.03), (0.55, 0.62), alternating, 0.1, 0.02, 2, 0.04, way=(-1.0, 0.0)),
    "hop": Style("hops forward", (0.2, 0.6), (0.4, 0.5), together, 0.22, -0.12, 1, 0.1, 0.12),
}  # fmt: skip
FOUR_LEGS = {
    "walk": Style("walks forward", (0.06, 0.25), (0.62, 0.72), lateral_walk, 0.12, 0.012, 2, 0.03),
    "trot": Style("trots forward", (0.4, 0.9), (0.42, 0.52), alternating, 0.18, -0.03, 2, 0.04),
    "run": Style("runs forward", (1.0, 2.2), (0.28, 0.36), gallop, 0.25, -0.06, 1, 0.06),
    "gallop": Style("gallops forward", (1.4, 2.6), (0.24, 0.32), gallop, 0.28, -0.08, 1, 0.06),
    "sneak": Style("sneaks forward", (0.03, 0.08), (0.7, 0.78), lateral_walk, 0.12, 0.008, 2, 0.2),
    "backward": Style("walks backward", (0.03, 0.1), (0.62, 0.72), lateral_walk, 0.1, 0.01, 2, 0.04, 0.0, (0.0, -1.0)),
    "left": Style("walks forward and turns to the left", (0.06, 0.2), (0.62, 0.72), lateral_walk, 0.12, 0.01, 2, 0.04, turns=1),
    "right": Style("walks forward and turns to the right", (0.06, 0.2), (0.62, 0.72), lateral_walk, 0.12, 0.01, 2, 0.04, turns=-1),
    "hop": Style("hops forward", (0.3, 0.8), (0.35, 0.45), together, 0.22, -0.1, 1, 0.08),
}  # fmt: skip
MANY_LEGS = {
    "walk": Style("crawls forward", (0.03, 0.15), (0.52, 0.6), alternating, 0.25, 0.02, 2, 0.0),
    "wave": Style("crawls forward slowly", (0.01, 0.03), (0.68, 0.78), metachronal, 0.25, 0.01, 2, 0.0),
    "run": Style("runs forward", (0.4, 0.9), (0.45, 0.52), alternating, 0.3, 0.03, 2, 0.0),
    "backward": Style("crawls backward", (0.02, 0.08), (0.52, 0.6), alternating, 0.25, 0.02, 2, 0.0, 0.0, (0.0, -1.0)),
    "side left": Style("crawls sideways to the left", (0.02, 0.1), (0.52, 0.6), alternating, 0.25, 0.02, 2, way=(1.0, 0.0)),
    "side right": Style("crawls sideways to the right", (0.02, 0.1), (0.52, 0.6), alternating, 0.25, 0.02, 2, way=(-1.0, 0.0)),
    "left": Style("crawls forward and turns to the left", (0.03, 0.1), (0.52, 0.6), alternating, 0.25, 0.02, 2, turns=1),
    "right": Style("crawls forward and turns to the right", (0.03, 0.1), (0.52, 0.6), alternating, 0.25, 0.02, 2, turns=-1),
}  # fmt: skip
"""Manners of going by number of legs."""
