"""What to draw: joints, bones and surfaces over time, as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unimate_dcc.skeleton import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Surface:
    """A mesh that moves.

    Attributes:
        points: (T, P, 3) metres, Y up.
        faces: (F, 3) point indices.
        colour: (3,) 0 to 1.
    """

    points: FloatArray
    faces: IntArray
    colour: FloatArray


@dataclass(frozen=True, eq=False)
class MotionPicture:
    """One character in motion.

    Attributes:
        positions: (T, J, 3) joints, metres, Y up.
        parents: (J,) parent indices, -1 for roots.
        sides: J times ``Left``, ``Right`` or nothing; colours the bones.
        surfaces: Meshes, if any.
        frames: T labels.
        seconds: (T,) from the first frame.
        title: Drawn on top.
    """

    positions: FloatArray
    parents: IntArray
    sides: Sequence[str]
    surfaces: Sequence[Surface]
    frames: Sequence[str]
    seconds: FloatArray
    title: str

    @property
    def box(self) -> tuple[FloatArray, FloatArray]:
        """(3,) lowest and highest corner over all frames, meshes included."""
        return self.box_along(np.zeros((len(self.positions), 3)))

    def box_along(self, path: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The box (3,), (3,) as seen by somebody who moves along a path (T, 3)."""
        clouds: list[NDArray[np.float64]] = [(self.positions - path[:, None]).reshape(-1, 3)]
        clouds += [(item.points - path[:, None]).reshape(-1, 3) for item in self.surfaces if item.points.size]
        low = np.min([cloud.min(0) for cloud in clouds], axis=0)
        high = np.max([cloud.max(0) for cloud in clouds], axis=0)
        return low, high

    @property
    def middle(self) -> FloatArray:
        """(T, 3) middle of the joints over the ground, height 0: what a camera follows."""
        return np.asarray(np.median(self.positions, axis=1) * [1.0, 0.0, 1.0])
