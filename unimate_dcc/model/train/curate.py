"""From a glTF file to clean clips of one canonical rig, with a report of what was dropped and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from unimate_dcc.clip import Clip
from unimate_dcc.model.train.gltf import Gltf, read_gltf
from unimate_dcc.model.train.sample_gltf import node_order, sample_world, tree_clip
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.labels import label_name, side_of, without_side
from unimate_dcc.rig.motion import RigMotion, aligned, canonicalise
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

MOST_JOINTS = 56
"""Bigger rigs lose fingers and small chains; training batches stay small."""
FEWEST_FRAMES = 8
STILL = 0.01
"""A clip in which no joint leaves its mean by this much (tree diameter 2) is static."""
LOST = 0.1
"""A clip whose joints miss their place by this much in the mean lives on bone translation, which features lack."""
MOVES_ROOT = 0.02
"""A child that moves against a still root by this share of the body's size carries the body."""
FOOT_PARTS = ("Foot", "Front Foot", "Back Foot", "Middle Foot")
SHINS = {
    "Foot": ("Shin", "Lower Leg", "Knee", "Leg", "Thigh"),
    "Front Foot": ("Front Lower Leg", "Front Leg", "Front Upper Leg"),
    "Back Foot": ("Back Lower Leg", "Back Leg", "Back Upper Leg"),
    "Middle Foot": ("Middle Lower Leg", "Middle Leg", "Middle Upper Leg"),
}


@dataclass(frozen=True, eq=False)
class RawClip:
    """A named motion in the canonical frame, first pose facing +Z, 30 fps."""

    name: str
    index: int
    motion: RigMotion


@dataclass
class Curated:
    """One file: its rig, its clips, and what happened on the way."""

    rig: Rig
    clips: list[RawClip] = field(default_factory=list)
    report: list[str] = field(default_factory=list)


def curate(path: Path, wanted: Sequence[int] | None = None) -> Curated:
    """Read and clean one file.

    Args:
        path: A glTF or GLB file.
        wanted: Indices of the animations to keep; None for all.

    Raises:
        GltfError, SkeletonRefusedError: the file or its skeleton is of no use.
    """
    gltf = read_gltf(path)
    report: list[str] = []
    nodes, parents = _joint_tree(gltf, report)
    rest = sample_world(gltf, None)[0]
    indices = range(len(gltf.animations)) if wanted is None else wanted
    worlds = {index: sample_world(gltf, gltf.animations[index]) for index in indices}
    nodes, parents = _moving_root(nodes, parents, rest, list(worlds.values()), report)
    names = [gltf.names[node].replace("/", "_") for node in nodes]
    weighted = [node in gltf.weighted for node in nodes] if gltf.weighted else None
    clips = {
        index: tree_clip(names, parents, rest[nodes], world[:, nodes], weighted) for index, world in worlds.items()
    }
    skeleton = (
        next(iter(clips.values()))[0]
        if clips
        else tree_clip(names, parents, rest[nodes], rest[None, nodes], weighted)[0]
    )
    rig = build_rig(skeleton, RigOverrides(max_joints=MOST_JOINTS), prim=str(path))
    result = Curated(rig, report=report)
    for index, (_, clip) in clips.items():
        _add(
            result,
            gltf.animations[index].name,
            index,
            Clip(skeleton, clip.seconds, clip.translations, clip.rotations, clip.scales),
        )
    return result


def _add(result: Curated, name: str, index: int, clip: Clip) -> None:
    raw = canonicalise(result.rig, clip)
    if len(raw.root) < FEWEST_FRAMES:
        result.report.append(f"{name}: {len(raw.root)} frames, at least {FEWEST_FRAMES}")
        return
    positions = raw.positions(result.rig)
    if np.linalg.norm(positions - positions.mean(0), axis=-1).max() < STILL:
        result.report.append(f"{name}: static")
        return
    driven = result.rig.source >= 0
    real = result.rig.frame.to_canonical(clip.positions[:, result.rig.source[driven]])
    lost = float(np.linalg.norm(real - positions[:, driven], axis=-1).mean())
    if lost > LOST:
        result.report.append(f"{name}: lives on bone translation, {lost:.2f} lost in the mean")
        return
    result.clips.append(RawClip(name, index, aligned(result.rig, raw)))


def _joint_tree(gltf: Gltf, report: list[str]) -> tuple[list[int], list[int]]:
    """Joint nodes, parents first, and their parents among them."""
    animated = {channel.node for animation in gltf.animations for channel in animation.channels}
    chosen = {joint for skin in gltf.skins for joint in skin} or set(animated)
    for node in list(chosen if not gltf.skins else ()):
        while gltf.parents[node] >= 0:
            node = gltf.parents[node]
            chosen.add(node)
    order = [node for node in node_order(gltf) if node in chosen]
    parent = {node: _chosen_above(gltf, node, chosen) for node in order}
    _join_roots(order, parent, report, gltf)
    _rehang_feet(gltf, order, parent, report)
    return _sorted(order, parent)


def _chosen_above(gltf: Gltf, node: int, chosen: set[int]) -> int:
    above = gltf.parents[node]
    while above >= 0 and above not in chosen:
        above = gltf.parents[above]
    return above


def _join_roots(order: list[int], parent: dict[int, int], report: list[str], gltf: Gltf) -> None:
    roots = [node for node in order if parent[node] < 0]
    if len(roots) < 2:
        return
    count = dict.fromkeys(roots, 0)
    for node in order:
        count[_top(node, parent)] += 1
    biggest = max(roots, key=lambda root: count[root])
    for root in roots:
        if root != biggest:
            parent[root] = biggest
            report.append(f"root {gltf.names[root]} joined to {gltf.names[biggest]}")


def _top(node: int, parent: dict[int, int]) -> int:
    while parent[node] >= 0:
        node = parent[node]
    return node


def _rehang_feet(gltf: Gltf, order: list[int], parent: dict[int, int], report: list[str]) -> None:
    """Feet that hang on the root as IK targets belong below their shins."""
    labels = {node: label_name(gltf.names[node]).label for node in order}
    for node in order:
        part, side = without_side(labels[node]), side_of(labels[node])
        if part not in FOOT_PARTS or not side or parent[node] < 0 or side_of(labels[parent[node]]) == side:
            continue
        for shin in SHINS[part]:
            match = [
                other
                for other in order
                if labels[other] == f"{side} {shin}" and _top(other, parent) == _top(node, parent)
            ]
            free = [other for other in match if not _is_above(node, other, parent)]
            if free:
                parent[node] = free[-1]
                report.append(f"{gltf.names[node]} re-hung below {gltf.names[free[-1]]}")
                break


def _is_above(node: int, other: int, parent: dict[int, int]) -> bool:
    while other >= 0:
        if other == node:
            return True
        other = parent[other]
    return False


def _sorted(order: list[int], parent: dict[int, int]) -> tuple[list[int], list[int]]:
    done: list[int] = []
    while len(done) < len(order):
        done += [node for node in order if node not in done and (parent[node] < 0 or parent[node] in done)]
    place = {node: slot for slot, node in enumerate(done)}
    return done, [place.get(parent[node], -1) for node in done]


def _moving_root(
    nodes: list[int], parents: list[int], rest: FloatArray, worlds: list[FloatArray], report: list[str]
) -> tuple[list[int], list[int]]:
    """Hang the tree on the joint that really moves, where the root stands still and a child carries the body."""
    size = float(np.linalg.norm(np.ptp(rest[nodes, :3, 3], axis=0)))
    while worlds:
        below = [slot for slot, parent in enumerate(parents) if parent == 0]
        shifts = {slot: max(_shift(world[:, nodes], 0, slot) for world in worlds) / size for slot in below}
        big = [slot for slot in below if _subtree(parents, slot) >= 0.5 * len(nodes)]
        if not big or shifts[big[0]] < MOVES_ROOT:
            return nodes, parents
        report.append(f"root moved from joint 0 to joint {big[0]}, which moves against it")
        nodes, parents = _rooted_at(nodes, parents, big[0])
    return nodes, parents


def _shift(world: FloatArray, parent: int, child: int) -> float:
    """How far a child wanders in its parent's frame."""
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


def _rooted_at(nodes: list[int], parents: list[int], top: int) -> tuple[list[int], list[int]]:
    """Drop the old root; its other children hang on the new one."""
    parent = {slot: (top if parents[slot] == 0 else parents[slot]) for slot in range(1, len(nodes))}
    parent[top] = -1
    order, new = _sorted(list(range(1, len(nodes))), parent)
    return [nodes[slot] for slot in order], new
