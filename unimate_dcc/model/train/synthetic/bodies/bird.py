"""Birds: two legs, two wings; penguins stand upright."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unimate_dcc.model.train.synthetic.bodies.biped import bird_legs
from unimate_dcc.model.train.synthetic.bodies.quadruped import wings_of
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.builder import Builder, sagittal, sweep
from unimate_dcc.model.train.synthetic.limb import Limb

KINDS = ("eagle", "owl", "crow", "chicken", "duck", "parrot", "pigeon", "heron", "crane", "goose")


def bird(random: np.random.Generator) -> Body:
    """A bird on two legs with its wings spread."""
    make, draw = Builder(), random.uniform
    height = draw(0.3, 0.8)
    body = draw(0.4, 0.8)
    hips = make.add("hips", -1, [0.0, height, 0.0])
    rise = draw(0.3, 0.9)
    spine = make.chain("spine", hips, sweep(int(random.integers(1, 4)), body * 0.5, rise, rise + 0.1))
    neck = make.chain("neck", spine[-1], sweep(int(random.integers(1, 6)), body * draw(0.2, 0.9), 1.3, 1.2))
    head = make.add("head", neck[-1], make.positions[neck[-1]] + [0.0, 0.06 * body, 0.05 * body])
    jaw = (
        make.add("jaw", head, make.positions[head] + [0.0, -0.03 * body, 0.08 * body]) if random.random() < 0.3 else -1
    )
    legs = bird_legs(make, random, hips, 0.12 * body)
    wings = wings_of(make, random, spine[-1], body * draw(0.8, 1.5))
    count = int(random.integers(0, 4))
    tails = (make.chain("tail", hips, sweep(count, body * draw(0.2, 0.6), 3.2, 3.3)),) if count else ()
    return make.body(
        str(random.choice(KINDS)), "bird", spine=spine, neck=(*neck, head), legs=legs, wings=wings, tails=tails,
        jaw=jaw,
    )  # fmt: skip


def penguin(random: np.random.Generator) -> Body:
    """An upright bird with short legs and flippers for wings."""
    make, draw = Builder(), random.uniform
    height = draw(0.18, 0.28)
    hips = make.add("hips", -1, [0.0, height, 0.0])
    spine = make.chain("spine", hips, sweep(int(random.integers(1, 4)), draw(0.22, 0.36), 1.5, 1.55))
    neck = make.chain("neck", spine[-1], sweep(1, 0.1, 1.5, 1.5))
    head = make.add("head", neck[-1], make.positions[neck[-1]] + [0.0, 0.06, 0.03])
    start = make.positions[hips] + [0.09, -0.02, 0.0]
    points = sagittal(start, start[1] - 0.03, [1.0, 1.0], [0.3, -0.3])
    points = np.concatenate([points, points[-1:] + [0.0, -0.02, 0.08]])
    legs = [replace(leg, ankle=2, contact=2) for leg in make.mirrored(("thigh", "shin", "foot", "toe"), hips, points)]
    return make.body(
        "penguin", "bird", spine=spine, neck=(*neck, head), legs=tuple(legs), wings=_flippers(make, random, spine[-1])
    )


def _flippers(make: Builder, random: np.random.Generator, chest: int) -> tuple[Limb, ...]:
    count, at = int(random.integers(2, 4)), make.positions[chest] + [0.13, -0.03, 0.0]
    points = at + np.arange(count)[:, None] * np.array([0.05, -0.12, -0.01])
    return tuple(make.mirrored(("wing",) * count, chest, points))
