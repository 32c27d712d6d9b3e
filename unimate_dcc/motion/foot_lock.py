"""Lock standing feet to where they stand: paper E.5, with the foot's own rest height as the ground of its joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.motion.contact_spans import Span, contact_spans
from unimate_dcc.motion.ground import onto_ground
from unimate_dcc.motion.limb import find_limb, reach
from unimate_dcc.motion.quality import root_height
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose
from unimate_dcc.skeleton import FloatArray, IntArray

LOCKED_KINDS = ("biped", "quadruped", "bird", "arthropod")
"""Bodies that stand on feet."""
BLEND = 5
"""Frames over which a correction comes and goes (paper E.5)."""


@dataclass(frozen=True, eq=False)
class Locked:
    """A motion with standing feet, and how it went.

    Attributes:
        motion: The motion.
        spans: Of each contact joint of the rig, when it stands.
        worst_miss: Farthest that a foot could not reach its place, canonical units.
    """

    motion: RigMotion
    spans: list[list[Span]]
    worst_miss: float


def lock_feet(
    offsets: FloatArray,
    parents: Sequence[int] | IntArray,
    rest: FloatArray,
    contacts: Sequence[int],
    motion: RigMotion,
    fps: float,
) -> Locked:
    """Put a motion on the ground and pin its feet while they stand.

    The root's path on the ground and all joints outside the limbs stay as they are.

    Args:
        offsets: (K, 3) rest offsets.
        parents: K parent indices.
        rest: (K, 3) rest positions.
        contacts: Joints that stand on the ground.
        motion: T frames in the frame of ``rest``.
        fps: Frames per second.
    """
    heights, height = rest[:, 1] - rest[:, 1].min(), root_height(rest)
    positions = pose(offsets, parents, motion.rotations, motion.root)[1]
    lift = onto_ground(positions, contacts, heights)[:, None] * [0.0, 1.0, 0.0]
    root, positions = motion.root + lift, positions + lift[:, None]
    # Where the contact is an ankle it never comes near the ground itself; it stands at its rest height.
    soles = positions - heights[:, None] * [0.0, 1.0, 0.0]
    spans = contact_spans(soles, fps, contacts, height) if height > 0 else [[] for _ in contacts]
    rotations, worst = motion.rotations, 0.0
    for contact, standing in zip(contacts, spans, strict=True):
        limb = find_limb(parents, contact, contacts)
        if not standing or not limb.joints:
            continue
        wanted = _targets(positions[:, contact], standing, float(heights[contact]))
        rotations = reach(offsets, parents, rotations, root, limb, wanted)
        miss = np.linalg.norm(pose(offsets, parents, rotations, root)[1][:, contact] - wanted, axis=-1)
        worst = max(worst, *(float(miss[span.first : span.last + 1].max()) for span in standing))
    return Locked(RigMotion(rotations, root), spans, worst)


def _targets(path: FloatArray, spans: Sequence[Span], height: float) -> FloatArray:
    """(T, 3) where a contact joint goes: its anchors while it stands, blended into its own path between."""
    frames = np.arange(len(path))
    pull, share = np.zeros_like(path), np.zeros(len(path))
    for span in spans:
        stance = path[span.first : span.last + 1]
        anchor = np.array([stance[:, 0].mean(), height, stance[:, 2].mean()])
        nearest = np.clip(frames, span.first, span.last)
        weight = np.maximum(1.0 - np.abs(frames - nearest) / (BLEND + 1), 0.0)
        pull += weight[:, None] * (anchor - path[nearest])
        share += weight
    # Ramps of neighbouring spans overlap; together they never pull more than one of them would.
    return np.asarray(path + pull / np.maximum(share, 1.0)[:, None])
