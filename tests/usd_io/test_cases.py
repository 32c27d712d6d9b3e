"""Every case file behaves as its head comment and EXPECTED.json say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from usd_io.reference import assert_close, shared_or_none, worst_miss

from unimate_dcc.errors import NonFiniteError, SkeletonRefusedError, StageOpenError
from unimate_dcc.rig.build import build_rig
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.find import choose_character, find_characters, repaired_order
from unimate_dcc.usd_io.placement import read_placement
from unimate_dcc.usd_io.read import local_from_world, read_clip, read_rest, read_sample_times, world_matrices
from unimate_dcc.usd_io.stage import Shot, open_shot

SHARED = shared_or_none()
EXPECTED: dict[str, Any] = (
    json.loads((SHARED / "usd/cases/EXPECTED.json").read_text(encoding="utf-8")) if SHARED else {}
)
BROKEN = ("m36_truncated.usda",)
OWN_ANSWER = {
    "m24_quat_sign_flips_nonunit.usda": "unit quaternions give the pose of m00, not UsdSkel's",
    "m32_nan_inf.usda": "frames 3 and 5 are refused by name",
}


def _open(shared: Path, name: str) -> Shot:
    return open_shot(shared / "usd/cases" / name)


def _only(shot: Shot) -> Character:
    (character,) = find_characters(shot)
    return character


def _codes(character: Character) -> set[str]:
    return {finding.code for finding in character.findings}


def _message(character: Character, code: str) -> str:
    return next(finding.message for finding in character.findings if finding.code == code)


@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in BROKEN] or ["absent"])
def test_world_positions_are_those_of_usd(shared: Path, name: str, reference_files: dict[str, set[str]]) -> None:
    shot = _open(shared, name)
    found = {character.prim: character for character in find_characters(shot)}
    reference_files["cases"].add(name)
    for skeleton in EXPECTED[name]["oracle_pxr_26_11"]["skeletons"]:
        character = found[skeleton["path"]]
        if not character.animatable:
            assert character.problem
            continue
        if name not in OWN_ANSWER:
            assert worst_miss(shot, character, skeleton["frames"]) <= 1.0


def _same_pose(shot: Shot, other: Shot) -> None:
    for time in (1.0, 3.0, 5.0):
        mine = world_matrices(shot, _only(shot), [time])[0, :, :3, 3]
        wanted = world_matrices(other, _only(other), [time])[0, :, :3, 3]
        place = {joint: index for index, joint in enumerate(_only(shot).joints)}
        assert_close(mine[[place[joint] for joint in _only(other).joints]], wanted)


@pytest.mark.parametrize(
    "name", ["m01_anim_order_reversed.usda", "m24_quat_sign_flips_nonunit.usda", "m38_package.usdz"]
)
def test_the_pose_is_that_of_the_clean_file(shared: Path, name: str) -> None:
    _same_pose(_open(shared, name), _open(shared, "m00_reference_walk.usda"))


def test_m02_undriven_joints_take_the_rest_transform(shared: Path) -> None:
    shot = _open(shared, "m02_sparse_anim_rest_fallback.usda")
    character = _only(shot)
    clip = read_clip(shot, character, np.array([1.0, 5.0]))
    spine = character.joints.index("Hips/Spine")
    assert np.allclose(np.abs(np.sum(clip.rotations[:, spine] * clip.skeleton.rest_rotations[spine], -1)), 1.0)
    angle = 2 * np.degrees(np.arccos(abs(clip.rotations[0, spine, 0])))
    assert angle == pytest.approx(35.0, abs=0.01)
    assert "missing-joints" in _codes(character)


def test_m03_foreign_joints_are_named_and_missing_ones_rest(shared: Path) -> None:
    character = _only(_open(shared, "m03_anim_foreign_joints.usda"))
    named = {finding.code: finding.joints for finding in character.findings}
    assert set(named["foreign-joints"]) == {"Hips/Tail", "Prop/Sword"}
    assert set(named["missing-joints"]) == {"Hips/LegR/ShinR", "Hips/LegR/ShinR/FootR"}


def test_m04_rest_is_derived_from_bind(shared: Path) -> None:
    shot = _open(shared, "m04_no_rest_transforms.usda")
    clean = _open(shared, "m00_reference_walk.usda")
    assert_close(read_rest(shot, _only(shot), 1.0).rest_world, read_rest(clean, _only(clean), 1.0).rest_world)
    assert "rest-from-bind" in _codes(_only(shot))


def test_m05_a_rest_array_of_the_wrong_length_is_rejected_whole(shared: Path) -> None:
    character = _only(_open(shared, "m05_rest_wrong_length.usda"))
    assert "3 values for 8 joints" in _message(character, "rest-from-bind")
    assert character.rest is not None
    assert character.rest.source == "bindTransforms"


def test_m06_rest_and_bind_are_not_mixed(shared: Path) -> None:
    character = _only(_open(shared, "m06_bind_T_rest_A.usda"))
    assert character.rest is not None
    assert character.rest.source == "restTransforms"


def test_m07_the_body_is_driven_and_the_prop_is_held(shared: Path) -> None:
    shot = _open(shared, "m07_two_roots.usda")
    rig = build_rig(read_rest(shot, _only(shot), 1.0))
    assert rig.joints[0] == "Hips"
    swords = {joint for joint in _only(shot).joints if joint.startswith("Sword")}
    assert len(swords) == 2
    assert swords <= {held.joint for held in rig.held}
    assert not any(joint.startswith("Sword") for joint in rig.joints)


def test_m08_child_before_parent_is_refused_by_name(shared: Path) -> None:
    shot = _open(shared, "m08_child_before_parent.usda")
    character = _only(shot)
    order = [character.joints[index] for index in repaired_order(character.parents)]
    for joint in order:
        if "/" in joint:
            assert order.index(joint.rsplit("/", 1)[0]) < order.index(joint)
    with pytest.raises(SkeletonRefusedError, match="Hips/LegL"):
        choose_character(shot, None if character.animatable else character.prim)


def test_m09_the_parent_is_the_nearest_joint_above(shared: Path) -> None:
    character = _only(_open(shared, "m09_gap_in_joint_paths.usda"))
    assert character.parents.tolist() == [-1, 0, 1, 0, 3]


def test_m10_equal_leaf_names_stay_apart(shared: Path) -> None:
    shot = _open(shared, "m10_same_leaf_names.usda")
    rig = build_rig(read_rest(shot, _only(shot), 1.0))
    feet = {rig.joints[contact.joint] for contact in rig.contacts}
    assert feet == {"Root/L/Knee/Foot", "Root/R/Knee/Foot"}


def test_m12_the_mirror_survives(shared: Path) -> None:
    shot = _open(shared, "m12_mirrored_arm_negative_scale.usda")
    character = _only(shot)
    world = read_clip(shot, character, np.array([1.0, 3.0])).world
    mirrored = {character.joints[j] for j in range(len(character.joints)) if np.linalg.det(world[0, j, :3, :3]) < 0}
    assert mirrored == {"Chest/ArmR", "Chest/ArmR/HandR"}


@pytest.mark.parametrize(
    "name", ["m12_mirrored_arm_negative_scale.usda", "m13_nonuniform_scale_shear.usda", "m14_zero_scale_joint.usda"]
)
def test_local_channels_survive_a_round_trip(shared: Path, name: str) -> None:
    shot = _open(shared, name)
    character = _only(shot)
    times = read_sample_times(shot, character)
    clip = read_clip(shot, character, times)
    translations, rotations, scales = local_from_world(clip, read_placement(shot, character.prim, times))
    assert np.isfinite(rotations).all()
    again = read_clip(shot, character, times)
    assert np.array_equal(scales, again.scales)
    non_root = np.flatnonzero(character.parents >= 0)
    assert np.allclose(translations[:, non_root], again.translations[:, non_root] / 1.0, atol=1e-9)


def test_m14_the_zero_scale_is_kept(shared: Path) -> None:
    shot = _open(shared, "m14_zero_scale_joint.usda")
    clip = read_clip(shot, _only(shot), np.array([3.0]))
    assert (clip.scales[0] == 0).all(axis=-1).any()
    assert np.isfinite(clip.world).all()


def test_m15_sizes_are_world_metres(shared: Path) -> None:
    shot = _open(shared, "m15_cm_joints_under_001_scale.usda")
    character = _only(shot)
    clip = read_clip(shot, character, np.array([1.0]))
    assert clip.positions[0, 0, 1] == pytest.approx(0.95, abs=1e-6)
    local, _, _ = local_from_world(clip, read_placement(shot, character.prim, np.array([1.0])))
    assert local[0, 0, 1] == pytest.approx(95.0, abs=1e-4)


def test_m16_z_up_inches_become_metres_y_up(shared: Path) -> None:
    shot = _open(shared, "m16_zup_inches.usda")
    assert shot.info.up_axis == "Z"
    clip = read_clip(shot, _only(shot), np.array([1.0]))
    assert clip.positions[0, 0, 1] == pytest.approx(0.95, abs=1e-4)


@pytest.mark.parametrize("name", [name for name, row in EXPECTED.items() if "bindings" in row["checks"]] or ["absent"])
def test_bindings_resolve_as_usd_skel_does(shared: Path, name: str) -> None:
    found = {character.prim: character.animation or None for character in find_characters(_open(shared, name))}
    wanted = EXPECTED[name]["checks"]["bindings"]
    assert {prim: found[prim] for prim in wanted} == wanted


def test_m18_an_unbound_clip_is_offered_not_played(shared: Path) -> None:
    character = _only(_open(shared, "m18_animation_not_bound.usda"))
    assert character.animation == ""
    assert character.available == ("/Char/Anim",)


def test_m19_a_binding_without_the_api_is_named_with_its_repair(shared: Path) -> None:
    character = _only(_open(shared, "m19_binding_without_api_schema.usda"))
    assert "SkelBindingAPI" in _message(character, "binding-without-api")
    assert "apply it" in _message(character, "binding-without-api")
    assert character.available


def test_m22_value_clips_are_sampled_on_both_sides_of_the_seam(shared: Path) -> None:
    shot = _open(shared, "m22_value_clips/shot.usda")
    times = read_sample_times(shot, _only(shot))
    assert times[0] < 111 < times[-1]


def test_m25_times_are_the_union_of_the_channels(shared: Path) -> None:
    shot = _open(shared, "m25_channels_on_different_times.usda")
    assert read_sample_times(shot, _only(shot)).tolist() == [1.0, 4.5, 9.0]


def test_m27_travel_above_the_skeleton_counts_once(shared: Path) -> None:
    shot = _open(shared, "m27_locomotion_on_skelroot_xform.usda")
    clip = read_clip(shot, _only(shot), np.array([1.0, 5.0]))
    assert np.allclose(clip.positions[:, 0, 2] - clip.positions[0, 0, 2], [0.0, 2.0], atol=1e-6)


def test_m30_an_empty_skeleton_does_not_spoil_the_others(shared: Path) -> None:
    shot = _open(shared, "m30_empty_skeleton_and_animation.usda")
    assert choose_character(shot, None).prim == "/Char/Skel"
    assert "has no joints" in [c.problem for c in find_characters(shot)]


def test_m32_bad_frames_are_refused_by_name_and_good_ones_read(shared: Path) -> None:
    shot = _open(shared, "m32_nan_inf.usda")
    character = _only(shot)
    for frame in (3.0, 5.0):
        with pytest.raises(NonFiniteError) as caught:
            read_clip(shot, character, np.array([frame]))
        assert caught.value.frames == [frame]
    assert np.isfinite(read_clip(shot, character, np.array([1.0])).world).all()
    named = [finding for finding in character.findings if finding.code == "not-finite-samples"]
    assert {frame for finding in named for frame in finding.frames} == {3.0, 5.0}


def test_m33_rate_and_negative_start_are_exact(shared: Path) -> None:
    info = _open(shared, "m33_ntsc_negative_start.usda").info
    assert info.time_codes_per_second == 29.97
    assert info.start_time_code == -10.0


def test_m34_four_feet_of_a_nameless_quadruped(shared: Path) -> None:
    shot = _open(shared, "m34_quadruped_nameless.usda")
    rig = build_rig(read_rest(shot, _only(shot), 1.0))
    feet = {rig.joints[contact.joint] for contact in rig.contacts}
    wanted = {"b0/b3/b4/b5", "b0/b6/b7/b8", "b0/b1/b9/b10/b11", "b0/b1/b12/b13/b14"}
    assert {foot.removesuffix("/virtual_end") for foot in feet} == wanted
    assert rig.category == "quadruped"


def test_m35_helpers_are_held_and_the_foot_is_the_foot(shared: Path) -> None:
    shot = _open(shared, "m35_helpers_twists_zero_length.usda")
    rig = build_rig(read_rest(shot, _only(shot), 1.0))
    held = {item.joint for item in rig.held}
    assert held >= {"Hips/Leg_L/LegTwist_L", "Hips/ik_foot_L", "Hips/weapon_socket"}
    assert "Hips/Leg_L/Shin_L/Foot_L/Toe_L/Toe_L_end" in held
    feet = {rig.joints[contact.joint].rsplit("/", 1)[-1] for contact in rig.contacts}
    assert feet <= {"Foot_L", "Toe_L", "Foot_R", "Toe_R"}
    assert feet
    assert np.isfinite(rig.positions).all()


def test_m36_a_truncated_file_is_one_line_with_the_place(shared: Path) -> None:
    with pytest.raises(StageOpenError) as caught:
        _open(shared, "m36_truncated.usda")
    assert "line 30" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_m37_a_missing_asset_is_named(shared: Path) -> None:
    with pytest.raises(StageOpenError, match="not_there_v012.usda"):
        choose_character(_open(shared, "m37_missing_assets.usda"), None)


def test_m39_a_wrong_value_type_is_named(shared: Path) -> None:
    character = _only(_open(shared, "m39_quath_rotations.usda"))
    assert "quath[]" in _message(character, "unplayable-type")
    assert character.animation == ""


def test_m40_half_precision_is_read_as_stored(shared: Path) -> None:
    shot = _open(shared, "m40_half_scale_precision.usda")
    clip = read_clip(shot, _only(shot), read_sample_times(shot, _only(shot))[:1])
    assert np.any(np.abs(clip.scales - 0.01000213623046875) < 1e-12)


def test_m41_dangling_and_double_sources_are_named(shared: Path) -> None:
    codes: Callable[[Character], set[str]] = _codes
    found = {
        character.prim.rsplit("/", 1)[-1]: character
        for character in find_characters(_open(shared, "m41_dangling_and_double_source.usda"))
    }
    assert "dangling-source" in codes(found["SkelA"])
    assert "double-source" in codes(found["SkelB"])


def test_m42_a_big_skeleton_is_reduced_by_plan_or_refused(shared: Path) -> None:
    from unimate_dcc.errors import JointLimitError
    from unimate_dcc.rig.overrides import RigOverrides

    shot = _open(shared, "m42_321_joints.usda")
    skeleton = read_rest(shot, _only(shot), 1.0)
    assert len(skeleton.joints) == 321
    with pytest.raises(JointLimitError, match="--max-joints"):
        build_rig(skeleton, limit=71)
    rig = build_rig(skeleton, RigOverrides(max_joints=71), limit=71)
    assert len(rig.joints) <= 71
    assert rig.driven + len(rig.held) == 321


def test_m43_a_skeleton_outside_a_skelroot_is_found(shared: Path) -> None:
    characters = {
        character.prim: character for character in find_characters(_open(shared, "m43_skeleton_outside_skelroot.usda"))
    }
    assert "outside-skelroot" in _codes(characters["/Rig/Skel"])


def test_m44_rates_and_fractional_times_are_kept(shared: Path) -> None:
    shot = _open(shared, "m44_subframe_long_take.usda")
    assert (shot.info.time_codes_per_second, shot.info.frames_per_second) == (37.0, 24.0)
    times = read_sample_times(shot, _only(shot))
    assert np.any(times != np.round(times))


def test_m23_variants_and_payload_are_listed(shared: Path) -> None:
    character = _only(_open(shared, "m23_variants_payload/shot.usda"))
    assert "walk" in _message(character, "variants")
    assert "still" in _message(character, "variants")
    assert "loaded" in _message(character, "payload")
