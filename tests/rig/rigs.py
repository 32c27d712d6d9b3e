"""Random skeletons and small hand-made bodies."""

from __future__ import annotations

import numpy as np

from unimate_dcc.clip import Clip
from unimate_dcc.skeleton import FloatArray, Skeleton

Rows = list[tuple[str, str, tuple[float, float, float]]]
"""Name, parent's name, world position."""
BIPED: Rows = [
    ("Hips", "", (0, 1, 0)), ("LeftUpLeg", "Hips", (0.1, 0.9, 0)), ("LeftFoot", "LeftUpLeg", (0.1, 0, 0)),
    ("RightUpLeg", "Hips", (-0.1, 0.9, 0)), ("RightFoot", "RightUpLeg", (-0.1, 0, 0)), ("Head", "Hips", (0, 1.5, 0)),
]  # fmt: skip


def random_quaternions(random: np.random.Generator, *shape: int) -> FloatArray:
    """Unit quaternions wxyz."""
    q = random.normal(size=(*shape, 4))
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def random_skeleton(seed: int, joints: int = 9, scales: str = "one") -> Skeleton:
    """A random tree with random rest rotations."""
    random = np.random.default_rng(seed)
    parents = np.array([-1, *(int(random.integers(0, joint)) for joint in range(1, joints))])
    names: list[str] = []
    for joint, parent in enumerate(parents):
        names.append(f"{names[parent]}/part{joint}" if parent >= 0 else "part0")
    rest_scales = np.ones((joints, 3))
    if scales == "uniform":
        rest_scales = np.repeat(random.uniform(0.5, 2.0, size=(joints, 1)), 3, axis=1)
    if scales == "mirrored":
        rest_scales[joints // 2] = [-1.0, 1.0, 1.0]
    return Skeleton(
        tuple(names), parents, random.normal(size=(joints, 3)), random_quaternions(random, joints), rest_scales
    )


def random_clip(skeleton: Skeleton, seed: int, frames: int = 5) -> Clip:
    """Random rotations of every joint and a random path of the root; translations and scales of the rest pose."""
    random = np.random.default_rng(seed)
    rest = Clip.rest(skeleton, np.arange(frames) / 30.0)
    translations = rest.translations.copy()
    translations[:, 0] += random.normal(size=(frames, 3))
    rotations = random_quaternions(random, frames, len(skeleton.joints))
    return Clip(skeleton, rest.seconds, translations, rotations, rest.scales)


def body(rows: Rows, weighted: list[str] | None = None) -> Skeleton:
    """A skeleton from (name, parent's name, world position) with identity rest rotations."""
    names = [row[0] for row in rows]
    parents = np.array([names.index(row[1]) if row[1] else -1 for row in rows])
    places = np.array([row[2] for row in rows], dtype=float)
    paths: list[str] = []
    for name, parent in zip(names, parents, strict=True):
        paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
    local = places.copy()
    local[parents >= 0] -= places[parents[parents >= 0]]
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (len(rows), 1))
    flags = None if weighted is None else np.array([name in weighted for name in names])
    return Skeleton(tuple(paths), parents, local, identity, np.ones((len(rows), 3)), flags)


def moved(skeleton: Skeleton, yaw: float, scale: float, offset: FloatArray) -> Skeleton:
    """The skeleton elsewhere in the world: turned about Y, scaled and shifted as a whole."""
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_euler("y", yaw)
    translations = skeleton.rest_translations * scale
    rotations = skeleton.rest_rotations.copy()
    translations[0] = turn.apply(translations[0]) + offset
    own = Rotation.from_quat(np.roll(rotations[0], -1))
    rotations[0] = np.roll((turn * own).as_quat(), 1)
    return Skeleton(skeleton.joints, skeleton.parents, translations, rotations, skeleton.rest_scales, skeleton.weighted)


def legs_of(names: list[str], spots: list[tuple[float, float]], hip: float) -> Rows:
    """Three-bone legs below a joint called body, their feet just above the ground at (x, z) spots."""
    rows: Rows = []
    for name, (x, z) in zip(names, spots, strict=True):
        rows += [
            (f"{name}a", "body", (x, hip, z)),
            (f"{name}b", f"{name}a", (x, hip / 2, z + 0.02)),
            (f"{name}c", f"{name}b", (x, 0.02, z)),
        ]
    return rows
