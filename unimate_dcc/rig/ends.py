"""Virtual ends: without a child, a joint has no place for its rotation in the features (SPEC c)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.labels import JointLabel
from unimate_dcc.rig.tree import body_size, children_of
from unimate_dcc.skeleton import FloatArray, IntArray

SHARE = 0.5
"""Length of a virtual end as a share of the bone that leads to its leaf."""
SHORTEST, LONGEST = 0.02, 0.2
"""Bounds of that length as shares of the body's size."""
LEGS = ("Leg", "Thigh", "Shin", "Foot", "Paw", "Hoof", "Ankle")
SUFFIX = "virtual_end"


def leaves_that_rotate(parents: Sequence[int] | IntArray, labels: Sequence[JointLabel]) -> list[int]:
    """Driven leaves whose own rotation is worth having: hands, feet, heads, one-bone limbs; no fingers, no tips."""
    children = children_of(parents)
    return [
        joint
        for joint, below in enumerate(children)
        if not below and parents[joint] >= 0 and labels[joint].role == "body"
    ]


def end_position(
    leaf: int, parents: Sequence[int] | IntArray, label: str, positions: FloatArray, forward: FloatArray
) -> FloatArray:
    """(3,) where the virtual end of a leaf lies.

    Along the bone that leads to the leaf. A one-bone leg, whose bone runs sideways from the body, goes down to the
    ground; an end that would lie below the lowest joint, as of a foot, points ahead instead.

    Args:
        leaf: The leaf.
        parents: K parent indices.
        label: Of the leaf.
        positions: (K, 3) rest positions, Y up.
        forward: (3,) horizontal unit direction the body faces.
    """
    size = body_size(positions)
    bone = positions[leaf] - positions[parents[leaf]]
    reach = float(np.linalg.norm(bone))
    length = float(np.clip(SHARE * reach, SHORTEST * size, LONGEST * size))
    lowest = float(positions[:, 1].min())
    height = float(positions[leaf, 1]) - lowest
    if label.split(" ")[-1] in LEGS and bone[1] > -0.5 * reach and height > SHORTEST * size:
        return np.asarray(positions[leaf] - [0.0, height, 0.0])
    direction = bone / reach if reach > 1e-9 else np.array([0.0, 1.0, 0.0])
    end = positions[leaf] + direction * length
    return np.asarray(end if end[1] >= lowest else positions[leaf] + forward * length)
