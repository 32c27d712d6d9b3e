"""Angles and distances over time: keyed tracks and harmonics that close."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.skeleton import FloatArray

TURN = 2.0 * np.pi


def track(frames: int, keys: Sequence[tuple[float, float]]) -> FloatArray:
    """(T,) values that rest at every key and ease in between.

    Args:
        frames: T.
        keys: Place 0..1 in the clip, rising, and value; held before the first and after the last.
    """
    places, values = np.array(keys, dtype=np.float64).T
    at = np.linspace(0.0, 1.0, frames)
    after = np.clip(np.searchsorted(places, at, side="right"), 1, len(places) - 1)
    share = np.clip((at - places[after - 1]) / (places[after] - places[after - 1]), 0.0, 1.0)
    eased = share * share * (3.0 - 2.0 * share)
    return np.asarray(values[after - 1] + (values[after] - values[after - 1]) * eased)


def bump(frames: int, start: float, top: float, end: float) -> FloatArray:
    """(T,) from 0 up to 1 and back to 0."""
    return track(frames, [(start, 0.0), (top, 1.0), (end, 0.0)])


def wave(cycles: FloatArray, lag: float = 0.0) -> FloatArray:
    """(T,) sine of (T,) cycles, late by ``lag`` cycles."""
    return np.sin(TURN * (cycles - lag))


def wander(random: np.random.Generator, frames: int, harmonics: Sequence[int] = (1, 2, 3)) -> FloatArray:
    """(T,) of about -1..1 made of whole harmonics: the last value equals the first, and so does the slope."""
    at = np.linspace(0.0, 1.0, frames)
    sizes = np.array([random.uniform(0.4, 1.0) / order for order in harmonics])
    parts = [size * np.sin(TURN * (order * at + random.random())) for size, order in zip(sizes, harmonics, strict=True)]
    return np.asarray(np.sum(parts, axis=0) / sizes.sum())
