"""What is driven, where it faces, what stands on the ground, what it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rig.rigs import body

from unimate_dcc.errors import ConfigError, UnknownJointError
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.facing_search import find_facing
from unimate_dcc.rig.overrides import RigOverrides, parse_overrides, read_overrides
from unimate_dcc.rig.rig import Rig

Rows = list[tuple[str, str, tuple[float, float, float]]]


def _legs(names: list[str], spots: list[tuple[float, float]], hip: float) -> Rows:
    rows: Rows = []
    for name, (x, z) in zip(names, spots, strict=True):
        rows += [
            (f"{name}a", "body", (x, hip, z)),
            (f"{name}b", f"{name}a", (x, hip / 2, z + 0.02)),
            (f"{name}c", f"{name}b", (x, 0.02, z)),
        ]
    return rows


def _feet(rig: Rig) -> set[str]:
    return {rig.joints[contact.joint].rsplit("/", 1)[-1] for contact in rig.contacts}


def test_a_nameless_quadruped_has_four_feet_and_a_tail_that_is_none() -> None:
    legs = _legs(["p", "q", "r", "s"], [(0.1, 0.3), (-0.1, 0.3), (0.1, -0.3), (-0.1, -0.3)], 0.5)
    rows: Rows = [("body", "", (0, 0.55, 0)), *legs, ("t1", "body", (0, 0.5, -0.5)), ("t2", "t1", (0, 0.4, -0.7))]
    rig = build_rig(body(rows))
    assert _feet(rig) == {"pc", "qc", "rc", "sc"}
    assert rig.category == "quadruped"


def test_eight_legs_make_an_arthropod() -> None:
    spots = [(side * 0.3, z) for side in (1, -1) for z in (-0.3, -0.1, 0.1, 0.3)]
    rig = build_rig(body([("body", "", (0, 0.3, 0)), *_legs(list("klmnopqr"), spots, 0.28)]))
    assert len(rig.contacts) == 8
    assert rig.category == "arthropod"


def test_a_chain_on_the_ground_has_no_feet_and_is_a_snake() -> None:
    rows: Rows = [("Head", "", (0, 0.05, 0))]
    rows += [(f"Body{i}", rows[-1][0] if i > 1 else "Head", (0, 0.05, -0.1 * i)) for i in range(1, 12)]
    fixed = [rows[0], *((f"Body{i}", "Head" if i == 1 else f"Body{i - 1}", (0, 0.05, -0.1 * i)) for i in range(1, 12))]
    rig = build_rig(body(fixed))
    assert rig.contacts == ()
    assert rig.category == "snake_limbless"


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


@pytest.mark.parametrize(
    ("labels", "right", "left", "source"),
    [
        (["Hips", "Left Shoulder", "Right Shoulder", "Left Thigh", "Right Thigh"], 4, 3, "thigh"),
        (["Hips", "Left Wing", "Right Wing", "Left Eye", "Right Eye"], 2, 1, "wing"),
    ],
)
def test_the_best_mirrored_part_tells_the_facing(labels: list[str], right: int, left: int, source: str) -> None:
    positions = np.array([[0, 1, 0], [0.1, 1, 0], [-0.1, 1, 0], [0.2, 1, 0], [-0.2, 1, 0]], dtype=float)
    pair = find_facing([f"j{i}" for i in range(5)], [-1, 0, 0, 0, 0], labels, positions)
    assert pair is not None
    assert (pair.right, pair.left, pair.source) == ((right,), (left,), source)


def test_chains_of_one_label_are_paired_by_their_digits() -> None:
    joints = ["Root", "R_Thigh_3_010", "R_Thigh_4_011", "L_Thigh_4_021"]
    labels = ["Root", "Right Thigh", "Right Thigh", "Left Thigh"]
    positions = np.array([[0, 1, 0], [-0.2, 1, 0.5], [-0.2, 1, -0.5], [0.2, 1, -0.5]], dtype=float)
    pair = find_facing(joints, [-1, 0, 0, 0], labels, positions)
    assert pair is not None
    assert (pair.right, pair.left) == ((2,), (3,))


def test_without_sides_head_and_tail_make_an_axis_and_without_those_there_is_no_facing() -> None:
    positions = np.array([[0, 1, 0], [0, 1, 1], [0, 1, -1]], dtype=float)
    pair = find_facing(["a", "b", "c"], [-1, 0, 0], ["Body", "Head", "Tail"], positions)
    assert pair is not None
    assert (pair.right, pair.left, pair.body_axis) == ((1,), (2,), True)
    crooked = np.array([[0, 1, 0], [0, 1, 1], [0, 0.5, -0.3]], dtype=float)
    assert find_facing(["a", "b", "c"], [-1, 0, 0], ["Body", "Bone", "Bone"], crooked) is None


def test_a_lone_side_is_never_paired() -> None:
    positions = np.array([[0, 1, 0], [-0.1, 1, 0]], dtype=float)
    assert find_facing(["a", "b"], [-1, 0], ["Body", "Right Eye"], positions) is None


BIPED: Rows = [
    ("Hips", "", (0, 1, 0)), ("LeftUpLeg", "Hips", (0.1, 0.9, 0)), ("LeftFoot", "LeftUpLeg", (0.1, 0, 0)),
    ("RightUpLeg", "Hips", (-0.1, 0.9, 0)), ("RightFoot", "RightUpLeg", (-0.1, 0, 0)), ("Head", "Hips", (0, 1.5, 0)),
]  # fmt: skip


def test_a_sidecar_stands_above_every_guess(tmp_path: Path) -> None:
    path = tmp_path / "hero.rig.toml"
    path.write_text(
        'facing = ["LeftUpLeg", "RightUpLeg"]\ncontacts = ["Head"]\ncategory = "bird"\nhold = ["RightFoot"]\n'
        '[labels]\nHips = "Pelvis"\n',
        encoding="utf-8",
    )
    rig = build_rig(body(BIPED), read_overrides(path))
    assert rig.facing is not None
    assert rig.joints[rig.facing.right[0]] == "Hips/LeftUpLeg"
    assert [rig.joints[contact.joint] for contact in rig.contacts] == ["Hips/Head"]
    assert (rig.category, rig.labels[0]) == ("bird", "Pelvis")
    assert "held by the override" in {held.reason for held in rig.held}


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"holdd": ["a"]}, "closest: hold"),
        ({"facing": ["a"]}, "two joints"),
        ({"category": "unicorn"}, "not one of biped"),
        ({"max_joints": 1}, "2 or more"),
        ({"hold": "Hips"}, "list of joints"),
        ({"labels": ["x"]}, "table"),
    ],
)
def test_a_wrong_override_is_refused_by_place(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        parse_overrides(values, "hero.rig.toml")
    assert "hero.rig.toml" in str(caught.value)


def test_an_override_of_an_unknown_joint_names_the_closest() -> None:
    with pytest.raises(UnknownJointError, match="closest: Hips/LeftFoot|closest: Hips/LeftUpLeg"):
        build_rig(body(BIPED), RigOverrides(hold=("Hips/LeftFot",)))


def test_a_lone_prop_mesh_does_not_take_the_body_away() -> None:
    rig = build_rig(body(BIPED, weighted=["Hips"]))
    assert rig.driven == len(BIPED)
