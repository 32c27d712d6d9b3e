"""The judge of actions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unimate_dcc.model.eval.classifier import balanced_accuracy, cross_judged, fit, recalls
from unimate_dcc.skeleton import FloatArray

CALM, WILD = [0.0, 0.0, 1.0], [2.0, 2.0, 1.0]


def _toy(clips: int = 60, seed: int = 0) -> tuple[FloatArray, list[str], list[str], list[str]]:
    """Two actions that two of three statistics tell apart, on ten topologies."""
    random = np.random.default_rng(seed)
    actions = ["idle" if clip % 3 else "run" for clip in range(clips)]
    rows = np.array([CALM if action == "idle" else WILD for action in actions])
    rows = rows + random.normal(size=rows.shape) * 0.3
    rows[:, 2] = 1.0
    return rows, ["biped", "bird"] * (clips // 2), actions, [f"tree{clip % 10}" for clip in range(clips)]


def test_two_actions_are_told_apart_on_clips_it_has_not_seen() -> None:
    rows, kinds, actions, groups = _toy()
    judge = fit(rows, kinds, actions)
    other, kinds_too, truth, _ = _toy(seed=9)
    assert judge.judge(other, kinds_too) == truth
    assert cross_judged(rows, kinds, actions, groups) == actions
    np.testing.assert_allclose(judge.probabilities(other, kinds_too).sum(1), 1.0)


def test_the_rare_action_is_not_outvoted_by_the_common_one() -> None:
    random = np.random.default_rng(1)
    actions = ["walk"] * 300 + ["jump"] * 15
    rows = random.normal(size=(315, 1)) + np.array([[1.0 if action == "jump" else -1.0] for action in actions])
    found = recalls(actions, fit(rows, ["biped"] * 315, actions).judge(rows, ["biped"] * 315))
    assert found["jump"] > 0.7
    assert abs(found["walk"] - found["jump"]) < 0.2


def test_a_group_is_judged_without_having_been_seen() -> None:
    """Each topology has its own giveaway and wrong actions in half of the cases: only memory could be right."""
    random = np.random.default_rng(0)
    groups = [f"tree{clip // 4}" for clip in range(160)]
    rows = np.eye(40)[[clip // 4 for clip in range(160)]]
    actions = list(np.repeat(random.permutation(["walk", "run"] * 20), 4))
    kinds = ["biped"] * 160
    assert balanced_accuracy(actions, fit(rows, kinds, actions).judge(rows, kinds)) == 1.0
    assert balanced_accuracy(actions, cross_judged(rows, kinds, actions, groups)) < 0.6


def test_a_verdict_among_some_actions_is_one_of_them() -> None:
    rows, kinds, actions, _ = _toy()
    actions[:4] = ["jump"] * 4
    verdicts = fit(rows, kinds, actions).judge(rows, kinds, among=["idle", "jump"])
    assert set(verdicts) <= {"idle", "jump"}


def test_an_unknown_kind_of_body_is_judged_by_its_motion_alone() -> None:
    rows, kinds, actions, _ = _toy()
    assert fit(rows, kinds, actions).judge(rows, ["ghost"] * len(rows)) == actions


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 50), scale=st.floats(0.1, 100.0), shift=st.floats(-50.0, 50.0))
def test_units_and_order_of_the_statistics_do_not_matter(seed: int, scale: float, shift: float) -> None:
    rows, kinds, actions, _ = _toy(seed=seed)
    plain = fit(rows, kinds, actions).probabilities(rows, kinds)
    other = rows[:, ::-1] * scale + shift
    np.testing.assert_allclose(fit(other, kinds, actions).probabilities(other, kinds), plain, atol=1e-3)


def test_recalls_are_shares_of_the_true_actions() -> None:
    truth, found = ["a", "a", "a", "b"], ["a", "b", "a", "b"]
    assert recalls(truth, found) == {"a": pytest.approx(2 / 3), "b": 1.0}
    assert balanced_accuracy(truth, found) == pytest.approx(5 / 6)
