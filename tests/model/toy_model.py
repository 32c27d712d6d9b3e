"""Toy denoisers and random conditions for the laws of the model."""

from __future__ import annotations

from dataclasses import replace

import torch

from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser

CONFIGS = {
    "graph": ModelConfig(
        variant="graph/adaln", layers=2, width=32, heads=2, feed_forward=48, text_width=12, max_joints=16, max_frames=8
    ),
    "full": ModelConfig(
        variant="full/cross_attn",
        layers=2,
        width=32,
        heads=2,
        feed_forward=48,
        text_width=12,
        max_joints=16,
        max_frames=8,
    ),
}
CONFIGS["patched"] = replace(CONFIGS["graph"], frames_per_token=2, output_convolution=3, output_hidden=8)


def lively(config: ModelConfig) -> Denoiser:
    """A denoiser whose zeroed layers are random too, so that nothing is hidden."""
    torch.manual_seed(5)
    model = Denoiser(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.2 * torch.randn(parameter.shape)
    return model


def conditions(clips: int, joints: int, *, text_width: int = 12, skeletons: int | None = None) -> Conditions:
    """Random conditions; ``skeletons`` defaults to one per clip."""
    torch.manual_seed(7)
    rigs = clips if skeletons is None else skeletons
    relations = torch.randint(0, 6, (rigs, joints, joints))
    return Conditions(
        text=torch.randn(clips, 5, text_width),
        text_mask=torch.ones(clips, 5, dtype=torch.bool),
        pooled=torch.randn(clips, text_width),
        text_dropped=torch.zeros(clips, dtype=torch.bool),
        names=torch.randn(rigs, joints, text_width),
        rest=torch.randn(rigs, joints, 12),
        parent_rest=torch.randn(rigs, joints, 12),
        relations=relations,
        distances=relations.flip(-1),
        depths=torch.randint(0, 25, (rigs, joints)),
        spectral=torch.randn(rigs, joints, 8),
    )
