"""From a source to clean clips of one canonical rig, with a report of what was dropped and why (paper 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from unimate_dcc.clip import Clip
from unimate_dcc.model.train.source import FPS, Source, SourceClip, SourceError
from unimate_dcc.model.train.tree import Tree, one_tree
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, aligned, canonicalise
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.pose import nearest_rotations
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray, Skeleton, joint_paths, matrix_quaternions

MOST_JOINTS = 56
"""Bigger rigs lose fingers and small chains; training batches stay small."""
FEWEST_FRAMES = 8
STILL = 0.01
"""A clip in which no joint leaves its mean by this much (tree diameter 2) is static."""
LOST = 0.1
"""A clip whose joints miss their place by this much in the mean lives on bone translation, which features lack."""
FASTEST, LEAP = 0.25, 0.4
"""Root speed that no body has, diameter/2 a frame: in the median, and once. The 99.5th percentiles of the open set
are 0.17 and 0.28."""
JITTER = 40.0
"""Mean angular acceleration, degrees a frame a frame, of the worst joint; the open set's 99.5th percentile is 30."""


@dataclass(frozen=True, eq=False)
class RawClip:
    """A named motion in the canonical frame, first pose facing +Z, 30 fps."""

    name: str
    index: int
    motion: RigMotion


@dataclass
class Curated:
    """One source: its rig, its clips, and what happened on the way.

    Attributes:
        rig: The canonical rig.
        clips: What passed every check.
        repairs: What was changed on the skeleton.
        dropped: Clip and reason, of what did not pass.
    """

    rig: Rig
    clips: list[RawClip] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    dropped: list[tuple[str, str]] = field(default_factory=list)


def curate(source: Source) -> Curated:
    """Clean one source.

    Raises:
        SourceError, SkeletonRefusedError: the file or its skeleton is of no use.
    """
    if not np.isfinite(source.rest).all():
        raise SourceError(source.place, "NaN or infinite values in its rest pose")
    if len(source.names) < 2:
        raise SourceError(source.place, f"{len(source.names)} joints; a motion needs at least 2")
    tree = one_tree(source)
    skeleton = _skeleton(source, tree)
    rig = build_rig(skeleton, RigOverrides(max_joints=MOST_JOINTS), prim=source.place)
    result = Curated(rig, repairs=tree.report)
    for clip in source.clips:
        if not np.isfinite(clip.world).all():
            result.dropped.append((clip.name, "NaN or infinite values"))
            continue
        moved = _clip(skeleton, tree, clip)
        motion = canonicalise(rig, moved)
        problem = _problem(rig, moved, motion)
        if problem:
            result.dropped.append((clip.name, problem))
        else:
            result.clips.append(RawClip(clip.name, clip.index, aligned(rig, motion)))
    return result


def _problem(rig: Rig, clip: Clip, motion: RigMotion) -> str:
    """Why a clip is of no use, or nothing."""
    if len(motion.root) < FEWEST_FRAMES:
        return f"{len(motion.root)} frames, at least {FEWEST_FRAMES}"
    positions = motion.positions(rig)
    if np.linalg.norm(positions - positions.mean(0), axis=-1).max() < STILL:
        return "static"
    driven = rig.source >= 0
    real = rig.frame.to_canonical(clip.positions[:, rig.source[driven]])
    lost = float(np.linalg.norm(real - positions[:, driven], axis=-1).mean())
    if lost > LOST:
        return f"lives on bone translation, {lost:.2f} lost in the mean"
    steps = np.linalg.norm(np.diff(motion.root, axis=0), axis=-1)
    if np.median(steps) > FASTEST or steps.max() > LEAP:
        return f"implausible root speed, {np.median(steps):.2f} in the median, {steps.max():.2f} at most"
    shake = jitter(motion)
    if shake > JITTER:
        return f"joints jitter, {shake:.0f} degrees a frame a frame"
    return ""


def jitter(motion: RigMotion) -> float:
    """Mean angular acceleration of the worst joint of 3 frames or more, degrees a frame a frame."""
    steps = np.swapaxes(motion.rotations[:-1], -1, -2) @ motion.rotations[1:]
    change = np.swapaxes(steps[:-1], -1, -2) @ steps[1:]
    angles = Rotation.from_matrix(change.reshape(-1, 3, 3)).magnitude().reshape(change.shape[:2])
    return float(np.degrees(angles).mean(0).max())


def _skeleton(source: Source, tree: Tree) -> Skeleton:
    paths = joint_paths([source.names[joint].replace("/", "_") for joint in tree.joints], tree.parents)
    translations, rotations = _local(tree.parents, source.rest[None, tree.joints])
    weighted = None if source.weights is None else source.weights[tree.joints] > 0.0
    scales = np.ones((len(paths), 3))
    return Skeleton(paths, np.asarray(tree.parents), translations[0], rotations[0], scales, weighted)


def _clip(skeleton: Skeleton, tree: Tree, clip: SourceClip) -> Clip:
    translations, rotations = _local(tree.parents, clip.world[:, tree.joints])
    return Clip(skeleton, np.arange(len(clip.world)) / FPS, translations, rotations, np.ones_like(translations))


def _local(parents: Sequence[int], world: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Joint to parent, scales taken out: (T, J, 3) translations and (T, J, 4) rotations of world matrices."""
    turned = nearest_rotations(world[..., :3, :3])
    positions = world[..., :3, 3]
    translations, local = positions.copy(), turned.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            back = np.swapaxes(turned[:, parent], -1, -2)
            local[:, joint] = back @ turned[:, joint]
            translations[:, joint] = np.einsum("tab,tb->ta", back, positions[:, joint] - positions[:, parent])
    return translations, matrix_quaternions(local)
