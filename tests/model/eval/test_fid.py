"""The Frechet distance against its closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from unimate_dcc.model.eval.fid import distance, diversity, frechet
from unimate_dcc.skeleton import FloatArray


def _normal(seed: int, rows: int = 4000, width: int = 5) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(rows, width))


def test_a_set_is_at_no_distance_from_itself_even_when_it_is_small() -> None:
    for rows in (6, 500):
        some = _normal(0, rows, 32)
        assert frechet(some, some) == pytest.approx(0.0, abs=1e-6)
        assert distance(some, some, np.random.default_rng(0)).value == pytest.approx(0.0, abs=1e-6)


def test_shifted_sets_are_apart_by_the_square_of_the_shift() -> None:
    some = _normal(0)
    shift = np.array([1.0, -2.0, 0.0, 0.5, 0.0])
    assert frechet(some, some + shift) == pytest.approx(float(shift @ shift), rel=1e-9)


def test_stretched_sets_are_apart_by_the_closed_form_of_normal_distributions() -> None:
    some = _normal(0)
    factors = np.array([1.0, 2.0, 0.5, 3.0, 1.0])
    expected = float((some.std(0, ddof=1) ** 2 * (factors - 1) ** 2).sum())
    assert frechet(some, some.mean(0) + (some - some.mean(0)) * factors) == pytest.approx(expected, rel=0.01)


def test_the_distance_is_symmetric_and_knows_no_axes() -> None:
    one, other = _normal(0, 200) * [1, 2, 3, 4, 5], _normal(1, 200) + 1
    turn, _ = np.linalg.qr(_normal(2, 5, 5))
    assert frechet(one, other) == pytest.approx(frechet(other, one), rel=1e-9)
    assert frechet(one @ turn, other @ turn) == pytest.approx(frechet(one, other), rel=1e-9)


def test_sets_of_different_size_are_compared_at_the_smaller_with_the_value_inside_the_interval() -> None:
    found = distance(_normal(0, 300), _normal(1, 60) + 1.0, np.random.default_rng(0))
    assert found.size == 60
    assert found.low < found.value < found.high
    assert found.low < 5.0 < found.high + 1.5


def test_one_motion_has_no_distance() -> None:
    with pytest.raises(ValueError, match="no distance"):
        distance(_normal(0, 1), _normal(1, 9), np.random.default_rng(0))


def test_diversity_is_the_mean_joint_distance_of_pairs() -> None:
    still = np.zeros((10, 4, 3))
    assert diversity([still, still]) == 0.0
    assert diversity([still, still + [3.0, 0.0, 4.0]]) == pytest.approx(5.0)
    assert diversity([still, still, still + [3.0, 0.0, 4.0]]) == pytest.approx(10 / 3)
