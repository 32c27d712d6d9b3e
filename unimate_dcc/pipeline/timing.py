"""Which stage time codes a take samples, and the seconds the model has to fill."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unimate_dcc.errors import FrameRangeError
from unimate_dcc.frames import parse_frames
from unimate_dcc.request import Request
from unimate_dcc.skeleton import FloatArray


@dataclass(frozen=True, eq=False)
class Timing:
    """The samples of one take.

    Attributes:
        time_codes: (S,) stage time codes to write, handles and sub-frames included, rising.
        start: Index of the first asked frame; before it lie the handles.
        first: First asked frame.
        last: Last asked frame.
        rate: Time codes per second of the stage.
    """

    time_codes: FloatArray
    start: int
    first: float
    last: float
    rate: float

    @property
    def seconds(self) -> FloatArray:
        """(S,) seconds from the first sample."""
        return np.asarray((self.time_codes - self.time_codes[0]) / self.rate)

    def including(self, more: FloatArray) -> Timing:
        """Also sampled at those of ``more`` stage time codes that lie inside, so that carried joints lose none."""
        inside = more[(more > self.time_codes[0]) & (more < self.time_codes[-1])]
        every = np.unique(np.concatenate((self.time_codes, inside)))
        start = int(np.searchsorted(every, self.time_codes[self.start]))
        return replace(self, time_codes=every, start=start)

    def poses(self, fps: float) -> int:
        """Poses at ``fps`` that cover all samples."""
        return int(np.ceil(self.seconds[-1] * fps - 1e-6)) + 1


def plan(
    request: Request,
    place: str,
    rate: float,
    authored: tuple[float, float] | None,
    start: float,
    window_seconds: float,
) -> Timing:
    """Settle the range of a request on a stage.

    Args:
        request: What was asked for.
        place: Name of the stage, for errors.
        rate: Time codes per second.
        authored: First and last time code of the stage; None where it has no range.
        start: Time code to start from where there is no range.
        window_seconds: One window of the model, the length where nothing else says.

    Raises:
        FrameRangeError: one frame or none, or frames outside the authored range.
        BadFramesError: a range outside the grammar.
    """
    first, last, step = _asked(request, place, rate, authored, start, window_seconds)
    if authored is not None and not request.extend:
        _inside(place, first, last, authored)
    step = step / request.subframes
    handles = request.handles
    count = int(np.floor((last - first) / step + 1e-6)) + 1
    before = int(np.ceil(handles / step - 1e-6))  # on the grid of the step, and never less than was asked for
    time_codes = first + np.arange(-before, count + before, dtype=np.float64) * step
    return Timing(_snapped(np.asarray(time_codes, dtype=np.float64)), before, first, last, rate)


def _asked(
    request: Request,
    place: str,
    rate: float,
    authored: tuple[float, float] | None,
    start: float,
    window_seconds: float,
) -> tuple[float, float, float]:
    asked = request.span
    if asked.frames is not None:
        span = parse_frames(asked.frames)
        first, last, step = float(span.first), float(span.last), float(span.step)
    elif asked.seconds is not None:
        first = authored[0] if authored else start
        last, step = first + round(asked.seconds * rate), 1.0
    elif authored is not None:
        first, last, step = *authored, 1.0
    else:
        first, last, step = start, start + np.floor(window_seconds * rate), 1.0
    if not last > first or first + step > last + 1e-6:
        spelled = f"{first:g}-{last:g}" + (f"x{step:g}" if step != 1.0 else "")
        problem = f"the range {spelled} holds no motion; ask for two frames or more with --frames FIRST-LAST"
        raise FrameRangeError(place, problem)
    return first, last, step


def _inside(place: str, first: float, last: float, authored: tuple[float, float]) -> None:
    low, high = authored
    if first < low or last > high:
        problem = f"frames {first:g}-{last:g} lie outside the shot's {low:g}-{high:g}; --extend allows them"
        raise FrameRangeError(place, problem)


def _snapped(time_codes: FloatArray) -> FloatArray:
    whole = np.round(time_codes)
    return np.where(np.abs(time_codes - whole) < 1e-6, whole, time_codes)
