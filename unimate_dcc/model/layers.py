"""The small layers every part of the network is built from."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

NORM_EPSILON = 1e-6
"""SPEC b1; the parity fixtures fail with 1e-5."""
SHORT = 256
"""Keys; up to here plain products beat the flash kernel on CPUs, 3.4 times at 40 keys in bfloat16 (2 cores, EPYC)."""
POOL_HEADS = 4
"""Heads of the pool and of the root attention, whatever the blocks have (SPEC b1)."""


class RMSNorm(nn.Module):
    """Root-mean-square norm over the last axis, in float32 whatever the weights are."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """(..., width) to the same, in the dtype of ``x``."""
        wide = x.float()
        return (wide * inverse_size(wide) * self.weight.float()).to(x.dtype)

    def modulated(self, x: Tensor, shift: Tensor, scale: Tensor) -> Tensor:
        """Normed, times 1 + scale, plus shift: one pass less than one after the other."""
        wide = x.float()
        factor = (1 + scale.float()) * self.weight.float()
        return torch.addcmul(shift.float(), wide * inverse_size(wide), factor).to(x.dtype)


class SwiGLU(nn.Module):
    """Gated feed-forward: w3(silu(first half of w12) * second half)."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.w12 = nn.Linear(width, 2 * hidden)
        self.w3 = nn.Linear(hidden, width)

    def forward(self, x: Tensor) -> Tensor:
        """(..., width) to (..., width)."""
        gate, value = self.w12(x).chunk(2, dim=-1)
        out: Tensor = self.w3(functional.silu(gate) * value)
        return out


class PackedAttention(nn.Module):
    """Multi-head attention with one packed input projection, 4 heads, no position."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.empty(3 * width, width))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * width))
        self.out_proj = nn.Linear(width, width)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_mask: Tensor | None) -> Tensor:
        """Attend.

        Args:
            query: (N, Q, D).
            key: (N, K, D).
            value: (N, K, D).
            key_mask: (N or 1, K) True where a key counts; None for all.

        Returns:
            (N, Q, D).
        """
        weights, biases = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        projected = [
            split_heads(functional.linear(x, w, b), POOL_HEADS)
            for x, w, b in zip((query, key, value), weights, biases, strict=True)
        ]
        mask = None if key_mask is None else key_mask[:, None, None, :]
        out: Tensor = self.out_proj(merge_heads(attend(projected[0], projected[1], projected[2], mask)))
        return out


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax attention over (N, H, Q or K, d); ``mask`` is boolean or additive and broadcasts over N and H.

    Of long keys, and off the CPU, the caller chooses the kernel with ``torch.nn.attention.sdpa_kernel``.
    """
    if key.device.type != "cpu" or key.shape[-2] > SHORT:
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    logits = (query * key.shape[-1] ** -0.5) @ key.transpose(-1, -2)
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else logits + mask
    return torch.softmax(logits, dim=-1, dtype=torch.float32).to(value.dtype) @ value


def inverse_size(x: Tensor) -> Tensor:
    """One over the root mean square along the last axis, (..., 1)."""
    return torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + NORM_EPSILON)


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(N, K, D) to (N, H, K, d)."""
    return torch.unflatten(x, -1, (heads, -1)).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(N, H, K, d) to (N, K, D)."""
    return x.transpose(1, 2).flatten(2)


def weight_dtype(module: nn.Module) -> torch.dtype:
    """What a module computes in: the dtype of its first parameter."""
    return next(module.parameters()).dtype


def perceptron(inputs: int, width: int, outputs: int) -> nn.Sequential:
    """Linear, SiLU, Linear: the shape of every embedder and head."""
    return nn.Sequential(nn.Linear(inputs, width), nn.SiLU(), nn.Linear(width, outputs))
