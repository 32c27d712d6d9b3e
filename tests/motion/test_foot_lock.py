"""Feet that stand stay where they stand, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model.train.walker import walk, walker

from unimate_dcc.motion import foot_lock
from unimate_dcc.motion.contact_spans import Span, contact_spans
from unimate_dcc.motion.foot_lock import Locked
from unimate_dcc.motion.ground import onto_ground
from unimate_dcc.motion.limb import find_limb, reach
from unimate_dcc.motion.quality import contact_steps, skate, slide
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

FPS = 30.0


def _travelling(rig: Rig, slip: float) -> RigMotion:
    """A walk whose root goes ``slip`` per frame faster than its feet."""
    motion = walk(rig, period=30, laps=3, speed=0.02)
    way = np.arange(len(motion.root))[:, None] * np.array([0.0, 0.0, 0.02 + slip])
    return RigMotion(motion.rotations, motion.root + way)


def _feet(rig: Rig) -> list[int]:
    return [contact.joint for contact in rig.contacts]


def _locked(rig: Rig, motion: RigMotion) -> Locked:
    return foot_lock.lock_feet(rig.offsets, rig.parents, rig.positions, _feet(rig), motion, FPS)


def _bones(rig: Rig, positions: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.norm(positions[:, 1:] - positions[:, rig.parents[1:]], axis=-1))


def test_slipping_feet_stand_still_while_they_stand() -> None:
    rig = walker()
    motion = _travelling(rig, slip=0.012)
    locked = _locked(rig, motion)
    assert all(locked.spans) and locked.worst_miss < 1e-3
    positions = locked.motion.positions(rig)
    for foot, spans in zip(_feet(rig), locked.spans, strict=True):
        for span in spans:
            stance = positions[span.first : span.last + 1, foot]
            assert np.ptp(stance, axis=0).max() < 1e-3
    height = float(rig.positions[0, 1])
    before, after = (contact_steps(moved.positions(rig), FPS, _feet(rig), height) for moved in (motion, locked.motion))
    assert slide(*after) < slide(*before) / 2  # what remains is touch-down and lift-off


def test_the_roots_path_and_all_other_joints_stay() -> None:
    rig = walker()
    motion = _travelling(rig, slip=0.004)
    locked = _locked(rig, motion).motion
    np.testing.assert_array_equal(locked.root[:, [0, 2]], motion.root[:, [0, 2]])
    limbs = {joint for foot in _feet(rig) for joint in (foot, *find_limb(rig.parents, foot, _feet(rig)).joints)}
    others = [joint for joint in range(len(rig.joints)) if joint not in limbs and rig.parents[joint] not in limbs]
    np.testing.assert_allclose(locked.rotations[:, others], motion.rotations[:, others], atol=1e-12)


def test_bones_keep_their_lengths_and_joints_do_not_jump() -> None:
    rig = walker()
    motion = _travelling(rig, slip=0.004)
    positions, before = _locked(rig, motion).motion.positions(rig), motion.positions(rig)
    np.testing.assert_allclose(_bones(rig, positions), _bones(rig, before), atol=1e-9)
    peak = [float(np.linalg.norm(np.diff(p, 2, axis=0), axis=-1).max()) for p in (before, positions)]
    assert peak[1] < 1.5 * peak[0]


def test_a_planted_walk_is_left_as_it_is() -> None:
    rig = walker()
    motion = _travelling(rig, slip=0.0)
    locked = _locked(rig, motion).motion
    assert np.abs(locked.positions(rig) - motion.positions(rig)).max() < 0.02


def test_a_foot_whose_joint_is_an_ankle_stands_at_its_own_height() -> None:
    rig = walker()
    motion = _travelling(rig, slip=0.012)
    foot = _feet(rig)[0]
    below = rig.positions.copy()
    below[-1] = below[foot] - [0.0, 0.3, 0.0]  # something else is the lowest joint: the foot rests far above it
    low = foot_lock.lock_feet(rig.offsets, rig.parents, below, [foot], motion, FPS)
    assert low.spans[0]


def test_a_treadmill_is_no_contact() -> None:
    """Feet that slide back faster than E.5's threshold do not stand."""
    rig = walker()
    motion = walk(rig, period=12, laps=3, speed=0.05)
    assert not any(_locked(rig, motion).spans)
    assert skate(*contact_steps(motion.positions(rig), FPS, _feet(rig), float(rig.positions[0, 1]))) > 0.9


def test_spans_are_filtered_over_five_frames_and_short_ones_dropped() -> None:
    heights = np.ones(30)
    heights[[3, 10, 11, 13, 14, 20, 21]] = 0.0
    positions = np.zeros((30, 2, 3))
    positions[:, 0, 1] = 1.0
    positions[:, 1, 1] = heights
    (spans,) = contact_spans(positions, FPS, [1], 1.0)
    assert spans == [Span(11, 13)]


def test_a_limb_stops_before_a_branch() -> None:
    rig = walker()
    feet = _feet(rig)
    names = [joint.rsplit("/", 1)[-1] for joint in rig.joints]
    for foot in feet:
        limb = find_limb(rig.parents, foot, feet)
        assert "Hips" not in {names[joint] for joint in limb.joints}
        assert 1 <= len(limb.joints) <= 3


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_a_limb_reaches_any_place_within_its_length(seed: int) -> None:
    random = np.random.default_rng(seed)
    offsets = np.array([[0, 0, 0], [0.1, 0, 0], [0, -0.5, 0.05], [0, -0.5, -0.05], [0, 0, 0.15]])
    parents = [-1, 0, 1, 2, 3]
    rotations = np.broadcast_to(np.eye(3), (4, 5, 3, 3)).copy()
    root = np.zeros((4, 3))
    start = pose(offsets, parents, rotations, root)[1][:, 4]
    targets = start + random.uniform(-0.15, 0.15, (4, 3)) + [0, 0.2, 0]
    limb = find_limb(parents, 4, [4])
    reached = pose(offsets, parents, reach(offsets, parents, rotations, root, limb, targets), root)[1][:, 4]
    assert np.linalg.norm(reached - targets, axis=-1).max() < 0.01


def test_an_unreachable_place_is_approached_and_the_miss_told() -> None:
    rig = walker()
    limb = find_limb(rig.parents, _feet(rig)[0], _feet(rig))
    rotations = np.broadcast_to(np.eye(3), (2, len(rig.joints), 3, 3)).copy()
    root = np.repeat(rig.positions[:1], 2, axis=0)
    far = np.array([[0.0, 0.0, 5.0]] * 2)
    reached = pose(rig.offsets, rig.parents, reach(rig.offsets, rig.parents, rotations, root, limb, far), root)[1]
    assert np.isfinite(reached).all()
    assert reached[0, limb.contact, 2] > rig.positions[limb.contact, 2] + 0.3


@pytest.mark.parametrize("depth", [0.0, 0.1])
def test_one_deep_frame_lifts_its_neighbours_and_does_not_make_the_rest_hover(depth: float) -> None:
    rest = np.array([1.0, 0.0])
    positions = np.tile(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), (60, 1, 1))
    positions[30, :, 1] -= depth
    lift = onto_ground(positions, [1], rest)
    assert (positions[:, 1, 1] + lift).min() > -1e-9
    assert abs(lift[0]) < 1e-9 and abs(lift[-1]) < 1e-9
    assert np.abs(np.diff(lift)).max() < 0.35 * max(depth, 1e-9)
