"""One block of the full variant: all tokens attend to all, the text is read by cross-attention."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.layers import RMSNorm, SwiGLU, attend, merge_heads, split_heads
from unimate_dcc.model.rope import Rotation, normed_and_rotated


class FullAttention(nn.Module):
    """Self-attention whose heads turn half by the joint and half by the frame (GraphRoPE)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.proj = nn.Linear(config.width, config.width)
        self.q_norm = RMSNorm(config.head_width)
        self.k_norm = RMSNorm(config.head_width)

    def forward(self, x: Tensor, rotation: Rotation, mask: Tensor | None) -> Tensor:
        """Attend over all tokens.

        Args:
            x: (B, K, D) with K = F * J tokens, frame-major.
            rotation: (B or 1, K, 2, d/4): joint angles, then frame angles.
            mask: (B or 1, 1, 1, K) True for a key that counts; None for all.

        Returns:
            (B, K, D).
        """
        qkv = torch.unflatten(self.qkv(x), -1, (3, self.heads, -1))  # (B, K, 3, H, d)
        weights = torch.stack((self.q_norm.weight, self.k_norm.weight))
        q, k = normed_and_rotated(qkv[:, :, :2], weights, rotation)
        out: Tensor = self.proj(merge_heads(attend(q, k, qkv[:, :, 2].transpose(1, 2), mask)))
        return out


class TextAttention(nn.Module):
    """Cross-attention to the text; no position."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.q_proj = nn.Linear(config.width, config.width)
        self.kv_proj = nn.Linear(config.width, 2 * config.width)
        self.proj = nn.Linear(config.width, config.width)
        self.q_norm = RMSNorm(config.head_width)
        self.k_norm = RMSNorm(config.head_width)

    def memory(self, text: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values (B, H, L, d) of projected text (B, L, D); the same at every step."""
        key, value = self.kv_proj(text).chunk(2, dim=-1)
        return self.k_norm(split_heads(key, self.heads)), split_heads(value, self.heads)

    def forward(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """(B, K, D) tokens read the memory; ``mask`` (B, L) is True for a real text token."""
        query = self.q_norm(split_heads(self.q_proj(x), self.heads))
        out: Tensor = self.proj(merge_heads(attend(query, memory[0], memory[1], mask[:, None, None, :])))
        return out


class FullBlock(nn.Module):
    """Self-attention and feed-forward are modulated and gated, the text attention is neither."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm1 = RMSNorm(config.width)
        self.attn = FullAttention(config)
        self.norm_c = RMSNorm(config.width)
        self.c_attn = TextAttention(config)
        self.norm2 = RMSNorm(config.width)
        self.mlp = SwiGLU(config.width, 2 * config.feed_forward // 3)
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(config.width, 6 * config.width))

    def forward(
        self,
        x: Tensor,
        y: Tensor,
        rotation: Rotation,
        mask: Tensor | None,
        memory: tuple[Tensor, Tensor],
        text_mask: Tensor,
    ) -> Tensor:
        """Refine the tokens.

        Args:
            x: (B, K, D) with K = F * J tokens, frame-major.
            y: (B, D) conditioning vector.
            rotation: (B or 1, K, 2, d/4).
            mask: (B or 1, 1, 1, K) True for a key that counts; None for all.
            memory: Text keys and values of this block.
            text_mask: (B, L).

        Returns:
            (B, K, D).
        """
        shift_a, scale_a, gate_a, shift_m, scale_m, gate_m = self.adaLN_modulation(y)[:, None, :].chunk(6, dim=-1)
        x = x + gate_a * self.attn(self.norm1.modulated(x, shift_a, scale_a), rotation, mask)
        x = x + self.c_attn(self.norm_c(x), memory, text_mask)
        out: Tensor = x + gate_m * self.mlp(self.norm2.modulated(x, shift_m, scale_m))
        return out
