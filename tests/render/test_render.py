"""Pictures of motion: framed, labelled, and different where the motion differs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unimate_dcc.render.camera import framing
from unimate_dcc.render.chart import COLOURS, chart
from unimate_dcc.render.picture import MotionPicture, Surface
from unimate_dcc.render.sheet import CELL, TITLE_HEIGHT, animation, contact_sheet


def _walk(travel: float = 0.0, frames: int = 12, surface: bool = False) -> MotionPicture:
    rest = np.array([[0, 1, 0], [0, 1.5, 0], [0.2, 0, 0.1], [-0.2, 0, 0.1]], dtype=float)
    positions = np.repeat(rest[None], frames, axis=0)
    swing = 0.3 * np.sin(np.linspace(0, 2 * np.pi, frames))
    positions[:, 2, 2] += swing
    positions[:, 3, 2] -= swing
    positions[..., 2] += np.linspace(0, travel, frames)[:, None]
    surfaces = [Surface(positions, np.array([[0, 2, 3]]), np.array([0.8, 0.2, 0.1]))] if surface else []
    return MotionPicture(
        positions, np.array([-1, 0, 0, 0]), ["", "", "Left", "Right"], surfaces, [str(f) for f in range(frames)],
        np.arange(frames) / 24.0, "a walk",
    )  # fmt: skip


def test_every_corner_of_the_box_is_inside_the_picture() -> None:
    low, high = np.array([-1.0, 0.0, -2.0]), np.array([1.0, 2.0, 3.0])
    camera = framing(low, high, (400, 300))
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
    pixels = camera.project(corners)
    assert pixels[:, 0].min() >= 0
    assert pixels[:, 0].max() <= 400
    assert pixels[:, 1].min() >= 0
    assert pixels[:, 1].max() <= 300


def test_up_in_the_world_is_up_in_the_picture() -> None:
    camera = framing(np.zeros(3), np.ones(3), (100, 100))
    below, above = camera.project(np.array([[0.5, 0.0, 0.5], [0.5, 1.0, 0.5]]))
    assert above[1] < below[1]


@pytest.mark.parametrize(("cells", "size"), [(10, (5, 2)), (3, (3, 1)), (1, (1, 1))])
def test_a_sheet_has_a_cell_for_every_frame(cells: int, size: tuple[int, int]) -> None:
    sheet = contact_sheet(_walk(), cells)
    assert sheet.size == (size[0] * CELL[0], size[1] * CELL[1] + TITLE_HEIGHT)


def test_a_moving_leg_changes_the_picture_and_a_surface_shows_its_colour() -> None:
    bare, dressed = contact_sheet(_walk(), 4), contact_sheet(_walk(surface=True), 4)
    cell = np.asarray(bare.crop((0, TITLE_HEIGHT + 20, CELL[0], TITLE_HEIGHT + CELL[1])))
    other = np.asarray(bare.crop((CELL[0], TITLE_HEIGHT + 20, 2 * CELL[0], TITLE_HEIGHT + CELL[1])))
    assert not np.array_equal(cell, other)
    reds = np.asarray(dressed, dtype=int)
    assert ((reds[..., 0] - reds[..., 2]) > 80).sum() > 500


def test_a_character_that_travels_far_stays_big() -> None:
    near, far = contact_sheet(_walk(), 2), contact_sheet(_walk(travel=50.0), 2)

    def height(sheet: Image.Image) -> int:
        cell = np.asarray(sheet.crop((CELL[0], TITLE_HEIGHT + 25, 2 * CELL[0], TITLE_HEIGHT + CELL[1])), dtype=int)
        rows = np.flatnonzero((np.abs(cell[..., 0] - cell[..., 2]) > 60).any(axis=1))
        return int(rows.max() - rows.min())

    assert height(far) > 0.6 * height(near)


@pytest.mark.parametrize("suffix", [".webp", ".gif"])
def test_an_animation_plays_in_real_time(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"walk{suffix}"
    picture = _walk(frames=25)
    animation(picture, path)
    with Image.open(path) as movie:
        frames = getattr(movie, "n_frames", 1)
        assert frames == 16
        total = 0
        for frame in range(frames):
            movie.seek(frame)
            movie.load()
            total += int(movie.info["duration"])
    assert total == pytest.approx(1000 * 16 / 15, rel=0.05)


def test_a_chart_draws_every_curve_inside_its_frame() -> None:
    curves = {"one": ([0, 50, 100], [1.0, 0.3, 0.1]), "two": ([10], [0.5])}
    pixels = np.asarray(chart("losses", curves, "steps"))
    for colour in COLOURS[:2]:
        places = np.argwhere((pixels[40:] == colour).all(-1))
        assert len(places)
    with pytest.raises(ValueError, match="no curve"):
        chart("losses", {"one": ([], [])}, "steps")
