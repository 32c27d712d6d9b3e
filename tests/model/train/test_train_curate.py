"""From a file to clean clips: roots, feet, and clips of no use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model.train.glb import Track, write_glb

from unimate_dcc.model.train.curate import Curated, curate
from unimate_dcc.model.train.gltf_source import read_gltf_source
from unimate_dcc.model.train.source import SourceError

HIPS, FOOT = 1, 3
"""Nodes of the body below."""


def _nodes() -> list[dict[str, Any]]:
    """A still root, the hips below it, two legs, a head."""
    return [
        {"name": "Armature", "children": [1]},
        {"name": "Hips", "translation": [0, 1, 0], "children": [2, 4, 6]},
        {"name": "LeftLeg", "translation": [0.1, -0.1, 0], "children": [3]},
        {"name": "LeftFoot", "translation": [0, -0.9, 0]},
        {"name": "RightLeg", "translation": [-0.1, -0.1, 0], "children": [5]},
        {"name": "RightFoot", "translation": [0, -0.9, 0]},
        {"name": "Head", "translation": [0, 0.6, 0]},
    ]


def _path(height: float = 0.3) -> Track:
    """The hips go up and down while they travel."""
    places = np.array([[0, 1, 0], [0, 1 + height, 0.5], [0, 1, 1]])
    return Track(HIPS, "translation", [0.0, 0.5, 1.0], places)


def _swing(node: int = 2, seconds: float = 1.0) -> Track:
    half = np.sin(np.radians(20.0))
    keys = np.array([[-half, 0, 0, np.cos(np.radians(20.0))], [half, 0, 0, np.cos(np.radians(20.0))]])
    return Track(node, "rotation", [0.0, seconds], keys)


def _curated(path: Path, nodes: list[dict[str, Any]], animations: dict[str, list[Track]], skin: list[int]) -> Curated:
    return curate(read_gltf_source(write_glb(path / "a.glb", nodes, animations, skin)))


def _tail(joint: str) -> str:
    return joint.rsplit("/", 1)[-1]


def test_a_still_root_gives_way_to_the_hips_that_move(tmp_path: Path) -> None:
    curated = _curated(tmp_path, _nodes(), {"jump": [_path()]}, list(range(7)))
    assert _tail(curated.rig.joints[0]) == "Hips"
    (clip,) = curated.clips
    travel = clip.motion.root[-1] - clip.motion.root[0]
    assert np.hypot(travel[0], travel[2]) == pytest.approx(curated.rig.frame.scale)
    assert np.ptp(clip.motion.root[:, 1]) == pytest.approx(0.3 * curated.rig.frame.scale)


def test_curation_keeps_the_shape_of_the_motion(tmp_path: Path) -> None:
    """Distances between joints over time, which no choice of frame may change."""
    curated = _curated(tmp_path, _nodes(), {"walk": [_path(), _swing()]}, list(range(7)))
    (clip,) = curated.clips
    positions = clip.motion.positions(curated.rig) / curated.rig.frame.scale
    place = {_tail(joint): slot for slot, joint in enumerate(curated.rig.joints)}
    foot = positions[:, place["LeftFoot"]] - positions[:, place["Hips"]]
    assert foot[:, 1].min() == pytest.approx(-1.0, abs=1e-3)
    assert np.ptp(foot[:, 2]) == pytest.approx(2 * 0.9 * np.sin(np.radians(40.0)), rel=1e-3)


def test_clips_stand_on_the_ground_at_the_origin_facing_ahead(tmp_path: Path) -> None:
    curated = _curated(tmp_path, _nodes(), {"walk": [_path(), _swing()]}, list(range(7)))
    (clip,) = curated.clips
    assert clip.motion.positions(curated.rig)[..., 1].min() == pytest.approx(0.0, abs=1e-9)
    assert np.allclose(clip.motion.root[0, [0, 2]], 0.0, atol=1e-9)
    assert clip.motion.root[-1, 2] > 0.5


def test_static_and_short_clips_are_dropped_and_reported(tmp_path: Path) -> None:
    still = Track(HIPS, "translation", [0.0, 1.0], np.array([[0, 1, 0], [0, 1.001, 0]]))
    curated = _curated(
        tmp_path, _nodes(), {"pose": [still], "blink": [_swing(2, 0.1)], "swing": [_swing()]}, [1, *range(2, 7)]
    )
    assert [(clip.name, clip.index) for clip in curated.clips] == [("swing", 2)]
    assert ("pose", "static") in curated.dropped
    assert any(clip == "blink" and reason.startswith("4 frames") for clip, reason in curated.dropped)


def test_a_clip_that_lives_on_bone_translation_is_dropped(tmp_path: Path) -> None:
    away = Track(FOOT, "translation", [0.0, 1.0], np.array([[0, -0.9, 0], [4, -0.9, 0]], dtype=float))
    curated = _curated(tmp_path, _nodes(), {"stretch": [away, _swing(4)]}, list(range(1, 7)))
    assert curated.clips == []
    assert any(reason.startswith("lives on bone translation") for _, reason in curated.dropped)


def test_feet_that_hang_on_the_root_are_hung_below_their_shins(tmp_path: Path) -> None:
    nodes = _nodes()
    nodes[2].pop("children")
    nodes[3]["translation"] = [0.1, -1.0, 0]
    nodes[1]["children"] = [2, 3, 4, 6]
    curated = _curated(tmp_path, nodes, {"swing": [_swing()]}, list(range(1, 7)))
    assert any(joint.endswith("LeftLeg/LeftFoot") for joint in curated.rig.joints)
    assert "LeftFoot re-hung below LeftLeg" in curated.repairs


def test_a_second_root_is_joined_to_the_bigger_tree(tmp_path: Path) -> None:
    nodes = [*_nodes(), {"name": "Tail", "translation": [0, 0.9, -0.4]}]
    curated = _curated(tmp_path, nodes, {"swing": [_swing()]}, list(range(1, 8)))
    assert any(joint == "Hips/Tail" for joint in curated.rig.joints)
    assert "root Tail joined to Hips" in curated.repairs


def test_only_the_wanted_animations_are_read(tmp_path: Path) -> None:
    path = write_glb(tmp_path / "a.glb", _nodes(), {"one": [_swing()], "two": [_swing(4)]}, list(range(1, 7)))
    assert [clip.name for clip in curate(read_gltf_source(path, [1])).clips] == ["two"]


def test_the_fox_of_the_set_is_a_quadruped_with_three_clips_on_the_ground(shared: Path) -> None:
    curated = curate(read_gltf_source(next((shared / "motion/gltf_fox").glob("*.gl*"))))
    assert len(curated.clips) == 3
    for raw in curated.clips:
        positions = raw.motion.positions(curated.rig)
        assert np.isfinite(positions).all()
        assert positions[..., 1].min() == pytest.approx(0.0, abs=1e-9)
        assert np.allclose(raw.motion.root[0, [0, 2]], 0.0, atol=1e-9)
    assert curated.rig.category == "quadruped"


def test_a_clip_whose_root_leaps_or_whose_joints_shake_is_dropped(tmp_path: Path) -> None:
    far = Track(HIPS, "translation", [0.0, 0.5, 0.53, 1.0], np.array([[0.0, 1, 0], [0, 1, 0], [0, 1, 3], [0, 1, 3]]))
    angles = np.radians(np.where(np.arange(31) % 2, 25.0, -25.0))
    keys = np.stack([np.sin(angles / 2), 0 * angles, 0 * angles, np.cos(angles / 2)], axis=-1)
    shake = Track(2, "rotation", [frame / 30 for frame in range(31)], keys)
    curated = _curated(
        tmp_path, _nodes(), {"leap": [far, _swing()], "shake": [shake], "swing": [_swing()]}, [*range(7)]
    )
    assert [clip.name for clip in curated.clips] == ["swing"]
    reasons = dict(curated.dropped)
    assert reasons["leap"].startswith("implausible root speed")
    assert reasons["shake"].startswith("joints jitter")


def test_a_tree_that_moves_no_mesh_is_no_part_of_the_body(tmp_path: Path) -> None:
    source = read_gltf_source(write_glb(tmp_path / "a.glb", _nodes(), {"swing": [_swing()]}, list(range(1, 7))))
    control = replace(
        source,
        names=(*source.names, "IK_control"),
        parents=(*source.parents, -1),
        rest=np.concatenate([source.rest, source.rest[:1]]),
        weights=np.array([*([1.0] * len(source.names)), 0.0]),
        clips=tuple(replace(clip, world=np.concatenate([clip.world, clip.world[:, :1]], 1)) for clip in source.clips),
    )
    curated = curate(control)
    assert "tree of IK_control dropped: it moves no mesh" in curated.repairs
    assert not any("IK_control" in joint for joint in curated.rig.joints)


def test_a_skeleton_of_one_joint_and_a_rest_that_is_no_number_are_refused(tmp_path: Path) -> None:
    source = read_gltf_source(write_glb(tmp_path / "a.glb", _nodes(), {"swing": [_swing()]}, list(range(1, 7))))
    with pytest.raises(SourceError, match="NaN or infinite"):
        curate(replace(source, rest=source.rest * np.nan))
    lone = replace(source, names=source.names[:1], parents=(-1,), rest=source.rest[:1], clips=())
    with pytest.raises(SourceError, match="1 joints"):
        curate(lone)
