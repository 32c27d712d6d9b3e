"""A chart of a few curves over one axis, the vertical one logarithmic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw

SIZE = (900, 480)
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 40, 36
INK, GRID, PAPER = (40, 44, 52), (222, 226, 232), (255, 255, 255)
COLOURS = ((31, 98, 189), (214, 92, 44), (52, 140, 80), (130, 80, 170))
Curve = tuple[Sequence[float], Sequence[float]]


def chart(title: str, curves: Mapping[str, Curve], unit: str) -> Image.Image:
    """Draw curves.

    Args:
        title: Above the chart.
        curves: x and y values by name; y above 0.
        unit: Of x.

    Raises:
        ValueError: no curve has a point.
    """
    xs = np.concatenate([np.asarray(x, dtype=np.float64) for x, _ in curves.values()])
    ys = np.concatenate([np.asarray(y, dtype=np.float64) for _, y in curves.values()])
    if not len(xs):
        raise ValueError("no curve has a point")
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.text((LEFT, 12), title, fill=INK)
    low, high = np.log10(ys.min()) - 0.02, np.log10(ys.max()) + 0.02
    left, right = float(xs.min()), float(xs.max()) + 1e-9
    _grid(draw, (left, right), (float(low), float(high)), unit)
    for number, (name, (x, y)) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        across = LEFT + (np.asarray(x) - left) / (right - left) * (SIZE[0] - LEFT - RIGHT)
        down = TOP + (high - np.log10(np.asarray(y))) / (high - low) * (SIZE[1] - TOP - BOTTOM)
        points = list(zip(across.tolist(), down.tolist(), strict=True))
        if len(points) > 1:
            draw.line(points, fill=colour, width=2)
        for a, b in points if len(points) < 80 else ():
            draw.ellipse((a - 2, b - 2, a + 2, b + 2), fill=colour)
        draw.text((SIZE[0] - 170, 12 + 13 * number), name, fill=colour)
    return image


def _grid(draw: ImageDraw.ImageDraw, x: tuple[float, float], y: tuple[float, float], unit: str) -> None:
    for share in np.linspace(0.0, 1.0, 6):
        across = LEFT + share * (SIZE[0] - LEFT - RIGHT)
        draw.line((across, TOP, across, SIZE[1] - BOTTOM), fill=GRID)
        draw.text((across - 14, SIZE[1] - BOTTOM + 6), f"{x[0] + share * (x[1] - x[0]):.0f}", fill=INK)
        down = TOP + share * (SIZE[1] - TOP - BOTTOM)
        draw.line((LEFT, down, SIZE[0] - RIGHT, down), fill=GRID)
        draw.text((8, down - 6), f"{10 ** (y[1] - share * (y[1] - y[0])):.3g}", fill=INK)
    draw.text((SIZE[0] - RIGHT - 6 * len(unit), SIZE[1] - 16), unit, fill=INK)
