"""A limb that reaches for targets: damped least squares on all frames at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from unimate_dcc.rig.pose import pose, rest_relative
from unimate_dcc.skeleton import FloatArray, IntArray

MOST_PARENTS = 3
"""Joints above the contact that may turn (paper E.5)."""
ROUNDS = 12
DAMPING = 0.02
"""Of the limb's length; keeps a straight leg from whipping round."""
MOST_TURN = 0.3
"""Radians a joint may turn in one round."""


@dataclass(frozen=True)
class Limb:
    """A contact joint and what turns to move it.

    Attributes:
        contact: The joint that reaches.
        joints: Joints that turn, the topmost first.
    """

    contact: int
    joints: tuple[int, ...]


def find_limb(parents: Sequence[int] | IntArray, contact: int, contacts: Sequence[int]) -> Limb:
    """Up to three parents of a contact, stopping before a branch: the root, or what carries another contact too."""
    carries = _ancestors(parents, [other for other in contacts if other != contact])
    joints: list[int] = []
    above = int(parents[contact])
    while above > 0 and above not in carries and len(joints) < MOST_PARENTS:
        joints.append(above)
        above = int(parents[above])
    return Limb(contact, tuple(reversed(joints)))


def reach(
    offsets: FloatArray,
    parents: Sequence[int] | IntArray,
    rotations: FloatArray,
    root: FloatArray,
    limb: Limb,
    targets: FloatArray,
) -> FloatArray:
    """Turn a limb so that its contact lies at the targets, as far as it reaches.

    Args:
        offsets: (K, 3) rest offsets.
        parents: K parent indices.
        rotations: (T, K, 3, 3) rest-relative local rotations.
        root: (T, 3) root positions.
        limb: What turns.
        targets: (T, 3) in the frame of ``root``.

    Returns:
        (T, K, 3, 3) rotations; only those of the limb and, so that what hangs below keeps its direction, of the
        contact differ.
    """
    turned, positions = pose(offsets, parents, rotations, root)
    chain = [*limb.joints, limb.contact]
    length = float(np.linalg.norm(offsets[chain[1:]], axis=-1).sum())
    for _ in range(ROUNDS):
        miss = targets - positions[:, limb.contact]
        if np.abs(miss).max() < 1e-5 * length:
            break
        arms = positions[:, None, limb.contact] - positions[:, list(limb.joints)]
        turns = _damped_turns(arms, miss, DAMPING * length)
        _turn(offsets, limb, turns, turned, positions)
    return rest_relative(parents, turned)


def _damped_turns(arms: FloatArray, miss: FloatArray, damping: float) -> FloatArray:
    """(T, N, 3) rotation vectors that bring the ends of (T, N, 3) arms nearer by (T, 3)."""
    # A turn w moves the end by w x arm; with J = [..., -[arm]x, ...], J J^T is the sum of |a|^2 I - a a^T.
    squares = (arms**2).sum(-1)[..., None, None] * np.eye(3) - arms[..., :, None] * arms[..., None, :]
    system = squares.sum(1) + damping**2 * np.eye(3)
    pull = np.linalg.solve(system, miss[..., None])[..., 0]
    turns = np.cross(arms, pull[:, None])
    size = np.linalg.norm(turns, axis=-1, keepdims=True)
    return np.asarray(turns * np.minimum(1.0, MOST_TURN / np.maximum(size, 1e-12)))


def _turn(offsets: FloatArray, limb: Limb, turns: FloatArray, turned: FloatArray, positions: FloatArray) -> None:
    """Turn each joint of the limb, topmost first, and carry what lies below it along; in place."""
    chain = [*limb.joints, limb.contact]
    matrices = Rotation.from_rotvec(turns.reshape(-1, 3)).as_matrix().reshape(*turns.shape, 3)
    whole = matrices[:, 0]
    for slot, joint in enumerate(limb.joints):
        if slot:
            whole = whole @ matrices[:, slot]
        turned[:, joint] = whole @ turned[:, joint]
        below = chain[slot + 1]
        positions[:, below] = positions[:, joint] + (turned[:, joint] @ offsets[below])


def _ancestors(parents: Sequence[int] | IntArray, joints: Sequence[int]) -> set[int]:
    found: set[int] = set()
    for joint in joints:
        while joint >= 0:
            found.add(joint)
            joint = int(parents[joint])
    return found
