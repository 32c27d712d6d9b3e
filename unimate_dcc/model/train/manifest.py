"""What a folder of motion says about its files: licence, kind of body, captions, what is held out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unimate_dcc.errors import InputError

MANIFEST, SPLIT = "MANIFEST.json", "SPLIT.json"


class ManifestError(InputError):
    """A manifest that cannot be read, or lacks what it must have."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


@dataclass(frozen=True)
class Caption:
    """What a clip is said to do: ``a fox trots forward`` and ``a quadruped trots forward``."""

    specific: str
    generic: str


@dataclass(frozen=True)
class Entry:
    """One file of motion.

    Attributes:
        path: The file.
        name: Its path in the set, with forward slashes.
        licence: Licence name, empty where nobody wrote one down.
        category: Kind of body, or empty for what its skeleton tells.
        species: What the captions call it, or empty.
        held_out: Never trained on.
        captions: By the clip's number in the file; None for captions made from clip names.
    """

    path: Path
    name: str
    licence: str = ""
    category: str = ""
    species: str = ""
    held_out: bool = False
    captions: dict[int, Caption] | None = field(default=None, compare=False)


def read_manifest(folder: Path) -> list[Entry]:
    """Entries of ``MANIFEST.json``, with ``SPLIT.json`` beside it telling which topologies are held out.

    A file needs ``file`` and ``licence``; ``category``, ``species``, ``topology_hash`` and ``clips`` (each with
    ``gltf_animation_index``, ``caption``, ``caption_generic``) are optional.

    Raises:
        ManifestError: no JSON, or a field is missing.
    """
    path = folder / MANIFEST
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["files"]
        split = folder / SPLIT
        test = json.loads(split.read_text(encoding="utf-8"))["test"] if split.exists() else []
        held_out = {row["topology_hash"] for row in test}
        return [_entry(folder, row, held_out) for row in rows]
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise ManifestError(str(path), f"cannot be read as a manifest: {error!r}") from error


def _entry(folder: Path, row: dict[str, Any], held_out: set[str]) -> Entry:
    captions = None
    if "clips" in row:
        captions = {
            clip["gltf_animation_index"]: Caption(clip["caption"], clip["caption_generic"]) for clip in row["clips"]
        }
    return Entry(
        path=folder / row["file"],
        name=row["file"],
        licence=row.get("licence", ""),
        category=row.get("category", ""),
        species=row.get("species", ""),
        held_out=row.get("topology_hash") in held_out,
        captions=captions,
    )
