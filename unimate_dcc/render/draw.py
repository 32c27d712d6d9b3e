"""Draw one frame of a motion: ground, surfaces sorted by depth, bones on top."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from unimate_dcc.render.camera import Camera
from unimate_dcc.render.picture import MotionPicture
from unimate_dcc.skeleton import FloatArray, IntArray

BACKGROUND = (244, 245, 247)
GRID = (214, 217, 222)
SHADOW = (222, 224, 229)
TRAIL = (240, 160, 60)
BONES = {"Left": (46, 110, 190), "Right": (205, 72, 62), "": (70, 74, 82)}
LIGHT = np.array([0.35, 0.85, 0.4]) / np.linalg.norm([0.35, 0.85, 0.4])
SUPERSAMPLING = 2
GRID_LINES = 10
MOST_FACES = 12_000
"""Of a bigger mesh only some triangles are drawn, enlarged to cover their neighbours: pictures stay quick."""
COVER = 1.7
"""So much larger than even sharing asks for, since the chosen ones do not lie evenly."""


def draw_frame(picture: MotionPicture, frame: int, camera: Camera, ground: float) -> Image.Image:
    """A picture of one frame, at the camera's size.

    Args:
        picture: What to draw.
        frame: Which sample.
        camera: Made for ``SUPERSAMPLING`` times the wanted size.
        ground: Height of the grid in metres.
    """
    image = Image.new("RGB", camera.size, BACKGROUND)
    pen = ImageDraw.Draw(image)
    _grid(pen, picture, camera, ground)
    _shadow(pen, picture, frame, camera, ground)
    _trail(pen, picture, frame, camera)
    _surfaces(pen, picture, frame, camera)
    _bones(pen, picture, frame, camera)
    width, height = camera.size
    return image.resize((width // SUPERSAMPLING, height // SUPERSAMPLING), Image.Resampling.LANCZOS)


def _grid(pen: ImageDraw.ImageDraw, picture: MotionPicture, camera: Camera, ground: float) -> None:
    low, high = picture.box
    span = float(max(np.ptp(np.stack((low, high)), axis=0)[[0, 2]].max(), 1e-6))
    step = _round_step(span / GRID_LINES * 2)
    first = np.floor((low - step) / step) * step
    last = np.ceil((high + step) / step) * step
    for axis, other in ((0, 2), (2, 0)):
        for value in np.arange(first[axis], last[axis] + step / 2, step):
            ends = np.full((2, 3), ground)
            ends[:, axis] = value
            ends[:, other] = first[other], last[other]
            _line(pen, camera.project(ends), GRID, 1)


def _round_step(length: float) -> float:
    power = 10.0 ** np.floor(np.log10(max(length, 1e-9)))
    return float(power * next(nice for nice in (1, 2, 5, 10) if nice * power >= length))


def _shadow(pen: ImageDraw.ImageDraw, picture: MotionPicture, frame: int, camera: Camera, ground: float) -> None:
    flat = picture.positions[frame].copy()
    flat[:, 1] = ground
    pixels = camera.project(flat)
    for joint, parent in enumerate(picture.parents):
        if parent >= 0:
            _line(pen, pixels[[parent, joint]], SHADOW, 5 * SUPERSAMPLING)


def _trail(pen: ImageDraw.ImageDraw, picture: MotionPicture, frame: int, camera: Camera) -> None:
    root = int(np.flatnonzero(picture.parents < 0)[0])
    if frame > 0:
        _line(pen, camera.project(picture.positions[: frame + 1, root]), TRAIL, SUPERSAMPLING)


def _surfaces(pen: ImageDraw.ImageDraw, picture: MotionPicture, frame: int, camera: Camera) -> None:
    corners, colours = [], []
    total = sum(len(surface.faces) for surface in picture.surfaces)
    share = min(1.0, MOST_FACES / max(total, 1))
    for surface in picture.surfaces:
        if not len(surface.faces):
            continue
        points = surface.points[min(frame, len(surface.points) - 1)]
        triangles = points[_some(surface.faces, share)]
        middle = triangles.mean(1, keepdims=True)
        triangles = middle + (triangles - middle) * (COVER / np.sqrt(share) if share < 1.0 else 1.0)
        normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
        shade = 0.45 + 0.55 * np.clip(np.abs(normal @ LIGHT), 0, 1)
        corners.append(camera.project(triangles))
        colours.append(np.clip(surface.colour, 0, 1)[None] ** (1 / 2.2) * shade[:, None] * 255)
    if not corners:
        return
    pixels, colour = np.concatenate(corners), np.concatenate(colours).astype(int)
    for index in np.argsort(pixels[..., 2].mean(-1)):
        pen.polygon([tuple(corner) for corner in pixels[index, :, :2].tolist()], fill=tuple(colour[index].tolist()))


def _some(faces: IntArray, share: float) -> IntArray:
    """The same scattered share of the faces (F, 3) at every call."""
    if share >= 1.0:
        return faces
    count = max(1, int(len(faces) * share))
    return faces[np.random.default_rng(0).permutation(len(faces))[:count]]


def _bones(pen: ImageDraw.ImageDraw, picture: MotionPicture, frame: int, camera: Camera) -> None:
    pixels = camera.project(picture.positions[frame])
    width = (1 if picture.surfaces else 2) * SUPERSAMPLING
    for joint in np.argsort(pixels[:, 2]):
        parent, colour = picture.parents[joint], BONES[picture.sides[joint]]
        if parent >= 0:
            _line(pen, pixels[[parent, joint]], colour, width)
        x, y, radius = *pixels[joint, :2], width * 0.9
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _line(pen: ImageDraw.ImageDraw, pixels: FloatArray, colour: tuple[int, int, int], width: int) -> None:
    pen.line([tuple(point) for point in pixels[:, :2].tolist()], fill=colour, width=width, joint="curve")
