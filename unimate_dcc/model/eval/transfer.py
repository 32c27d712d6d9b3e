"""One rig's motion on another rig: which joint moves like which, and the rotations carried over."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.eval.bodies import LOW_ROOT, root_height
from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.model.train.windows import on_ground
from unimate_dcc.rig.labels import NAMELESS, side_of
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose, rest_relative
from unimate_dcc.rig.topology import describe
from unimate_dcc.skeleton import FloatArray, IntArray

OFF_CENTRE = 0.02
"""Canonical units; a nameless joint nearer to the middle plane has no side."""
OTHER_SIDE = 10.0
"""A joint of the other side is farther than any of the same side on a tree of diameter 2."""
HIGHEST = 2.0
"""A hop of a bird whose root lies near its feet would throw a tall one over the clouds."""


def partners(source: TrainingRig, target: TrainingRig) -> IntArray:
    """(K,) for each joint of ``target`` the joint of ``source`` that it moves like.

    That of the same label, where names say anything, else of the same side; of several the nearest by rest position
    and depth, so that the legs of a spider, which share a label, stay apart. Root goes to root.
    """
    found = np.zeros(len(target.labels), np.int64)
    spots, others = _spots(target), _spots(source)
    labels = np.array(source.labels)
    for joint in range(1, len(found)):
        label = target.labels[joint]
        alike = np.flatnonzero(labels == label) if label != NAMELESS else np.empty(0, np.int64)
        candidates = alike if len(alike) else np.arange(len(labels))
        found[joint] = candidates[np.linalg.norm(others[candidates] - spots[joint], axis=-1).argmin()]
    return found


def _spots(rig: TrainingRig) -> FloatArray:
    """(K, 5) side, rest position and depth, of which distances tell how alike two joints of two rigs are."""
    named = {"Left": 1.0, "Right": -1.0}
    side = [
        named.get(side_of(label), float(np.sign(x)) if label == NAMELESS and abs(x) > OFF_CENTRE else 0.0)
        for label, x in zip(rig.labels, rig.positions[:, 0], strict=True)
    ]
    depths = describe(rig.parents).depths
    depth = depths / max(int(depths.max()), 1)
    return np.column_stack([np.array(side) * OTHER_SIDE, rig.positions, depth])


def mapped(source: TrainingRig, target: TrainingRig, motion: RigMotion) -> RigMotion:
    """A motion of ``source`` on ``target``: each joint turns away from rest as its partner does, on the ground.

    Rotations away from rest, not to the parent, are what is copied, so that a spine of five joints bends as far
    as one of two. The root's path is scaled by the heights of the roots, at most twice, where both have one.
    """
    turned, _ = pose(source.offsets, source.parents, motion.rotations, motion.root)
    rotations = rest_relative(target.parents, turned[:, partners(source, target)])
    low = min(root_height(source), root_height(target)) < LOW_ROOT
    scale = 1.0 if low else float(np.clip(root_height(target) / root_height(source), 1 / HIGHEST, HIGHEST))
    return on_ground(target, RigMotion(rotations, motion.root * scale))
