"""Footfalls: coupled phases, a path on the ground, feet that stand in the world while they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.turns import UP, about
from unimate_dcc.skeleton import FloatArray

FARTHEST = 0.965
"""A leg is planned to stretch to this share of its length; the rest is left to the sway of the body."""
LOWEST = 0.3
"""A gait lowers the hips by at most this share of their height to reach its stride."""


@dataclass(frozen=True, eq=False)
class Gait:
    """Where the body goes and when each foot stands.

    Attributes:
        period: Frames of one cycle, a whole number so that loops close.
        duty: Share of the cycle a foot stands.
        offsets: Place in the cycle of each leg's mid-stance.
        velocity: (2,) metres a frame to the left and ahead, in the body's own frame.
        turning: Radians a frame to the left.
        lift: Height of a swinging foot, metres.
    """

    period: int
    duty: float
    offsets: Sequence[float]
    velocity: FloatArray
    turning: float
    lift: float

    def travelled(self, frames: FloatArray) -> FloatArray:
        """(..., 3) metres of the body's path after (...) frames."""
        left, ahead = self.velocity
        angle = self.turning * frames
        if abs(self.turning) < 1e-9:
            across, along = left * frames, ahead * frames
        else:
            across = (left * np.sin(angle) + ahead * (1.0 - np.cos(angle))) / self.turning
            along = (ahead * np.sin(angle) - left * (1.0 - np.cos(angle))) / self.turning
        return np.stack([across, np.zeros_like(angle), along], axis=-1)

    def headings(self, frames: FloatArray) -> FloatArray:
        """(..., 3, 3) turns of the body after (...) frames."""
        return about(UP, self.turning * frames)

    def footfall(self, leg: int, home: FloatArray, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A foot's way.

        Args:
            leg: Which one.
            home: (3,) where it stands under the resting body, from the point that the path carries, metres.
            frames: (T,) times.

        Returns:
            (T, 3) metres, and (T,) place in the cycle, -0.5 to 0.5 about mid-stance.
        """
        cycles = frames / self.period - self.offsets[leg]
        step = np.floor(cycles + 0.5)
        place = cycles - step
        swing = np.abs(place) > 0.5 * self.duty
        start = np.where(swing & (place < 0), step - 1, step)
        share = np.where(swing, (cycles - start - 0.5 * self.duty) / (1.0 - self.duty), 0.0)
        before, after = self._print(leg, home, start), self._print(leg, home, start + 1)
        eased = (share - np.sin(2.0 * np.pi * share) / (2.0 * np.pi))[:, None]
        way = before + (after - before) * eased
        way[:, 1] += self.lift * np.sin(np.pi * share) ** 2
        return way, place

    def _print(self, leg: int, home: FloatArray, step: FloatArray) -> FloatArray:
        """(T, 3) where the foot stands in (T,) steps: under the body as it is at mid-stance."""
        middle = (step + self.offsets[leg]) * self.period
        return np.asarray(self.travelled(middle) + self.headings(middle) @ home)


def stance_sweep(body: Body, wanted: float, lowered: float = 0.0) -> tuple[float, float]:
    """How far feet may go ahead and behind while they stand, and how much lower the hips must be for it.

    Args:
        body: Whose legs.
        wanted: Metres from mid-stance.
        lowered: Metres by which the hips are lowered anyway.
    """
    most, drop = wanted, lowered
    for leg, reach in zip(body.legs, body.reaches, strict=True):
        ankle = body.standing(leg) if not leg.level else body.positions[leg.joints[leg.ankle]]
        across, down, along = ankle - body.positions[leg.joints[0]]
        longest = FARTHEST * reach.longest
        room = longest**2 - across**2 - (abs(along) + wanted) ** 2
        needed = -down - np.sqrt(max(room, 0.0))
        drop = max(drop, min(float(needed), LOWEST * -float(down)))
        room = longest**2 - across**2 - min(down + drop, 0.0) ** 2
        most = min(most, max(float(np.sqrt(max(room, 0.0))) - abs(float(along)), 0.1 * longest))
    return most, drop
