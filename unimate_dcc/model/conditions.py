"""What a denoiser is told about a batch of clips besides the noisy motion."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Conditions:
    """The text and the skeletons of a batch.

    Each tensor has batch B or batch 1; one skeleton for many clips is given once.

    Attributes:
        text: (B, L, W) text tokens, W the text encoder's width.
        text_mask: (B, L) True for a real token; at least one per clip.
        pooled: (B, W) mean of the real tokens.
        text_dropped: (B,) True where the clip is generated without its prompt.
        names: (B, J, W) encoded joint labels.
        rest: (B, J, 12) rest features, normalised like motion.
        parent_rest: (B, J, 12) the parent's row of ``rest``; the root's own.
        relations: (B, J, J) integer joint relations 0..5.
        distances: (B, J, J) integer tree distances 0..5.
        depths: (B, J) integer depths, root 0.
        spectral: (B, J, 8) Laplacian eigenvector entries.
        joint_mask: (B, J) True for a real joint; None when none is padding.
        frame_lengths: (B,) valid frames of each clip; None when all are.
    """

    text: Tensor
    text_mask: Tensor
    pooled: Tensor
    text_dropped: Tensor
    names: Tensor
    rest: Tensor
    parent_rest: Tensor
    relations: Tensor
    distances: Tensor
    depths: Tensor
    spectral: Tensor
    joint_mask: Tensor | None = None
    frame_lengths: Tensor | None = None

    def to(self, device: torch.device) -> Self:
        """The same conditions on another device."""
        moved: dict[str, Tensor] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                moved[field.name] = value.to(device)
        return replace(self, **moved)

    def guided(self) -> Self:
        """Twice the clips: first with their prompts, then without, for one call of the network."""
        doubled: dict[str, Tensor] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and (field.name in TEXT_FIELDS or len(value) > 1):
                doubled[field.name] = torch.cat((value, value))
        doubled["text_dropped"] = torch.cat((self.text_dropped, torch.ones_like(self.text_dropped)))
        return replace(self, **doubled)


TEXT_FIELDS = ("text", "text_mask", "pooled", "text_dropped")
"""What the two halves of a guided call do not share."""
