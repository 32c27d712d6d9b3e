"""An orthographic camera that frames a box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unimate_dcc.skeleton import FloatArray

YAW, PITCH = 40.0, 16.0
"""Degrees: a three-quarter view from the front left, a little from above."""
MARGIN = 1.12


@dataclass(frozen=True, eq=False)
class Camera:
    """Projects metres to pixels.

    Attributes:
        axes: (3, 3) rows: right, up, towards the eye.
        centre: (3,) metres; the middle of the picture.
        pixels_per_metre: Zoom.
        size: Width and height in pixels.
    """

    axes: FloatArray
    centre: FloatArray
    pixels_per_metre: float
    size: tuple[int, int]

    def project(self, points: FloatArray) -> FloatArray:
        """(..., 3) pixels x, y (down) and depth (nearer is larger) of (..., 3) metres."""
        view = (points - self.centre) @ self.axes.T * self.pixels_per_metre
        width, height = self.size
        return np.stack((width / 2 + view[..., 0], height / 2 - view[..., 1], view[..., 2]), axis=-1)


def framing(low: FloatArray, high: FloatArray, size: tuple[int, int], yaw: float = YAW, pitch: float = PITCH) -> Camera:
    """A camera that shows the whole box between two corners (3,)."""
    turn, tilt = np.radians(yaw), np.radians(pitch)
    eye = np.array([np.sin(turn) * np.cos(tilt), np.sin(tilt), np.cos(turn) * np.cos(tilt)])
    right = np.array([np.cos(turn), 0.0, -np.sin(turn)])
    axes = np.stack((right, np.cross(eye, right), eye))
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    centre = (low + high) / 2
    spread = np.ptp((corners - centre) @ axes.T, axis=0)
    width, height = size
    zoom = min(width / max(spread[0], 1e-6), height / max(spread[1], 1e-6)) / MARGIN
    return Camera(axes, centre, zoom, size)
