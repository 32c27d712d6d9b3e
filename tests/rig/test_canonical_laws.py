"""Laws of the canonical rig, on random trees."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig.rigs import body, moved, random_clip, random_skeleton

from unimate_dcc.clip import Clip
from unimate_dcc.errors import JointLimitError, SkeletonRefusedError
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.canonical import bone_lengths
from unimate_dcc.rig.motion import aligned, apply, canonicalise
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.topology import diameter
from unimate_dcc.skeleton import Skeleton, quaternion_matrices

SEEDS = st.integers(0, 10_000)
laws = settings(max_examples=25, deadline=None)


@laws
@given(seed=SEEDS, joints=st.integers(3, 20))
def test_the_canonical_rest_pose_has_diameter_two_and_stands_on_the_ground(seed: int, joints: int) -> None:
    rig = build_rig(random_skeleton(seed, joints))
    assert diameter(rig.parents, bone_lengths(rig.positions, rig.parents)) == pytest.approx(2.0)
    assert rig.positions[:, 1].min() == pytest.approx(0.0, abs=1e-12)
    assert np.allclose(rig.positions[0, [0, 2]], 0.0, atol=1e-12)
    assert all(parent < joint for joint, parent in enumerate(rig.parents))


@laws
@given(seed=SEEDS, scales=st.sampled_from(["one", "uniform", "mirrored"]), held=st.sets(st.integers(1, 8), max_size=3))
def test_a_clip_read_and_written_over_itself_is_the_clip(seed: int, scales: str, held: set[int]) -> None:
    skeleton = random_skeleton(seed, 9, scales)
    clip = random_clip(skeleton, seed + 1)
    hold = tuple(skeleton.joints[joint] for joint in held)
    rig = build_rig(skeleton, RigOverrides(hold=hold, drive=skeleton.joints))
    again = apply(rig, canonicalise(rig, clip), clip)
    assert np.allclose(again.world, clip.world, atol=1e-9)


@laws
@given(seed=SEEDS, scales=st.sampled_from(["one", "uniform", "mirrored"]))
def test_writing_what_was_read_over_the_rest_pose_gives_the_same_world(seed: int, scales: str) -> None:
    skeleton = random_skeleton(seed, 9, scales)
    clip = random_clip(skeleton, seed + 1)
    rig = build_rig(skeleton, RigOverrides(drive=skeleton.joints))
    driven = apply(rig, canonicalise(rig, clip), Clip.rest(skeleton, clip.seconds))
    assert set(rig.source[rig.source >= 0].tolist()) == set(range(9))
    assert np.allclose(driven.world, clip.world, atol=1e-9)


@laws
@given(seed=SEEDS)
def test_the_canonical_motion_is_that_of_the_world_in_another_frame(seed: int) -> None:
    skeleton = random_skeleton(seed, 9)
    clip = random_clip(skeleton, seed + 1)
    rig = build_rig(skeleton, RigOverrides(drive=skeleton.joints))
    real = rig.source >= 0
    wanted = rig.frame.to_canonical(clip.positions[:, rig.source[real]])
    assert np.allclose(canonicalise(rig, clip).positions(rig)[:, real], wanted, atol=1e-9)


@laws
@given(seed=SEEDS)
def test_held_joints_keep_their_local_transforms_bit_for_bit(seed: int) -> None:
    skeleton = random_skeleton(seed, 10)
    base, other = random_clip(skeleton, seed + 1), random_clip(skeleton, seed + 2)
    untouched = [3, 6, 9]
    rig = build_rig(skeleton, RigOverrides(hold=tuple(skeleton.joints[joint] for joint in untouched)))
    assert not set(untouched) & set(rig.source.tolist())
    driven = apply(rig, canonicalise(rig, other), base)
    for name in ("translations", "rotations", "scales"):
        assert np.array_equal(getattr(driven, name)[:, untouched], getattr(base, name)[:, untouched])


@laws
@given(seed=SEEDS, joints=st.integers(4, 20), yaw=st.floats(-3.0, 3.0), scale=st.floats(0.01, 50.0))
def test_where_a_body_stands_and_how_big_it_is_changes_nothing(
    seed: int, joints: int, yaw: float, scale: float
) -> None:
    skeleton = random_skeleton(seed, joints)
    here = build_rig(skeleton)
    turn = yaw if here.facing else 0.0  # without a facing the world's own +Z is ahead
    there = build_rig(moved(skeleton, turn, scale, np.array([3.0, -2.0, 5.0])))
    assert there.joints == here.joints
    assert there.facing == here.facing
    assert np.allclose(there.positions, here.positions, atol=1e-9)


@laws
@given(seed=SEEDS, yaw=st.floats(-3.0, 3.0), scale=st.floats(0.01, 50.0))
def test_a_biped_is_the_same_biped_anywhere(seed: int, yaw: float, scale: float) -> None:
    skeleton = _biped(seed)
    here = build_rig(skeleton)
    there = build_rig(moved(skeleton, yaw, scale, np.array([3.0, -2.0, 5.0])))
    assert (there.joints, there.contacts, there.category) == (here.joints, here.contacts, here.category)
    assert np.allclose(there.positions, here.positions, atol=1e-9)


@laws
@given(seed=SEEDS, joints=st.integers(3, 20))
def test_renaming_joints_changes_only_names(seed: int, joints: int) -> None:
    skeleton = random_skeleton(seed, joints)
    renamed = tuple(joint.replace("part", "Thing") for joint in skeleton.joints)
    one, two = build_rig(skeleton), build_rig(dataclasses.replace(skeleton, joints=renamed))
    assert two.joints == tuple(joint.replace("part", "Thing") for joint in one.joints)
    assert np.array_equal(one.positions, two.positions)
    assert np.array_equal(one.source, two.source)
    assert one.facing == two.facing


@laws
@given(seed=SEEDS, joints=st.integers(3, 20))
def test_the_files_joint_order_changes_nothing(seed: int, joints: int) -> None:
    skeleton = random_skeleton(seed, joints)
    order = _shuffled(skeleton, seed)
    one, two = build_rig(skeleton), build_rig(_reordered(skeleton, order))
    assert two.joints == one.joints
    assert np.allclose(two.positions, one.positions, atol=1e-12)
    assert [order[joint] if joint >= 0 else -1 for joint in two.source] == one.source.tolist()


@laws
@given(seed=SEEDS)
def test_an_aligned_motion_starts_at_the_origin_facing_ahead_on_the_ground(seed: int) -> None:
    skeleton = _biped(seed)
    rig = build_rig(skeleton)
    motion = aligned(rig, canonicalise(rig, random_clip(skeleton, seed)))
    positions = motion.positions(rig)
    assert np.allclose(motion.root[0, [0, 2]], 0.0, atol=1e-9)
    assert positions[..., 1].min() == pytest.approx(0.0, abs=1e-9)
    assert rig.facing is not None
    across = positions[0, rig.facing.right[0]] - positions[0, rig.facing.left[0]]
    assert abs(across[2]) < 1e-6 or np.hypot(across[0], across[2]) < 1e-6
    assert across[0] <= 1e-6


def test_motion_survives_the_change_to_another_joint_count_only_in_rotations() -> None:
    skeleton = _biped(0)
    rig = build_rig(skeleton)
    clip = Clip.rest(skeleton, np.arange(3) / 30.0)
    motion = canonicalise(rig, clip)
    assert np.allclose(motion.rotations, np.eye(3), atol=1e-12)
    assert np.allclose(quaternion_matrices(apply(rig, motion, clip).rotations), quaternion_matrices(clip.rotations))


def test_too_many_joints_are_refused_or_reduced_from_the_ends() -> None:
    skeleton = random_skeleton(5, 40)
    with pytest.raises(JointLimitError, match="--max-joints 20"):
        build_rig(skeleton, limit=20)
    rig = build_rig(skeleton, RigOverrides(max_joints=20), limit=20)
    assert len(rig.joints) <= 20
    assert {held.reason for held in rig.held} == {"over the joint limit"}
    assert rig.driven + len(rig.held) == 40


@pytest.mark.parametrize("rows", [[("a", "", (0, 0, 0))], [("a", "", (0, 0, 0)), ("b", "a", (0, 0, 0))]])
def test_a_point_is_no_body(rows: list[tuple[str, str, tuple[float, float, float]]]) -> None:
    with pytest.raises(SkeletonRefusedError):
        build_rig(body(rows))


def _biped(seed: int) -> Skeleton:
    random = np.random.default_rng(seed)
    rows = [
        ("Hips", "", (0.0, 1.0, 0.0)), ("Spine", "Hips", (0.0, 1.3, 0.0)), ("Head", "Spine", (0.0, 1.6, 0.02)),
        ("LeftUpLeg", "Hips", (0.1, 0.95, 0.0)), ("LeftLeg", "LeftUpLeg", (0.1, 0.5, 0.03)),
        ("LeftFoot", "LeftLeg", (0.1, 0.05, 0.0)), ("RightUpLeg", "Hips", (-0.1, 0.95, 0.0)),
        ("RightLeg", "RightUpLeg", (-0.1, 0.5, 0.03)), ("RightFoot", "RightLeg", (-0.1, 0.05, 0.0)),
    ]  # fmt: skip
    skeleton = body(rows)
    stretch = 1.0 + 0.1 * random.normal()
    return dataclasses.replace(skeleton, rest_translations=skeleton.rest_translations * stretch)


def _shuffled(skeleton: Skeleton, seed: int) -> list[int]:
    """A random order of the joints, parents first."""
    random = np.random.default_rng(seed)
    order: list[int] = []
    while len(order) < len(skeleton.joints):
        free = [joint for joint, above in enumerate(skeleton.parents) if joint not in order and above in [-1, *order]]
        order.append(int(random.choice(free)))
    return order


def _reordered(skeleton: Skeleton, order: list[int]) -> Skeleton:
    place = {old: new for new, old in enumerate(order)}
    parents = np.array([place.get(int(skeleton.parents[old]), -1) for old in order])
    return Skeleton(
        tuple(skeleton.joints[old] for old in order), parents, skeleton.rest_translations[order],
        skeleton.rest_rotations[order], skeleton.rest_scales[order],
    )  # fmt: skip
