"""Choose the joints worth driving: one connected tree, without helpers, twists and faces."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from unimate_dcc.errors import SkeletonRefusedError
from unimate_dcc.rig.labels import NAMELESS, JointLabel, without_side
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.tree import body_size, children_of
from unimate_dcc.skeleton import Skeleton

HELD_ROLES = {
    "twist": "twist joint",
    "helper": "helper",
    "prop": "prop or socket",
    "face": "face joint",
}
ZERO_LENGTH = 1e-5
"""A leaf closer to its parent than this share of the body's size moves nothing."""
CARRIERS = ("Root", "Center", "IK Chain")
"""Labels of joints above the body's mover."""


@dataclass
class Selection:
    """Driven joints of a skeleton, ascending, the root first; and why the others are held."""

    driven: list[int]
    reasons: dict[int, str] = field(default_factory=dict)


def choose(skeleton: Skeleton, labels: tuple[JointLabel, ...], overrides: RigOverrides) -> Selection:
    """The joints to drive.

    Raises:
        SkeletonRefusedError: fewer than two are left, or a held root leaves several trees.
    """
    reasons = _wishes(skeleton, labels, overrides)
    tree = _body_tree(skeleton, reasons)
    for joint in range(len(skeleton.joints)):
        if joint not in tree:
            reasons[joint] = "another root's tree"
    kept = _connected(skeleton, reasons)
    root = _mover(skeleton, labels, kept, overrides)
    below = [joint for joint in sorted(kept) if _is_below(skeleton, joint, root)]
    for joint in kept.difference(below):
        reasons[joint] = "above the body's mover"
    driven = [joint for joint in below if skeleton.joints[joint] not in overrides.hold]
    if len(driven) < 2 and skeleton.weighted is not None:
        # A hat or a prop is all that is bound: the weights say nothing about the body.
        return choose(replace(skeleton, weighted=None), labels, overrides)
    if len(driven) < 2:
        raise SkeletonRefusedError(
            "skeleton", f"only {len(driven)} of {len(skeleton.joints)} joints could be driven, two are needed"
        )
    _refuse_a_held_fork(skeleton, root, driven)
    return Selection(driven, {joint: why for joint, why in reasons.items() if joint not in driven})


def _refuse_a_held_fork(skeleton: Skeleton, root: int, driven: list[int]) -> None:
    """A held root is no loss with one branch below it; with more there is no joint that carries them all."""
    inside = set(driven)
    tops = [joint for joint in driven if inside.isdisjoint(_above(skeleton, joint))]
    if len(tops) > 1:
        names = ", ".join(skeleton.joints[joint] for joint in tops)
        problem = (
            f"holding {skeleton.joints[root]} leaves {len(tops)} separate trees ({names}); hold all of them but one"
        )
        raise SkeletonRefusedError("skeleton", problem)


def _above(skeleton: Skeleton, joint: int) -> list[int]:
    found = []
    while (joint := int(skeleton.parents[joint])) >= 0:
        found.append(joint)
    return found


def _wishes(skeleton: Skeleton, labels: tuple[JointLabel, ...], overrides: RigOverrides) -> dict[int, str]:
    positions = skeleton.rest_world[:, :3, 3]
    children = children_of(skeleton.parents)
    size = body_size(positions)
    weightless = _weightless(skeleton)
    reasons: dict[int, str] = {}
    for joint, label in enumerate(labels):
        name, parent = skeleton.joints[joint], int(skeleton.parents[joint])
        if name in overrides.hold:
            reasons[joint] = "held by the override"
        elif name in overrides.drive:
            continue
        elif label.role in HELD_ROLES:
            reasons[joint] = HELD_ROLES[label.role]
        elif np.any(np.abs(skeleton.rest_scales[joint]) < 1e-9):
            reasons[joint] = "zero scale"
        elif joint in weightless and not _ends_a_limb(joint, skeleton, labels, children, weightless):
            reasons[joint] = "moves no mesh point"
        elif not children[joint] and parent >= 0 and _length(positions, joint, parent) <= ZERO_LENGTH * size:
            reasons[joint] = "zero length"
    return reasons


def _length(positions: np.ndarray, joint: int, parent: int) -> float:
    return float(np.linalg.norm(positions[joint] - positions[parent]))


def _weightless(skeleton: Skeleton) -> set[int]:
    """Joints that move no mesh point, nor does any joint below them; empty without a mesh."""
    if skeleton.weighted is None or not skeleton.weighted.any():
        return set()
    moves = skeleton.weighted.copy()
    for joint in range(len(moves) - 1, 0, -1):
        if moves[joint] and skeleton.parents[joint] >= 0:
            moves[skeleton.parents[joint]] = True
    return {int(joint) for joint in np.flatnonzero(~moves)}


def _ends_a_limb(
    joint: int, skeleton: Skeleton, labels: tuple[JointLabel, ...], children: list[list[int]], weightless: set[int]
) -> bool:
    """A weightless tip of a weighted limb tells where the limb ends."""
    parent = int(skeleton.parents[joint])
    alone = parent >= 0 and children[parent] == [joint] and not children[joint]
    return alone and parent not in weightless and labels[joint].role in ("body", "end")


def _body_tree(skeleton: Skeleton, reasons: dict[int, str]) -> set[int]:
    """The root's tree with the most joints worth driving."""
    top = list(range(len(skeleton.joints)))
    for joint, parent in enumerate(skeleton.parents):
        top[joint] = top[parent] if parent >= 0 else joint
    worth = [top[joint] for joint in range(len(top)) if joint not in reasons]
    counted = worth or top
    best = max(sorted(set(counted)), key=counted.count)
    return {joint for joint, root in enumerate(top) if root == best}


def _connected(skeleton: Skeleton, reasons: dict[int, str]) -> set[int]:
    """Wanted joints and everything between them and the root."""
    kept: set[int] = set()
    for joint in range(len(skeleton.joints) - 1, -1, -1):
        if joint in kept or joint not in reasons:
            kept.add(joint)
            parent = int(skeleton.parents[joint])
            if parent >= 0:
                kept.add(parent)
    return kept


def _mover(skeleton: Skeleton, labels: tuple[JointLabel, ...], kept: set[int], overrides: RigOverrides) -> int:
    """The first joint, from the top, that is the body itself: hips below a root control, for example."""
    joint = min(kept)
    said = {*overrides.drive, *overrides.hold}
    while skeleton.joints[joint] not in said:
        below = _kept_children(skeleton, joint, kept)
        if len(below) != 1 or skeleton.joints[below[0]] in overrides.hold:
            break
        further = len(_kept_children(skeleton, below[0], kept))
        tops_body = further > 1 or without_side(labels[below[0]].label) in CARRIERS
        if not further or not _carries(skeleton, joint, without_side(labels[joint].label), tops_body):
            break
        joint = below[0]
    return joint


def _carries(skeleton: Skeleton, joint: int, label: str, tops_body: bool) -> bool:
    """Whether a joint with one child only carries the body."""
    if skeleton.weighted is None:
        # A nameless joint carries the body only right above a fork or a carrier; in a chain it is a segment.
        return label in CARRIERS or (label == NAMELESS and tops_body)
    return not skeleton.weighted[joint] and label in (*CARRIERS, NAMELESS)


def _kept_children(skeleton: Skeleton, joint: int, kept: set[int]) -> list[int]:
    return [child for child in sorted(kept) if skeleton.parents[child] == joint]


def _is_below(skeleton: Skeleton, joint: int, root: int) -> bool:
    while joint > root:
        joint = int(skeleton.parents[joint])
    return joint == root
