"""Body plans by category, and the fitting of a body to the rig that is made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unimate_dcc.model.train.synthetic.bodies.arthropod import arthropod
from unimate_dcc.model.train.synthetic.bodies.biped import biped, raptor
from unimate_dcc.model.train.synthetic.bodies.bird import bird, penguin
from unimate_dcc.model.train.synthetic.bodies.limbless import fish, snake, sprite
from unimate_dcc.model.train.synthetic.bodies.machine import machine
from unimate_dcc.model.train.synthetic.bodies.quadruped import dragon, quadruped
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.limb import Limb
from unimate_dcc.rig.rig import Rig

Plan = Callable[[np.random.Generator], Body]

PLANS: dict[str, tuple[Plan, ...]] = {
    "biped": (biped, biped, raptor),
    "quadruped": (quadruped,),
    "bird": (bird, bird, bird, penguin),
    "arthropod": (arthropod,),
    "fish_marine": (fish,),
    "snake_limbless": (snake,),
    "flying_other": (dragon, dragon, sprite),
    "articulated_object": (machine,),
}
"""Plans of a category; one that stands twice is drawn twice as often."""


def fitted(body: Body, rig: Rig) -> Body:
    """The body with the virtual ends and the contacts that its rig found."""
    ends = np.flatnonzero(rig.source < 0)
    carriers = rig.parents[ends]
    offsets = rig.offsets[ends] @ rig.frame.turn / rig.frame.scale
    body = replace(body, tip_parents=rig.source[carriers], tip_offsets=offsets)
    standing = [(int(rig.source[contact.joint]), contact.joint) for contact in rig.contacts]
    found = {joint if joint >= 0 else int(rig.source[rig.parents[slot]]): joint for joint, slot in standing}
    return replace(body, legs=tuple(_level_where_it_ends(_with_contact(leg, found), body) for leg in body.legs))


def _level_where_it_ends(leg: Limb, body: Body) -> Limb:
    """A leg that stands on a joint with a virtual end keeps that end level, out of the ground."""
    ends = leg.contact < len(leg.joints) and leg.joints[leg.contact] in body.tip_parents
    return replace(leg, level=leg.level or ends)


def _with_contact(leg: Limb, found: dict[int, int]) -> Limb:
    for place, joint in enumerate(leg.joints):
        if joint in found:
            contact = place if found[joint] >= 0 else len(leg.joints)
            return replace(leg, contact=contact) if leg.level else replace(leg, contact=contact, ankle=contact)
    return leg
