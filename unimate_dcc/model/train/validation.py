"""Rigs cut out of the training set, and how well the average denoises their clips: always the same noise and times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.train.batches import Batches
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.ema import MovingAverage
from unimate_dcc.model.train.losses import flow_loss

ONE_IN = 12
"""Share of the topologies that validate."""
FEWEST = 24
"""A smaller set of rigs is trained on as a whole."""
BATCHES, SEED = 8, 1


class Validation:
    """A few fixed batches."""

    def __init__(self, batches: Batches, early: float) -> None:
        """Draw them once; the flow times are u^early as in training."""
        random = np.random.default_rng(SEED)
        noise = torch.Generator().manual_seed(SEED)
        self.drawn = []
        for _ in range(BATCHES):
            batch = batches.draw(random)
            at = torch.rand(len(batch.features), generator=noise) ** early
            self.drawn.append((batch, torch.randn(batch.features.shape, generator=noise), at))

    @torch.inference_mode()
    def loss(self, config: ModelConfig, average: MovingAverage) -> float:
        """Mean flow loss of the averaged weights."""
        with torch.random.fork_rng(devices=[]):  # a new model's first values must not take from the training's
            model = Denoiser(config).eval()
        average.copy_to(model)
        losses = []
        for batch, noise, at in self.drawn:
            wide = at[:, None, None, None]
            velocity = model((1 - wide) * noise + wide * batch.features, at, batch.conditions)
            losses.append(flow_loss(velocity, batch.features - noise, batch.joint_mask).item())
        return float(np.mean(losses))


def split(rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip]) -> tuple[list[TrainingClip], list[TrainingClip]]:
    """Clips to train on and clips that validate: whole topologies, chosen by their tree alone."""
    if len({clip.rig for clip in clips}) < FEWEST:
        return list(clips), []
    chosen = {number for number, rig in enumerate(rigs) if _validates(rig)}
    train = [clip for clip in clips if clip.rig not in chosen]
    return train, [clip for clip in clips if clip.rig in chosen]


def _validates(rig: TrainingRig) -> bool:
    return int(rig.tree[:8], 16) % ONE_IN == 0
