"""A creature as a table of joints, and the skinned low-poly mesh around its bones.

Everything here is metres, Y up, facing +Z.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

SIDES = ((1.0, "Left", "L", "l"), (-1.0, "Right", "R", "r"))
RING = 7
"""Corners of a tube's ring."""
RING_SHARES = (0.0, 0.3, 0.7, 1.0)
TIP_SHARE = 0.35
"""How far a leaf's tube goes beyond its joint, as a share of its bone."""


@dataclass(frozen=True)
class Joint:
    """One joint: name, parent's name, place, radius of the flesh around the bone that leads to it (0: none)."""

    name: str
    parent: str
    place: tuple[float, float, float]
    radius: float = 0.0


@dataclass(frozen=True)
class Creature:
    """A named table of joints and the colour of the mesh."""

    name: str
    joints: list[Joint]
    colour: tuple[float, float, float] = (0.6, 0.6, 0.6)
    tips: dict[str, tuple[float, float, float]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Joint names, parents first."""
        return [joint.name for joint in self.joints]

    @property
    def parents(self) -> list[int]:
        """Parent indices, -1 for the root."""
        place = {name: index for index, name in enumerate(self.names)}
        return [place[joint.parent] if joint.parent else -1 for joint in self.joints]

    @property
    def paths(self) -> list[str]:
        """UsdSkel joint paths."""
        paths: list[str] = []
        for joint, parent in zip(self.joints, self.parents, strict=True):
            paths.append(f"{paths[parent]}/{joint.name}" if parent >= 0 else joint.name)
        return paths

    @property
    def positions(self) -> np.ndarray:
        """(J, 3) rest positions."""
        return np.array([joint.place for joint in self.joints], dtype=np.float64)


@dataclass(frozen=True)
class Skin:
    """A mesh and its weights.

    Attributes:
        points: (P, 3).
        faces: Quads and triangles as lists of point indices.
        joints: (P, 2) joint indices.
        weights: (P, 2) weights; rows sum to 1.
    """

    points: np.ndarray
    faces: list[list[int]]
    joints: np.ndarray
    weights: np.ndarray


def table(text: str) -> list[Joint]:
    """Joints from lines ``name parent x y z radius``; ``{S} {s} {1}`` in a name makes a left and a right one."""
    rows = [line.split() for line in text.strip().splitlines() if line.strip()]
    joints: list[Joint] = []
    for name, parent, x, y, z, radius in rows:
        sides = SIDES if "{" in name else (None,)
        for side in sides:
            sign = side[0] if side else 1.0
            words = {"S": side[1], "1": side[2], "s": side[3]} if side else {}
            place = (float(x) * sign, float(y), float(z))
            joints.append(Joint(_fill(name, words), _fill(parent.strip("-"), words), place, float(radius)))
    return joints


def _fill(text: str, words: dict[str, str]) -> str:
    for key, word in words.items():
        text = text.replace("{" + key + "}", word)
    return text


def skin(creature: Creature) -> Skin:
    """A tube around every bone with a radius; tubes end in caps and overlap at the joints."""
    positions, parents = creature.positions, creature.parents
    radii = [joint.radius for joint in creature.joints]
    parts: list[tuple[np.ndarray, list[list[int]], np.ndarray, np.ndarray]] = []
    for index, parent in enumerate(parents):
        if parent < 0 or radii[index] <= 0:
            continue
        start, end = positions[parent], positions[index].copy()
        leaf = index not in parents
        if creature.names[index] in creature.tips:
            end = np.array(creature.tips[creature.names[index]])
        elif leaf:
            end += (end - start) * TIP_SHARE
        first = radii[parent] if radii[parent] > 0 else radii[index]
        above = parents[parent] if parents[parent] > 0 else parent  # a control root carries no flesh
        parts.append(_tube(start, end, first, radii[index], parent, index, above, leaf))
    offset, points, faces, joints, weights = 0, [], [], [], []
    for part, quads, owners, shares in parts:
        points.append(part)
        faces += [[corner + offset for corner in quad] for quad in quads]
        joints.append(owners)
        weights.append(shares)
        offset += len(part)
    return Skin(np.concatenate(points), faces, np.concatenate(joints), np.concatenate(weights))


def _tube(
    start: np.ndarray, end: np.ndarray, wide: float, narrow: float, parent: int, child: int, above: int, leaf: bool
) -> tuple[np.ndarray, list[list[int]], np.ndarray, np.ndarray]:
    axis = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    angles = np.linspace(0, 2 * np.pi, RING, endpoint=False)
    circle = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    points, joints, weights = [], [], []
    for share in RING_SHARES:
        radius = (wide + (narrow - wide) * share) * (0.75 if share in (0.0, 1.0) else 1.0)
        points.append(start + (end - start) * share + circle * radius)
        bend, partner = {0.0: (0.35, above), 1.0: (0.5, child)}.get(share, (0.0, child))
        joints += [[parent, partner]] * RING
        weights += [[1.0 - bend, bend]] * RING
    quads = [
        [ring * RING + k, ring * RING + (k + 1) % RING, (ring + 1) * RING + (k + 1) % RING, (ring + 1) * RING + k]
        for ring in range(len(RING_SHARES) - 1)
        for k in range(RING)
    ]
    count = RING * len(RING_SHARES)
    caps = [start - axis * wide * 0.5, end + axis * narrow * 0.5]
    quads += [[count, (k + 1) % RING, k] for k in range(RING)]
    last = count - RING
    quads += [[count + 1, last + k, last + (k + 1) % RING] for k in range(RING)]
    joints += [[parent, above], [parent, child]]
    weights += [[0.65, 0.35], [0.5, 0.5]]
    if leaf:
        joints = [[parent, child] for _ in joints]
        weights = [[1.0, 0.0] if row < 2 * RING or row == count else [0.3, 0.7] for row in range(len(joints))]
    return np.concatenate([*points, np.array(caps)]), quads, np.array(joints), np.array(weights)
