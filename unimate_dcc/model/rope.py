"""Rotary positions: frames turn by their index, joints by the spectrum of their tree."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unimate_dcc.model.config import SPECTRAL_WIDTH, ModelConfig
from unimate_dcc.model.layers import weight_dtype

SPECTRAL_HIDDEN = 64
"""Hidden width of the sign-invariant encoder, at every model size (SPEC b1)."""


class Rotation(NamedTuple):
    """Cosines and sines (..., d/2) that turn channel i together with channel i + d/2."""

    cos: Tensor
    sin: Tensor

    @classmethod
    def of(cls, angles: Tensor) -> Rotation:
        """From angles in radians, float32."""
        return cls(angles.cos(), angles.sin())


class SpectralEncoder(nn.Module):
    """Angles from Laplacian eigenvectors whose sign means nothing (SignNet)."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        hidden = SPECTRAL_HIDDEN
        self.phi = nn.Sequential(nn.Linear(1, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.rho = nn.Sequential(nn.Linear(SPECTRAL_WIDTH * hidden, hidden), nn.GELU(), nn.Linear(hidden, outputs))

    def forward(self, spectral: Tensor) -> Tensor:
        """(B, J, 8) eigenvector entries to (B, J, outputs) angles, float32."""
        entries = spectral.to(weight_dtype(self))[..., None]  # (B, J, 8, 1)
        both = self.phi(entries) + self.phi(-entries)
        angles: Tensor = self.rho(both.flatten(-2))
        return angles.float()


class SpectralRope(nn.Module):
    """Holder of the encoder, under the name the released weights give it."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.spectral_encoder = SpectralEncoder(outputs)

    def forward(self, spectral: Tensor) -> Tensor:
        """(B, J, 8) to (B, J, outputs) angles, float32."""
        angles: Tensor = self.spectral_encoder(spectral)
        return angles


def temporal_base(max_frames: int) -> int:
    """Base of the temporal frequencies: 200 for 60 frames, 100 for 10 (SPEC b4)."""
    return 100 * (math.floor(8 * (max_frames + 1) / math.pi) // 100 + 1)


def temporal_angles(config: ModelConfig, tokens: int, channels: int, device: torch.device) -> Tensor:
    """Angles (F, channels/2) of the first F tokens, float32; token 0 is the rest pose."""
    base = temporal_base(config.max_frames // config.frames_per_token)
    half = torch.arange(channels // 2, dtype=torch.float32, device=device)
    frequencies = base ** (-2 * half / channels)
    return torch.arange(tokens, dtype=torch.float32, device=device)[:, None] * frequencies


def rotate(x: Tensor, rotation: Rotation) -> Tensor:
    """Turn (..., d) by a rotation that broadcasts against (..., d/2); float32 in, float32 out."""
    first, second = x.chunk(2, dim=-1)
    cos, sin = rotation
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
