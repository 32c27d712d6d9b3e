"""A joint tree under the hand: children, chains, size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.skeleton import FloatArray, IntArray


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
