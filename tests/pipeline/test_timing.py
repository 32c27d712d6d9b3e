"""Which time codes a request samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unimate_dcc.errors import BadFramesError, FrameRangeError
from unimate_dcc.pipeline.timing import Timing, plan
from unimate_dcc.request import GenerateRequest


def _plan(authored: tuple[float, float] | None = (1001.0, 1050.0), rate: float = 24.0, **fields: Any) -> Timing:
    request = GenerateRequest(shot="shot.usd", prompt="a fox trots", **fields)
    return plan(request, "shot.usd", rate, authored, 0.0, 59 / 30)


def test_without_frames_the_shots_range_is_taken() -> None:
    timing = _plan()
    assert timing.time_codes.tolist() == list(range(1001, 1051))
    assert timing.seconds[-1] == pytest.approx(49 / 24)


def test_a_stage_without_a_range_gets_one_window() -> None:
    timing = _plan(authored=None)
    assert timing.time_codes[0] == 0.0
    assert timing.poses(30.0) <= 60


@given(first=st.integers(-500, 500), length=st.integers(1, 300), handles=st.integers(0, 8), subframes=st.integers(1, 4))
def test_handles_and_subframes_surround_the_asked_frames(first: int, length: int, handles: int, subframes: int) -> None:
    timing = _plan(None, frames=f"{first}-{first + length}", handles=handles, subframes=subframes)
    assert timing.time_codes[timing.start] == first
    assert timing.time_codes[0] == first - handles
    assert timing.time_codes[-1] == first + length + handles
    assert len(timing.time_codes) == (length + 2 * handles) * subframes + 1


def test_seconds_run_at_the_stages_rate() -> None:
    assert _plan((1.0, 1000.0), rate=25.0, seconds=2.0).last == 51.0
    assert _plan((1.0, 1000.0), rate=29.97, frames="1-31").seconds[-1] == pytest.approx(30 / 29.97)


def test_the_model_covers_the_last_sample() -> None:
    timing = _plan((1.0, 25.0))
    assert (timing.poses(30.0) - 1) / 30.0 >= timing.seconds[-1] - 1e-9
    assert timing.poses(30.0) == 31


@pytest.mark.parametrize("fields", [{"frames": "990-1010"}, {"frames": "1040-1060"}, {"seconds": 9.0}])
def test_frames_outside_the_shot_need_extend(fields: dict[str, Any]) -> None:
    with pytest.raises(FrameRangeError, match="--extend"):
        _plan(**fields)
    assert len(_plan(extend=True, **fields).time_codes) > 2


@given(
    first=st.integers(-50, 50), length=st.integers(1, 60), handles=st.integers(0, 9),
    step=st.sampled_from([0.3, 0.5, 1.0, 2.0, 5.0]),
)  # fmt: skip
def test_handles_hold_at_least_what_was_asked_for_on_the_grid(
    first: int, length: int, handles: int, step: float
) -> None:
    assume(step <= length)
    timing = _plan(None, frames=f"{first}-{first + length}x{step}", handles=handles)
    assert timing.time_codes[timing.start] == first
    assert handles - 1e-6 <= first - timing.time_codes[0] < handles + step
    assert np.allclose(np.diff(timing.time_codes), step)
    after = timing.time_codes[-1] - timing.last
    assert handles - step < after < handles + step


def test_stage_time_codes_may_be_fractions_and_negative() -> None:
    timing = _plan((-4.5, 2.5))
    assert timing.time_codes.tolist() == [-4.5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
    assert _plan((0.0, 9.0), frames="0:4x2").time_codes.tolist() == [0.0, 2.0, 4.0]


@pytest.mark.parametrize("frames", ["9-1", "1-9:2", "1-3,5-7", "a-b", ""])
def test_a_range_outside_the_grammar_is_refused(frames: str) -> None:
    with pytest.raises(BadFramesError):
        _plan(None, frames=frames)


@pytest.mark.parametrize(
    ("authored", "frames"),
    [((1001.0, 1001.0), None), ((1001.0, 990.0), None), (None, "5"), (None, "1-10x20"), ((1.0, 1.5), None)],
)
def test_one_frame_or_none_holds_no_motion(authored: tuple[float, float] | None, frames: str | None) -> None:
    with pytest.raises(FrameRangeError, match="no motion"):
        _plan(authored, frames=frames)


def test_the_sources_own_samples_inside_are_kept() -> None:
    timing = _plan((1.0, 5.0), handles=1).including(np.array([-3.0, 2.5, 3.0, 99.0]))
    assert timing.time_codes.tolist() == [0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0]
    assert timing.time_codes[timing.start] == 1.0
