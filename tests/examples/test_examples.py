"""The shipped examples: made by code, whole, valid, and what they promise to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom

from unimate_dcc.errors import TargetError
from unimate_dcc.examples import write_examples
from unimate_dcc.pipeline.inspect import inspect
from unimate_dcc.usd_io.stage import open_shot
from unimate_dcc.usd_io.validators import check_stage, failed

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "unimate_dcc/examples/data"
SHOTS = sorted((DATA / "shots").glob("*.usda"))
CATEGORIES = {
    "fox_meadow": "quadruped",
    "biped_stage": "biped",
    "bird_lawn": "bird",
    "snake_sand": "snake_limbless",
    "spider_floor": "arthropod",
    "lamp_desk": "articulated_object",
    "hero_stage": "biped",
}
FEET = {
    "fox_meadow": 4,
    "biped_stage": 2,
    "bird_lawn": 2,
    "snake_sand": 0,
    "spider_floor": 8,
    "lamp_desk": 0,
    "hero_stage": 2,
}


def test_building_again_gives_the_shipped_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(REPOSITORY / "examples/build.py"), str(tmp_path / "data")], check=True)
    shipped = {path.relative_to(DATA): path.read_bytes() for path in DATA.rglob("*.usda")}
    built = {path.relative_to(tmp_path / "data"): path.read_bytes() for path in (tmp_path / "data").rglob("*.usda")}
    assert built == shipped


@pytest.mark.parametrize("path", SHOTS, ids=lambda path: path.stem)
def test_shots_validate(path: Path) -> None:
    findings = check_stage(open_shot(path))
    assert not failed(findings), [str(finding) for finding in findings]


@pytest.mark.parametrize(("name", "category"), CATEGORIES.items())
def test_each_creature_is_understood(name: str, category: str) -> None:
    (skeleton,) = inspect(str(DATA / f"shots/{name}.usda"))["skeletons"]
    assert skeleton["rig"]["category"] == category
    assert len(skeleton["rig"]["contacts"]) == FEET[name]
    if skeleton["rig"]["facing"]:
        assert abs(skeleton["rig"]["facing"]["degreesFromPlusZ"]) < 1.0


def test_the_hero_has_180_joints_of_which_the_body_is_driven() -> None:
    (skeleton,) = inspect(str(DATA / "shots/hero_stage.usda"), limit=71)["skeletons"]
    assert skeleton["joints"] == 180
    held = {item["joint"].rsplit("/", 1)[-1]: item["reason"] for item in skeleton["rig"]["held"]}
    assert held["lip_03_l"] == "face joint"
    assert held["thigh_twist_01_r"] == "twist joint"
    assert held["ik_hand_l"] == "helper"


@pytest.mark.parametrize("path", sorted((DATA / "assets").glob("*.usda")), ids=lambda path: path.stem)
def test_skin_weights_sum_to_one(path: Path) -> None:
    stage = Usd.Stage.Open(str(path))
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    assert len(meshes) > 1
    for mesh in meshes:
        weights = np.array(UsdGeom.PrimvarsAPI(mesh).GetPrimvar("skel:jointWeights").Get()).reshape(-1, 2)
        assert np.allclose(weights.sum(1), 1.0, atol=1e-6)
        assert len(weights) == len(mesh.GetPointsAttr().Get())


def test_examples_are_written_to_a_new_folder_only(tmp_path: Path) -> None:
    shots = write_examples(tmp_path / "new")
    assert [shot.stem for shot in shots] == [path.stem for path in SHOTS]
    with pytest.raises(TargetError, match="not empty"):
        write_examples(tmp_path / "new")
