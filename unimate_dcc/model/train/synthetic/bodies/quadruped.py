"""Bodies on four legs: dogs, cats, horses, bears, rats, long necks; and with wings, dragons."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unimate_dcc.model.train.synthetic.bodies.biped import post
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.builder import Builder, sagittal, sweep
from unimate_dcc.model.train.synthetic.limb import Limb


@dataclass(frozen=True)
class Plan:
    """Proportions of a family, as ranges; lengths against the height of the hips.

    Attributes:
        kinds: What its members are called.
        trunk: Hips to chest.
        neck: Length, and its elevation in radians.
        joints: Joints of the neck.
        tail: Length, and its elevation in radians; 1.57 hangs down from 3.14 level.
        head: Length of the head.
        crouch: How much legs are bent, radians of the thigh.
    """

    kinds: tuple[str, ...]
    trunk: tuple[float, float]
    neck: tuple[float, float, float]
    joints: tuple[int, int]
    tail: tuple[float, float, float]
    head: float
    crouch: tuple[float, float]


PLANS = (
    Plan(("dog", "wolf", "fox", "hyena"), (1.0, 1.3), (0.3, 0.5, 0.8), (1, 3), (0.4, 0.9, 3.9), 0.25, (0.25, 0.45)),
    Plan(("cat", "tiger", "lion", "panther"), (1.1, 1.5), (0.25, 0.4, 0.6), (1, 3), (0.7, 1.2, 3.7), 0.2, (0.3, 0.55)),
    Plan(("horse", "deer", "cow", "donkey"), (0.9, 1.2), (0.5, 0.8, 0.9), (2, 5), (0.3, 0.6, 4.2), 0.3, (0.12, 0.3)),
    Plan(
        ("bear", "boar", "elephant", "sheep"), (0.9, 1.3), (0.2, 0.35, 0.2), (1, 3), (0.1, 0.3, 4.2), 0.3, (0.15, 0.3)
    ),
    Plan(
        ("rat", "lizard", "mouse", "crocodile"), (1.6, 2.4), (0.2, 0.4, 0.15), (1, 3), (1.2, 2.2, 3.3), 0.35, (0.4, 0.7)
    ),
    Plan(("dinosaur", "giraffe", "llama"), (0.8, 1.2), (0.8, 1.4, 1.0), (3, 6), (0.4, 1.3, 3.5), 0.2, (0.1, 0.25)),
)


def quadruped(random: np.random.Generator) -> Body:
    """A body on four legs."""
    make, plan = Builder(), PLANS[int(random.integers(len(PLANS)))]
    return _on_four(make, random, plan, "quadruped")


def dragon(random: np.random.Generator) -> Body:
    """A four-legged body with wings."""
    kinds = ("dragon", "griffin", "drake")
    plan = Plan(kinds, (1.1, 1.5), (0.5, 1.0, 0.8), (2, 5), (1.0, 1.8, 3.4), 0.3, (0.25, 0.45))
    return _on_four(Builder(), random, plan, "flying_other")


def wings_of(make: Builder, random: np.random.Generator, chest: int, length: float) -> tuple[Limb, ...]:
    """Wings spread to the sides."""
    count = int(random.integers(2, 5))
    at = make.positions[chest] + [0.07 * length, 0.04 * length, 0.0]
    bend = np.linspace(0.25, -0.35, count)
    steps = np.stack([np.cos(bend), 0.1 * np.ones(count), -np.sin(bend) * -1.0], axis=1) * length / count
    points = np.concatenate([at[None], at + np.cumsum(steps, axis=0)])[:count]
    return tuple(make.mirrored(("wing",) * count, chest, points))


def _on_four(make: Builder, random: np.random.Generator, plan: Plan, category: str) -> Body:
    draw, height = random.uniform, random.uniform(0.4, 0.9)
    trunk = height * draw(*plan.trunk)
    slope = draw(-0.12, 0.12)
    centred = random.random() < 0.2
    place = [0.0, height, -0.5 * trunk]
    root = make.add("body", -1, [0.0, height, 0.0]) if centred else make.add("hips", -1, place)
    hips = make.add("hips", root, place) if centred else root
    count = int(random.integers(1, 6))
    spine = make.chain("spine", root, sweep(count, trunk * (0.5 if centred else 1.0), slope + 0.1, slope - 0.1))
    low, high, rise = plan.neck
    neck = make.chain(
        "neck",
        spine[-1],
        sweep(int(random.integers(*plan.joints)), height * draw(low, high), rise, rise + draw(-0.3, 0.2)),
    )
    head = make.add("head", neck[-1], make.positions[neck[-1]] + np.array([0.0, -0.3, 0.9]) * plan.head * height * 0.5)
    length = plan.head * height
    jaw = (
        make.add("jaw", head, make.positions[head] + [0.0, -0.2 * length, 0.2 * length])
        if random.random() < 0.4
        else -1
    )
    ears = (
        make.mirrored(("ear",), head, np.array([[0.2, 0.4, -0.05]]) * length + make.positions[head])
        if random.random() < 0.5
        else []
    )
    if random.random() < 0.15:
        ears += make.mirrored(("horn",), head, np.array([[0.12, 0.5, 0.1]]) * length + make.positions[head])
    wide, crouch = height * draw(0.1, 0.2), draw(*plan.crouch)
    legs = _legs(make, random, hips, spine[-1], wide, crouch)
    low, high, droop = plan.tail
    joints = int(random.integers(0, 10)) if high > 0.4 else int(random.integers(0, 3))
    tails = []
    for extra in range(1 + (random.random() < 0.04) if joints else 0):
        steps = sweep(joints, height * draw(low, high), droop - 0.2 - 0.3 * extra, droop + draw(-0.1, 0.3))
        tails.append(make.chain("tail", hips, steps, place="second" if extra else ""))
    winged = category == "flying_other"
    wings = wings_of(make, random, spine[-1], height * draw(1.3, 2.0)) if winged else ()
    kind = str(random.choice(plan.kinds))
    return make.body(
        kind, category, spine=spine, neck=(*neck, head), tails=tails, legs=legs, wings=wings, fins=ears, jaw=jaw
    )


def _legs(
    make: Builder, random: np.random.Generator, hips: int, chest: int, wide: float, crouch: float
) -> tuple[Limb, ...]:
    """Hind legs with the knee ahead and the hock behind, forelegs with the elbow behind."""
    if random.random() < 0.1:
        starts = [make.positions[at] * [1.0, 0.9, 1.0] + [wide, 0.0, 0.0] for at in (hips, chest)]
        return (*post(make, hips, starts[0], "back", 0), *post(make, chest, starts[1], "front", 1))
    height = float(make.positions[hips][1])
    start = make.positions[hips] + [wide, -0.08 * height, 0.0]
    foot = random.uniform(0.03, 0.07) * height
    hocked = random.random() < 0.65
    shares, leans = (
        ([1.0, 1.0, 0.75], [crouch, -1.4 * crouch, 0.5 * crouch]) if hocked else ([1.0, 1.05], [crouch, -crouch])
    )
    parts = ["thigh", "shin", "ankle", "foot"] if hocked else ["thigh", "shin", "foot"]
    toes = random.random() < 0.4
    hind = _leg(make, hips, parts, sagittal(start, start[1] - foot, shares, leans), "back", 0, toes)
    start = make.positions[chest] + [wide, -0.12 * height, 0.0]
    armed = random.random() < 0.3
    parts = ["upper_arm", "forearm", "hand"] if armed else ["thigh", "shin", "foot"]
    points = sagittal(start, start[1] - foot, [1.0, random.uniform(0.9, 1.2)], [-crouch, 0.7 * crouch])
    if random.random() < 0.3:
        parts = ["shoulder", *parts]
        points = np.concatenate([start[None] + [[-0.3 * wide, 0.06 * height, 0.0]], points])
    return (*hind, *_leg(make, chest, parts, points, "" if armed else "front", 1, toes))


def _leg(
    make: Builder, parent: int, parts: list[str], points: np.ndarray, place: str, row: int, toes: bool
) -> list[Limb]:
    ankle = len(parts) - 1
    if toes:
        reach = 0.08 * float(points[0, 1] - points[-1, 1])
        points = np.concatenate([points, points[-1:] + [0.0, 0.3 * reach - points[-1, 1] * 0.9, 1.2 * reach]])
        parts = [*parts, "toe"]
    first = 1 if parts[0] == "shoulder" else 0
    return [
        replace(leg, joints=leg.joints[first:], ankle=ankle - first, contact=ankle - first)
        for leg in make.mirrored(parts, parent, points, place, row)
    ]
