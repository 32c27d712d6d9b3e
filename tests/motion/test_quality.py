"""Laws of the quality measures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model.train.walker import walk, walker

from unimate_dcc.model.train.cycles import travelling
from unimate_dcc.motion.quality import (
    NEAR_GROUND,
    SKATES,
    STILL,
    Quality,
    contact_steps,
    excursions,
    jerk,
    measure,
    penetration,
    ranked,
    speed,
)
from unimate_dcc.rig.facing import yaw_rotations
from unimate_dcc.skeleton import FloatArray

FPS = 30.0


def _wandering(seed: int, frames: int = 40, joints: int = 3) -> FloatArray:
    """Smooth random paths of joints, above and below the ground."""
    random = np.random.default_rng(seed)
    seconds = np.arange(frames) / FPS
    waves = random.normal(size=(4, joints, 3)) * 0.1
    phases = random.uniform(0, 6, size=(4, joints, 3))
    turns = np.arange(1, 5)[:, None, None, None] * seconds[:, None, None]
    return np.asarray((waves[:, None] * np.sin(turns + phases[:, None])).sum(0))


def _assert_alike(one: Quality, other: Quality) -> None:
    values, wanted = ({name: value for name, value in vars(of).items() if value is not None} for of in (one, other))
    assert values == pytest.approx(wanted, rel=1e-6, abs=1e-9)


def _walker_quality(travels: bool, slip: float = 0.0) -> Quality:
    rig = walker()
    motion = walk(rig, laps=3)
    if travels:
        moving = travelling(rig, motion)
        assert moving is not None
        steps = np.arange(len(motion.root))[:, None] * [0.0, 0.0, slip]
        motion = replace(moving, root=moving.root + steps)
    contacts = [contact.joint for contact in rig.contacts]
    return measure(motion.positions(rig), FPS, contacts=contacts, root_height=float(rig.positions[0, 1]))


def test_a_still_clip_has_no_jerk_no_speed_no_drift_and_is_static() -> None:
    quality = measure(np.repeat(_wandering(0)[:1] + [0, 9, 0], 20, axis=0), FPS, contacts=[2], root_height=1.0)
    assert (quality.jerk, quality.speed, quality.drift) == (0.0, 0.0, 0.0)
    assert quality.excursion == pytest.approx(0.0, abs=1e-12)
    assert (quality.penetration_share, quality.penetration_depth) == (0.0, 0.0)
    assert quality.static
    assert quality.roughness == 0.0


def test_planted_feet_skate_at_no_step_but_their_landings() -> None:
    """Paper E.5 asks for the height at the end of a step only, so a fast landing counts."""
    rig = walker()
    moving = travelling(rig, walk(rig, laps=3))
    assert moving is not None
    height, joints = float(rig.positions[0, 1]), [contact.joint for contact in rig.contacts]
    positions = moving.positions(rig)
    _, steps, near = contact_steps(positions, FPS, joints, height)
    lands = positions[:-1, joints, 1] / height >= NEAR_GROUND
    assert (near & ~lands).sum() > 50
    assert steps[near & ~lands].max() < 1e-9
    planted, sliding = _walker_quality(travels=True), _walker_quality(travels=False)
    assert planted.skate == pytest.approx((near & lands & (steps > SKATES)).sum() / near.sum())
    assert sliding.skate is not None
    assert sliding.skate > 0.9
    assert (planted.slide or 0.0) < 0.2 * (sliding.slide or 0.0)
    assert not planted.static


@pytest.mark.parametrize(("step", "skates"), [(0.02, 0.0), (0.03, 1.0)])
def test_a_foot_that_glides_on_the_ground_skates_beyond_the_papers_threshold(step: float, skates: float) -> None:
    foot = np.zeros((10, 2, 3))
    foot[:, 0, 1] = 2.0
    foot[:, 1, 2] = np.arange(10) * step * 2.0
    quality = measure(foot, FPS, contacts=[1], root_height=2.0)
    assert quality.skate == skates
    assert quality.slide == pytest.approx(100 * step)  # at height 0 the weight is 2 - 2^0 = 1


def test_a_step_counts_less_the_higher_the_foot_and_not_at_all_above_the_band() -> None:
    feet = np.zeros((2, 4, 3))
    feet[1, 1:, 0] = 0.03
    feet[:, 1:, 1] = [0.0, 0.025, 0.06]
    low, middle = (measure(feet, FPS, contacts=[joint], root_height=1.0).slide for joint in (1, 2))
    assert low == pytest.approx(3.0)
    assert middle == pytest.approx(3.0 * (2 - 2**0.5))
    assert measure(feet, FPS, contacts=[3], root_height=1.0).skate is None
    assert measure(feet, FPS).skate is None


def test_contacts_without_a_root_height_are_refused() -> None:
    with pytest.raises(ValueError, match="root height"):
        measure(_wandering(0), FPS, contacts=[1])


@given(seed=st.integers(0, 200), scale=st.floats(0.01, 300.0))
def test_every_measure_is_the_same_in_another_unit(seed: int, scale: float) -> None:
    positions = _wandering(seed)
    one = measure(positions, FPS, contacts=[1, 2], root_height=0.4)
    other = measure(positions * scale, FPS, contacts=[1, 2], root_height=0.4 * scale, size=scale)
    _assert_alike(other, one)


@given(seed=st.integers(0, 200), yaw=st.floats(-3.0, 3.0))
def test_turning_and_moving_the_whole_clip_on_the_ground_changes_nothing(seed: int, yaw: float) -> None:
    positions = _wandering(seed)
    moved = positions @ yaw_rotations(np.float64(yaw)).T + [3.0, 0.0, -2.0]
    one = measure(positions, FPS, contacts=[1], root_height=0.4)
    other = measure(moved, FPS, contacts=[1], root_height=0.4)
    _assert_alike(other, one)


def test_smooth_motion_measures_alike_at_any_rate() -> None:
    def swinging(fps: float) -> Quality:
        seconds = np.arange(0, 2, 1 / fps)
        positions = np.zeros((len(seconds), 2, 3))
        positions[:, 0, 1] = 1.0
        positions[:, 1, 2] = 0.3 * np.sin(3 * seconds)
        return measure(positions, fps, contacts=[1], root_height=1.0)

    film, slow_motion = swinging(24.0), swinging(120.0)
    for name in ("speed", "jerk", "excursion", "slide"):
        assert getattr(film, name) == pytest.approx(getattr(slow_motion, name), rel=0.05), name
    assert film.skate == pytest.approx(slow_motion.skate or 0.0, abs=0.05)


def test_jerk_is_the_third_derivative_of_the_path() -> None:
    seconds = np.arange(30) / FPS
    path = np.stack([seconds**3, seconds**2, seconds], axis=-1)[:, None]
    assert jerk(path, FPS)[0] == pytest.approx(6.0)
    assert jerk(path[:3], FPS).tolist() == [0.0]


def test_travel_counts_as_drift_and_neither_as_speed_nor_as_excursion() -> None:
    positions = np.zeros((31, 2, 3)) + np.arange(31)[:, None, None] * [0.1, 0.0, 0.0]
    quality = measure(positions, FPS)
    assert quality.drift == pytest.approx(3.0)
    assert quality.speed == pytest.approx(0.0, abs=1e-12)
    assert excursions(positions).max() < STILL
    assert speed(positions * [0, 0, 0] + [0, 1, 0] * np.arange(31)[:, None, None], FPS) == pytest.approx(FPS)


def test_depth_is_the_deepest_joint_and_a_sole_is_no_fault() -> None:
    positions = np.ones((4, 2, 3))
    positions[1, 1, 1], positions[2, 1, 1] = -0.005, -0.2
    assert penetration(positions, 0.01) == (0.25, 0.2)
    assert measure(positions, FPS).penetration_share == 0.25


def test_the_better_take_stands_first_and_a_static_one_last_unless_rest_was_asked_for() -> None:
    planted, sliding, slipping = _walker_quality(True), _walker_quality(False), _walker_quality(True, slip=0.05)
    still = replace(planted, excursion=0.0, jerk=0.0, speed=0.0, slide=0.0)
    assert ranked([sliding, still, planted]) == [2, 0, 1]
    assert ranked([slipping, planted]) == [1, 0]
    assert ranked([planted, still], may_rest=True) == [1, 0]
    assert ranked([planted, planted]) == [0, 1]
    assert ranked([]) == []


def test_shaking_ranks_behind_the_same_motion_without() -> None:
    smooth = _wandering(1) + [0, 5, 0]
    shaken = smooth + np.random.default_rng(0).normal(size=smooth.shape) * 0.01
    assert ranked([measure(shaken, FPS), measure(smooth, FPS)]) == [1, 0]
