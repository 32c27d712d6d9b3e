"""One tree out of what a file holds: foreign trees dropped, parts joined, the root that really moves on top."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from unimate_dcc.model.train.source import Source
from unimate_dcc.rig.labels import label_name, side_of, without_side
from unimate_dcc.skeleton import FloatArray

MOVES_ROOT = 0.02
"""A child that moves against a still root by this share of the body's size carries the body."""
FOOT_PARTS = ("Foot", "Front Foot", "Back Foot", "Middle Foot")
SHINS = {
    "Foot": ("Shin", "Lower Leg", "Knee", "Leg", "Thigh"),
    "Front Foot": ("Front Lower Leg", "Front Leg", "Front Upper Leg"),
    "Back Foot": ("Back Lower Leg", "Back Leg", "Back Upper Leg"),
    "Middle Foot": ("Middle Lower Leg", "Middle Leg", "Middle Upper Leg"),
}


@dataclass
class Tree:
    """A choice of a source's joints and how they hang together.

    Attributes:
        joints: Indices into the source, parents first.
        parents: Slot of each one's parent; -1 for the one root.
        report: What was changed and why.
    """

    joints: list[int]
    parents: list[int]
    report: list[str] = field(default_factory=list)


def one_tree(source: Source) -> Tree:
    """The paper's skeleton filter (algorithm 1, line 5), step by step."""
    report: list[str] = []
    order = list(range(len(source.names)))
    parent = dict(enumerate(source.parents))
    order = _without_foreign_trees(source, order, parent, report)
    _join_roots(source, order, parent, report)
    _rehang_feet(source, order, parent, report)
    joints, parents = _sorted(order, parent)
    return _moving_root(source, Tree(joints, parents, report))


def _without_foreign_trees(source: Source, order: list[int], parent: dict[int, int], report: list[str]) -> list[int]:
    """Trees that move no point of the mesh are controls."""
    weights = source.weights
    if weights is None:
        return order
    sums = _tree_sums(order, parent, lambda joint: float(weights[joint]))
    foreign = [root for root, total in sums.items() if total <= 0.0]
    report.extend(f"tree of {source.names[root]} dropped: it moves no mesh" for root in foreign)
    return [joint for joint in order if _top(joint, parent) not in foreign]


def _join_roots(source: Source, order: list[int], parent: dict[int, int], report: list[str]) -> None:
    """Further trees of the body hang on the one that carries the most weight, or without a mesh has most joints."""
    weights = source.weights
    sums = _tree_sums(order, parent, lambda joint: 1.0 if weights is None else float(weights[joint]))
    biggest = max(sums, key=lambda root: sums[root])
    for root in sums:
        if root != biggest:
            parent[root] = biggest
            report.append(f"root {source.names[root]} joined to {source.names[biggest]}")


def _tree_sums(order: list[int], parent: dict[int, int], value: Callable[[int], float]) -> dict[int, float]:
    sums: dict[int, float] = {}
    for joint in order:
        top = _top(joint, parent)
        sums[top] = sums.get(top, 0.0) + value(joint)
    return sums


def _top(joint: int, parent: dict[int, int]) -> int:
    while parent[joint] >= 0:
        joint = parent[joint]
    return joint


def _rehang_feet(source: Source, order: list[int], parent: dict[int, int], report: list[str]) -> None:
    """Feet that hang on the root as IK targets belong below their shins."""
    labels = {joint: label_name(source.names[joint]).label for joint in order}
    for joint in order:
        part, side = without_side(labels[joint]), side_of(labels[joint])
        if part not in FOOT_PARTS or not side or parent[joint] < 0 or side_of(labels[parent[joint]]) == side:
            continue
        for shin in SHINS[part]:
            match = [other for other in order if labels[other] == f"{side} {shin}"]
            free = [other for other in match if not _is_above(joint, other, parent)]
            if free:
                parent[joint] = free[-1]
                report.append(f"{source.names[joint]} re-hung below {source.names[free[-1]]}")
                break


def _is_above(joint: int, other: int, parent: dict[int, int]) -> bool:
    while other >= 0:
        if other == joint:
            return True
        other = parent[other]
    return False


def _sorted(order: list[int], parent: dict[int, int]) -> tuple[list[int], list[int]]:
    done: list[int] = []
    while len(done) < len(order):
        done += [joint for joint in order if joint not in done and (parent[joint] < 0 or parent[joint] in done)]
    place = {joint: slot for slot, joint in enumerate(done)}
    return done, [place.get(parent[joint], -1) for joint in done]


def _moving_root(source: Source, tree: Tree) -> Tree:
    """Hang the tree on the joint that really moves, where the root stands still and a child carries the body."""
    size = float(np.linalg.norm(np.ptp(source.rest[tree.joints, :3, 3], axis=0)))
    while source.clips:
        below = [slot for slot, parent in enumerate(tree.parents) if parent == 0]
        big = [slot for slot in below if _subtree(tree.parents, slot) >= 0.5 * len(tree.joints)]
        if not big or _widest_shift(source, tree, big[0]) < MOVES_ROOT * size:
            break
        names = [source.names[tree.joints[slot]] for slot in (0, big[0])]
        tree.report.append(f"root moved from {names[0]} to {names[1]}, which moves against it")
        tree = _rooted_at(tree, big[0])
    return tree


def _widest_shift(source: Source, tree: Tree, child: int) -> float:
    """How far a child of the root wanders in the root's frame, in any clip."""
    return max(_shift(clip.world, tree.joints[0], tree.joints[child]) for clip in source.clips)


def _shift(world: FloatArray, parent: int, child: int) -> float:
    away = (world[:, child, :3, 3] - world[:, parent, :3, 3])[..., None]
    local = np.linalg.pinv(world[:, parent, :3, :3]) @ away
    scale = float(np.cbrt(abs(np.linalg.det(world[0, parent, :3, :3]))))
    return float(np.linalg.norm(np.ptp(local[..., 0], axis=0))) * scale


def _subtree(parents: list[int], top: int) -> int:
    inside = {top}
    for slot, parent in enumerate(parents):
        if parent in inside:
            inside.add(slot)
    return len(inside)


def _rooted_at(tree: Tree, top: int) -> Tree:
    """Drop the old root; its other children hang on the new one."""
    parent = {slot: (top if tree.parents[slot] == 0 else tree.parents[slot]) for slot in range(1, len(tree.joints))}
    parent[top] = -1
    order, parents = _sorted(list(range(1, len(tree.joints))), parent)
    return Tree([tree.joints[slot] for slot in order], parents, tree.report)
