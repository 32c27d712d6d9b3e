"""Which joints tell where a body faces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from unimate_dcc.rig.facing import FacingPair, facing_rotations
from unimate_dcc.rig.facing_search import PRIORITY, find_facing


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


@settings(max_examples=60)
@given(pair=st.lists(st.sampled_from(PRIORITY), min_size=2, max_size=2, unique=True))
def test_of_two_mirrored_parts_the_earlier_in_the_list_tells(pair: list[str]) -> None:
    labels = ["Hips", *(f"{side} {part}" for part in pair for side in ("Left", "Right"))]
    positions = np.array([[0, 1, 0], [0.1, 1, 0], [-0.1, 1, 0], [0.2, 1, 0], [-0.2, 1, 0]], dtype=float)
    found = find_facing([f"j{index}" for index in range(5)], [-1, 0, 0, 0, 0], labels, positions)
    first = min(range(2), key=lambda index: PRIORITY.index(pair[index]))
    assert found is not None
    assert (found.left, found.right) == ((1 + 2 * first,), (2 + 2 * first,))


def test_a_pair_that_lies_on_one_vertical_line_gives_way_to_the_next() -> None:
    labels = ["Hips", "Left Thigh", "Right Thigh", "Left Eye", "Right Eye"]
    positions = np.array([[0, 1, 0], [0, 0.9, 0], [0, 0.8, 0], [0.1, 1, 0], [-0.1, 1, 0]], dtype=float)
    found = find_facing([f"j{index}" for index in range(5)], [-1, 0, 0, 0, 0], labels, positions)
    assert found is not None
    assert found.source == "eye"


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


def test_a_nameless_body_faces_where_its_feet_point() -> None:
    positions = np.array(
        [[0, 1, 0], [0.2, 0.9, 0], [0.2, 0, 0], [0.2, 0, 0.2], [-0.2, 0.9, 0], [-0.2, 0, 0], [-0.2, 0, 0.2]]
    )
    parents = [-1, 0, 1, 2, 0, 4, 5]
    for yaw in (0.0, 2.0, -1.0):
        turn = Rotation.from_euler("y", yaw).as_matrix()
        world = positions @ turn.T
        found = find_facing([f"j{index}" for index in range(7)], parents, ["Bone"] * 7, world)
        assert found is not None
        assert found.source == "symmetry"
        assert np.allclose(facing_rotations(world[None], found)[0] @ turn, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("yaw", [0.0, 0.4, 1.7, 3.0, -2.2])
def test_a_body_alike_in_front_and_behind_takes_one_side_wherever_it_stands(yaw: float) -> None:
    positions = np.array([[0, 1, 0], [0.2, 0.9, 0], [-0.2, 0.9, 0], [0.3, 0.1, 0], [-0.3, 0.1, 0], [0, 1.5, 0]])
    world = positions @ Rotation.from_euler("y", yaw).as_matrix().T
    found = find_facing([f"j{index}" for index in range(6)], [-1, 0, 0, 1, 2, 0], ["Bone"] * 6, world)
    assert found == FacingPair((1,), (2,), False, "symmetry", 0.3)


@given(yaw=st.floats(-3.1, 3.1), lean=st.floats(-0.6, 0.6))
def test_a_turned_body_faces_there_and_leaning_changes_nothing(yaw: float, lean: float) -> None:
    positions = np.array([[0.0, 1.0, 0.0], [-0.2, 0.9, 0.0], [0.2, 0.9, 0.0]])
    turn = Rotation.from_euler("y", yaw).as_matrix()
    world = positions @ Rotation.from_euler("z", lean).as_matrix().T @ turn.T
    found = facing_rotations(world[None], FacingPair((1,), (2,)))[0]
    assert np.allclose(found @ turn @ [0, 0, 1], [0, 0, 1], atol=1e-9)


@pytest.mark.parametrize("facing", [None, FacingPair((1,), (2,))])
def test_frames_without_a_direction_take_the_nearest_that_has_one(facing: FacingPair | None) -> None:
    aside = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.2], [0.0, 1.0, -0.2]])
    upright = np.array([[0.0, 1.0, 0.0], [0.0, 1.2, 0.0], [0.0, 0.8, 0.0]])
    found = facing_rotations(np.stack([upright, upright, aside, upright]), facing)
    assert np.allclose(found, found[2])
    assert np.allclose(found, np.eye(3)) == (facing is None)
