"""Choose joints by name, glob, label or subtree."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import numpy as np

from unimate_dcc.errors import UnknownJointError
from unimate_dcc.rig.labels import label_joints
from unimate_dcc.skeleton import BoolArray, Skeleton

LIMBS: dict[str, frozenset[str]] = {
    "arm": frozenset(("arm", "shoulder", "clavicle", "forearm", "elbow", "wrist", "hand", "palm", "finger")),
    "leg": frozenset(
        ("leg", "thigh", "shin", "knee", "ankle", "foot", "toe", "paw", "hoof", "fetlock", "cannon", "pastern",
         "metacarpus", "phalanges", "heel")
    ),
    "head": frozenset(("head", "skull", "jaw", "ear", "eye", "mouth", "muzzle", "nose")),
    "trunk": frozenset(("spine", "chest", "ribcage", "abdomen", "waist", "upper body")),
    "spine": frozenset(("spine", "chest", "ribcage", "abdomen", "waist")),
}  # fmt: skip
"""What people call a limb, and the last words of the labels that belong to it."""


def select_joints(prim: str, skeleton: Skeleton, wanted: Sequence[str]) -> BoolArray:
    """(J,) joints of a skeleton.

    Args:
        prim: Of the skeleton, for errors.
        skeleton: Its joints.
        wanted: Each a path or last element, a glob over either in any case, or a label such as ``left arm``; ``//`` at
            the end adds everything below.

    Raises:
        UnknownJointError: nothing is called so; the nearest names and labels are given.
    """
    labels = [label.label.lower() for label in label_joints(skeleton)]
    chosen = np.zeros(len(skeleton.joints), dtype=bool)
    for name in wanted:
        found = _named(skeleton, name.removesuffix("//"), labels)
        if not found.any():
            raise UnknownJointError(prim, name, [*skeleton.leaf_names, *dict.fromkeys(labels)])
        if name.endswith("//"):
            found = _with_descendants(skeleton, found)
        chosen |= found
    return chosen


def _named(skeleton: Skeleton, name: str, labels: Sequence[str]) -> BoolArray:
    both = list(zip(skeleton.joints, skeleton.leaf_names, strict=True))
    exact = np.array([name in names for names in both])
    if exact.any():
        return exact
    wild = name.lower()
    found = np.array([any(fnmatchcase(own.lower(), wild) for own in names) for names in both])
    return found if found.any() else np.array([_called(label, wild.split()) for label in labels])


def _called(label: str, words: Sequence[str]) -> bool:
    """Whether every word is in the label, or names a limb that the label belongs to."""
    own = label.split()
    return bool(words) and all(word in own or bool(LIMBS.get(word, frozenset()) & set(own)) for word in words)


def _with_descendants(skeleton: Skeleton, chosen: BoolArray) -> BoolArray:
    out = chosen.copy()
    for joint, parent in enumerate(skeleton.parents):
        out[joint] |= parent >= 0 and out[parent]
    return out
