"""Laws of the kinematic statistics."""

from __future__ import annotations

import numpy as np
import pytest
from model.eval.toy_set import MOTIONS, walker_with_tail

from unimate_dcc.model.eval.kinematics import DISTANCE, NAMES, kinematics, standardised
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.skeleton import FloatArray


def _numbers(rig_links: int, text: str) -> dict[str, float]:
    rig = walker_with_tail(rig_links)
    return dict(zip(NAMES, kinematics(rig.positions, rig.parents, MOTIONS[text](rig, 0)), strict=True))


def test_there_are_at_most_32_for_the_distance_and_they_come_first() -> None:
    assert len(DISTANCE) == 32
    assert NAMES[:32] == DISTANCE
    assert len(set(NAMES)) == len(NAMES) == 48


@pytest.mark.parametrize("text", list(MOTIONS))
def test_the_order_of_the_joints_does_not_matter(text: str) -> None:
    rig = walker_with_tail(3)
    motion = MOTIONS[text](rig, 0)
    order = [0, *np.random.default_rng(2).permutation(np.arange(1, len(rig.joints)))]
    order = sorted(order, key=lambda joint: (int(rig.topology.depths[joint]), order.index(joint)))
    place = {joint: slot for slot, joint in enumerate(order)}
    parents = np.array([place[int(rig.parents[joint])] if joint else -1 for joint in order])
    shuffled = kinematics(rig.positions[order], parents, RigMotion(motion.rotations[:, order], motion.root))
    np.testing.assert_allclose(shuffled, kinematics(rig.positions, rig.parents, motion), atol=1e-9)


def test_jitter_is_hardly_seen() -> None:
    rig = walker_with_tail(0)
    motion = MOTIONS["walks forward"](rig, 0)
    shaken = RigMotion(motion.rotations, motion.root + np.random.default_rng(0).normal(size=motion.root.shape) * 0.01)

    def speeds(of: RigMotion) -> FloatArray:
        return kinematics(rig.positions, rig.parents, of)[: NAMES.index("speed_last") + 1]

    raw = [float(np.abs(np.diff(of.positions(rig)[..., 1], axis=0)).mean()) for of in (shaken, motion)]
    assert raw[0] > 2 * raw[1]
    assert np.abs(speeds(shaken) - speeds(motion)).max() < 0.3


def test_the_statistics_say_what_their_names_say() -> None:
    walk, run, idle, fall = (_numbers(0, text) for text in MOTIONS)
    assert idle["speed_mean"] < walk["speed_mean"] < run["speed_mean"]
    assert walk["rhythm"] > 0.9
    assert walk["sides"] < -0.9
    assert walk["share_ahead"] > walk["share_up"]
    assert fall["tilt_last"] == pytest.approx(1.0, abs=0.05)
    assert fall["root_up_last"] < -0.3 < walk["root_up_last"]
    assert fall["away_last"] > walk["away_last"]


def test_a_statistic_that_never_varies_does_not_divide_by_nothing() -> None:
    rows = np.array([[1.0, 2.0], [1.0, 50.0]])
    assert standardised(rows, rows.mean(0), rows.std(0) / 100).tolist() == [[0.0, -4.0], [0.0, 4.0]]
