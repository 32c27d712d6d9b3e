"""From files to examples: reading, curation, loops, travel, captions, augmentation."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rig.rigs import body

from unimate_dcc.clip import Clip
from unimate_dcc.model.train import augment, cache
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.captions import mirrored, verb_phrase, wordings
from unimate_dcc.model.train.curate import curate
from unimate_dcc.model.train.cycles import is_loop, travelling, unrolled
from unimate_dcc.model.train.gltf import GltfError, read_gltf
from unimate_dcc.model.train.sample_gltf import sample_world
from unimate_dcc.model.train.windows import cut
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, aligned, canonicalise
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.rig import Rig


def _glb(path: Path, interpolation: str, values: np.ndarray, times: list[float], rotation: bool = True) -> Path:
    """Two nodes of which the second is animated."""
    data = np.array(times, dtype="<f4").tobytes()
    output = values.astype("<f4").tobytes()
    kind = "VEC4" if rotation else "VEC3"
    document: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": "base", "children": [1]}, {"name": "arm", "translation": [0, 1, 0]}],
        "buffers": [{"byteLength": len(data) + len(output)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(data)},
            {"buffer": 0, "byteOffset": len(data), "byteLength": len(output)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(times), "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(values), "type": kind},
        ],
        "animations": [
            {
                "name": "swing",
                "samplers": [{"input": 0, "output": 1, "interpolation": interpolation}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation" if rotation else "translation"}}],
            }
        ],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary = data + output
    head = struct.pack("<III", 0x46546C67, 2, 12 + 8 + len(text) + 8 + len(binary))
    path.write_bytes(
        head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    )
    return path


def test_linear_rotations_take_the_short_way(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    path = _glb(tmp_path / "a.glb", "LINEAR", np.array([[0, 0, 0, 1], [0, 0, -half, -half]]), [0.0, 1.0])
    gltf = read_gltf(path)
    assert (gltf.names, gltf.parents) == (["base", "arm"], [-1, 0])
    world = sample_world(gltf, gltf.animations[0])
    assert len(world) == 31
    angle = np.degrees(np.arctan2(world[15, 1, 1, 0], world[15, 1, 0, 0]))
    assert angle == pytest.approx(45.0, abs=1e-4)


def test_stepped_keys_hold(tmp_path: Path) -> None:
    path = _glb(tmp_path / "a.glb", "STEP", np.array([[0, 1, 0], [0, 5, 0]]), [0.0, 1.0], rotation=False)
    gltf = read_gltf(path)
    heights = sample_world(gltf, gltf.animations[0])[:, 1, 1, 3]
    assert heights[:30].tolist() == [1.0] * 30
    assert heights[30] == 5.0


def test_cubic_splines_follow_their_tangents(tmp_path: Path) -> None:
    keys = np.array([[0, 0, 0], [0, 0, 0], [0, 3, 0], [0, 3, 0], [0, 1, 0], [0, 0, 0]], dtype=float)
    path = _glb(tmp_path / "a.glb", "CUBICSPLINE", keys, [0.0, 1.0], rotation=False)
    document = path.read_bytes()
    assert b"CUBICSPLINE" in document
    gltf = read_gltf(path)
    heights = sample_world(gltf, gltf.animations[0])[:, 1, 1, 3]
    u = np.arange(31) / 30
    wanted = 3 * (u**3 - 2 * u**2 + u) + (3 * u**2 - 2 * u**3) * 1 + 3 * (u**3 - u**2)
    assert np.allclose(heights, wanted, atol=1e-6)


@pytest.mark.parametrize("content", [b"", b"glTF", b"{}x", b'{"nodes": [{"children": [7]}]}'])
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.glb"
    path.write_bytes(content)
    with pytest.raises(GltfError, match=r"broken\.glb"):
        read_gltf(path)


def test_files_of_the_set_give_the_joints_the_manifest_lists(shared: Path) -> None:
    manifest = json.loads((shared / "motion/MANIFEST.json").read_text(encoding="utf-8"))
    rows = [row for row in manifest["files"] if row["skeleton_kind"] == "skin"][::25]
    assert len(rows) >= 4
    for row in rows:
        gltf = read_gltf(shared / "motion" / row["file"])
        assert set(row["joint_names"]) <= set(gltf.names)
        assert len(gltf.animations) > max(clip["gltf_animation_index"] for clip in row["clips"])


def test_curation_keeps_the_body_where_it_was(shared: Path) -> None:
    curated = curate(next((shared / "motion/gltf_fox").glob("*.gl*")))
    assert len(curated.clips) == 3
    for raw in curated.clips:
        positions = raw.motion.positions(curated.rig)
        assert np.isfinite(positions).all()
        assert positions[..., 1].min() == pytest.approx(0.0, abs=1e-9)
        assert np.allclose(raw.motion.root[0, [0, 2]], 0.0, atol=1e-9)
    assert curated.rig.category == "quadruped"


def _walker() -> Rig:
    rows: list[tuple[str, str, tuple[float, float, float]]] = [
        ("Hips", "", (0, 1.0, 0)), ("LeftUpLeg", "Hips", (0.1, 0.98, 0)), ("LeftFoot", "LeftUpLeg", (0.1, 0.02, 0)),
        ("RightUpLeg", "Hips", (-0.1, 0.98, 0)), ("RightFoot", "RightUpLeg", (-0.1, 0.02, 0)),
        ("Head", "Hips", (0, 1.6, 0)),
    ]  # fmt: skip
    return build_rig(body(rows))


def _walk(rig: Rig, frames: int = 41) -> RigMotion:
    """Legs that swing in place: one stands and moves back evenly while the other is lifted forward."""
    rotations = np.broadcast_to(np.eye(3), (frames, len(rig.joints), 3, 3)).copy()
    phase = np.arange(frames) / 20.0 % 1.0
    root = np.repeat(rig.positions[:1], frames, axis=0)
    for name, shift in (("LeftUpLeg", 0.0), ("RightUpLeg", 0.5)):
        u = (phase + shift) % 1.0
        angle = np.where(u < 0.5, 0.3 - 1.2 * u, -0.3 + 1.2 * (u - 0.5))
        joint = rig.joints.index(f"Hips/{name}")
        rotations[:, joint, 1, 1] = rotations[:, joint, 2, 2] = np.cos(angle)
        rotations[:, joint, 1, 2], rotations[:, joint, 2, 1] = np.sin(angle), -np.sin(angle)
    return aligned(rig, RigMotion(rotations, root))


def test_a_walk_in_place_closes_and_unrolls_without_a_step() -> None:
    rig = _walker()
    walk = _walk(rig, 21)
    assert is_loop(rig, walk)
    long = unrolled(walk, 70, start=7)
    steps = np.linalg.norm(np.diff(long.positions(rig), axis=0), axis=-1).max(-1)
    assert steps.max() <= 1.001 * np.linalg.norm(np.diff(walk.positions(rig), axis=0), axis=-1).max()
    assert not is_loop(rig, RigMotion(walk.rotations[:8], walk.root[:8]))


def test_travel_of_a_loop_goes_on_from_lap_to_lap() -> None:
    rig = _walker()
    walk = _walk(rig, 21)
    moving = RigMotion(walk.rotations, walk.root + np.linspace(0, 1, 21)[:, None] * [0, 0, 2.0])
    path = unrolled(moving, 61, start=0).root[:, 2]
    assert np.allclose(np.diff(path), 0.1, atol=1e-9)


def test_a_still_body_gets_no_travel() -> None:
    rig = _walker()
    still = RigMotion(
        np.broadcast_to(np.eye(3), (30, len(rig.joints), 3, 3)).copy(), np.repeat(rig.positions[:1], 30, 0)
    )
    assert travelling(rig, still) is None


def test_captions_say_in_place_only_of_gaits() -> None:
    texts = wordings("a fox trots forward", "a quadruped trots forward", in_place=True)
    assert texts[0] == "a fox trots forward in place"
    assert "An object trots forward in place." in texts
    assert wordings("a fox trots forward", "a quadruped trots forward", in_place=False)[2] == "trots forward"
    assert wordings("a flying creature attacks", "a flying creature attacks", True)[0] == "a flying creature attacks"
    assert verb_phrase("a flying creature hovers") == "hovers"


def test_mirrored_captions_change_sides_once() -> None:
    assert mirrored("a dog turns left, then right") == "a dog turns right, then left"
    assert mirrored(mirrored("lifts the left paw")) == "lifts the left paw"


def _sample() -> augment.Sample:
    rig = _walker()
    training = TrainingRig(
        rig.positions, rig.parents, rig.labels, rig.facing, tuple(c.joint for c in rig.contacts), "biped", "x", False
    )
    return augment.Sample(training, _walk(rig))


def _positions(sample: augment.Sample) -> np.ndarray:
    rig = sample.rig
    offsets = rig.positions - np.where(rig.parents[:, None] < 0, 0.0, rig.positions[rig.parents])
    return pose(offsets, rig.parents, sample.motion.rotations, sample.motion.root)[1]


def test_mirroring_reflects_the_motion_and_twice_is_nothing() -> None:
    sample = _sample()
    once = augment.mirror(sample)
    assert np.allclose(_positions(once), _positions(sample) * [-1, 1, 1])
    assert np.allclose(_positions(augment.mirror(once)), _positions(sample))
    assert augment.mirror(once).rig.labels == sample.rig.labels


def test_removed_leaves_leave_the_others_where_they_were() -> None:
    sample = _sample()
    fewer = augment.remove_leaves(sample, np.random.default_rng(1))
    assert len(fewer.rig.positions) < len(sample.rig.positions)
    before, after = _positions(sample), _positions(fewer)
    kept = [int(np.abs(before[0] - spot).sum(1).argmin()) for spot in after[0]]
    assert np.allclose(before[:, kept], after)


def test_rescaled_bones_keep_the_canonical_frame_and_both_sides_alike() -> None:
    scaled = augment.rescaled(augment.scale_bones(_sample(), np.random.default_rng(2)))
    positions, parents = scaled.rig.positions, scaled.rig.parents
    lengths = np.linalg.norm(positions - positions[np.maximum(parents, 0)], axis=-1)
    labels = list(scaled.rig.labels)
    assert lengths[labels.index("Left Thigh")] == pytest.approx(lengths[labels.index("Right Thigh")])
    assert positions[:, 1].min() == pytest.approx(0.0, abs=1e-12)


def test_a_window_has_the_asked_frames_and_starts_facing_ahead() -> None:
    sample = _sample()
    clip = TrainingClip(0, "walk", sample.motion, ("a biped walks in place",), True, False)
    for seed in range(8):
        window = cut(sample.rig, clip, 40, np.random.default_rng(seed))
        assert window.features.shape == (40, len(window.parents), 12)
        assert np.isfinite(window.features).all()
        assert np.allclose(window.features[0, 0, 3:9], [1, 0, 0, 0, 1, 0], atol=1e-9)


def test_a_set_reads_back_with_the_same_hash(tmp_path: Path) -> None:
    sample = _sample()
    clip = TrainingClip(0, "walk", sample.motion, ("a biped walks",), True, False)
    hashes = []
    for name in ("a.npz", "b.npz"):
        cache.save(tmp_path / name, [sample.rig], [clip])
        rigs, clips, digest = cache.load(tmp_path / name)
        hashes.append(digest)
        assert np.allclose(clips[0].motion.rotations, clip.motion.rotations, atol=1e-6)
        assert rigs[0].labels == sample.rig.labels
    assert hashes[0] == hashes[1]


def test_rest_reads_as_identity() -> None:
    rig = _walker()
    skeleton = body([("Hips", "", (0, 1.0, 0)), ("LeftUpLeg", "Hips", (0.1, 0.98, 0)), ("Head", "Hips", (0, 1.6, 0))])
    own = build_rig(skeleton)
    motion = canonicalise(own, Clip.rest(skeleton, np.zeros(1)))
    assert np.allclose(motion.rotations, np.eye(3))
    assert len(rig.joints) > len(own.joints)
