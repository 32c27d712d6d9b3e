"""The example assets and shots, made from nothing but code by ``examples/build.py`` of the repository."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from unimate_dcc.errors import TargetError


def write_examples(folder: Path) -> list[Path]:
    """Copy the examples; returns the shots.

    Raises:
        TargetError: the folder is not empty, or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise TargetError(str(folder), "is not empty; name a new folder for the examples")
    try:
        with as_file(files(__package__).joinpath("data")) as source:
            for path in sorted(source.rglob("*.usda")):
                copy = folder / path.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
    except OSError as error:
        raise TargetError(str(folder), f"cannot be written: {error.strerror}") from error
    return sorted((folder / "shots").glob("*.usda"))
