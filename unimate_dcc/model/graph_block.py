"""One block of the factorised variant: joints within a frame, then frames of a joint, then feed-forward."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unimate_dcc.model.config import GRAPH_CLASSES, ModelConfig
from unimate_dcc.model.layers import RMSNorm, SwiGLU, attend, merge_heads
from unimate_dcc.model.rope import Rotation, normed_and_rotated


class TemporalAttention(nn.Module):
    """Self-attention with normed and rotated queries and keys."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.proj = nn.Linear(config.width, config.width)
        self.q_norm = RMSNorm(config.head_width)
        self.k_norm = RMSNorm(config.head_width)

    def forward(self, x: Tensor, rotation: Rotation, mask: Tensor | None) -> Tensor:
        """Attend along the last axis but one.

        Args:
            x: (N, K, D).
            rotation: (N or 1, K, 1, d/2).
            mask: Boolean or additive, broadcasts against (N, H, K, K).

        Returns:
            (N, K, D).
        """
        qkv = torch.unflatten(self.qkv(x), -1, (3, self.heads, -1))  # (N, K, 3, H, d)
        weights = torch.stack((self.q_norm.weight, self.k_norm.weight))
        q, k = normed_and_rotated(qkv[:, :, :2], weights, rotation)
        out: Tensor = self.proj(merge_heads(attend(q, k, qkv[:, :, 2].transpose(1, 2), mask)))
        return out


class SpatialAttention(TemporalAttention):
    """Self-attention over the joints of a frame, biased by how they hang together."""

    def __init__(self, config: ModelConfig) -> None:
        # nn.Module lists own parameters before submodules, as the released weights do.
        super().__init__(config)
        hidden = config.width // 4
        self.graph_dist_scale = nn.Parameter(torch.full((1,), 0.02))  # SPEC h
        self.graph_rel_scale = nn.Parameter(torch.full((1,), 0.02))
        self.graph_dist_embedding = nn.Embedding(GRAPH_CLASSES, hidden)
        self.graph_dist_proj = nn.Linear(hidden, config.heads)
        self.graph_rel_embedding = nn.Embedding(GRAPH_CLASSES, hidden)
        self.graph_rel_proj = nn.Linear(hidden, config.heads)

    def bias(self, distances: Tensor, relations: Tensor, joint_mask: Tensor | None) -> Tensor:
        """Additive attention bias (B, H, J, J), -inf on padded keys.

        Args:
            distances: (B, J, J) tree distances 0..5.
            relations: (B, J, J) joint relations 0..5.
            joint_mask: (B, J) True for a real joint; None for all.
        """
        by_distance = self.graph_dist_scale * self.graph_dist_proj(self.graph_dist_embedding.weight)  # (6, H)
        by_relation = self.graph_rel_scale * self.graph_rel_proj(self.graph_rel_embedding.weight)
        bias: Tensor = (by_distance[distances] + by_relation[relations]).permute(0, 3, 1, 2)
        if joint_mask is None:
            return bias
        return bias.masked_fill(~joint_mask[:, None, None, :], -torch.inf)


class GraphBlock(nn.Module):
    """Spatial attention, temporal attention, feed-forward; each modulated and gated."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm_s = RMSNorm(config.width)
        self.s_attn = SpatialAttention(config)
        self.norm_t = RMSNorm(config.width)
        self.t_attn = TemporalAttention(config)
        self.norm_mlp = RMSNorm(config.width)
        self.mlp = SwiGLU(config.width, 2 * config.feed_forward // 3)
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(config.width, 9 * config.width))

    def forward(
        self,
        x: Tensor,
        y: Tensor,
        joints: Rotation,
        bias: Tensor,
        frames: Rotation,
        frame_mask: Tensor | None,
    ) -> Tensor:
        """Refine the tokens.

        Args:
            x: (B, F, J, D) tokens.
            y: (B, D) conditioning vector.
            joints: Spectral rotation (B or 1, J, d/2).
            bias: (B or 1, H, J, J) additive bias of the spatial attention.
            frames: Temporal rotation (F, d/2).
            frame_mask: (B or 1, F) True for a valid token in time; None for all.

        Returns:
            (B, F, J, D).
        """
        parts = self.adaLN_modulation(y)[:, None, None, :].chunk(9, dim=-1)
        shift_s, scale_s, gate_s, shift_t, scale_t, gate_t, shift_m, scale_m, gate_m = parts
        x = x + gate_s * self._in_space(self.norm_s.modulated(x, shift_s, scale_s), joints, bias)
        x = x + gate_t * self._in_time(self.norm_t.modulated(x, shift_t, scale_t), frames, frame_mask)
        out: Tensor = x + gate_m * self.mlp(self.norm_mlp.modulated(x, shift_m, scale_m))
        return out

    def _in_space(self, x: Tensor, joints: Rotation, bias: Tensor) -> Tensor:
        batch, tokens = x.shape[:2]
        if len(bias) > 1:  # every clip has its own skeleton: repeat it for each frame
            bias = bias.repeat_interleave(tokens, dim=0)
            joints = Rotation(*(part.repeat_interleave(tokens, dim=0) for part in joints))
        rotation = Rotation(*(part[:, :, None] for part in joints))
        out: Tensor = self.s_attn(x.flatten(0, 1), rotation, bias)
        return torch.unflatten(out, 0, (batch, tokens))

    def _in_time(self, x: Tensor, frames: Rotation, frame_mask: Tensor | None) -> Tensor:
        batch, _, joints, _ = x.shape
        mask = None
        if frame_mask is not None:
            mask = frame_mask if len(frame_mask) == 1 else frame_mask.repeat_interleave(joints, dim=0)
            mask = mask[:, None, None, :]
        rotation = Rotation(*(part[None, :, None] for part in frames))
        out: Tensor = self.t_attn(x.transpose(1, 2).flatten(0, 1), rotation, mask)
        return torch.unflatten(out, 0, (batch, joints)).transpose(1, 2)
