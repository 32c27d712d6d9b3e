"""The frame-range grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unimate_dcc.errors import BadFramesError
from unimate_dcc.frames import FrameRange, parse_frame_list, parse_frames

FRAMES = st.integers(-100_000, 100_000)


@given(first=FRAMES, length=st.integers(0, 5000), step=st.sampled_from([1.0, 2.0, 0.5, 0.25]))
def test_both_spellings_of_a_range_read_back(first: int, length: int, step: float) -> None:
    wanted = FrameRange(float(first), float(first + length), 1.0 if length == 0 else step)
    assert parse_frames(str(wanted)) == wanted
    assert parse_frames(wanted.frame_spec) == wanted


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("1001-1004", [1001, 1002, 1003, 1004]),
        ("1001:1005x2", [1001, 1003, 1005]),
        ("-10--8", [-10, -9, -8]),
        ("1-2x0.5", [1, 1.5, 2]),
        ("7", [7]),
    ],
)
def test_ranges_hold_both_ends(text: str, frames: list[float]) -> None:
    assert parse_frames(text).frames == frames


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1-10:4", "interleave"),
        ("10-1", "runs backwards; write 1-10"),
        ("1-10x0", "above 0"),
        ("a-b", "FrameSpec"),
        ("", "FrameSpec"),
        ("1-10y2", "no range"),
        ("1-5,9-12", "2 ranges"),
    ],
)
def test_what_is_refused_says_why(text: str, hint: str) -> None:
    with pytest.raises(BadFramesError, match=hint):
        parse_frames(text)


def test_lists_keep_their_order() -> None:
    assert [part.first for part in parse_frame_list("5-7, 1:2,9")] == [5, 1, 9]
