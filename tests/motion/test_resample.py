"""Laws of resampling."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from unimate_dcc.motion.resample import resample_rotations, resample_vectors


def _rotations(seed: int, frames: int, joints: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(frames * joints, 3))
    return Rotation.from_rotvec(vectors).as_matrix().reshape(frames, joints, 3, 3)


@given(seed=st.integers(0, 1000), frames=st.integers(1, 12))
def test_asking_for_the_samples_gives_the_samples(seed: int, frames: int) -> None:
    rotations = _rotations(seed, frames, 3)
    seconds = np.arange(frames) / 30.0
    assert np.allclose(resample_rotations(rotations, 30.0, seconds), rotations, atol=1e-9)
    vectors = rotations[..., 0]
    assert np.allclose(resample_vectors(vectors, 30.0, seconds), vectors, atol=1e-12)


def test_half_way_between_two_rotations_is_half_the_turn() -> None:
    pair = Rotation.from_euler("y", [[0.0], [90.0]], degrees=True).as_matrix()[:, None]
    middle = resample_rotations(pair, 30.0, np.array([0.5 / 30]))
    expected = Rotation.from_euler("y", 45.0, degrees=True).as_matrix()
    assert np.allclose(middle[0, 0], expected, atol=1e-12)


def test_the_turn_takes_the_short_way_round() -> None:
    pair = Rotation.from_euler("y", [[170.0], [-170.0]], degrees=True).as_matrix()[:, None]
    middle = resample_rotations(pair, 24.0, np.array([0.5 / 24]))
    assert np.allclose(middle[0, 0], Rotation.from_euler("y", 180.0, degrees=True).as_matrix(), atol=1e-9)


def test_times_beyond_the_ends_hold_the_ends() -> None:
    values = np.array([[0.0], [1.0], [4.0]])
    got = resample_vectors(values, 30.0, np.array([-1.0, 9.0]))
    assert got[:, 0].tolist() == [0.0, 4.0]


def test_a_speed_survives_the_change_of_rate() -> None:
    values = np.arange(61)[:, None] / 30.0  # one unit a second
    seconds = np.arange(0, 48) / 24.0
    got = resample_vectors(values, 30.0, seconds)
    assert np.allclose(np.diff(got[:, 0]) * 24.0, 1.0)
