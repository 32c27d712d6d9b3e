"""Rotary positions: frames turn by their index, joints by the spectrum of their tree."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unimate_dcc.model.config import SPECTRAL_WIDTH, ModelConfig
from unimate_dcc.model.layers import inverse_size, weight_dtype

SPECTRAL_HIDDEN = 64
"""Hidden width of the sign-invariant encoder, at every model size (SPEC b1)."""


class Rotation(NamedTuple):
    """Cosines and sines (..., n) that turn channel i together with channel i + n."""

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


def normed_and_rotated(pairs: Tensor, weights: Tensor, rotation: Rotation) -> Tensor:
    """Queries and keys, root-mean-square normed over their channels, then turned; float32 inside.

    Args:
        pairs: (N, K, 2, H, d) queries and keys.
        weights: (2, d) of the two norms.
        rotation: Broadcasts against (N, K, P, d / 2P); each of the P parts of a head turns by angles of its own.

    Returns:
        (2, N, H, K, d) in the dtype of ``pairs``.
    """
    parts = rotation.cos.shape[-2]
    wide = pairs.float()
    x = torch.unflatten(wide * inverse_size(wide), -1, (parts, -1))  # (N, K, 2, H, P, d/P)
    first, second = x.chunk(2, dim=-1)
    weight = torch.unflatten(weights.float()[:, None], -1, (parts, -1))  # (2, 1, P, d/P)
    weight_first, weight_second = weight.chunk(2, dim=-1)
    cos, sin = (part[:, :, None, None] for part in rotation)
    # The norms' weights ride on the small tables, which saves passes over the large tensors.
    left = torch.addcmul(first * (cos * weight_first), second, sin * weight_second, value=-1)
    right = torch.addcmul(second * (cos * weight_second), first, sin * weight_first)
    turned = torch.cat((left.to(pairs.dtype), right.to(pairs.dtype)), dim=-1).flatten(-2)
    return turned.permute(2, 0, 3, 1, 4)
