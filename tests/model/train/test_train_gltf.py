"""Reading glTF: what the specification says about keys, and damaged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model.train.glb import Track, write_glb

from unimate_dcc.model.train.gltf import read_gltf
from unimate_dcc.model.train.gltf_source import sample_world
from unimate_dcc.model.train.source import SourceError
from unimate_dcc.skeleton import FloatArray

NODES: list[dict[str, Any]] = [
    {"name": "base", "children": [1]},
    {"name": "arm", "translation": [0, 1, 0]},
]


def _world(path: Path, *tracks: Track, nodes: list[dict[str, Any]] = NODES) -> FloatArray:
    """(T, N, 4, 4) world matrices of a file written and read back."""
    gltf = read_gltf(write_glb(path / "a.glb", nodes, {"swing": list(tracks)}))
    assert [animation.name for animation in gltf.animations] == ["swing"]
    return sample_world(gltf, gltf.animations[0])


def _degrees(world: FloatArray) -> FloatArray:
    return np.asarray(np.degrees(np.arctan2(world[:, 1, 1, 0], world[:, 1, 0, 0])))


def test_nodes_keep_their_names_parents_and_places(tmp_path: Path) -> None:
    gltf = read_gltf(write_glb(tmp_path / "a.glb", NODES, {}, skin=[0, 1]))
    assert (gltf.names, gltf.parents, gltf.skins) == (["base", "arm"], [-1, 0], [[0, 1]])
    assert np.allclose(sample_world(gltf, None)[0, 1, :3, 3], [0, 1, 0])


def test_a_node_with_a_matrix_is_the_node_with_its_parts(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    parts = {"name": "a", "translation": [1, 2, 3], "rotation": [0, half, 0, half], "scale": [2, 3, -4]}
    world = sample_world(read_gltf(write_glb(tmp_path / "a.glb", [parts], {})), None)[0, 0]
    matrix = {"name": "a", "matrix": world.T.ravel().tolist()}
    assert np.allclose(sample_world(read_gltf(write_glb(tmp_path / "b.glb", [matrix], {})), None)[0, 0], world)


def test_linear_rotations_take_the_short_way_at_even_speed(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    world = _world(tmp_path, Track(1, "rotation", [0.0, 1.0], np.array([[0, 0, 0, 1], [0, 0, -half, -half]])))
    assert len(world) == 31
    assert np.allclose(_degrees(world), np.linspace(0, 90, 31), atol=1e-4)


@pytest.mark.parametrize(("kind", "most"), [("<i2", 32767), ("i1", 127)])
def test_rotations_stored_as_normalised_integers_are_the_same_rotations(tmp_path: Path, kind: str, most: int) -> None:
    angle = np.radians(np.array([0.0, 20.0, 90.0]))
    exact = np.stack([0 * angle, 0 * angle, np.sin(angle / 2), np.cos(angle / 2)], axis=-1)
    stored = np.round(exact * most).astype(kind)
    world = _world(tmp_path, Track(1, "rotation", [0.0, 1.0, 2.0], stored))
    assert np.allclose(_degrees(world)[[0, 30, 60]], [0, 20, 90], atol=120 / most)
    assert np.allclose(np.linalg.det(world[:, 1, :3, :3]), 1.0)


def test_the_least_normalised_integer_is_minus_one_and_no_less(tmp_path: Path) -> None:
    stored = np.array([[-32768, 0, 32767], [-32767, 0, 32767]], "<i2")
    world = _world(tmp_path, Track(1, "translation", [0.0, 1.0], stored))
    assert np.allclose(world[:, 1, :3, 3], [-1, 0, 1])


def test_unsigned_integers_run_from_zero_to_one(tmp_path: Path) -> None:
    world = _world(tmp_path, Track(1, "scale", [0.0, 1.0], np.array([[255, 51, 255], [255, 51, 255]], "u1")))
    assert np.allclose(np.diagonal(world[0, 1, :3, :3]), [1.0, 0.2, 1.0])


def test_stepped_keys_hold_until_the_next(tmp_path: Path) -> None:
    values = np.array([[0, 1, 0], [0, 5, 0], [0, 2, 0]])
    heights = _world(tmp_path, Track(1, "translation", [0.0, 0.5, 1.0], values.astype(float), "STEP"))[:, 1, 1, 3]
    assert heights.tolist() == [1.0] * 15 + [5.0] * 15 + [2.0]


def test_cubic_splines_follow_their_tangents_scaled_by_the_span(tmp_path: Path) -> None:
    keys = np.array([[0, 0, 0], [0, 0, 0], [0, 3, 0], [0, 3, 0], [0, 1, 0], [0, 0, 0]], dtype=float)
    heights = _world(tmp_path, Track(1, "translation", [0.0, 2.0], keys, "CUBICSPLINE"))[:, 1, 1, 3]
    u = np.arange(61) / 60
    wanted = 2 * 3 * (u**3 - 2 * u**2 + u) + (3 * u**2 - 2 * u**3) * 1 + 2 * 3 * (u**3 - u**2)
    assert np.allclose(heights, wanted, atol=1e-6)


def test_cubic_spline_rotations_stay_rotations(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    zero = [0.0, 0, 0, 0]
    keys = np.array([zero, [0, 0, 0, 1], zero, zero, [0, 0, half, half], zero])
    world = _world(tmp_path, Track(1, "rotation", [0.0, 1.0], keys, "CUBICSPLINE"))
    assert np.allclose(np.linalg.det(world[:, 1, :3, :3]), 1.0)
    assert _degrees(world)[[0, 15, 30]] == pytest.approx([0, 45, 90], abs=1e-4)


def test_a_clip_that_starts_late_starts_at_its_first_key_and_other_tracks_hold(tmp_path: Path) -> None:
    late = Track(1, "translation", [2.0, 3.0], np.array([[0, 1, 0], [0, 2, 0]], dtype=float))
    short = Track(0, "translation", [2.0, 2.5], np.array([[0, 0, 0], [1, 0, 0]], dtype=float))
    world = _world(tmp_path, late, short)
    assert len(world) == 31
    assert world[[0, 15, 30], 0, 0, 3] == pytest.approx([0, 1, 1])
    assert world[[0, 15, 30], 1, 1, 3] == pytest.approx([1, 1.5, 2])


@pytest.mark.parametrize(
    "content",
    [b"", b"glTF", b"{}x", b'{"nodes": [{"children": [7]}]}', b"glTF" + bytes(200), b"\xff\xfe{}"],
)
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.glb"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"broken\.glb"):
        read_gltf(path)


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_a_truncated_file_is_refused_by_name(tmp_path: Path, share: float) -> None:
    track = Track(1, "translation", [0.0, 1.0], np.ones((2, 3)))
    path = write_glb(tmp_path / "cut.glb", NODES, {"a": [track]})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(SourceError, match=r"cut\.glb"):
        read_gltf(path)


def test_files_of_the_set_give_the_joints_the_manifest_lists(shared: Path) -> None:
    manifest = json.loads((shared / "motion/MANIFEST.json").read_text(encoding="utf-8"))
    rows = [row for row in manifest["files"] if row["skeleton_kind"] == "skin"][::25]
    assert len(rows) >= 4
    for row in rows:
        gltf = read_gltf(shared / "motion" / row["file"])
        assert set(row["joint_names"]) <= set(gltf.names)
        assert len(gltf.animations) > max(clip["gltf_animation_index"] for clip in row["clips"])
