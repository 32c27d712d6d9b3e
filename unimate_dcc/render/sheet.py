"""Contact sheets and moving pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from unimate_dcc.render.camera import Camera, framing
from unimate_dcc.render.draw import BACKGROUND, SUPERSAMPLING, draw_frame
from unimate_dcc.render.picture import MotionPicture

CELL = (240, 200)
COLUMNS = 5
TITLE_HEIGHT = 26
INK = (40, 44, 52)
ANIMATION_SIZE = (360, 300)
ANIMATION_FPS = 15
FAR = 1.0
"""The camera follows a character that travels further than its own size."""


def contact_sheet(picture: MotionPicture, cells: int = 10, cell: tuple[int, int] = CELL) -> Image.Image:
    """Frames of a motion side by side, evenly spread, with their numbers and a title."""
    chosen = np.unique(np.round(np.linspace(0, len(picture.frames) - 1, cells)).astype(int))
    columns = min(COLUMNS, len(chosen))
    rows = -(-len(chosen) // columns)
    head = TITLE_HEIGHT if picture.title else 0
    sheet = Image.new("RGB", (columns * cell[0], rows * cell[1] + head), BACKGROUND)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(13)
    pen.text((8, 6), picture.title, fill=INK, font=font)
    cameras, ground = _view(picture, cell)
    for place, frame in enumerate(chosen):
        left, top = place % columns * cell[0], place // columns * cell[1] + head
        sheet.paste(draw_frame(picture, int(frame), cameras[frame], ground), (left, top))
        pen.text((left + 6, top + 4), picture.frames[frame], fill=INK, font=font)
    return sheet


def animation(picture: MotionPicture, path: Path, size: tuple[int, int] = ANIMATION_SIZE) -> None:
    """Write an animated WebP or GIF, by the suffix, in real time at up to 15 frames a second."""
    length = float(picture.seconds[-1])
    count = max(2, round(length * ANIMATION_FPS) + 1)
    wanted = np.linspace(0.0, length, count)
    nearest = np.abs(picture.seconds[None] - wanted[:, None]).argmin(1)
    cameras, ground = _view(picture, size)
    frames = [draw_frame(picture, int(frame), cameras[frame], ground) for frame in nearest]
    grain = 10 if path.suffix == ".gif" else 1  # GIF counts hundredths of a second, and ignores quality and method
    milliseconds = max(20, grain * round(1000 * length / max(count - 1, 1) / grain))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, quality=70, method=2)


def _view(picture: MotionPicture, size: tuple[int, int]) -> tuple[list[Camera], float]:
    """A camera for every frame, and the ground; the camera stands still unless the character travels far."""
    big = (size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING)
    low, high = picture.box
    path = picture.middle
    own_low, own_high = picture.box_along(path)
    if np.ptp(path, axis=0).max() < FAR * (own_high - own_low).max():
        return [framing(low, high, big)] * len(picture.frames), float(low[1])
    still = framing(own_low, own_high, big)
    return [replace(still, centre=still.centre + step) for step in path], float(low[1])
