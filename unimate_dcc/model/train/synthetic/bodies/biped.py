"""Bodies on two legs: people, goblins, robots, and raptors with a level back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body, Joint
from unimate_dcc.model.train.synthetic.builder import Builder, sagittal, sweep
from unimate_dcc.model.train.synthetic.limb import Limb
from unimate_dcc.skeleton import FloatArray

KINDS = ("person", "goblin", "robot", "knight", "zombie", "ogre", "child")
RAPTORS = ("raptor", "kangaroo", "dinosaur")


def biped(random: np.random.Generator) -> Body:
    """An upright body with two legs and two arms."""
    make, draw = Builder(), random.uniform
    height = draw(0.35, 0.6)
    hips = make.add("hips", -1, [0.0, height, 0.0])
    spine = make.chain("spine", hips, sweep(int(random.integers(1, 5)), height * draw(0.5, 0.75), 1.5, 1.6))
    neck = make.chain("neck", spine[-1], sweep(int(random.integers(1, 3)), height * draw(0.1, 0.25), 1.5, 1.45))
    head = make.add("head", neck[-1], make.positions[neck[-1]] + [0.0, height * draw(0.08, 0.2), 0.02])
    legs = legs_of_two(make, random, hips, height, draw(0.08, 0.16) * height * 1.6)
    arms = _arms(make, random, spine[-1], height)
    tails = (
        (make.chain("tail", hips, sweep(int(random.integers(2, 6)), height, 3.6, 3.9)),)
        if random.random() < 0.12
        else ()
    )
    return make.body(
        str(random.choice(KINDS)), "biped", spine=spine, neck=(*neck, head), legs=legs, arms=arms, tails=tails
    )


def legs_of_two(make: Builder, random: np.random.Generator, hips: int, height: float, wide: float) -> tuple[Limb, ...]:
    """Two straight legs with the knees ahead; sometimes of a single bone."""
    start = make.positions[hips] + [wide, -0.03 * height, 0.0]
    if random.random() < 0.08:
        return tuple(post(make, hips, start))
    ankle, bend = random.uniform(0.08, 0.14) * height, random.uniform(0.06, 0.16)
    points = sagittal(start, start[1] - ankle, [1.0, random.uniform(0.85, 1.1)], [bend, -bend])
    parts = ["thigh", "shin", "foot"]
    if random.random() < 0.8:
        toe = points[-1] + [0.0, 0.02 * height - ankle, random.uniform(0.18, 0.3) * height]
        parts, points = [*parts, "toe"], np.concatenate([points, toe[None]])
    return tuple(replace(leg, ankle=2, contact=2) for leg in make.mirrored(parts, hips, points))


def post(make: Builder, parent: int, start: FloatArray, place: str = "", row: int = 0) -> list[Limb]:
    """A leg of one bone down to the ground, and its mirror, as block games have them."""
    legs = make.mirrored(("leg", "leg_end"), parent, np.array([start, start * [1.0, 0.0, 1.0]]), place, row)
    return [replace(leg, ankle=1, contact=1, level=False) for leg in legs]


def _arms(make: Builder, random: np.random.Generator, chest: int, height: float) -> tuple[Limb, ...]:
    """Arms held out to the sides, in a T or an A."""
    lowered, wide, length = (
        random.uniform(0.0, 0.8),
        height * random.uniform(0.15, 0.3),
        height * random.uniform(0.6, 0.9),
    )
    along = np.array([np.cos(lowered), -np.sin(lowered), 0.0]) * length
    at = make.positions[chest] + [wide, -0.02 * height, 0.0]
    points = [at, at + along * 0.45 + [0.0, 0.0, -0.02 * height], at + along * 0.9]
    parts = ["upper_arm", "forearm", "hand"]
    if random.random() < 0.6:
        parts, points = ["shoulder", *parts], [make.positions[chest] + [0.3 * wide, 0.0, 0.0], *points]
    arms = make.mirrored(parts, chest, np.array(points))
    fingers, twist = random.random() < 0.25, random.random() < 0.2
    for arm in arms:
        hand, elbow, upper = arm.joints[-1], arm.joints[-2], arm.joints[-3]
        step = along * 0.08 * [arm.side, 1.0, 1.0]
        for place, finger in enumerate(("thumb", "index", "pinky") if fingers else ()):
            ahead = np.array([0.0, 0.0, (0.05 - 0.05 * place) * height])
            base = make.positions[hand] + step + ahead
            make.limb((finger, finger), hand, np.array([base, base + step]) * [arm.side, 1.0, 1.0], arm.side)
        if twist:
            middle = 0.5 * (make.positions[upper] + make.positions[elbow])
            make.add("arm_twist", upper, middle, Joint("upper_arm_twist", arm.side))
    return tuple(replace(arm, joints=arm.joints[-3:]) for arm in arms)


def raptor(random: np.random.Generator) -> Body:
    """A level back over two bird-like legs, small arms, a long tail."""
    make, draw = Builder(), random.uniform
    height = draw(0.5, 0.9)
    hips = make.add("hips", -1, [0.0, height, 0.0])
    spine = make.chain("spine", hips, sweep(int(random.integers(1, 5)), height * draw(0.5, 0.8), 0.1, 0.4))
    neck = make.chain("neck", spine[-1], sweep(int(random.integers(1, 5)), height * draw(0.25, 0.6), 1.1, 0.7))
    head = make.add("head", neck[-1], make.positions[neck[-1]] + [0.0, 0.02, 0.12 * height])
    jaw = (
        make.add("jaw", head, make.positions[head] + [0.0, -0.04 * height, 0.06 * height])
        if random.random() < 0.5
        else -1
    )
    legs = bird_legs(make, random, hips, 0.14 * height)
    chest = make.positions[spine[-1]]
    reach = height * draw(0.12, 0.25)
    points = np.array([[0.1 * height, -0.08 * height, 0.0], [0.12 * height, -0.08 * height - reach, -0.1 * reach],
                       [0.12 * height, -0.08 * height - 1.4 * reach, 0.7 * reach]])  # fmt: skip
    arms = make.mirrored(("upper_arm", "forearm", "hand"), spine[-1], chest + points)
    tail = make.chain("tail", hips, sweep(int(random.integers(3, 9)), height * draw(0.9, 1.6), 3.05, 3.25))
    return make.body(
        str(random.choice(RAPTORS)), "biped", spine=spine, neck=(*neck, head), legs=legs, arms=tuple(arms),
        tails=(tail,), jaw=jaw,
    )  # fmt: skip


def bird_legs(make: Builder, random: np.random.Generator, hips: int, wide: float) -> tuple[Limb, ...]:
    """Two legs with the knee ahead and the ankle behind, toes sometimes."""
    height = float(make.positions[hips][1])
    start = make.positions[hips] + [wide, -0.05 * height, 0.0]
    lean = random.uniform(0.5, 0.75)
    parts = ["thigh", "shin", "ankle", "foot"]
    shares = [1.0, random.uniform(1.0, 1.3), random.uniform(0.7, 1.1)]
    points = sagittal(start, start[1] - 0.03 * height, shares, [lean, -lean - 0.1, random.uniform(0.2, 0.4)])
    if random.random() < 0.35:
        parts, points = ["thigh", "shin", "foot"], sagittal(start, start[1] - 0.03 * height, [1.0, 1.1], [0.45, -0.4])
    ankle = len(parts) - 1
    if random.random() < 0.6:
        parts = [*parts, "toe"]
        points = np.concatenate([points, points[-1:] + [0.0, -0.02 * height, 0.16 * height]])
    return tuple(replace(leg, ankle=ankle, contact=ankle) for leg in make.mirrored(parts, hips, points))
