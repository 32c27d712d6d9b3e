"""From numbers to tokens: time, rest pose, motion, and the pooled skeleton."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from unimate_dcc.model.config import FEATURES, ModelConfig
from unimate_dcc.model.layers import PackedAttention, RMSNorm, SwiGLU, perceptron, weight_dtype

TIME_FREQUENCIES = 128
"""Half the width of the time embedding, at every model size (SPEC b2)."""
POOL_QUERIES = 4
"""Learned queries of the skeleton pool (SPEC b1)."""


class TimeEmbedder(nn.Module):
    """Flow time in [0, 1], unscaled, to a vector."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mlp = perceptron(2 * TIME_FREQUENCIES, width, width)

    def forward(self, time: Tensor) -> Tensor:
        """(B,) to (B, D)."""
        index = torch.arange(TIME_FREQUENCIES, dtype=torch.float32, device=time.device)
        angles = time.float()[:, None] * torch.exp(-math.log(10000.0) * index / TIME_FREQUENCIES)
        waves = torch.cat((angles.cos(), angles.sin()), dim=-1)
        out: Tensor = self.mlp(waves.to(weight_dtype(self)))
        return out


class InputLayer(nn.Module):
    """Embeds the rest pose and the motion; the root has embedders of its own."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width, motion = config.width, FEATURES * config.frames_per_token
        self.frames_per_token = config.frames_per_token
        # The order of registration is the order of the nameless EMA list (SPEC b1).
        self.root_tpos_embedder = perceptron(FEATURES, width, width)
        self.root_x_embedder = perceptron(motion, width, width)
        self.joint_tpos_embedder = perceptron(FEATURES, width, width)
        self.parent_tpos_embedder = perceptron(FEATURES, width, width)
        self.tpos_fuse = perceptron(2 * width, width, width)
        self.joint_x_embedder = perceptron(motion, width, width)

    def skeleton(self, rest: Tensor, parent_rest: Tensor) -> Tensor:
        """Skeleton tokens (B, J, D) from rest features (B, J, 12) and those of the parents."""
        dtype = weight_dtype(self.tpos_fuse)
        rest, parent_rest = rest.to(dtype), parent_rest.to(dtype)
        own = self.joint_tpos_embedder(rest[:, 1:])
        above = self.parent_tpos_embedder(parent_rest[:, 1:])
        joints = self.tpos_fuse(torch.cat((own, above), dim=-1))
        return torch.cat((self.root_tpos_embedder(rest[:, :1]), joints), dim=1)

    def motion(self, x: Tensor) -> Tensor:
        """Motion tokens (B, F-1, J, D) from noisy features (B, J, 12, T)."""
        patches = (
            torch.unflatten(x, -1, (-1, self.frames_per_token)).permute(0, 3, 1, 4, 2).flatten(3)
        )  # (B, F-1, J, n*12)
        patches = patches.to(weight_dtype(self.joint_x_embedder))
        return torch.cat((self.root_x_embedder(patches[:, :, :1]), self.joint_x_embedder(patches[:, :, 1:])), dim=2)


class AttentionPool(nn.Module):
    """A few learned queries read the skeleton and are averaged."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.queries = nn.Parameter(torch.randn(1, POOL_QUERIES, width) * 0.02)
        self.norm_q = RMSNorm(width)
        self.norm_kv = RMSNorm(width)
        self.cross_attn = PackedAttention(width)
        self.norm_ff = RMSNorm(width)
        self.ffn = SwiGLU(width, 2 * width)
        self.norm_out = RMSNorm(width)
        self.out_proj = nn.Linear(width, width)

    def forward(self, tokens: Tensor, joint_mask: Tensor | None) -> Tensor:
        """(B, J, D) skeleton tokens to (B, D)."""
        queries = self.queries.expand(len(tokens), -1, -1)
        normed = self.norm_kv(tokens)
        pooled = queries + self.cross_attn(self.norm_q(queries), normed, normed, joint_mask)
        pooled = pooled + self.ffn(self.norm_ff(pooled))
        out: Tensor = self.out_proj(self.norm_out(pooled.mean(dim=1)))
        return out


class TopologyPool(nn.Module):
    """Holder of the pool, under the name the released weights give it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.pool = AttentionPool(width)

    def forward(self, tokens: Tensor, joint_mask: Tensor | None) -> Tensor:
        """(B, J, D) to (B, D)."""
        out: Tensor = self.pool(tokens, joint_mask)
        return out
