"""The twelve features against the numbers of the released code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unimate_dcc.model import features
from unimate_dcc.rig.facing import FacingPair
from unimate_dcc.rig.pose import pose
from unimate_dcc.skeleton import quaternion_matrices

TOLERANCE = 1e-6


@pytest.fixture(scope="module")
def numbers(shared: Path) -> dict[str, Any]:
    with np.load(shared / "tadit/parity/features_quadruped12.npz") as data:
        return dict(data)


def _close(got: Any, wanted: Any) -> None:
    np.testing.assert_allclose(got, wanted, atol=TOLERANCE, rtol=0)


def test_features_parity(numbers: dict[str, Any]) -> None:
    right, left = (int(joint) for joint in numbers["face_joint_idxs"])
    got = features.features_from_motion(
        numbers["tpos_offsets"],
        numbers["parents"],
        FacingPair((right,), (left,)),
        quaternion_matrices(numbers["rebased_quat"]),
        numbers["canon_anim_root_pos"],
    )
    _close(got, numbers["features"])


def test_recovered_motion_parity(numbers: dict[str, Any]) -> None:
    offsets, parents = numbers["tpos_offsets"], numbers["parents"]
    rotations, root = features.motion_from_features(offsets, parents, numbers["features"])
    _close(root, numbers["recovered_root_pos"])
    _close(rotations, quaternion_matrices(numbers["recovered_local_quat_bvh"]))
    _close(pose(offsets, parents, rotations, root)[1], numbers["recovered_positions_fk"])
    _close(features.positions_from_features(numbers["features"]), numbers["recovered_positions_ric"])
    facing = features.from_six_d(numbers["features"][:, 0, features.ROTATION])
    _close(facing, quaternion_matrices(numbers["recovered_root_quat"]))


def test_crop_realignment_parity(numbers: dict[str, Any]) -> None:
    _close(features.realigned(numbers["realign_input"], numbers["parents"]), numbers["realign_output"])


def test_turning_a_clip_parity(numbers: dict[str, Any]) -> None:
    yaw = quaternion_matrices(numbers["rotate_facing_q"])
    _close(features.turned(numbers["features"], numbers["parents"], yaw), numbers["rotate_facing_output"])


def test_a_whole_turn_back_gives_the_same_features(numbers: dict[str, Any]) -> None:
    yaw = quaternion_matrices(numbers["rotate_facing_q"])
    there = features.turned(numbers["features"], numbers["parents"], yaw)
    _close(features.turned(there, numbers["parents"], yaw.T), numbers["features"])


def test_rest_features_are_position_identity_and_no_velocity(numbers: dict[str, Any]) -> None:
    row = features.rest_features(numbers["tpos_first_frame"])
    _close(row[:, :3], numbers["tpos_first_frame"])
    assert row[0, 3:].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 0]
