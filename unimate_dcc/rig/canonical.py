"""Order a joint tree and bring its rest pose into the canonical frame (SPEC d)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.facing import FacingPair, facing_rotations
from unimate_dcc.rig.rig import Frame
from unimate_dcc.rig.topology import diameter
from unimate_dcc.skeleton import FloatArray, IntArray

DIAMETER = 2.0
"""Tree diameter of every canonical rig (SPEC d)."""

TIE_DIGITS = 9
"""Mirrored bones differ in their last bits only; they tie, so that the order is the file's."""


def breadth_first(parents: Sequence[int] | IntArray, lengths: FloatArray) -> list[int]:
    """Joint order of the model.

    Args:
        parents: K parent indices in any order, one root.
        lengths: (K,) bone length of joint to parent.

    Returns:
        Old indices in new order: breadth first, siblings by descending subtree size, then ascending
        bone length, then old index.
    """
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(int(parent), []).append(joint)
    sizes = _subtree_sizes(children, len(parents))
    lengths = np.round(lengths / max(float(np.max(lengths)), 1e-12), TIE_DIGITS)
    order = list(children[-1])
    for joint in order:
        order.extend(sorted(children.get(joint, []), key=lambda child: (-sizes[child], lengths[child], child)))
    return order


def _subtree_sizes(children: dict[int, list[int]], count: int) -> list[int]:
    sizes = [1] * count
    walk = list(children[-1])
    for joint in walk:
        walk.extend(children.get(joint, []))
    for joint in reversed(walk):
        sizes[joint] += sum(sizes[child] for child in children.get(joint, []))
    return sizes


def canonical_frame(positions: FloatArray, parents: Sequence[int] | IntArray, facing: FacingPair | None) -> Frame:
    """The frame of a rest pose given as (K, 3) world positions in metres, root first."""
    turn = facing_rotations(positions[None], facing)[0]
    scale = DIAMETER / diameter(parents, bone_lengths(positions, parents))
    ground = float(positions[:, 1].min()) * scale
    return Frame(turn, scale, positions[0].copy(), ground)


def bone_lengths(positions: FloatArray, parents: Sequence[int] | IntArray) -> FloatArray:
    """(K,) distance of each joint to its parent; a root's is 0."""
    parents = np.asarray(parents)
    safe = np.where(parents < 0, np.arange(len(parents)), parents)
    return np.asarray(np.linalg.norm(positions - positions[safe], axis=-1))
