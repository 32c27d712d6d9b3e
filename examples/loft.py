"""Skin a creature: every part becomes closed tubes whose rings follow the chain's joints."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from creature import SIDES, Creature, Part, Row

BLEND = 0.35
"""Of a bone's length at either side of a joint, over which the weight passes from one bone to the next."""
INFLUENCES = 2


@dataclass(frozen=True)
class Skin:
    """A mesh and its weights.

    Attributes:
        points: (P, 3).
        faces: Quads, triangles and flat ends as lists of point indices, counter-clockwise from outside.
        joints: (P, 2) joint indices.
        weights: (P, 2) weights; rows sum to 1.
    """

    points: np.ndarray
    faces: list[list[int]]
    joints: np.ndarray
    weights: np.ndarray


def skins(creature: Creature) -> dict[str, Skin]:
    """The mesh of every look."""
    tubes: dict[str, list[Skin]] = {look: [] for look in creature.looks}
    for part in creature.parts:
        for sign, word, letter in SIDES if part.mirrored else SIDES[:1]:
            stops = [stop.replace("{S}", word).replace("{s}", letter) for stop in part.chain]
            for look, rows in _runs(part):
                tubes[look].append(_tube(creature, part, stops, rows, sign))
    return {look: _joined(found) for look, found in tubes.items()}


def _runs(part: Part) -> list[tuple[str, list[Row]]]:
    """The rows of each look; two looks that meet share a ring."""
    runs: list[tuple[str, list[Row]]] = [(part.look, [])]
    for row in part.rows:
        runs[-1][1].append(row)
        if row.look:
            runs.append((row.look, [row]))
    return runs


def _joined(tubes: list[Skin]) -> Skin:
    starts = np.cumsum([0, *(len(tube.points) for tube in tubes)])
    faces = [
        [corner + int(start) for corner in face]
        for start, tube in zip(starts, tubes, strict=False)
        for face in tube.faces
    ]
    return Skin(
        np.concatenate([tube.points for tube in tubes]),
        faces,
        np.concatenate([tube.joints for tube in tubes]),
        np.concatenate([tube.weights for tube in tubes]),
    )


def _tube(creature: Creature, part: Part, stops: list[str], rows: list[Row], sign: float) -> Skin:
    """One closed tube; the right one is the mirror image of the left, also in the order of its corners."""
    mirror = np.array([sign, 1.0, 1.0])
    spots, owners = _chain(creature, stops, mirror)
    # Rings turn with the whole part, so that two looks that meet share theirs exactly.
    along = [row.along for row in part.rows]
    centres = np.array([_at(spots, place) for place in along])
    points, faces, joints, weights = [], [], [], []
    rings: list[list[int]] = []
    for row in rows:
        frame = _frame(centres, along.index(row.along), part.upright)
        ring = _ring(row, part.corners, frame) + _at(spots, row.along) + row.lift * frame[1] + row.shift * frame[0]
        rings.append(list(range(len(points), len(points) + len(ring))))
        points += list(ring * mirror)
        pair, share = _influences(row.along, owners)
        joints += [pair] * len(ring)
        weights += [share] * len(ring)
    faces = _faces(rings)
    if sign < 0:
        faces = [face[::-1] for face in faces]
    return Skin(np.array(points), faces, np.array(joints), np.array(weights))


def _chain(creature: Creature, stops: list[str], mirror: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """(S, 3) spots on the left side, and the joints that move them."""
    spots, owners = [], []
    for stop in stops:
        name, _, offset = stop.partition("@")
        owners.append(creature.names.index(name))
        away = np.array([float(word) for word in offset.split(",")]) if offset else np.zeros(3)
        spots.append(creature.positions[owners[-1]] * mirror + away)
    return np.array(spots), owners


def _at(spots: np.ndarray, along: float) -> np.ndarray:
    """(3,) a spot on the chain; beyond its ends the first and last bone go on."""
    bone = int(np.clip(np.floor(along), 0, len(spots) - 2))
    return np.asarray(spots[bone] + (spots[bone + 1] - spots[bone]) * (along - bone))


def _frame(centres: np.ndarray, place: int, upright: bool) -> np.ndarray:
    """(3, 3) side, height and direction of a ring, from the rings around it."""
    ahead = centres[min(place + 1, len(centres) - 1)] - centres[place]
    behind = centres[place] - centres[max(place - 1, 0)]
    direction = sum(step / length for step in (ahead, behind) if (length := float(np.linalg.norm(step))) > 1e-9)
    direction = np.asarray(direction) / np.linalg.norm(direction)
    side = np.cross([0.0, 1.0, 0.0] if upright else [0.0, 0.0, 1.0], direction)
    side /= np.linalg.norm(side)
    return np.stack((side, np.cross(direction, side), direction))


def _ring(row: Row, corners: int, frame: np.ndarray) -> np.ndarray:
    if row.width == 0.0:
        return np.zeros((1, 3))
    # Flat above and below, and flat sides touch the ellipse: soles lie on the ground.
    angles = (np.arange(corners) + (0.5 if corners % 4 == 0 else 0.0)) * 2 * np.pi / corners
    reach = 1 / np.cos(np.pi / corners)
    return np.asarray(
        reach * (np.cos(angles)[:, None] * frame[0] * row.width + np.sin(angles)[:, None] * frame[1] * row.height)
    )


def _influences(along: float, owners: list[int]) -> tuple[list[int], list[float]]:
    """Two joints and their shares; a bone belongs to the joint that it starts from."""
    nearest = int(np.clip(np.round(along), 1, max(len(owners) - 1, 1)))
    share = float(np.clip((along - nearest + BLEND) / (2 * BLEND), 0.0, 1.0))
    share = round(share * share * (3 - 2 * share), 4)
    pair = [owners[nearest - 1], owners[nearest]]
    return (pair, [1.0 - share, share]) if pair[0] != pair[1] else (pair, [1.0, 0.0])


def _faces(rings: list[list[int]]) -> list[list[int]]:
    faces = []
    for near, far in pairwise(rings):
        count = max(len(near), len(far))
        for corner in range(count):
            after = (corner + 1) % count
            if len(near) == 1:
                faces.append([near[0], far[after], far[corner]])
            elif len(far) == 1:
                faces.append([near[corner], near[after], far[0]])
            else:
                faces.append([near[corner], near[after], far[after], far[corner]])
    first, last = rings[0], rings[-1]
    return faces + ([first[::-1]] if len(first) > 1 else []) + ([last] if len(last) > 1 else [])
