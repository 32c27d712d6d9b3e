"""Batches in the order of the steps, drawn ahead by worker processes where there are any."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from torch.utils.data import DataLoader, Dataset

from unimate_dcc.model.train.batches import Batch, Batches

AHEAD = 4
"""Batches each worker keeps ready."""


class Draws(Dataset[Batch]):
    """The batch of each step: seed and step decide it alone, so that who draws it, and when, changes nothing."""

    def __init__(self, batches: Batches, seed: int) -> None:
        self.batches, self.seed = batches, seed

    def __getitem__(self, step: int) -> Batch:
        """The batch of a step."""
        return self.batches.draw(np.random.default_rng((self.seed, step)))


def stream(draws: Draws, first: int, last: int, workers: int) -> Iterator[Batch]:
    """Batches of steps ``first`` up to and without ``last``."""
    steps = range(first, last)
    if not workers:
        yield from (draws[step] for step in steps)
        return
    # Spawned, not forked: a child of a process in which torch has run threads hangs.
    loader: DataLoader[Batch] = DataLoader(
        draws,
        batch_size=None,
        sampler=steps,
        num_workers=workers,
        prefetch_factor=AHEAD,
        multiprocessing_context="spawn",
    )
    yield from loader
