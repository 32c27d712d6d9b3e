"""Frame ranges, in the two spellings of the field.

``1001-1100`` and ``1001-1100x2`` as fileseq and OpenCue write them, ``1001:1100`` and ``1001:1100x2`` as USD FrameSpec
does. Negative frames and fractions are fine: ``-10--5``, ``1-3x0.5``. ``1-10:4`` is refused: it means interleave to one
tool and step to another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from unimate_dcc.errors import BadFramesError

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGE = re.compile(rf"^{_NUMBER}(?:[-:]{_NUMBER}(?:[xX]{_NUMBER})?)?$")
_INTERLEAVED = re.compile(rf"^{_NUMBER}-{_NUMBER}:{_NUMBER}$")
_FILLED = re.compile(rf"^{_NUMBER}[-:]{_NUMBER}y{_NUMBER}$")
GRAMMAR = "tried FIRST-LAST, FIRST-LASTxSTEP (fileseq) and FIRST:LAST, FIRST:LASTxSTEP (USD FrameSpec)"


@dataclass(frozen=True)
class FrameRange:
    """Frames from ``first`` to ``last``, both included, ``step`` apart."""

    first: float
    last: float
    step: float = 1.0

    def __str__(self) -> str:
        """As fileseq writes it."""
        return self._spelled("-")

    @property
    def frame_spec(self) -> str:
        """As USD's FrameSpec writes it."""
        return self._spelled(":")

    @property
    def frames(self) -> list[float]:
        """Every frame."""
        count = int((self.last - self.first) / self.step + 1e-9) + 1
        return [self.first + index * self.step for index in range(count)]

    def _spelled(self, separator: str) -> str:
        if self.first == self.last:
            return f"{self.first:.10g}"
        step = "" if self.step == 1.0 else f"x{self.step:.10g}"
        return f"{self.first:.10g}{separator}{self.last:.10g}{step}"


def parse_frames(text: str) -> FrameRange:
    """One range.

    Raises:
        BadFramesError: outside the grammar, several ranges, reversed, or a step that leads nowhere.
    """
    ranges = parse_frame_list(text)
    if len(ranges) != 1:
        raise BadFramesError(text, f"{len(ranges)} ranges; give one, motion has no gaps")
    return ranges[0]


def parse_frame_list(text: str) -> tuple[FrameRange, ...]:
    """Ranges and single frames, separated by commas, in the order given."""
    return tuple(_parse(part.strip(), text) for part in text.split(","))


def _parse(part: str, text: str) -> FrameRange:
    if _INTERLEAVED.match(part):
        problem = "':' means interleave in fileseq and OpenCue but step in OpenJD; write FIRST-LASTxSTEP"
        raise BadFramesError(text, problem)
    if _FILLED.match(part):
        problem = "'y' asks for the frames a step leaves out, which are no range; write FIRST-LASTxSTEP"
        raise BadFramesError(text, problem)
    match = _RANGE.match(part)
    if match is None:
        raise BadFramesError(text, GRAMMAR)
    first = float(match[1])
    last = float(match[2]) if match[2] is not None else first
    step = float(match[3]) if match[3] is not None else 1.0
    if last < first:
        raise BadFramesError(text, f"runs backwards; write {last:.10g}-{first:.10g}")
    if step <= 0:
        raise BadFramesError(text, "the step must be above 0")
    return FrameRange(first, last, step)
