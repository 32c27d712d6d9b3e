"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

NO_SHARED = "needs the shared folder: set UNIMATE_SHARED or lay it beside the clone"


def shared_folder() -> Path | None:
    """The reference material: UNIMATE_SHARED, else ``../shared`` beside the clone; None when absent."""
    named = os.environ.get("UNIMATE_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = shared_folder()
    if folder is None:
        pytest.skip(NO_SHARED)
    return folder
