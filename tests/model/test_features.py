"""Laws of the twelve features, on random trees and motions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from unimate_dcc.model import features
from unimate_dcc.rig.facing import FacingPair, facing_rotations, yaw_rotations
from unimate_dcc.rig.pose import pose
from unimate_dcc.skeleton import FloatArray, IntArray

SEEDS = st.integers(0, 10_000)
laws = settings(max_examples=30, deadline=None)
FACING = FacingPair((1,), (2,))


def _rotations(random: np.random.Generator, *shape: int) -> FloatArray:
    flat = Rotation.from_rotvec(random.normal(size=(int(np.prod(shape)), 3))).as_matrix()
    return np.asarray(flat.reshape(*shape, 3, 3))


def _motion(seed: int, frames: int = 7, joints: int = 9) -> tuple[FloatArray, IntArray, FloatArray, FloatArray]:
    """Offsets, parents, rotations and root of a random tree whose first pose faces +Z at x = z = 0; leaves rest."""
    random = np.random.default_rng(seed)
    parents = np.array([-1, 0, 0, *(int(random.integers(0, joint)) for joint in range(3, joints))])
    offsets = random.normal(size=(joints, 3))
    rotations = _rotations(random, frames, joints)
    leaves = [joint for joint in range(joints) if joint not in parents]
    rotations[:, leaves] = np.eye(3)
    root = np.cumsum(random.normal(size=(frames, 3)), axis=0)
    root -= root[0] * [1.0, 0.0, 1.0]
    turn = facing_rotations(pose(offsets, parents, rotations, root)[1], FACING)[0]
    rotations[:, 0] = turn @ rotations[:, 0]
    return offsets, parents, rotations, root @ turn.T


@laws
@given(seed=SEEDS)
def test_a_motion_comes_back_from_its_features(seed: int) -> None:
    offsets, parents, rotations, root = _motion(seed)
    values = features.features_from_motion(offsets, parents, FACING, rotations, root)
    again, path = features.motion_from_features(offsets, parents, values)
    assert values.shape == (6, 9, 12)
    assert np.allclose(again, rotations[:-1], atol=1e-9)
    assert np.allclose(path, root[:-1], atol=1e-9)


@laws
@given(seed=SEEDS)
def test_both_decodings_give_the_same_positions(seed: int) -> None:
    offsets, parents, rotations, root = _motion(seed)
    values = features.features_from_motion(offsets, parents, FACING, rotations, root)
    positions = pose(offsets, parents, rotations, root)[1][:-1]
    assert np.allclose(features.positions_from_features(values), positions, atol=1e-9)
    assert np.allclose(pose(offsets, parents, *features.motion_from_features(offsets, parents, values))[1], positions)


@laws
@given(seed=SEEDS, angle=st.floats(-3.1, 3.1))
def test_turned_features_are_those_of_the_turned_motion(seed: int, angle: float) -> None:
    offsets, parents, rotations, root = _motion(seed)
    yaw = yaw_rotations(np.array(angle))
    values = features.features_from_motion(offsets, parents, FACING, rotations, root)
    elsewhere = rotations.copy()
    elsewhere[:, 0] = yaw @ elsewhere[:, 0]
    wanted = features.features_from_motion(offsets, parents, FACING, elsewhere, root @ yaw.T)
    got = features.turned(values, parents, yaw)
    assert np.allclose(got, wanted, atol=1e-9)
    assert np.allclose(features.root_path(got), features.root_path(values) @ yaw.T, atol=1e-9)
    assert np.allclose(features.turned(got, parents, yaw.T), values, atol=1e-9)


@laws
@given(seed=SEEDS, start=st.integers(0, 5))
def test_a_crop_that_is_realigned_is_the_same_motion_from_there(seed: int, start: int) -> None:
    offsets, parents, rotations, root = _motion(seed)
    values = features.features_from_motion(offsets, parents, FACING, rotations, root)
    crop = features.realigned(values[start:], parents)
    assert np.allclose(features.from_six_d(crop[0, 0, features.ROTATION]), np.eye(3), atol=1e-12)
    turn = facing_rotations(pose(offsets, parents, rotations, root)[1], FACING)[start]
    wanted = (root[start:-1] - root[start] * [1.0, 0.0, 1.0]) @ turn.T
    assert np.allclose(features.root_path(crop), wanted, atol=1e-9)
    assert np.array_equal(crop[..., features.POSITION], values[start:, :, features.POSITION])


@laws
@given(seed=SEEDS, sideways=st.floats(-5.0, 5.0), ahead=st.floats(-5.0, 5.0))
def test_where_a_motion_is_on_the_ground_is_not_in_its_features(seed: int, sideways: float, ahead: float) -> None:
    offsets, parents, rotations, root = _motion(seed)
    here = features.features_from_motion(offsets, parents, FACING, rotations, root)
    there = features.features_from_motion(offsets, parents, FACING, rotations, root + [sideways, 0.0, ahead])
    assert np.allclose(here, there, atol=1e-9)


def test_a_body_that_walks_a_circle_comes_back_to_its_start() -> None:
    frames = 41
    offsets, parents = np.array([[0, 1, 0], [-0.1, 0, 0], [0.1, 0, 0]], dtype=float), np.array([-1, 0, 0])
    heading = np.linspace(0.0, 2 * np.pi, frames)
    rotations = np.broadcast_to(np.eye(3), (frames, 3, 3, 3)).copy()
    rotations[:, 0] = yaw_rotations(heading)
    root = np.stack([1.0 - np.cos(heading), np.ones(frames), np.sin(heading)], axis=-1)
    values = features.features_from_motion(offsets, parents, FACING, rotations, root)
    assert np.allclose(values[:, 0, 9:], values[0, 0, 9:], atol=1e-12)
    assert values[0, 0, 11] > 0.1
    assert np.allclose(features.root_path(values), root[:-1], atol=1e-9)


@laws
@given(seed=SEEDS)
def test_any_six_numbers_become_a_proper_rotation_and_a_rotation_stays_itself(seed: int) -> None:
    random = np.random.default_rng(seed)
    turned = features.from_six_d(random.normal(size=(20, 6)))
    assert np.allclose(turned @ np.swapaxes(turned, -1, -2), np.eye(3), atol=1e-9)
    assert np.allclose(np.linalg.det(turned), 1.0)
    assert np.allclose(features.from_six_d(features.six_d(turned)), turned, atol=1e-12)


@laws
@given(seed=SEEDS)
def test_noise_on_the_siblings_copies_is_averaged_to_a_proper_rotation(seed: int) -> None:
    offsets, parents, rotations, root = _motion(seed)
    values = features.features_from_motion(offsets, parents, FACING, rotations, root)
    values[:, 1:, features.ROTATION] += np.random.default_rng(seed).normal(scale=0.01, size=values[:, 1:, :6].shape)
    again, _ = features.motion_from_features(offsets, parents, values)
    assert np.allclose(np.linalg.det(again), 1.0)
    assert np.abs(again - rotations[:-1]).max() < 0.15
