"""From tokens back to features: the output head and the convolution over token seams."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unimate_dcc.model.config import FEATURES, ModelConfig
from unimate_dcc.model.layers import PackedAttention, RMSNorm, perceptron, weight_dtype


class FinalLayer(nn.Module):
    """The root reads the other joints once more, then both heads speak."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width, motion = config.width, FEATURES * config.frames_per_token
        self.frames_per_token = config.frames_per_token
        self.norm_final = RMSNorm(width)
        self.root_cross_attn = PackedAttention(width)
        self.root_cross_norm_q = RMSNorm(width)
        self.root_cross_norm_kv = RMSNorm(width)
        self.root_out = perceptron(width, width, motion)
        self.joint_out = perceptron(width, width, motion)
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 2 * width))

    def forward(self, x: Tensor, y: Tensor, joint_mask: Tensor | None) -> Tensor:
        """Velocity of the flow.

        Args:
            x: (B, F-1, J, D) tokens without the skeleton frame.
            y: (B, D) conditioning vector.
            joint_mask: (B or 1, J) True for a real joint; None for all.

        Returns:
            (B, J, 12, T) float32.
        """
        shift, scale = self.adaLN_modulation(y)[:, None, None, :].chunk(2, dim=-1)
        x = self.norm_final.modulated(x, shift, scale)
        batch, tokens = x.shape[:2]
        root, joints = x[:, :, :1], x[:, :, 1:]
        root = root + torch.unflatten(self._gathered(root, joints, joint_mask), 0, (batch, tokens))
        out = torch.cat((self.root_out(root), self.joint_out(joints)), dim=2).float()  # (B, F-1, J, n*12)
        return torch.unflatten(out, -1, (self.frames_per_token, FEATURES)).permute(0, 2, 4, 1, 3).flatten(3)

    def _gathered(self, root: Tensor, joints: Tensor, joint_mask: Tensor | None) -> Tensor:
        """What the root learns from the joints of its frame, (B*(F-1), 1, D)."""
        tokens = root.shape[1]
        mask = None
        if joint_mask is not None:
            mask = joint_mask[:, 1:]
            mask = mask if len(mask) == 1 else mask.repeat_interleave(tokens, dim=0)
        query, values = root.flatten(0, 1), joints.flatten(0, 1)
        # The value is not normed here, unlike in the pool (SPEC b6).
        out: Tensor = self.root_cross_attn(self.root_cross_norm_q(query), self.root_cross_norm_kv(values), values, mask)
        return out


class SeamConvolution(nn.Module):
    """Residual convolution over the frames of each joint; starts as the identity."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.root = self._stack(config.output_convolution, config.output_hidden)
        self.joint = self._stack(config.output_convolution, config.output_hidden)

    @staticmethod
    def _stack(kernel: int, hidden: int) -> nn.ModuleList:
        inner = nn.Conv1d(FEATURES, hidden, kernel, padding="same")
        outer = nn.Conv1d(hidden, FEATURES, kernel, padding="same")
        for parameter in outer.parameters():
            nn.init.zeros_(parameter)
        return nn.ModuleList((inner, outer))

    def forward(self, velocity: Tensor, frame_mask: Tensor | None) -> Tensor:
        """(B, J, 12, T) to the same; ``frame_mask`` (B or 1, T) is True for valid frames."""
        keep = None if frame_mask is None else frame_mask[:, None, None, :].float()
        root = self._smoothed(velocity[:, :1], keep, self.root)
        return torch.cat((root, self._smoothed(velocity[:, 1:], keep, self.joint)), dim=1)

    def _smoothed(self, velocity: Tensor, keep: Tensor | None, stack: nn.ModuleList) -> Tensor:
        batch, joints = velocity.shape[:2]
        inner, outer = stack
        hidden = inner(self._flat(velocity, keep).to(weight_dtype(inner)))
        hidden = torch.unflatten(nn.functional.silu(hidden), 0, (batch, joints))
        change: Tensor = outer(self._flat(hidden, keep))
        return velocity + torch.unflatten(change, 0, (batch, joints)).float()

    @staticmethod
    def _flat(x: Tensor, keep: Tensor | None) -> Tensor:
        """(B, J, C, T) to (B*J, C, T), zero on padded frames as beyond the ends."""
        return (x if keep is None else x * keep.to(x.dtype)).flatten(0, 1)
