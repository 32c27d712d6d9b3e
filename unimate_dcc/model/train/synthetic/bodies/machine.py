"""Things with joints: lamps, robot arms, doors, boxes, excavators, cranes, plants.

Names keep away from words of anatomy where a thing has none: the rig would take a chest for a torso.
"""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body, Joint
from unimate_dcc.model.train.synthetic.builder import Builder, sweep
from unimate_dcc.model.train.synthetic.limb import Limb


def lamp(random: np.random.Generator) -> Body:
    """A stand, a bent arm, a shade."""
    make, draw = Builder(), random.uniform
    root = make.add("stand", -1, [0.0, 0.0, 0.0])
    base = make.add("pivot", root, [0.0, draw(0.03, 0.08), 0.0])
    spine = (
        base,
        *make.chain("link", base, sweep(int(random.integers(1, 4)), draw(0.5, 0.9), draw(1.7, 2.1), draw(0.6, 1.1))),
    )
    shade = make.chain("shade", spine[-1], sweep(2, draw(0.1, 0.3), -0.4, -0.7))
    return make.body("desk lamp", "articulated_object", spine=spine, neck=shade)


def robot_arm(random: np.random.Generator) -> Body:
    """A turntable, links, a gripper of two jaws."""
    make, draw = Builder(), random.uniform
    root = make.add("stand", -1, [0.0, 0.0, 0.0])
    table = make.add("turntable", root, [0.0, draw(0.1, 0.2), 0.0])
    links = make.chain(
        "link", table, sweep(int(random.integers(2, 5)), draw(0.8, 1.4), draw(1.4, 1.8), draw(-0.4, 0.3))
    )
    for number, link in enumerate(links, start=1):
        make.add("motor", link, make.positions[link] + [0.25, 0.0, 0.0], Joint("motor", number=number))
    hub = make.add("gripper", links[-1], make.positions[links[-1]] + [0.0, -0.05, 0.06])
    grips = make.mirrored(("gripper_plate", "gripper_plate"), hub,
                          make.positions[hub] + np.array([[0.04, -0.02, 0.02], [0.05, -0.08, 0.06]]))  # fmt: skip
    return make.body("robot arm", "articulated_object", spine=(table, *links), neck=(hub,), arms=tuple(grips))


def door(random: np.random.Generator) -> Body:
    """A frame and one or two leaves on hinges."""
    make, draw = Builder(), random.uniform
    wide, height = draw(0.6, 1.0), draw(1.6, 2.4)
    root = make.add("frame", -1, [0.0, 0.0, 0.0])
    lintel = make.add("lintel", root, [0.0, height, 0.0])
    make.add("lintel_cap", lintel, [0.0, height + 0.1, 0.0])
    leaves = [
        Limb(make.limb(("hinge", "panel", "panel"), root,
                       np.array([[wide, 0.4 * height, 0.0], [0.5 * wide, 0.4 * height, 0.0],
                                 [0.05 * wide, 0.5 * height, 0.03]]), side), side)
        for side in ((1, -1) if random.random() < 0.5 else (1,))
    ]  # fmt: skip
    return make.body("door" if len(leaves) == 1 else "gate", "articulated_object", fins=tuple(leaves))


def box(random: np.random.Generator) -> Body:
    """A box with a lid that is hinged at the back."""
    make, draw = Builder(), random.uniform
    wide, height, deep = draw(0.4, 0.9), draw(0.3, 0.6), draw(0.3, 0.6)
    root = make.add("box", -1, [0.0, 0.0, 0.0])
    for side in (1, -1):
        make.limb(("corner",), root, np.array([[0.5 * wide, 0.3 * height, 0.5 * deep]]), side)
    lid = make.chain("cover", root, [[0.0, height, -0.5 * deep], [0.0, 0.05, 0.5 * deep], [0.0, 0.0, 0.5 * deep]])
    return make.body("box", "articulated_object", neck=lid)


def excavator(random: np.random.Generator) -> Body:
    """Tracks, a cab that turns, a boom, a stick and a bucket."""
    make, draw = Builder(), random.uniform
    root = make.add("tracks", -1, [0.0, 0.2, 0.0])
    for side in (1, -1):
        make.limb(("track", "track"), root, np.array([[0.5, 0.1, -0.6], [0.5, 0.0, 0.6]]), side)
    cab = make.add("cab", root, [0.0, 0.6, 0.0])
    boom = make.chain("boom", cab, [[0.1, 0.2, 0.5], *sweep(int(random.integers(1, 3)), draw(0.9, 1.4), 0.8, 0.2)])
    stick = make.add("stick", boom[-1], make.positions[boom[-1]] + [0.0, -0.1, draw(0.2, 0.4)])
    bucket = make.chain("bucket", stick, [[0.0, -draw(0.5, 0.8), 0.1], [0.0, -0.15, -0.2]])
    return make.body("digger", "articulated_object", spine=(cab, *boom), neck=(stick, *bucket))


def crane(random: np.random.Generator) -> Body:
    """A mast, a jib that turns, a cable with a hook."""
    make, draw = Builder(), random.uniform
    root = make.add("stand", -1, [0.0, 0.0, 0.0])
    mast = make.chain("mast", root, sweep(int(random.integers(1, 4)), draw(1.2, 2.0), 1.5708, 1.5708))
    slew = make.add("slew", mast[-1], make.positions[mast[-1]] + [0.0, 0.1, 0.0])
    jib = make.chain("jib", slew, sweep(int(random.integers(1, 4)), draw(0.8, 1.5), 0.1, 0.0))
    make.chain("counterweight", slew, sweep(2, draw(0.6, 1.0), 3.1, 3.1))
    make.add("cab", slew, make.positions[slew] + [0.25, -0.1, 0.1])
    cable = make.chain("cable", jib[-1], sweep(int(random.integers(2, 4)), draw(0.4, 0.8), -1.5708, -1.5708))
    return make.body("tower crane", "articulated_object", spine=(slew, *jib), tails=(cable,))


def plant(random: np.random.Generator) -> Body:
    """A stem with leaves."""
    make, draw = Builder(), random.uniform
    root = make.add("soil", -1, [0.0, 0.0, 0.0])
    stem = make.chain("stem", root, sweep(int(random.integers(3, 8)), draw(0.6, 1.6), 1.5708, draw(1.3, 1.7)))
    leaves = []
    for place, joint in enumerate(stem[1:]):
        side = 1 if place % 2 else -1
        count = int(random.integers(1, 3))
        points = make.positions[joint] + np.arange(1, count + 1)[:, None] * np.array([0.12, 0.06, draw(-0.05, 0.05)])
        leaves.append(Limb(make.limb(("leaf_blade",) * count, joint, points, side, str(place + 1)), side))
    return make.body(
        str(random.choice(("plant", "flower", "reed"))), "articulated_object", spine=stem, fins=tuple(leaves)
    )


MACHINES = (lamp, robot_arm, door, box, excavator, crane, plant)


def machine(random: np.random.Generator) -> Body:
    """Any of them."""
    return MACHINES[int(random.integers(len(MACHINES)))](random)
