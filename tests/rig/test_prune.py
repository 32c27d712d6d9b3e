"""What is driven and what is held."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig.rigs import BIPED, Rows, body, random_skeleton

from unimate_dcc.errors import SkeletonRefusedError
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.overrides import RigOverrides


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), joints=st.integers(3, 25), held=st.integers(0, 2**25))
def test_every_joint_is_driven_or_held_with_a_reason_and_the_driven_ones_are_one_tree(
    seed: int, joints: int, held: int
) -> None:
    skeleton = random_skeleton(seed, joints)
    hold = tuple(name for joint, name in enumerate(skeleton.joints) if joint > 0 and held >> joint & 1)
    try:
        rig = build_rig(skeleton, RigOverrides(hold=hold))
    except SkeletonRefusedError as error:
        assert "separate trees" in str(error) or len(hold) >= joints - 2
        return
    driven = {rig.joints[slot] for slot in np.flatnonzero(rig.source >= 0)}
    held_names = {item.joint for item in rig.held}
    assert driven | held_names == set(skeleton.joints)
    assert not driven & held_names
    assert set(hold) <= held_names
    assert all(item.reason for item in rig.held)
    assert int((rig.parents < 0).sum()) == 1


def test_helpers_twists_and_faces_are_held_but_their_children_keep_them_in_the_tree() -> None:
    rows: Rows = [
        ("root", "", (0, 0, 0)), ("Hips", "root", (0, 1, 0)), ("Spine", "Hips", (0, 1.3, 0)),
        ("LeftArm", "Spine", (0.2, 1.3, 0)), ("LeftArmTwist", "LeftArm", (0.3, 1.3, 0)),
        ("LeftHand", "LeftArmTwist", (0.5, 1.3, 0)), ("weapon_socket", "LeftHand", (0.55, 1.3, 0)),
        ("Head", "Spine", (0, 1.6, 0)), ("LeftEye", "Head", (0.03, 1.65, 0.1)), ("ik_foot", "root", (0, 0, 0.2)),
    ]  # fmt: skip
    rig = build_rig(body(rows))
    reasons = {item.joint.rsplit("/", 1)[-1]: item.reason for item in rig.held}
    assert reasons["weapon_socket"] == "prop or socket"
    assert reasons["LeftEye"] == "face joint"
    assert reasons["ik_foot"] == "helper"
    assert reasons["root"] == "above the body's mover"
    assert rig.joints[0].endswith("Hips")
    assert any(joint.endswith("LeftHand") for joint in rig.joints)


def test_weightless_joints_go_only_where_a_mesh_is_bound() -> None:
    rows: Rows = [("a", "", (0, 1, 0)), ("b", "a", (0, 2, 0)), ("c", "b", (0, 3, 0)), ("x", "a", (1, 1, 0)),
                  ("y", "a", (2, 1, 0)), ("z", "x", (1, 2, 0)), ("w", "x", (2, 2, 0))]  # fmt: skip
    assert len(build_rig(body(rows)).held) == 0
    held = {item.joint.rsplit("/", 1)[-1] for item in build_rig(body(rows, weighted=["a", "b", "c"])).held}
    assert held == {"x", "y", "z", "w"}


def test_a_joint_without_weight_stays_where_a_weighted_one_hangs_below_it() -> None:
    rows: Rows = [("a", "", (0, 1, 0)), ("b", "a", (0, 2, 0)), ("c", "b", (0, 3, 0)), ("d", "a", (1, 1, 0))]
    rig = build_rig(body(rows, weighted=["a", "c", "d"]))
    assert "a/b" in rig.joints


def test_a_lone_prop_mesh_does_not_take_the_body_away() -> None:
    rig = build_rig(body(BIPED, weighted=["Hips"]))
    assert rig.driven == len(BIPED)


def test_a_joint_on_top_of_its_parent_moves_nothing() -> None:
    rig = build_rig(body([*BIPED, ("Head_copy", "Head", (0, 1.5, 0))]))
    assert {item.joint: item.reason for item in rig.held} == {"Hips/Head/Head_copy": "zero length"}


def test_the_smaller_of_two_trees_is_held() -> None:
    rig = build_rig(body([*BIPED, ("prop", "", (3, 0, 0)), ("handle", "prop", (3, 1, 0))]))
    assert {item.reason for item in rig.held} == {"another root's tree"}
    assert {item.joint for item in rig.held} == {"prop", "prop/handle"}


def test_a_held_root_with_several_limbs_is_refused_and_says_what_to_hold() -> None:
    with pytest.raises(SkeletonRefusedError, match=r"holding Hips leaves 3 separate trees .*hold all of them but one"):
        build_rig(body(BIPED), RigOverrides(hold=("Hips",)), prim="/Fox")
    rig = build_rig(body(BIPED), RigOverrides(hold=("Hips", "LeftUpLeg", "LeftFoot", "Head")))
    assert rig.joints[:2] == ("Hips/RightUpLeg", "Hips/RightUpLeg/RightFoot")


def test_a_skeleton_of_helpers_is_refused() -> None:
    with pytest.raises(SkeletonRefusedError, match="two are needed"):
        build_rig(body([("root", "", (0, 0, 0)), ("ik_foot", "root", (0, 0, 1)), ("ik_hand", "root", (0, 1, 1))]))


def test_the_virtual_end_of_a_one_bone_leg_reaches_the_ground_and_that_of_a_foot_points_ahead() -> None:
    rows: Rows = [("body", "", (0, 1, 0)), ("LeftLeg", "body", (0.2, 0.9, 0)), ("RightLeg", "body", (-0.2, 0.9, 0)),
                  ("Neck", "body", (0, 1.2, 0.1)), ("base", "body", (0, 0.0, 0))]  # fmt: skip
    rig = build_rig(body(rows))
    ends = {
        rig.joints[int(rig.parents[slot])].rsplit("/", 1)[-1]: rig.positions[slot]
        for slot in np.flatnonzero(rig.source < 0)
    }
    assert ends["LeftLeg"][1] == pytest.approx(0.0, abs=1e-9)
    rows = [("Hips", "", (0, 1, 0)), ("LeftUpLeg", "Hips", (0.1, 0.9, 0)), ("LeftFoot", "LeftUpLeg", (0.1, 0, 0)),
            ("RightUpLeg", "Hips", (-0.1, 0.9, 0)), ("RightFoot", "RightUpLeg", (-0.1, 0, 0))]  # fmt: skip
    rig = build_rig(body(rows))
    foot = rig.joints.index("Hips/LeftUpLeg/LeftFoot")
    end = rig.joints.index("Hips/LeftUpLeg/LeftFoot/virtual_end")
    away = rig.positions[end] - rig.positions[foot]
    assert away[2] > 0.9 * np.linalg.norm(away)


def test_the_ends_of_feet_point_where_a_td_says_the_body_faces() -> None:
    legs: Rows = [("a", "", (0, 1, 0)), ("b", "a", (0.1, 0.8, 0)), ("c", "b", (0.1, 0, 0)), ("d", "a", (-0.1, 0.7, 0)),
                  ("e", "d", (-0.1, 0, 0))]  # fmt: skip
    rig = build_rig(body(legs), RigOverrides(facing=("b", "d")))
    for foot in ("a/b/c", "a/d/e"):
        away = rig.positions[rig.joints.index(f"{foot}/virtual_end")] - rig.positions[rig.joints.index(foot)]
        assert away[2] == pytest.approx(np.linalg.norm(away))
    assert rig.frame.turn[2, 2] == pytest.approx(-1.0)


def test_a_carrier_above_the_body_is_driven_only_where_a_td_asks_for_it() -> None:
    rows: Rows = [("root", "", (0, 0, 0)), ("Hips", "root", (0, 1, 0)), *BIPED[1:]]
    skeleton = body(rows)
    assert build_rig(skeleton).joints[0] == "root/Hips"
    assert build_rig(skeleton, RigOverrides(drive=("root",))).joints[0] == "root"


@pytest.mark.parametrize("fork", [False, True])
def test_a_nameless_chain_without_a_mesh_is_driven_as_a_whole(fork: bool) -> None:
    rows: Rows = [(f"b{i}", f"b{i - 1}" if i else "", (0, 0.1, -0.1 * i)) for i in range(10)]
    if fork:
        rows += [("jaw", "b9", (0, 0.05, -1.0)), ("top", "b9", (0, 0.15, -1.0))]
    assert build_rig(body(rows)).driven == len(rows)


def test_a_nameless_joint_right_above_a_fork_carries_the_body() -> None:
    legs: Rows = [("a", "", (0, 0, 0)), ("b", "a", (0, 1, 0)), ("c", "b", (0.1, 0, 0)), ("d", "b", (-0.1, 0, 0))]
    assert build_rig(body(legs)).joints[0] == "a/b"
    assert build_rig(body(legs, weighted=["a", "b", "c", "d"])).joints[0] == "a"


def test_what_is_below_a_held_joint_does_not_become_the_body() -> None:
    rows: Rows = [("root", "", (0, 0, 0)), ("Hips", "root", (0, 1, 0)), *BIPED[1:]]
    with pytest.raises(SkeletonRefusedError, match="holding root leaves 3 separate trees"):
        build_rig(body(rows), RigOverrides(hold=("root", "Hips")))
    rig = build_rig(body(rows), RigOverrides(hold=("Hips",)))
    assert rig.joints[0] == "root"
    assert "root/Hips" not in rig.joints
