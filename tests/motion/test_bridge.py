"""A bridged motion hits its anchors, leaves with their velocity, and is otherwise what it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from unimate_dcc.motion.bridge import SETTLES, Anchor, bridged, carried_on, healed, rates
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.skeleton import FloatArray

FPS = 30.0


def swaying(frames: int, seed: int = 0, joints: int = 4) -> RigMotion:
    """A smooth motion."""
    random = np.random.default_rng(seed)
    phase = np.arange(frames)[:, None, None] / FPS * random.uniform(2, 5, (joints, 3)) + random.uniform(
        0, 6, (joints, 3)
    )
    rotations = Rotation.from_rotvec((0.4 * np.sin(phase)).reshape(-1, 3)).as_matrix().reshape(frames, joints, 3, 3)
    return RigMotion(rotations, np.cumsum(0.02 * np.cos(phase[:, 0]), axis=0))


def seconds(frames: int) -> FloatArray:
    return np.arange(frames) / FPS


def anchor(motion: RigMotion, frame: int, at: float) -> Anchor:
    return Anchor(at, motion.rotations[frame], motion.root[frame])


@given(places=st.sets(st.integers(0, 59), min_size=1, max_size=6))
def test_every_anchor_is_hit(places: set[int]) -> None:
    motion, other = swaying(60), swaying(60, seed=1)
    anchors = [anchor(other, frame, frame / FPS) for frame in sorted(places)]
    done = bridged(motion, seconds(60), anchors)
    for frame in places:
        np.testing.assert_allclose(done.rotations[frame], other.rotations[frame], atol=1e-9)
        np.testing.assert_allclose(done.root[frame], other.root[frame], atol=1e-12)


def test_anchors_of_the_motion_itself_change_nothing() -> None:
    motion = swaying(40)
    done = bridged(motion, seconds(40), [anchor(motion, frame, frame / FPS) for frame in (0, 17, 39)])
    np.testing.assert_allclose(done.rotations, motion.rotations, atol=1e-9)
    np.testing.assert_allclose(done.root, motion.root, atol=1e-12)


@pytest.mark.parametrize(("frame", "neighbour"), [(0, 1), (59, 58)])
def test_an_end_anchor_gives_its_velocity_to_the_motion(frame: int, neighbour: int) -> None:
    motion, other, times = swaying(60), swaying(60, seed=1), seconds(60)
    turning, moving = rates(other, times, frame, neighbour)
    wanted = Anchor(times[frame], other.rotations[frame], other.root[frame], turning, moving)
    done = bridged(motion, times, [wanted])
    new_turning, new_moving = rates(done, times, frame, neighbour)
    old_turning, old_moving = rates(motion, times, frame, neighbour)
    assert np.abs(new_turning - turning).max() < 0.2 * np.abs(old_turning - turning).max()
    assert np.abs(new_moving - moving).max() < 0.2 * np.abs(old_moving - moving).max()


def test_frames_that_carry_on_make_no_step_and_end_as_they_were() -> None:
    first, second = swaying(30), swaying(60, seed=1)
    jump = RigMotion(np.concatenate((first.rotations, second.rotations)), np.concatenate((first.root, second.root)))
    done = carried_on(jump, 30)
    bends = np.abs(np.diff(done.root, n=2, axis=0)).max(1)
    assert bends[27:30].max() < 0.1 * np.abs(np.diff(jump.root, n=2, axis=0)).max()
    settled = 30 + int(SETTLES * FPS) + 1
    np.testing.assert_array_equal(done.rotations[:30], jump.rotations[:30])
    np.testing.assert_allclose(done.root[settled:], jump.root[settled:], atol=1e-12)


def test_healed_frames_forget_what_they_were() -> None:
    motion = swaying(30)
    spiked = RigMotion(motion.rotations.copy(), motion.root.copy())
    for frame in (0, 12, 13, 29):
        spiked.rotations[frame] = np.eye(3)
        spiked.root[frame] += 5.0
    done = healed(spiked, [0, 12, 13, 29])
    assert np.abs(done.root - motion.root).max() < 0.02
    assert np.abs(done.rotations - motion.rotations).max() < 0.1
    np.testing.assert_array_equal(done.rotations[5], motion.rotations[5])
