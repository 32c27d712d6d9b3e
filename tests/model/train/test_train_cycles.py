"""Loops and the speed that planted feet tell."""

from __future__ import annotations

import numpy as np
import pytest
from model.train.walker import walk, walker

from unimate_dcc.model.train.cycles import is_loop, travelling, unrolled
from unimate_dcc.rig.facing import yaw_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray


def _feet(rig: Rig, motion: RigMotion) -> FloatArray:
    return motion.positions(rig)[:, [contact.joint for contact in rig.contacts]]


@pytest.mark.parametrize("speed", [0.01, 0.03, 0.04])
@pytest.mark.parametrize("duty", [0.5, 0.65])
@pytest.mark.parametrize("laps", [1, 3])
def test_planted_feet_tell_the_true_speed(speed: float, duty: float, laps: int) -> None:
    rig = walker()
    moving = travelling(rig, walk(rig, speed=speed, duty=duty, laps=laps))
    assert moving is not None
    assert np.allclose(np.diff(moving.root, axis=0), [0.0, 0.0, speed], atol=1e-9)


def test_feet_that_stand_do_not_slide_once_the_body_travels() -> None:
    rig = walker()
    moving = travelling(rig, walk(rig, laps=2))
    assert moving is not None
    feet = _feet(rig, moving)
    assert feet.shape[1] == 2
    low = feet[..., 1] < feet[..., 1].min() + 1e-6
    standing = low[:-1] & low[1:]
    assert standing.any(axis=0).all()
    assert np.linalg.norm(np.diff(feet, axis=0), axis=-1)[standing].max() < 1e-9


def test_no_speed_is_made_up() -> None:
    rig = walker()
    forward = walk(rig)
    still = RigMotion(np.repeat(forward.rotations[:1], 30, 0), np.repeat(forward.root[:1], 30, 0))
    assert travelling(rig, still) is None
    backward = RigMotion(forward.rotations[::-1], forward.root[::-1])
    assert travelling(rig, backward) is None
    sideways = forward.turned(yaw_rotations(np.array(np.pi / 2)))
    assert travelling(rig, sideways) is None
    there = travelling(rig, forward)
    assert there is not None
    assert travelling(rig, there) is None


def test_a_walk_in_place_closes_and_a_part_of_it_does_not() -> None:
    rig = walker()
    lap = walk(rig)
    assert is_loop(rig, lap)
    assert is_loop(rig, travelling(rig, lap) or lap)
    assert not is_loop(rig, RigMotion(lap.rotations[:9], lap.root[:9]))


@pytest.mark.parametrize("start", [0, 7, 19])
def test_an_unrolled_lap_is_the_lap_again_and_again(start: int) -> None:
    rig = walker()
    lap = walk(rig)
    long = unrolled(lap, 70, start)
    assert len(long.root) == 70
    assert np.allclose(long.positions(rig)[20:], long.positions(rig)[:-20], atol=1e-12)
    assert np.allclose(long.positions(rig)[0], lap.positions(rig)[start], atol=1e-12)
    steps = np.linalg.norm(np.diff(long.positions(rig), axis=0), axis=-1).max()
    assert steps <= 1.001 * np.linalg.norm(np.diff(lap.positions(rig), axis=0), axis=-1).max()


def test_travel_goes_on_from_lap_to_lap() -> None:
    rig = walker()
    moving = travelling(rig, walk(rig, speed=0.03))
    assert moving is not None
    path = unrolled(moving, 61, start=5).root
    assert np.allclose(np.diff(path, axis=0), [0.0, 0.0, 0.03], atol=1e-9)
