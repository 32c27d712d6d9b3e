"""Compare what we read with the recorded answers of UsdSkel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from conftest import shared_folder

from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.read import world_matrices
from unimate_dcc.usd_io.stage import Shot

SHARE, UNITS = 1e-4, 2e-5
"""Tolerance of the shared USD files: share of the box's diagonal, stage units."""


def shared_or_none() -> Path | None:
    """The shared folder, for parametrisation."""
    return shared_folder()


def worst_miss(shot: Shot, character: Character, frames: dict[str, Any]) -> float:
    """Largest miss over all recorded frames, as a share of the tolerance."""
    worst = 0.0
    for time, frame in frames.items():
        wanted = frame.get("world_pos")
        if not isinstance(wanted, list) or not wanted or wanted[0] is None:
            continue
        found = world_matrices(shot, character, [float(time)])[0, :, :3, 3]
        worst = max(worst, float(np.abs(found - np.array(wanted)).max()) / tolerance(np.array(wanted)))
    return worst


def tolerance(positions: np.ndarray) -> float:
    """Allowed miss for (J, 3) positions, in their units."""
    return max(SHARE * float(np.linalg.norm(np.ptp(positions, axis=0))), UNITS)


def assert_close(found: np.ndarray, wanted: np.ndarray) -> None:
    """Equal to the tolerance of the shared files."""
    allowed = max(SHARE * float(np.abs(wanted).max()), UNITS)
    np.testing.assert_allclose(found, wanted, atol=allowed, rtol=0)
