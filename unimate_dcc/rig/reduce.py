"""Fewer driven joints where the weights take less than a rig has."""

from __future__ import annotations

from collections.abc import Callable

from unimate_dcc.rig.labels import JointLabel
from unimate_dcc.skeleton import Skeleton

FIRST = {"finger": 0, "end": 1}
"""Fingers go first, then tips; the body last."""


def reduced(
    skeleton: Skeleton,
    labels: tuple[JointLabel, ...],
    driven: list[int],
    limit: int,
    count: Callable[[list[int]], int],
) -> list[int]:
    """Drop leaves until ``count`` of what is left is at most ``limit``.

    Fingers are dropped before tips, tips before the body; among equals the deepest, then the last.
    Whole limbs shrink from their ends, so what is left stays connected.
    """
    left = list(driven)
    depth = _depths(skeleton)
    while len(left) > 2 and count(left) > limit:
        inner = {int(skeleton.parents[joint]) for joint in left}
        leaves = [joint for joint in left if joint not in inner]
        left.remove(min(leaves, key=lambda joint: (FIRST.get(labels[joint].role, 2), -depth[joint], -joint)))
    return left


def _depths(skeleton: Skeleton) -> list[int]:
    depth = [0] * len(skeleton.joints)
    for joint, parent in enumerate(skeleton.parents):
        depth[joint] = depth[parent] + 1 if parent >= 0 else 0
    return depth
