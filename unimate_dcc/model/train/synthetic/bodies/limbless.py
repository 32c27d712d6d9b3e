"""Bodies without legs: fish and whales, snakes and worms, winged sprites."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.bodies.quadruped import wings_of
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.builder import Builder, sweep
from unimate_dcc.model.train.synthetic.limb import Limb

FISH = ("fish", "shark", "trout", "carp")
WHALES = ("dolphin", "whale", "orca")
SNAKES = ("snake", "cobra", "worm", "eel", "python")
SPRITES = ("bat", "imp", "wyvern", "moth")


def fish(random: np.random.Generator) -> Body:
    """A long body, a tail, fins; whales beat their tails up and down."""
    make, draw = Builder(), random.uniform
    length = draw(0.6, 1.4)
    root = make.add("body", -1, [0.0, 0.3 * length, 0.0])
    head = make.add("head", root, make.positions[root] + [0.0, 0.0, draw(0.2, 0.35) * length])
    jaw = make.add("jaw", head, make.positions[head] + [0.0, -0.04, 0.05]) if random.random() < 0.4 else -1
    tail = make.chain("tail", root, sweep(int(random.integers(3, 8)), draw(0.6, 0.8) * length, np.pi, np.pi))
    at = make.positions[root] + [0.07 * length, -0.05 * length, 0.1 * length]
    count = int(random.integers(1, 4))
    points = at + np.arange(count)[:, None] * np.array([0.1, -0.02, -0.04]) * length
    fins = make.mirrored(("pectoral_fin",) * count, root, points)
    if random.random() < 0.6:
        top = make.add("dorsal_fin", root, make.positions[root] + [0.0, 0.08 * length, -0.05 * length])
        fins.append(Limb((top,), 0))
    if random.random() < 0.4:
        points = make.positions[tail[0]] + np.array([[0.04, -0.05, 0.0]]) * length
        fins += make.mirrored(("pelvic_fin",), tail[0], points)
    kind = str(random.choice(WHALES if random.random() < 0.3 else FISH))
    return make.body(kind, "fish_marine", neck=(head,), tails=(tail,), fins=tuple(fins), jaw=jaw)


def snake(random: np.random.Generator) -> Body:
    """A chain on the ground; the root somewhere behind the head."""
    make = Builder()
    count, length = int(random.integers(9, 25)), random.uniform(1.0, 2.0)
    ahead = int(random.integers(1, max(2, count // 3)))
    step = length / count
    root = make.add("body", -1, [0.0, 0.03 * length, 0.0])
    neck = make.chain("neck", root, sweep(ahead, step * ahead, 0.0, 0.0))
    head = make.add("head", neck[-1], make.positions[neck[-1]] + [0.0, 0.0, step])
    jaw = make.add("jaw", head, make.positions[head] + [0.0, -0.01, 0.5 * step]) if random.random() < 0.3 else -1
    taper = np.linspace(1.0, random.uniform(0.5, 1.2), count - ahead)[:, None]
    tail = make.chain("tail", root, sweep(count - ahead, step * (count - ahead), np.pi, np.pi) * taper)
    return make.body(str(random.choice(SNAKES)), "snake_limbless", neck=(*neck, head), tails=(tail,), jaw=jaw)


def sprite(random: np.random.Generator) -> Body:
    """A small body that hangs between its wings."""
    make, draw = Builder(), random.uniform
    length = draw(0.3, 0.6)
    root = make.add("body", -1, [0.0, 0.5, 0.0])
    spine = make.chain("spine", root, sweep(int(random.integers(1, 3)), 0.5 * length, 0.6, 0.7))
    head = make.add("head", spine[-1], make.positions[spine[-1]] + [0.0, 0.1 * length, 0.25 * length])
    ears = make.mirrored(("ear",), head, make.positions[head] + np.array([[0.08, 0.15, 0.0]]) * length)
    count = int(random.integers(1, 7))
    tail = make.chain("tail", root, sweep(count, length * draw(0.4, 1.4), 3.5, 3.3))
    wings = wings_of(make, random, spine[-1], length * draw(1.2, 2.2))
    return make.body(
        str(random.choice(SPRITES)), "flying_other", spine=spine, neck=(head,), tails=(tail,), wings=wings,
        fins=tuple(ears),
    )  # fmt: skip
