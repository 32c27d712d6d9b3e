"""Find the joints that stand on the ground: by label, else by topology and the rest pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.labels import side_of
from unimate_dcc.rig.rig import Contact
from unimate_dcc.rig.tree import body_size, children_of, limb_of
from unimate_dcc.skeleton import FloatArray, IntArray

GROUND_TERMS = ("Foot", "Toe", "Ball", "Paw", "Hoof", "Pastern")
"""Paper E.5: the distal-most joint of a limb whose label has one of these words stands on the ground."""
LEG_TERMS = ("Leg", "Thigh", "Shin", "Knee", "Ankle", "Fetlock", "Cannon", "Heel")
ARM_TERMS = ("Hand", "Palm", "Wrist", "Forearm", "Arm", "Finger")
NEVER = ("Wing", "Feather", "Tail", "Head", "Neck", "Ear", "Arm", "Forearm", "Hand", "Finger", "Fin", "Jaw", "Mouth",
         "Antenna", "Horn", "Tongue", "Eye", "Spine", "Mandible", "Pincer", "Muzzle", "Nose")  # fmt: skip
NEAR_GROUND = 0.12
"""A named foot is believed when it lies within this share of the body's height above its lowest joint."""
TOUCHES = 0.06
"""A nameless end must be this close, as a share of the height."""
HALF_WAY, LEVEL = 0.5, 0.2
"""Ends of named legs lie in the lower half, and all about as low as the lowest."""
REACHES_DOWN = 0.2
"""A nameless limb must come down by this share of the height."""


def find_contacts(
    parents: Sequence[int] | IntArray, labels: Sequence[str], positions: FloatArray
) -> tuple[Contact, ...]:
    """Contact joints of a rig, in rig order.

    Args:
        parents: K parent indices, parents first.
        labels: K labels.
        positions: (K, 3) rest positions, Y up.
    """
    children = children_of(parents)
    leaves = [joint for joint, below in enumerate(children) if not below and parents[joint] >= 0]
    limbs = [limb_of(leaf, parents, children) for leaf in leaves]
    height = max(float(np.ptp(positions[:, 1])), 1e-9)
    above = (positions[:, 1] - positions[:, 1].min()) / height
    named = [contact for limb in limbs if (contact := _named(limb, labels, parents, above)) is not None]
    if named:
        return _one_per_foot(named + _also_standing(limbs, named, labels, parents, above), labels, parents)
    legs = [limb[-1] for limb in limbs if _is_leg(limb, labels) and above[limb[-1]] < HALF_WAY]
    if legs:
        lowest = min(float(above[leaf]) for leaf in legs)
        legs = [leaf for leaf in legs if above[leaf] <= lowest + LEVEL]
        found = [Contact(leaf, 0.7, "leg label") for leaf in legs]
        found += _also_standing(limbs, found, labels, parents, above)
        return tuple(sorted(found, key=lambda contact: contact.joint))
    shaped = _by_shape(limbs, parents, labels, positions, above)
    return tuple(Contact(leaf, 0.5, "shape") for leaf in sorted(shaped))


def _words(label: str) -> set[str]:
    return set(label.split(" "))


def _named(
    limb: list[int], labels: Sequence[str], parents: Sequence[int] | IntArray, above: FloatArray
) -> Contact | None:
    for joint in reversed(limb):
        if _words(labels[joint]) & set(GROUND_TERMS):
            sure = above[joint] < NEAR_GROUND
            return Contact(joint, 0.95 if sure else 0.6, "label")
    return None


def _also_standing(
    limbs: list[list[int]],
    named: list[Contact],
    labels: Sequence[str],
    parents: Sequence[int] | IntArray,
    above: FloatArray,
) -> list[Contact]:
    """Limbs named otherwise that stand: a quadruped's forelegs are called arms in some rigs, or limb-or-wing."""
    lowest = max(float(above[contact.joint]) for contact in named)
    found = []
    for limb in limbs:
        words = set().union(*(_words(labels[joint]) for joint in limb))
        near = NEAR_GROUND if words & set(ARM_TERMS) else TOUCHES if "Wing" in words else -1.0
        falls = above[max(parents[limb[0]], 0)] - above[limb[-1]] > REACHES_DOWN
        if falls and above[limb[-1]] <= lowest + near:
            found.append(Contact(limb[-1], 0.7, "stands"))
    return found


def _one_per_foot(
    found: list[Contact], labels: Sequence[str], parents: Sequence[int] | IntArray
) -> tuple[Contact, ...]:
    """Several toes of one foot are one contact: the foot they share."""
    by_foot: dict[int, list[Contact]] = {}
    for contact in found:
        by_foot.setdefault(_foot_above(contact.joint, labels, parents), []).append(contact)
    single = [
        group[0] if len(group) == 1 else Contact(foot, group[0].confidence, "label") for foot, group in by_foot.items()
    ]
    return tuple(sorted(single, key=lambda contact: contact.joint))


def _foot_above(joint: int, labels: Sequence[str], parents: Sequence[int] | IntArray) -> int:
    while parents[joint] > 0 and _words(labels[parents[joint]]) & {*GROUND_TERMS, "Ankle"}:
        joint = int(parents[joint])
    return joint


def _is_leg(limb: list[int], labels: Sequence[str]) -> bool:
    words = set().union(*(_words(labels[joint]) for joint in limb))
    return bool(words & set(LEG_TERMS)) and not words & set(NEVER)


def _by_shape(
    limbs: list[list[int]],
    parents: Sequence[int] | IntArray,
    labels: Sequence[str],
    positions: FloatArray,
    above: FloatArray,
) -> set[int]:
    """Ends of mirrored limbs that come down from the body to the ground."""
    candidates = []
    for limb in limbs:
        start = parents[limb[0]] if parents[limb[0]] >= 0 else limb[0]
        falls = above[start] - above[limb[-1]] > REACHES_DOWN
        barred = any(_words(labels[joint]) & set(NEVER) for joint in limb)
        if falls and above[limb[-1]] < TOUCHES and not barred:
            candidates.append(limb[-1])
    return {leaf for leaf in candidates if _has_twin(leaf, candidates, labels, positions)}


def _has_twin(leaf: int, candidates: list[int], labels: Sequence[str], positions: FloatArray) -> bool:
    near = 0.08 * body_size(positions)
    for other in candidates:
        away = positions[other] - positions[leaf]
        sides = {side_of(labels[leaf]), side_of(labels[other])}
        if other != leaf and abs(away[1]) < near and np.hypot(away[0], away[2]) > near and len(sides - {""}) != 1:
            return True
    return False
