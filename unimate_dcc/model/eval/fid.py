"""Distance of two sets of motions: Frechet, at equal sizes; and how far the takes of one prompt lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from unimate_dcc.skeleton import FloatArray

ROUNDS = 200
"""Resamplings of the bootstrap; the ends of a 95 % interval then rest on 5 of them each."""
DRAWS = 20
"""Draws of the smaller size out of the bigger set, averaged."""


@dataclass(frozen=True)
class Distance:
    """A Frechet distance.

    Attributes:
        value: Mean over draws of equal size.
        low: Lower end of the 95 % interval.
        high: Upper end.
        size: Motions of each set in a draw; distances at different sizes do not compare.
    """

    value: float
    low: float
    high: float
    size: int


def frechet(one: FloatArray, other: FloatArray) -> float:
    """|m1 - m2|^2 + tr(S1 + S2 - 2 (S1 S2)^1/2) of (N, F) and (M, F) rows, of normal distributions fitted to them."""
    away = one.mean(0) - other.mean(0)
    first, second = np.cov(one, rowvar=False), np.cov(other, rowvar=False)
    root = _square_root(first)
    cross = np.linalg.eigvalsh(root @ second @ root)
    traces = float(np.trace(first) + np.trace(second))
    return max(0.0, float(away @ away) + traces - 2.0 * float(np.sqrt(np.maximum(cross, 0.0)).sum()))


def _square_root(matrix: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T)


def distance(one: FloatArray, other: FloatArray, random: np.random.Generator) -> Distance:
    """Frechet distance of (N, F) and (M, F) rows at the size of the smaller set, with a bootstrap interval.

    Resampling repeats rows and so narrows both sets, which lengthens the distance: the interval is moved back
    by that mean excess.

    Raises:
        ValueError: A set has fewer than 2 rows.
    """
    size = min(len(one), len(other))
    if size < 2:
        raise ValueError(f"sets of {len(one)} and {len(other)} motions have no distance")
    draws = DRAWS if len(one) != len(other) else 1
    value = float(np.mean([frechet(_some(one, size, random), _some(other, size, random)) for _ in range(draws)]))
    again = [
        frechet(one[random.integers(len(one), size=size)], other[random.integers(len(other), size=size)])
        for _ in range(ROUNDS)
    ]
    low, high = np.percentile(again, [2.5, 97.5]) - (np.mean(again) - value)
    return Distance(value, max(0.0, float(low)), float(high), size)


def _some(rows: FloatArray, size: int, random: np.random.Generator) -> FloatArray:
    return rows[random.permutation(len(rows))[:size]]


def diversity(takes: Sequence[FloatArray]) -> float:
    """Mean distance of the joints of two takes of a prompt, over all pairs (paper 5.2).

    Args:
        takes: At least 2 of (T, K, 3) positions of one rig.
    """
    return float(np.mean([np.linalg.norm(a - b, axis=-1).mean() for a, b in combinations(takes, 2)]))
