"""What of a run is known before it is made: frames, joints or channels that keep their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model.features import POSITION, ROTATION, VELOCITY, turned
from unimate_dcc.model.statistics import FEATURES
from unimate_dcc.skeleton import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Known:
    """Values that hold throughout the sampling.

    Attributes:
        features: (T, J, 12) unnormalised, in the facing of the run's first frame; read only where ``keep`` is True.
        keep: (T, J, 12).
    """

    features: FloatArray
    keep: BoolArray

    def __post_init__(self) -> None:
        if self.features.shape != self.keep.shape or self.features.shape[-1] != FEATURES:
            raise BadRequestError("known", self.keep.shape, f"values have the shape {self.features.shape}")

    def window(self, first: int, frames: int, parents: IntArray, yaw: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Features and mask (frames, J, 12) from a frame on, turned by ``yaw``; nothing is known past the end."""
        part = slice(first, first + frames)
        features = np.zeros((frames, *self.features.shape[1:]))
        keep = np.zeros(features.shape, dtype=bool)
        here = turned(self.features[part], parents, yaw)
        features[: len(here)], keep[: len(here)] = here, self.keep[part]
        return features, keep


@dataclass(frozen=True, eq=False)
class Place:
    """Where a window lies in its run.

    Attributes:
        first: Frame of the run at which it begins.
        yaw: (3, 3) from the facing of the run's first frame to that of the window's.
        origin: (3,) where the root is on the ground at its first frame, in the frame of the run; y is 0.
    """

    first: int
    yaw: FloatArray
    origin: FloatArray


class Projection(Protocol):
    """Moves an estimate of the finished motion onto constraints."""

    def __call__(self, features: FloatArray, place: Place) -> FloatArray:
        """(T, J, 12) unnormalised features of a window, in its own facing, and back."""
        ...


def kept_channels(parents: Sequence[int] | IntArray, kept: BoolArray) -> BoolArray:
    """Which channels stay when joints keep their rotation, and the root also its place.

    Slot j carries its parent's rotation (SPEC c), so what a slot holds follows from the joints above it.

    Args:
        parents: J parent indices, parents first.
        kept: (T, J).

    Returns:
        (T, J, 12).
    """
    chain = kept.copy()  # the joint and everything above it
    for joint in range(1, kept.shape[1]):
        chain[:, joint] &= chain[:, parents[joint]]
    above = np.concatenate((chain[:, :1], chain[:, list(parents[1:])]), axis=1)
    turns = np.concatenate((kept[:, :1], kept[:, list(parents[1:])]), axis=1)
    out = np.zeros((*kept.shape, FEATURES), dtype=bool)
    out[..., POSITION], out[..., ROTATION], out[..., VELOCITY] = above[..., None], turns[..., None], above[..., None]
    return out
