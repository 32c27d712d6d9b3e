"""Every skeleton of the collected real files: UsdSkel's positions, or a named refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from usd_io.reference import shared_or_none, worst_miss

from unimate_dcc.usd_io.find import find_characters
from unimate_dcc.usd_io.stage import open_shot

SHARED = shared_or_none()
ORACLE: dict[str, Any] = json.loads((SHARED / "usd/corpus/ORACLE.json").read_text(encoding="utf-8")) if SHARED else {}
WITH_SKELETON = [name for name, row in ORACLE.items() if row.get("skeletons")]


@pytest.mark.parametrize("name", WITH_SKELETON or ["absent"])
def test_skeletons_of_real_files(shared: Path, name: str, reference_files: dict[str, set[str]]) -> None:
    shot = open_shot(shared / "usd" / name)
    found = {character.prim: character for character in find_characters(shot)}
    reference_files["corpus"].add(name)
    for skeleton in ORACLE[name]["skeletons"]:
        character = found[skeleton["path"]]
        if character.animatable:
            assert worst_miss(shot, character, skeleton["frames"]) <= 1.0
        else:
            assert not skeleton["n_joints"] or not skeleton["skelquery_valid"] or len(character.problem) > 10
