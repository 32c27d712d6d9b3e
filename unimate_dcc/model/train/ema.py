"""The moving average of the weights that sampling uses."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def decay_at(step: int, most: float) -> float:
    """Share of the old average kept after ``step`` steps: ((1 + n) / (10 + n))^0.01, n = step / 100 (eq. 21)."""
    n = step / 100.0
    return float(min(most, ((1.0 + n) / (10.0 + n)) ** 0.01))


class MovingAverage:
    """A running average of a model's parameters."""

    def __init__(self, model: nn.Module, most: float) -> None:
        self.most = most
        self.values: dict[str, Tensor] = {name: value.detach().clone() for name, value in model.named_parameters()}

    @torch.no_grad()
    def update(self, model: nn.Module, step: int) -> None:
        """Move towards the parameters."""
        keep = decay_at(step, self.most)
        names = list(self.values)
        own = dict(model.named_parameters())
        torch._foreach_lerp_([self.values[name] for name in names], [own[name] for name in names], 1.0 - keep)

    @torch.no_grad()
    def copy_to(self, model: nn.Module) -> None:
        """Overwrite a model's parameters with the average."""
        for name, value in model.named_parameters():
            value.copy_(self.values[name])
