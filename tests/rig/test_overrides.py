"""What a TD says stands above every guess."""

from __future__ import annotations

from pathlib import Path

import pytest
from rig.rigs import BIPED, body

from unimate_dcc.errors import ConfigError, UnknownJointError
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.overrides import RigOverrides, parse_overrides, read_overrides


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


def test_a_last_element_must_be_unique_and_the_error_lists_its_owners() -> None:
    skeleton = body([*BIPED, ("Toe", "LeftFoot", (0.1, 0, 0.1))])
    twin = ("Hips/RightUpLeg/RightFoot/Toe",)
    joints = (*skeleton.joints, *twin)
    with pytest.raises(UnknownJointError, match="Hips/LeftUpLeg/LeftFoot/Toe"):
        RigOverrides(hold=("Toe",)).resolved("/Man", joints)
    assert RigOverrides(hold=twin).resolved("/Man", joints).hold == twin


def test_a_joint_asked_for_is_driven_though_its_name_says_helper() -> None:
    skeleton = body([*BIPED, ("weapon_socket", "Head", (0, 1.8, 0))])
    assert "Hips/Head/weapon_socket" not in build_rig(skeleton).joints
    assert "Hips/Head/weapon_socket" in build_rig(skeleton, RigOverrides(drive=("weapon_socket",))).joints


@pytest.mark.parametrize(
    ("content", "says"), [(None, "cannot be read"), (b"hold = [", "no TOML"), (b"\xff", "no TOML")]
)
def test_a_sidecar_that_cannot_be_read_is_refused_by_name(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "hero.rig.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=says) as caught:
        read_overrides(path)
    assert "hero.rig.toml" in str(caught.value)
