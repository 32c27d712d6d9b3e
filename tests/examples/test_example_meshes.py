"""The bodies of the shipped examples: closed, light, on the ground, and whole when they move."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom

from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.meshes import WorldMesh, read_meshes
from unimate_dcc.usd_io.read import read_clip
from unimate_dcc.usd_io.stage import open_shot

DATA = Path(__file__).resolve().parents[2] / "unimate_dcc/examples/data"
ASSETS = sorted((DATA / "assets").glob("*.usda"))
SINGLES = [path for path in sorted((DATA / "shots").glob("*.usda")) if path.stem != "ensemble"]
TROT = np.arange(1001.0, 1061.0)


@pytest.fixture
def stage(path: Path) -> Usd.Stage:
    return Usd.Stage.Open(str(path))


def _meshes(stage: Usd.Stage) -> list[UsdGeom.Mesh]:
    return [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]


def _edges(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(F, 3) lengths of the sides of triangles."""
    corners = points[faces]
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1))


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem)
def test_every_edge_is_shared_by_two_faces_that_agree_on_outside(path: Path, stage: Usd.Stage) -> None:
    for mesh in _meshes(stage):
        corners, edges, start = mesh.GetFaceVertexIndicesAttr().Get(), Counter(), 0
        for count in mesh.GetFaceVertexCountsAttr().Get():
            face = list(corners[start : start + count])
            edges.update(zip(face, face[1:] + face[:1], strict=True))
            start += count
        assert all(edges[edge] == 1 and edges[edge[::-1]] == 1 for edge in edges), mesh.GetPath()


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem)
def test_faces_look_outwards(path: Path, stage: Usd.Stage) -> None:
    for mesh in _meshes(stage):
        points, corners = np.array(mesh.GetPointsAttr().Get(), dtype=float), mesh.GetFaceVertexIndicesAttr().Get()
        volume, start = 0.0, 0
        for count in mesh.GetFaceVertexCountsAttr().Get():
            first, *others = points[list(corners[start : start + count])]
            pairs = pairwise(others)
            volume += sum(float(first @ np.cross(second, third)) for second, third in pairs)
            start += count
        assert volume > 0, mesh.GetPath()


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem)
def test_extents_hold_every_point(path: Path, stage: Usd.Stage) -> None:
    for mesh in _meshes(stage):
        points = np.array(mesh.GetPointsAttr().Get())
        assert np.array_equal(np.array(mesh.GetExtentAttr().Get()), [points.min(0), points.max(0)])
        whole = np.array(UsdGeom.Boundable(mesh.GetPrim().GetParent().GetParent()).GetExtentAttr().Get())
        assert np.all(whole[0] <= points.min(0))
        assert np.all(whole[1] >= points.max(0))


@pytest.mark.parametrize("path", SINGLES, ids=lambda path: path.stem)
def test_creatures_stand_on_the_ground_at_rest(path: Path) -> None:
    shot = open_shot(path)
    character = choose_character(shot, None)
    clip = read_clip(shot, character, np.array([1001.0]))
    lowest = min(float(mesh.posed_in_world(clip)[..., 1].min()) for mesh in read_meshes(shot, character))
    assert abs(lowest) < 0.004


def test_the_examples_are_small() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*.usda")) < 3_000_000


def test_the_biped_has_three_joints_in_each_of_ten_fingers() -> None:
    joints = choose_character(open_shot(DATA / "shots/biped_stage.usda"), None).joints
    for side in ("Left", "Right"):
        for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky"):
            found = [joint for joint in joints if f"{side}Hand{finger}" in joint.rsplit("/", 1)[-1]]
            assert len(found) == 3


def _fox() -> tuple[list[WorldMesh], np.ndarray, tuple[str, ...], list[np.ndarray]]:
    """Meshes, (T, J, 3) joints, their names, and the meshes' (T, P, 3) points while the fox trots."""
    shot = open_shot(DATA / "shots/ensemble.usda")
    character = choose_character(shot, "/World/Fox")
    assert character.animation == "/World/Fox/Trot"
    clip, meshes = read_clip(shot, character, TROT), read_meshes(shot, character)
    return meshes, clip.positions, character.joints, [mesh.posed_in_world(clip) for mesh in meshes]


def test_the_trot_plants_diagonal_pairs_in_turn() -> None:
    _, positions, joints, _ = _fox()
    toes = {joint.rsplit("/", 1)[-1].removesuffix("Toe"): positions[:, index] for index, joint in enumerate(joints)
            if joint.endswith("Toe")}  # fmt: skip
    down = {}
    for name, path in toes.items():
        step = np.linalg.norm(np.diff(path, axis=0), axis=-1)
        planted = step < 1e-5
        down[name] = planted
        assert 0.3 < planted.mean() < 0.5
        assert np.all(step[~planted] > 0.02)
        assert path[:, 1].min() > 0.01
    assert np.array_equal(down["LeftFront"], down["RightHind"])
    assert np.array_equal(down["RightFront"], down["LeftHind"])
    assert not np.any(down["LeftFront"] & down["RightFront"])


def test_the_trot_goes_ahead_steadily() -> None:
    _, positions, joints, _ = _fox()
    hips = positions[:, joints.index("Root/Hips")]
    speed = np.diff(hips[:, 2]) * 24.0
    assert np.allclose(speed, 1.05, atol=0.03)
    assert np.ptp(hips[:, 0]) < 1e-5


def test_trotting_does_not_tear_the_mesh() -> None:
    meshes, _, _, moved = _fox()
    for mesh, points in zip(meshes, moved, strict=True):
        rest = _edges(mesh.mesh.points, mesh.faces)
        worst = max(float((_edges(frame, mesh.faces) - rest).max()) for frame in points)
        assert worst < 0.04, mesh.mesh.prim  # metres, of a fox that is one long


def test_the_rider_stands_on_a_cart_that_moves() -> None:
    shot = open_shot(DATA / "shots/ensemble.usda")
    character = choose_character(shot, "/World/Cart/Biped")
    clip = read_clip(shot, character, np.array([1001.0, 1060.0]))
    (mesh,) = (mesh for mesh in read_meshes(shot, character) if mesh.mesh.prim.endswith("Shoes"))
    first, last = mesh.posed_in_world(clip)
    assert np.allclose(last - first, [4.0, 0.0, 0.0], atol=1e-5)
    assert abs(first[:, 1].min() - 0.36) < 0.004
