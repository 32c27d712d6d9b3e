"""Entries of a clip that are known and held while the rest is generated."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Pins:
    """What is known, and where.

    Attributes:
        known: (B, J, 12, T) normalised features; read only where ``keep`` is True.
        keep: Boolean, broadcasts against ``known``: (B, 1, 1, T) holds frames, (B, J, 1, 1) joints.
        noise: (B, J, 12, T) the noise the flow started from.
    """

    known: Tensor
    keep: Tensor
    noise: Tensor

    def hold(self, x: Tensor, time: float) -> Tensor:
        """``x`` with its kept entries on the straight way from the noise to what is known (SPEC e)."""
        on_the_way = (1 - time) * self.noise + time * self.known
        return torch.where(self.keep, on_the_way, x)
