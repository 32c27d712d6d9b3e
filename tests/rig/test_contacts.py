"""What stands on the ground, and what kind of body that makes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from rig.rigs import BIPED, Rows, body, legs_of, moved

from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import Skeleton

FOUR = [(0.1, 0.3), (-0.1, 0.3), (0.1, -0.3), (-0.1, -0.3)]
EIGHT = [(side * 0.3, z) for side in (1, -1) for z in (-0.3, -0.1, 0.1, 0.3)]


def _feet(rig: Rig) -> set[str]:
    return {rig.joints[contact.joint].rsplit("/", 1)[-1] for contact in rig.contacts}


def test_a_nameless_quadruped_has_four_feet_and_a_tail_that_is_none() -> None:
    legs = legs_of(["p", "q", "r", "s"], FOUR, 0.5)
    rows: Rows = [("body", "", (0, 0.55, 0)), *legs, ("t1", "body", (0, 0.5, -0.5)), ("t2", "t1", (0, 0.4, -0.7))]
    rig = build_rig(body(rows))
    assert _feet(rig) == {"pc", "qc", "rc", "sc"}
    assert rig.category == "quadruped"


def test_a_named_quadruped_stands_on_its_paws_not_on_its_tail_or_toes() -> None:
    rows: Rows = [("Hips", "", (0, 0.55, 0)), ("Head", "Hips", (0, 0.7, 0.5)), ("Tail", "Hips", (0, 0.03, -0.6))]
    for side, x in (("L", 0.1), ("R", -0.1)):
        for part, z in (("Front", 0.3), ("Back", -0.3)):
            rows += [
                (f"{part}UpperLeg_{side}", "Hips", (x, 0.5, z)),
                (f"{part}LowerLeg_{side}", f"{part}UpperLeg_{side}", (x, 0.25, z)),
                (f"{part}Foot_{side}", f"{part}LowerLeg_{side}", (x, 0.05, z)),
                (f"{part}Toe1_{side}", f"{part}Foot_{side}", (x + 0.02, 0.0, z + 0.05)),
                (f"{part}Toe2_{side}", f"{part}Foot_{side}", (x - 0.02, 0.0, z + 0.05)),
            ]
    rig = build_rig(body(rows))
    assert _feet(rig) == {f"{part}Foot_{side}" for part in ("Front", "Back") for side in "LR"}
    assert {contact.source for contact in rig.contacts} == {"label"}
    assert rig.category == "quadruped"


def test_a_biped_stands_on_two_feet_with_or_without_names() -> None:
    named = build_rig(body(BIPED))
    assert _feet(named) == {"LeftFoot", "RightFoot"}
    hands: Rows = [("LeftHand", "Hips", (0.5, 1.2, 0)), ("RightHand", "Hips", (-0.5, 1.2, 0))]
    numbers = {row[0]: f"m{index}" for index, row in enumerate([*BIPED, *hands])}
    rows: Rows = [(numbers[name], numbers.get(above, ""), place) for name, above, place in [*BIPED, *hands]]
    nameless = build_rig(body(rows))
    assert _feet(nameless) == {numbers["LeftFoot"], numbers["RightFoot"]}
    assert named.category == nameless.category == "biped"
    assert all(sure.confidence > guess.confidence for sure in named.contacts for guess in nameless.contacts)


def test_eight_legs_make_an_arthropod() -> None:
    rig = build_rig(body([("body", "", (0, 0.3, 0)), *legs_of(list("klmnopqr"), EIGHT, 0.28)]))
    assert len(rig.contacts) == 8
    assert rig.category == "arthropod"


def test_a_chain_on_the_ground_has_no_feet_and_is_a_snake() -> None:
    rows: Rows = [("Head", "", (0, 0.05, 0))]
    rows += [(f"Body{i}", "Head" if i == 1 else f"Body{i - 1}", (0, 0.05, -0.1 * i)) for i in range(1, 12)]
    rig = build_rig(body(rows))
    assert rig.contacts == ()
    assert rig.category == "snake_limbless"


@pytest.mark.parametrize(("spots", "hip"), [(FOUR, 0.5), (EIGHT, 0.28)])
@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_feet_do_not_depend_on_size_place_or_heading(
    spots: list[tuple[float, float]], hip: float, scale: float
) -> None:
    names = [f"p{index}" for index in range(len(spots))]
    skeleton = body([("body", "", (0, hip + 0.05, 0)), *legs_of(names, spots, hip)])
    wanted = _feet(build_rig(skeleton))
    assert len(wanted) == len(spots)
    assert _feet(build_rig(moved(skeleton, 1.0, scale, np.array([5.0, -3.0, 2.0])))) == wanted


def test_one_leg_in_the_air_is_no_foot_where_names_are_missing() -> None:
    skeleton = body([("body", "", (0, 0.55, 0)), *legs_of(["p", "q", "r", "s"], FOUR, 0.5)])
    assert _feet(build_rig(_lifted(skeleton, "sc", 0.3))) == {"pc", "qc", "rc"}


def _lifted(skeleton: Skeleton, name: str, height: float) -> Skeleton:
    joint = next(index for index, path in enumerate(skeleton.joints) if path.endswith(f"/{name}"))
    translations = skeleton.rest_translations.copy()
    translations[joint, 1] += height
    return dataclasses.replace(skeleton, rest_translations=translations)
