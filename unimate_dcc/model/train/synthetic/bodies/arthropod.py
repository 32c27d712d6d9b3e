"""Bodies on many legs: insects, spiders, crabs, scorpions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.builder import Builder, sweep
from unimate_dcc.model.train.synthetic.limb import Limb

KINDS = {3: ("ant", "beetle", "cockroach", "mantis"), 4: ("spider", "tarantula", "scorpion"), 5: ("crab", "lobster")}
"""Names by pairs of legs."""
MOST_SEGMENTS = {3: 4, 4: 3, 5: 2}
"""Bones of a leg by pairs of legs: all legs together stay within 36 of a training rig's 56 joints."""


def arthropod(random: np.random.Generator) -> Body:
    """A low body on three to five pairs of splayed legs."""
    make, draw = Builder(), random.uniform
    pairs = int(random.choice((3, 3, 4, 4, 5)))
    kind = str(random.choice(KINDS[pairs]))
    height, length = draw(0.15, 0.3), draw(0.3, 0.6)
    root = make.add("body", -1, [0.0, height, 0.0])
    spine = make.chain("thorax", root, sweep(1, 0.3 * length, 0.1, 0.1)) if random.random() < 0.5 else ()
    front = spine[-1] if spine else root
    head = make.add("head", front, make.positions[front] + [0.0, 0.02, 0.3 * length])
    legs: list[Limb] = []
    scorpion = kind == "scorpion"
    segments, reach = int(random.integers(2, MOST_SEGMENTS[5 if scorpion else pairs] + 1)), draw(0.45, 0.8)
    for pair in range(pairs):
        legs += _pair(make, random, root, pair, pairs, segments, length, reach)
    tail = make.chain("tail" if scorpion else "abdomen", root, _rear(random, scorpion, length))
    if scorpion:
        make.add("stinger", tail[-1], make.positions[tail[-1]] + [0.0, 0.02, 0.1])
    arms = _pincers(make, front, length) if pairs == 5 or scorpion else ()
    feelers: list[Limb] = []
    if not arms and random.random() < 0.5:
        base = make.positions[head] + [0.05 * length, 0.03, 0.05 * length]
        points = base + np.arange(int(random.integers(1, 3)))[:, None] * np.array([0.05, 0.08, 0.12]) * length
        feelers = make.mirrored(("antenna",) * len(points), head, points)
    if not arms and random.random() < 0.4:
        points = make.positions[head] + np.array([[0.08, -0.1, 0.1]]) * length
        feelers += make.mirrored(("mandible",), head, points)
    return make.body(
        kind, "arthropod", spine=spine, neck=(head,), legs=tuple(legs), tails=(tail,), arms=arms, fins=tuple(feelers)
    )


def _pair(
    make: Builder,
    random: np.random.Generator,
    root: int,
    pair: int,
    pairs: int,
    segments: int,
    length: float,
    reach: float,
) -> list[Limb]:
    """A leg and its mirror: up to the knee, down to the ground; pairs fan out."""
    fan = (pair / (pairs - 1) - 0.5) * random.uniform(1.6, 1.8)
    along = np.array([np.cos(fan), 0.0, np.sin(fan)])
    base = make.positions[root] + [0.12 * length, -0.01, (pair / (pairs - 1) - 0.5) * 0.5 * length]
    rises = {2: [0.45, -1.0], 3: [0.3, 0.35, -1.1], 4: [0.1, 0.6, -0.5, -1.15]}[segments]
    shares = {2: [0.5, 0.7], 3: [0.15, 0.45, 0.7], 4: [0.12, 0.4, 0.35, 0.4]}[segments]
    steps = (
        np.array([along * np.cos(rise) + [0.0, np.sin(rise), 0.0] for rise in rises])
        * np.array(shares)[:, None]
        * reach
    )
    points = np.concatenate([base[None], base + np.cumsum(steps, axis=0)])
    points[-1, 1] = 0.0
    legs = make.mirrored((*("leg",) * segments, "leg_end"), root, points, str(pair + 1), pair)
    return [replace(leg, ankle=segments, contact=segments, level=False) for leg in legs]


def _rear(random: np.random.Generator, scorpion: bool, length: float) -> np.ndarray:
    if scorpion:
        return sweep(int(random.integers(4, 7)), length * random.uniform(0.9, 1.3), 3.0, 0.9)
    return sweep(int(random.integers(1, 4)), length * random.uniform(0.4, 0.8), 3.0, 3.3)


def _pincers(make: Builder, front: int, length: float) -> tuple[Limb, ...]:
    points = make.positions[front] + np.array([[0.15, 0.0, 0.1], [0.4, 0.1, 0.4], [0.2, 0.0, 0.75]]) * length
    return tuple(make.mirrored(("upper_arm", "forearm", "pincer"), front, points))
