"""The canonical frame and the topology against the numbers of the released code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unimate_dcc.clip import Clip
from unimate_dcc.rig.canonical import bone_lengths, breadth_first, canonical_frame
from unimate_dcc.rig.facing import FacingPair, facing_rotations
from unimate_dcc.rig.motion import aligned, apply, canonicalise
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.rig import Rig
from unimate_dcc.rig.topology import describe, diameter, laplacian
from unimate_dcc.skeleton import Skeleton, matrix_quaternions, quaternion_matrices

TOLERANCE = 1e-6


@pytest.fixture(scope="module")
def numbers(shared: Path) -> dict[str, Any]:
    with np.load(shared / "tadit/parity/features_quadruped12.npz") as data:
        return dict(data)


@pytest.fixture(scope="module")
def skeleton(numbers: dict[str, Any]) -> Skeleton:
    joints = len(numbers["raw_names"])
    return Skeleton(
        tuple(numbers["raw_names"]),
        numbers["raw_parents"],
        numbers["raw_offsets"],
        numbers["raw_tpos_local_quat"],
        np.ones((joints, 3)),
    )


@pytest.fixture(scope="module")
def clip(numbers: dict[str, Any], skeleton: Skeleton) -> Clip:
    rotations = numbers["raw_anim_local_quat"]
    translations = np.repeat(skeleton.rest_translations[None], len(rotations), axis=0)
    translations[:, 0] = numbers["raw_root_pos"]
    seconds = np.arange(len(rotations)) / 30.0
    return Clip(skeleton, seconds, translations, rotations, np.ones_like(translations))


@pytest.fixture(scope="module")
def rig(numbers: dict[str, Any], skeleton: Skeleton) -> Rig:
    world = skeleton.rest_world
    lengths = bone_lengths(world[:, :3, 3], skeleton.parents)
    order = breadth_first(skeleton.parents, lengths)
    place = {old: new for new, old in enumerate(order)}
    parents = np.array([place.get(int(skeleton.parents[old]), -1) for old in order])
    right, left = (int(joint) for joint in numbers["face_joint_idxs"])
    facing = FacingPair((right,), (left,))
    frame = canonical_frame(world[order, :3, 3], parents, facing)
    return Rig(
        joints=tuple(skeleton.joints[old] for old in order),
        source=np.array(order),
        parents=parents,
        labels=("Bone",) * len(order),
        positions=frame.to_canonical(world[order, :3, 3]),
        rest_linear=world[order, :3, :3],
        frame=frame,
        facing=facing,
        contacts=(),
        category="quadruped",
        category_confidence=1.0,
        held=(),
        repairs=(),
        total=len(order),
    )


def _close(got: Any, wanted: Any) -> None:
    np.testing.assert_allclose(got, wanted, atol=TOLERANCE, rtol=0)


def test_breadth_first_order_parity(rig: Rig, numbers: dict[str, Any]) -> None:
    assert rig.source.tolist() == numbers["bfs_order"].tolist()
    assert rig.parents.tolist() == numbers["parents"].tolist()
    assert list(rig.joints) == numbers["names"].tolist()


def test_rest_pose_parity(rig: Rig, skeleton: Skeleton, numbers: dict[str, Any]) -> None:
    lengths = bone_lengths(skeleton.rest_world[:, :3, 3], skeleton.parents)
    _close(diameter(skeleton.parents, lengths), numbers["diameter_raw"].item())
    _close(rig.frame.scale, numbers["scale_factor"].item())
    _close(rig.frame.ground, numbers["tpos_ground_height"].item())
    _close(rig.positions, numbers["tpos_first_frame"])
    _close(rig.offsets, numbers["tpos_offsets"])
    _close(rig.frame.turn, quaternion_matrices(numbers["tpos_facing_quat"]))
    _close(rig.frame.turn @ rig.rest_linear, numbers["tpos_global_quat_mats"])


def test_canonical_motion_parity(rig: Rig, clip: Clip, numbers: dict[str, Any]) -> None:
    motion = aligned(rig, canonicalise(rig, clip))
    _close(motion.rotations, quaternion_matrices(numbers["rebased_quat"]))
    _close(motion.root, numbers["canon_anim_root_pos"])
    positions = motion.positions(rig)
    _close(positions, numbers["global_positions_grounded"])
    _close(positions, numbers["global_positions"])
    _close(facing_rotations(positions, rig.facing), quaternion_matrices(numbers["root_facing_quat"]))


def test_body_axis_facing_parity(rig: Rig, numbers: dict[str, Any]) -> None:
    head, tail = rig.joints.index("head"), rig.joints.index("tail")
    got = facing_rotations(numbers["global_positions"], FacingPair((head,), (tail,), body_axis=True))
    _close(got, quaternion_matrices(numbers["facing_body_axis_head_tail"]))


def test_four_joint_facing_parity(rig: Rig, numbers: dict[str, Any]) -> None:
    right = tuple(rig.joints.index(name) for name in ("r_hind", "r_front_up"))
    left = tuple(rig.joints.index(name) for name in ("l_hind", "l_front_up"))
    got = facing_rotations(numbers["global_positions"], FacingPair(right, left))
    _close(got, quaternion_matrices(numbers["facing_four_joint"]))


def test_driving_the_rig_parity(rig: Rig, clip: Clip, numbers: dict[str, Any]) -> None:
    """Local rotations that drive the rig equal the canonical ones, leaves aside (SPEC c)."""
    motion = canonicalise(rig, clip)
    driven = apply(rig, motion, Clip.rest(clip.skeleton, clip.seconds))
    _close(quaternion_matrices(driven.rotations), quaternion_matrices(clip.rotations))
    _close(driven.positions, clip.positions)
    inner = [joint for joint in range(1, len(rig.joints)) if joint not in numbers["leaf_joints"]]
    local = quaternion_matrices(driven.rotations)[:-1, rig.source]
    _close(local[:, inner], numbers["drive_local_rot_mats"][:, inner])


def test_topology_parity(rig: Rig, numbers: dict[str, Any]) -> None:
    got = describe(rig.parents)
    assert np.array_equal(got.relations, numbers["joint_relations"])
    assert np.array_equal(got.distances, numbers["joint_graph_dists"])
    assert np.array_equal(got.depths, numbers["joint_depths"])
    _close(laplacian(rig.parents), numbers["laplacian_sym"])
    _same_eigenspaces(got.spectral, numbers["spectral_feats"], numbers["spectral_eigvals"], laplacian(rig.parents))


@pytest.mark.parametrize("name", ["chain5", "sym9"])
def test_small_tree_topology_parity(shared: Path, name: str) -> None:
    with np.load(shared / "tadit/parity/topology_extra.npz") as data:
        parents, values = data[f"{name}_parents"], data[f"{name}_eigvals"]
        got = describe(parents)
        assert np.array_equal(got.relations, data[f"{name}_rel"])
        assert np.array_equal(got.distances, data[f"{name}_dist"])
        _same_eigenspaces(got.spectral, data[f"{name}_spectral"], values, laplacian(parents))


def _same_eigenspaces(got: Any, wanted: Any, values: Any, matrix: Any) -> None:
    """Compare projectors onto whole eigenspaces; a space cut by the eighth column is only checked to lie inside."""
    every = np.linalg.eigvalsh(matrix)
    used = int(np.count_nonzero(np.linalg.norm(wanted, axis=0)))
    assert np.all(got[:, used:] == 0)
    for value in np.unique(np.round(values[:used], 4)):
        columns = np.flatnonzero(np.abs(values[:used] - value) < 1e-3)
        if len(columns) == np.count_nonzero(np.abs(every - value) < 1e-3):
            projector = got[:, columns] @ got[:, columns].T
            np.testing.assert_allclose(projector, wanted[:, columns] @ wanted[:, columns].T, atol=2e-6)
        residual = matrix @ got[:, columns] - value * got[:, columns]
        np.testing.assert_allclose(residual, 0, atol=2e-4)


def test_pose_of_identity_rotations_is_the_rest_pose(rig: Rig) -> None:
    identity = np.broadcast_to(np.eye(3), (1, len(rig.joints), 3, 3)).copy()
    _, positions = pose(rig.offsets, rig.parents, identity, rig.positions[:1])
    _close(positions[0], rig.positions)
    assert np.allclose(matrix_quaternions(identity)[..., 0], 1.0)
