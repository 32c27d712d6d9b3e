"""A take over every case that can be animated plays in UsdSkel, and nothing else on the stage changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pxr import UsdSkel
from usd_io.reference import shared_or_none

from unimate_dcc.errors import JointLimitError
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import apply, canonicalise
from unimate_dcc.usd_io.find import choose_character, find_characters
from unimate_dcc.usd_io.placement import read_placement
from unimate_dcc.usd_io.read import read_clip, read_rest, world_matrices
from unimate_dcc.usd_io.stage import open_shot
from unimate_dcc.usd_io.versions import Target
from unimate_dcc.usd_io.write import Motion, write_take

SHARED = shared_or_none()
EXPECTED: dict[str, Any] = (
    json.loads((SHARED / "usd/cases/EXPECTED.json").read_text(encoding="utf-8")) if SHARED else {}
)
REFUSED = ("m08_child_before_parent.usda", "m32_nan_inf.usda", "m36_truncated.usda", "m37_missing_assets.usda")
TIMES = np.array([1.0, 2.0, 3.0, 4.5])


def _cases() -> list[tuple[str, str]]:
    return [
        (name, skeleton["path"])
        for name, row in EXPECTED.items()
        if name not in REFUSED
        for skeleton in row["oracle_pxr_26_11"]["skeletons"]
        if skeleton["n_joints"]
    ]


@pytest.mark.parametrize(("name", "prim"), _cases() or [("absent", "")])
def test_a_take_over_the_case_plays_and_leaves_the_others_alone(
    shared: Path, tmp_path: Path, name: str, prim: str
) -> None:
    path = shared / "usd/cases" / name
    shot = open_shot(path)
    character = choose_character(shot, prim)
    base = read_clip(shot, character, TIMES)
    rig = build_rig(read_rest(shot, character, 1.0))
    turned = canonicalise(rig, base)
    turned.rotations[:, 1] = _about_x(0.3 * TIMES) @ turned.rotations[:, 1]
    clip = apply(rig, turned, base)
    driven = np.zeros(len(character.joints), dtype=bool)
    driven[rig.source[rig.source >= 0]] = True
    take = write_take(
        shot, character, Motion(clip, TIMES, driven, read_placement(shot, character.prim, TIMES)),
        target=Target(tmp_path), provenance={}, positions=clip.positions,
    )  # fmt: skip
    assert take.shot_layer is not None
    after = open_shot(take.shot_layer)
    found = {item.prim: item for item in find_characters(after)}
    assert found[prim].animation == take.animation
    for other in find_characters(shot):
        if other.prim != prim and other.animatable:
            assert found[other.prim].animation == other.animation
            assert np.allclose(world_matrices(after, found[other.prim], [1.0]), world_matrices(shot, other, [1.0]))


def _about_x(angles: np.ndarray) -> np.ndarray:
    out = np.zeros((len(angles), 3, 3))
    out[:, 0, 0] = 1.0
    out[:, 1, 1] = out[:, 2, 2] = np.cos(angles)
    out[:, 2, 1], out[:, 1, 2] = np.sin(angles), -np.sin(angles)
    return out


def test_written_scales_keep_the_mirror_and_the_zero(shared: Path, tmp_path: Path) -> None:
    for name, wanted in (("m12_mirrored_arm_negative_scale.usda", -1.0), ("m14_zero_scale_joint.usda", 0.0)):
        shot = open_shot(shared / "usd/cases" / name)
        character = choose_character(shot, None)
        clip = read_clip(shot, character, np.array([1.0, 3.0, 5.0]))
        held = np.zeros(len(character.joints), dtype=bool)
        placement = read_placement(shot, character.prim, np.array([1.0, 3.0, 5.0]))
        take = write_take(
            shot, character, Motion(clip, np.array([1.0, 3.0, 5.0]), held, placement), target=Target(tmp_path / name),
            provenance={}, positions=clip.positions,
        )  # fmt: skip
        stage = open_shot(take.layer).stage
        scales = UsdSkel.Animation(stage.GetPrimAtPath(take.animation)).GetScalesAttr()
        values = np.array([scales.Get(time) for time in (1.0, 3.0, 5.0)], dtype=float)
        assert (values == wanted).any()


def test_321_joints_are_refused_at_the_weights_limit(shared: Path) -> None:
    shot = open_shot(shared / "usd/cases/m42_321_joints.usda")
    skeleton = read_rest(shot, choose_character(shot, None), 1.0)
    with pytest.raises(JointLimitError):
        build_rig(skeleton, limit=71)
