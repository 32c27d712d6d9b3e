"""Find the joints that tell where a body faces: by label, by body axis, by symmetry (paper A.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.facing import FacingPair
from unimate_dcc.rig.labels import side_of, without_side
from unimate_dcc.rig.tree import body_size, children_of
from unimate_dcc.skeleton import FloatArray, IntArray

PRIORITY = (
    "Thigh", "Shoulder", "Front Shoulder", "Back Hip", "Hip", "Scapula", "Upper Arm", "Arm", "Front Upper Leg",
    "Back Upper Leg", "Front Leg", "Hind Leg", "Middle Leg", "Back Leg", "Wing", "Front Wing", "Middle Wing", "Leg",
    "Pectoral Fin", "Pelvic Fin", "Fin", "Front Fin", "Upper Fin", "Gill", "Pincer", "Mandible", "Large Mandible",
    "Lower Mandible", "Stinger", "Claw", "Hand Claw", "Antenna", "Forearm", "Hand", "Foot", "Front Foot", "Back Foot",
    "Toe", "Eye", "Ear", "Eyebrow", "Horn", "Cheek", "Tail",
)  # fmt: skip
"""Mirrored parts, best first: SPEC (d) and the paper's list, with our own composed quadruped labels in their place."""
HEADS = ("Head", "Skull", "Skull Base", "Head End", "Jaw", "Upper Jaw", "Lower Jaw", "Tongue", "Muzzle", "Nose", "Chin")
EVEN = 1e-9
"""A front score this close to 0 is rounding; the file's order decides, wherever the body stands."""
TAILS = ("Tail", "Tail End", "Tail Twist")


def find_facing(
    joints: Sequence[str], parents: Sequence[int] | IntArray, labels: Sequence[str], positions: FloatArray
) -> FacingPair | None:
    """The facing joints of a rig.

    Args:
        joints: K joint paths; digits in their last element pair chains of one label.
        parents: K parent indices, parents first.
        labels: K labels.
        positions: (K, 3) rest positions, Y up.

    Returns:
        The pair; None where the body has neither sides nor an axis.
    """
    pair = _by_label(joints, labels, positions)
    if pair is not None:
        return pair
    head = _last(labels, HEADS)
    tail = _last(labels, TAILS)
    if head is not None and tail is not None and _apart(positions[head] - positions[tail]):
        return FacingPair((head,), (tail,), True, "body axis", 0.8)
    return _by_symmetry(parents, positions)


def _by_label(joints: Sequence[str], labels: Sequence[str], positions: FloatArray) -> FacingPair | None:
    right = _sided(labels, "Right")
    left = _sided(labels, "Left")
    both = [part for part in right if part in left]
    ranked = sorted(both, key=lambda part: (PRIORITY.index(part) if part in PRIORITY else len(PRIORITY), part))
    for part in ranked:
        first, second = _signed_pair(joints, right[part], left[part])
        if _apart(positions[first] - positions[second]):
            return FacingPair((first,), (second,), False, part.lower(), 0.95 if part in PRIORITY[:9] else 0.8)
    return None


def _sided(labels: Sequence[str], side: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for joint, label in enumerate(labels):
        if side_of(label) == side:
            found.setdefault(without_side(label), []).append(joint)
    return found


def _signed_pair(joints: Sequence[str], right: list[int], left: list[int]) -> tuple[int, int]:
    """The first right joint whose digits some left joint shares; without its last counter on the second try."""
    for drop in (0, 1):
        signatures = {_digits(joints[joint])[: -drop or None]: joint for joint in reversed(left)}
        for joint in right:
            match = signatures.get(_digits(joints[joint])[: -drop or None])
            if match is not None:
                return joint, match
    return right[0], left[0]


def _digits(joint: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+", joint.rsplit("/", 1)[-1]))


def _last(labels: Sequence[str], wanted: tuple[str, ...]) -> int | None:
    return next((joint for joint in range(len(labels) - 1, -1, -1) if labels[joint] in wanted), None)


def _apart(across: FloatArray) -> bool:
    return bool(np.hypot(across[0], across[2]) > 1e-4 * max(float(np.linalg.norm(across)), 1e-9))


def _by_symmetry(parents: Sequence[int] | IntArray, positions: FloatArray) -> FacingPair | None:
    """Sides from mirrored sibling chains, front from the feet and the head; low confidence."""
    pairs = _sibling_pairs(parents, positions)
    if not pairs:
        return None
    first, second = max(pairs, key=lambda pair: float(np.linalg.norm(positions[pair[0]] - positions[pair[1]])))
    across = positions[first] - positions[second]
    forward = np.cross([0.0, 1.0, 0.0], across / np.linalg.norm(across))
    ahead = _front_score(parents, positions, forward)
    if ahead < -EVEN:
        first, second = second, first
    return FacingPair((first,), (second,), False, "symmetry", 0.6 if abs(ahead) > 0.05 else 0.3)


def _sibling_pairs(parents: Sequence[int] | IntArray, positions: FloatArray) -> list[tuple[int, int]]:
    """Siblings at one height and distance from their parent, apart to the sides, with equal subtrees."""
    children = children_of(parents)
    sizes = _sizes(children)
    near = 0.03 * body_size(positions)
    found = []
    for parent, below in enumerate(children):
        for index, first in enumerate(below):
            for second in below[index + 1 :]:
                away = positions[[first, second]] - positions[parent]
                level = abs(away[0, 1] - away[1, 1]) < near
                even = abs(np.linalg.norm(away[0]) - np.linalg.norm(away[1])) < near
                apart = np.hypot(*(away[0] - away[1])[[0, 2]]) > near
                if level and even and apart and sizes[first] == sizes[second]:
                    found.append((first, second))
    return found


def _sizes(children: list[list[int]]) -> list[int]:
    sizes = [1] * len(children)
    for joint in range(len(children) - 1, -1, -1):
        sizes[joint] += sum(sizes[child] for child in children[joint])
    return sizes


def _front_score(parents: Sequence[int] | IntArray, positions: FloatArray, forward: FloatArray) -> float:
    """Above 0 when ``forward`` looks like the front: feet point there and the highest end lies there."""
    children = children_of(parents)
    leaves = [joint for joint, below in enumerate(children) if not below and parents[joint] >= 0]
    size = body_size(positions)
    low = positions[:, 1].min() + 0.08 * size
    feet = [leaf for leaf in leaves if positions[leaf, 1] < low]
    toes = sum(float((positions[leaf] - positions[parents[leaf]]) @ forward) for leaf in feet) / size
    highest = max(leaves, key=lambda leaf: positions[leaf, 1], default=0)
    head = float((positions[highest] - positions.mean(0)) @ forward) / size
    return toes + head
