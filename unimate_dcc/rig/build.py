"""From a skeleton to its canonical rig: prune, label, order, face, ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unimate_dcc.errors import JointLimitError, SkeletonRefusedError
from unimate_dcc.rig.canonical import bone_lengths, breadth_first, canonical_frame
from unimate_dcc.rig.category import find_category
from unimate_dcc.rig.contacts import NEAR_GROUND, find_contacts
from unimate_dcc.rig.ends import SUFFIX, end_position, leaves_that_rotate
from unimate_dcc.rig.facing import FacingPair, facing_rotations
from unimate_dcc.rig.facing_search import find_facing
from unimate_dcc.rig.labels import JointLabel, label_joints
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.prune import choose
from unimate_dcc.rig.reduce import reduced
from unimate_dcc.rig.rig import Contact, Held, Rig
from unimate_dcc.skeleton import FloatArray, IntArray, Skeleton

AHEAD = np.array([0.0, 0.0, 1.0])
UNEVEN = 1e-3
"""Scales of a joint that differ by more than this share shear what is below it."""


@dataclass(frozen=True, eq=False)
class _Draft:
    """Driven joints, ends included, before they are ordered."""

    source: IntArray
    parents: IntArray
    labels: tuple[JointLabel, ...]
    positions: FloatArray

    def names(self, skeleton: Skeleton) -> tuple[str, ...]:
        return tuple(
            skeleton.joints[joint] if joint >= 0 else f"{skeleton.joints[self.source[parent]]}/{SUFFIX}"
            for joint, parent in zip(self.source, self.parents, strict=True)
        )

    def ordered(self, order: list[int]) -> _Draft:
        place = {old: new for new, old in enumerate(order)}
        parents = np.array([place.get(int(self.parents[old]), -1) for old in order])
        labels = tuple(self.labels[old] for old in order)
        return _Draft(self.source[order], parents, labels, self.positions[order])


def build_rig(
    skeleton: Skeleton, overrides: RigOverrides | None = None, limit: int | None = None, prim: str = "skeleton"
) -> Rig:
    """The canonical rig of a skeleton.

    Args:
        skeleton: In the world, metres.
        overrides: What a TD said about it.
        limit: Most joints the weights take, virtual ends included.
        prim: Name for errors.

    Raises:
        SkeletonRefusedError: fewer than two joints could be driven, or they all lie in one point.
        UnknownJointError: an override names a joint that is not there.
        JointLimitError: more joints than ``limit`` and no override that allows fewer.
    """
    overrides = (overrides or RigOverrides()).resolved(prim, skeleton.joints)
    labels = tuple(
        replace(label, label=overrides.labels.get(joint, label.label))
        for joint, label in zip(skeleton.joints, label_joints(skeleton), strict=True)
    )
    try:
        selection = choose(skeleton, labels, overrides)
    except SkeletonRefusedError as error:
        raise SkeletonRefusedError(prim, error.problem) from error
    draft = _draft(skeleton, labels, selection.driven)
    allowed = min(value for value in (limit, overrides.max_joints, len(draft.source)) if value is not None)
    if len(draft.source) > allowed:
        fewer = reduced(
            skeleton, labels, selection.driven, allowed, lambda driven: len(_draft(skeleton, labels, driven).source)
        )
        _refuse_or_tell(prim, draft, allowed, fewer, overrides)
        for joint in set(selection.driven) - set(fewer):
            selection.reasons[joint] = "over the joint limit"
        draft = _draft(skeleton, labels, fewer)
    return _finished(skeleton, draft, selection.reasons, overrides, prim)


def _draft(skeleton: Skeleton, labels: tuple[JointLabel, ...], driven: list[int]) -> _Draft:
    place = {joint: slot for slot, joint in enumerate(driven)}
    parents = [_slot_above(skeleton, joint, place) for joint in driven]
    positions = skeleton.rest_world[driven, :3, 3]
    own = [labels[joint] for joint in driven]
    source, points = list(driven), list(positions)
    for leaf in leaves_that_rotate(parents, own):
        points.append(end_position(leaf, parents, own[leaf].label, positions, AHEAD))  # the facing is not known yet
        source.append(-1)
        own.append(JointLabel(f"{own[leaf].label} End", "end", own[leaf].confidence))
        parents.append(leaf)
    return _Draft(np.array(source), np.array(parents), tuple(own), np.array(points))


def _slot_above(skeleton: Skeleton, joint: int, place: dict[int, int]) -> int:
    parent = int(skeleton.parents[joint])
    while parent >= 0 and parent not in place:
        parent = int(skeleton.parents[parent])
    return place.get(parent, -1)


def _refuse_or_tell(prim: str, draft: _Draft, allowed: int, fewer: list[int], overrides: RigOverrides) -> None:
    if overrides.max_joints is None:
        suggestion = f"--max-joints {allowed} would drive {len(fewer)} of them and hold fingers and small chains"
        raise JointLimitError(prim, len(draft.source), allowed, suggestion)


def _finished(skeleton: Skeleton, draft: _Draft, reasons: dict[int, str], overrides: RigOverrides, prim: str) -> Rig:
    lengths = bone_lengths(draft.positions, draft.parents)
    if float(lengths.max()) < 1e-9:
        raise SkeletonRefusedError(prim, "all joints lie in one point in the rest pose")
    draft = draft.ordered(breadth_first(draft.parents, lengths))
    names = draft.names(skeleton)
    labels = tuple(label.label for label in draft.labels)
    facing = _facing(names, draft, labels, overrides)
    draft = _with_ends_ahead(draft, facing)
    frame = canonical_frame(draft.positions, draft.parents, facing)
    positions = frame.to_canonical(draft.positions)
    contacts = _contacts(names, draft, labels, positions, overrides)
    category, confidence = find_category(draft.parents, labels, positions, contacts)
    leaf = np.where(draft.source >= 0, draft.source, draft.source[draft.parents])
    return Rig(
        joints=names,
        source=draft.source,
        parents=draft.parents,
        labels=labels,
        positions=positions,
        rest_linear=skeleton.rest_world[leaf, :3, :3],
        frame=frame,
        facing=facing,
        contacts=contacts,
        category=overrides.category or category,
        category_confidence=1.0 if overrides.category else confidence,
        held=tuple(Held(skeleton.joints[joint], why) for joint, why in sorted(reasons.items())),
        repairs=_doubts(skeleton, draft, facing),
        total=len(skeleton.joints),
    )


def _facing(
    names: tuple[str, ...], draft: _Draft, labels: tuple[str, ...], overrides: RigOverrides
) -> FacingPair | None:
    if overrides.facing:
        right, left = (names.index(joint) for joint in overrides.facing)
        return FacingPair((right,), (left,), overrides.body_axis, "override", 1.0)
    known = [slot for slot in range(len(names)) if not _points_ahead(draft, slot)]  # those cannot tell what is ahead
    place = {slot: index for index, slot in enumerate(known)}
    parents = [place.get(int(draft.parents[slot]), -1) for slot in known]
    own = [labels[slot] for slot in known]
    pair = find_facing([names[slot] for slot in known], parents, own, draft.positions[known])
    if pair is None:
        return None
    sides = [tuple(known[joint] for joint in side) for side in (pair.right, pair.left)]
    return replace(pair, right=sides[0], left=sides[1])


def _points_ahead(draft: _Draft, slot: int) -> bool:
    """Whether a slot is an end that lies where the facing says."""
    if draft.source[slot] >= 0:
        return False
    return not np.array_equal(_end(draft, slot, AHEAD), _end(draft, slot, -AHEAD))


def _end(draft: _Draft, slot: int, forward: FloatArray) -> FloatArray:
    real = [int(joint) for joint in np.flatnonzero(draft.source >= 0)]
    place = {joint: index for index, joint in enumerate(real)}
    parents = [place.get(int(draft.parents[joint]), -1) for joint in real]
    leaf = int(draft.parents[slot])
    return end_position(place[leaf], parents, draft.labels[leaf].label, draft.positions[real], forward)


def _with_ends_ahead(draft: _Draft, facing: FacingPair | None) -> _Draft:
    """Ends that point ahead, as those of feet, point where the body faces."""
    forward = facing_rotations(draft.positions[None], facing)[0].T @ AHEAD
    positions = draft.positions.copy()
    for slot in np.flatnonzero(draft.source < 0):
        positions[slot] = _end(draft, int(slot), forward)
    return replace(draft, positions=positions)


def _contacts(
    names: tuple[str, ...], draft: _Draft, labels: tuple[str, ...], positions: FloatArray, overrides: RigOverrides
) -> tuple[Contact, ...]:
    if overrides.contacts is not None:
        return tuple(Contact(names.index(joint), 1.0, "override") for joint in overrides.contacts)
    found = find_contacts(draft.parents, labels, positions)
    low = NEAR_GROUND * float(np.ptp(positions[:, 1]))
    return tuple(_on_the_skeleton(contact, draft, positions, low) for contact in found)


def _on_the_skeleton(contact: Contact, draft: _Draft, positions: FloatArray, low: float) -> Contact:
    """A real joint rather than its virtual end, unless the joint itself is far above the ground."""
    leaf = int(draft.parents[contact.joint])
    if draft.source[contact.joint] < 0 and positions[leaf, 1] <= low:
        return replace(contact, joint=leaf)
    return contact


def _doubts(skeleton: Skeleton, draft: _Draft, facing: FacingPair | None) -> tuple[str, ...]:
    lines = []
    for joint in draft.source[draft.source >= 0]:
        scale = skeleton.rest_scales[joint]
        if np.any(scale < 0):
            lines.append(f"{skeleton.joints[joint]}: mirrored by a negative scale, kept")
        if np.ptp(np.abs(scale)) > UNEVEN * np.abs(scale).max():
            lines.append(f"{skeleton.joints[joint]}: non-uniform scale, kept; joints below it may shear")
    if facing is None:
        lines.append("no facing: neither sides nor a body axis; +Z of the world is taken as ahead")
    elif facing.confidence < 0.5:
        lines.append(f"facing from {facing.source} is a guess; --facing RIGHT,LEFT settles it")
    return tuple(lines)
