"""Changed clips stay true: mirror, fewer leaves, other bones, another tempo, windows."""

from __future__ import annotations

import numpy as np
import pytest
from model.train.walker import sample, training_rig, walk, walker

from unimate_dcc.model.train import augment
from unimate_dcc.model.train.cache import TrainingClip
from unimate_dcc.model.train.cycles import travelling
from unimate_dcc.model.train.windows import cut
from unimate_dcc.rig.canonical import bone_lengths
from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.topology import diameter
from unimate_dcc.skeleton import FloatArray


def _positions(sample: augment.Sample) -> FloatArray:
    rig = sample.rig
    offsets = rig.positions - np.where(rig.parents[:, None] < 0, 0.0, rig.positions[rig.parents])
    return pose(offsets, rig.parents, sample.motion.rotations, sample.motion.root)[1]


def test_mirroring_reflects_the_motion_and_twice_is_nothing() -> None:
    one = sample()
    once = augment.mirror(one)
    twice = augment.mirror(once)
    assert np.allclose(_positions(once), _positions(one) * [-1, 1, 1], atol=1e-12)
    assert np.array_equal(twice.motion.rotations, one.motion.rotations)
    assert np.array_equal(twice.motion.root, one.motion.root)
    assert np.array_equal(twice.rig.positions, one.rig.positions)
    assert twice.rig.labels == one.rig.labels
    assert set(once.rig.labels) == set(one.rig.labels)
    assert once.rig.labels != one.rig.labels


def test_the_mirrored_body_still_faces_ahead() -> None:
    once = augment.mirror(sample())
    assert np.allclose(facing_rotations(_positions(once)[:1], once.rig.facing)[0], np.eye(3), atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_removed_leaves_leave_the_others_where_they_were(seed: int) -> None:
    one = sample()
    fewer = augment.remove_leaves(one, np.random.default_rng(seed))
    assert len(fewer.rig.positions) < len(one.rig.positions)
    before, after = _positions(one), _positions(fewer)
    kept = [int(np.abs(one.rig.positions - spot).sum(1).argmin()) for spot in fewer.rig.positions]
    assert np.allclose(before[:, kept], after, atol=1e-12)
    assert [one.rig.labels[joint] for joint in kept] == list(fewer.rig.labels)
    assert [kept[joint] for joint in fewer.rig.contacts] == list(one.rig.contacts)
    assert fewer.rig.facing is not None
    assert one.rig.facing is not None
    assert [kept[joint] for joint in fewer.rig.facing.right] == list(one.rig.facing.right)


@pytest.mark.parametrize("seed", range(4))
def test_rescaled_bones_keep_the_canonical_frame_and_both_sides_alike(seed: int) -> None:
    scaled = augment.rescaled(augment.scale_bones(sample(), np.random.default_rng(seed)))
    positions, parents = scaled.rig.positions, scaled.rig.parents
    lengths = bone_lengths(positions, parents)
    labels = list(scaled.rig.labels)
    assert lengths[labels.index("Left Thigh")] == pytest.approx(lengths[labels.index("Right Thigh")])
    assert diameter(parents, lengths) == pytest.approx(2.0)
    assert positions[:, 1].min() == pytest.approx(0.0, abs=1e-12)
    assert np.allclose(positions[0, [0, 2]], 0.0)


def test_other_bones_turn_as_before() -> None:
    one = sample()
    scaled = augment.scale_bones(one, np.random.default_rng(0))
    assert np.array_equal(scaled.motion.rotations, one.motion.rotations)
    before, after = (bone_lengths(rig.positions, rig.parents)[1:] for rig in (one.rig, scaled.rig))
    assert np.abs(after / before - 1.0).max() <= augment.BONE_SPREAD
    assert np.abs(after / before - 1.0).max() > 0.01


@pytest.mark.parametrize("factor", [0.85, 1.0, 1.15])
def test_another_tempo_travels_as_far_in_another_time(factor: float) -> None:
    rig = walker()
    moving = travelling(rig, walk(rig, laps=2))
    assert moving is not None
    changed = augment.change_tempo(moving, factor, 30.0)
    assert len(changed.root) == pytest.approx(1 + 40 / factor, abs=0.6)
    assert np.allclose(changed.root[[0, -1]], moving.root[[0, -1]], atol=1e-12)
    assert np.allclose(changed.rotations[[0, -1]], moving.rotations[[0, -1]], atol=1e-9)
    assert np.mean(np.diff(changed.root[:, 2])) == pytest.approx(0.03 * factor, rel=0.02)


def test_a_window_has_the_asked_frames_and_starts_facing_ahead() -> None:
    one = sample()
    clip = TrainingClip(0, "walk", one.motion, ("a biped walks in place",), True, False)
    for seed in range(8):
        window = cut(one.rig, clip, 40, np.random.default_rng(seed))
        assert window.features.shape == (40, len(window.parents), 12)
        assert np.isfinite(window.features).all()
        assert np.allclose(window.features[0, 0, 3:9], [1, 0, 0, 0, 1, 0], atol=1e-9)


@pytest.mark.parametrize(("loop", "frames"), [(True, 100), (False, 20), (False, 100)])
def test_the_same_random_numbers_cut_the_same_window(loop: bool, frames: int) -> None:
    one = sample()
    clip = TrainingClip(0, "walk", one.motion, ("a", "b"), loop, False)
    first, second = (cut(one.rig, clip, frames, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first.features, second.features)
    assert (first.caption, first.labels) == (second.caption, second.labels)
    assert len(first.features) == frames


def test_an_unchanged_window_is_the_clip_and_a_short_one_holds_its_end() -> None:
    rig = walker()
    clip = TrainingClip(0, "walk", walk(rig), ("first", "second"), False, False)
    window = cut(training_rig(rig), clip, 40, np.random.default_rng(0), change=False)
    assert window.caption == "first"
    assert np.allclose(window.features[:20, 0, 1], clip.motion.root[:20, 1], atol=1e-9)
    assert np.allclose(window.features[20:, :, 9:], 0.0, atol=1e-12)
    assert np.allclose(window.features[21:], window.features[20], atol=1e-12)
