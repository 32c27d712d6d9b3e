"""Windows cover any length, and joining them undoes the turning between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model.toy_model import toy_rig, toy_statistics

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model.features import ROTATION, from_six_d, six_d, turned
from unimate_dcc.model.windows import check_overlap, handed_on, joined, pieces
from unimate_dcc.skeleton import FloatArray


def circling(frames: int) -> FloatArray:
    """(T, 6, 12) features of a rig that turns more than once about Y; rotations are rotations."""
    rng = np.random.default_rng(2)
    features = rng.normal(size=(frames, 6, 12))
    features[..., ROTATION] = six_d(from_six_d(features[..., ROTATION]))
    angle = np.linspace(0, 9, frames)
    yaw = np.zeros((frames, 3, 3))
    yaw[:, 0, 0] = yaw[:, 2, 2] = np.cos(angle)
    yaw[:, 0, 2], yaw[:, 2, 0], yaw[:, 1, 1] = np.sin(angle), -np.sin(angle), 1.0
    features[:, 0, ROTATION] = six_d(yaw)
    return features


@given(
    segments=st.lists(st.integers(1, 500), min_size=1, max_size=5),
    window=st.integers(4, 90),
    overlap=st.integers(1, 89),
)
def test_pieces_add_up_to_every_segment_and_fit_their_windows(segments: list[int], window: int, overlap: int) -> None:
    if overlap >= window:
        return
    for number, frames in enumerate(segments):
        parts = pieces(frames, window, overlap, first=not number)
        rooms = [window if not number and not part else window - overlap for part in range(len(parts))]
        assert sum(parts) == frames
        assert all(0 < part <= room for part, room in zip(parts, rooms, strict=True))
        assert parts[:-1] == rooms[:-1], "no window is spare"


def test_an_overlap_as_long_as_the_window_is_refused() -> None:
    with pytest.raises(BadRequestError, match="overlap 60"):
        check_overlap(60, 60)
    check_overlap(59, 60)


def test_joining_refaced_windows_gives_the_run_back() -> None:
    run, parents, statistics = circling(60), toy_rig().parents, toy_statistics()
    window, overlap = 24, 6
    windows, yaws = [run[:window]], []
    local = run
    for start in (18, 36):
        _, yaw = handed_on(statistics.normalise(windows[-1])[-overlap:], parents, statistics)
        yaws.append(yaw)
        local = turned(local, parents, yaw)
        windows.append(local[start : start + window])
    np.testing.assert_allclose(joined(windows, yaws, [0, overlap, overlap], parents), run, atol=1e-9)


def test_the_tail_that_is_handed_on_faces_ahead() -> None:
    parents, statistics = toy_rig().parents, toy_statistics()
    ahead, yaw = handed_on(statistics.normalise(circling(60)[40:46]), parents, statistics)
    first = from_six_d(statistics.denormalise(ahead)[0, 0, ROTATION])
    np.testing.assert_allclose(first, np.eye(3), atol=1e-9)
    assert not np.allclose(yaw, np.eye(3), atol=0.1)


def test_constant_channels_of_a_tail_stay_as_the_network_left_them() -> None:
    """Their deviation is 1e-8: normalised again, the last digit of a rotation would become a large number."""
    parents, statistics = toy_rig().parents, toy_statistics()
    tail = np.random.default_rng(1).normal(size=(6, 6, 12))
    ahead, _ = handed_on(tail, parents, statistics)
    constant = statistics.constant(6)
    np.testing.assert_array_equal(ahead[:, constant], tail[:, constant])


def test_normalising_and_back_is_the_identity_where_a_channel_moves() -> None:
    statistics, features = toy_statistics(), circling(5)
    moving = ~statistics.constant(6)
    back = statistics.denormalise(statistics.normalise(features))
    np.testing.assert_allclose(back[:, moving], features[:, moving], atol=1e-12)
    assert not statistics.normalise(features)[:, ~moving].any()
