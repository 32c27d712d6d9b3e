"""A joint tree under the hand: children, leaves, chains, mirror partners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.labels import side_of, without_side
from unimate_dcc.skeleton import FloatArray, IntArray

MIRROR_TOLERANCE = 0.05
"""Two joints mirror each other when they miss by less than this share of the body's size."""


def children_of(parents: Sequence[int] | IntArray) -> list[list[int]]:
    """Children of each joint, in joint order."""
    children: list[list[int]] = [[] for _ in parents]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
    return children


def limb_of(leaf: int, parents: Sequence[int] | IntArray, children: list[list[int]]) -> list[int]:
    """The chain that ends in a leaf, from its first joint below a branch or root, down to the leaf."""
    chain = [leaf]
    while parents[chain[0]] >= 0 and len(children[parents[chain[0]]]) == 1:
        chain.insert(0, int(parents[chain[0]]))
    return chain


def body_size(positions: FloatArray) -> float:
    """From the height and the greatest width of joints (K, 3), Y up: the same whatever way the body faces."""
    flat = positions[:, [0, 2]]
    width = max((float(np.linalg.norm(flat - spot, axis=-1).max()) for spot in flat), default=0.0)
    return float(np.hypot(width, np.ptp(positions[:, 1])))


def mirror_partners(positions: FloatArray, parents: Sequence[int] | IntArray, across: FloatArray) -> list[int]:
    """For each joint its partner on the other side of the body, itself on the middle, -1 without one.

    Args:
        positions: (K, 3) rest positions.
        parents: K parent indices.
        across: (3,) horizontal unit direction from one side to the other.
    """
    middle = float(np.median(positions[[0, *np.flatnonzero(np.asarray(parents) == 0)]] @ across))
    flipped = positions - 2.0 * ((positions @ across) - middle)[:, None] * across
    distance = np.linalg.norm(flipped[:, None] - positions[None], axis=-1)
    partner = distance.argmin(1)
    close = distance[np.arange(len(positions)), partner] < MIRROR_TOLERANCE * body_size(positions)
    mutual = partner[partner] == np.arange(len(positions))
    return [int(p) if good else -1 for p, good in zip(partner, close & mutual, strict=True)]


def partner_by_label(joint: int, labels: Sequence[str], parents: Sequence[int] | IntArray) -> int | None:
    """The joint with the mirrored label at the same depth, if there is exactly one of each."""
    side, rest = side_of(labels[joint]), without_side(labels[joint])
    if not side:
        return None
    others = [k for k, label in enumerate(labels) if side_of(label) not in ("", side) and without_side(label) == rest]
    same = [k for k, label in enumerate(labels) if label == labels[joint]]
    return others[same.index(joint)] if len(others) == len(same) else None
