"""Toy denoisers and random conditions for the laws of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.text import Tokens
from unimate_dcc.model.weights import Weights, save_weights

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
    """A denoiser whose zeroed layers are random too, so that nothing is hidden.

    Without gradients, as loaded weights are: attention takes another kernel for them.
    """
    torch.manual_seed(5)
    model = Denoiser(config).eval().requires_grad_(False)
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


class ToyEncoder:
    """Text vectors out of the letters; the same text, the same vectors."""

    name, sha256 = "toy", "0" * 64

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        rows = [[np.sin(ord(letter) * np.arange(1.0, 13.0)) for letter in text] or [np.zeros(12)] for text in texts]
        return [np.array(row, np.float32) for row in rows]


def toy_statistics() -> Statistics:
    """Plain units; root x, z and the constant entries of the yaw at the floor, as in the released files."""
    mean_root, std_root = np.zeros(12), np.full(12, 0.3)
    mean_root[1], mean_root[[3, 7]] = 0.8, [0.9, 1.0]
    std_root[[0, 2, 4, 6, 7, 8]] = 1e-8
    mean_local, std_local = np.zeros(12), np.full(12, 0.4)
    mean_local[[3, 7]] = 0.9
    return Statistics(mean_root, std_root, mean_local, std_local)


def save_toy_weights(folder: Path, config: ModelConfig, name: str = "toy") -> Weights:
    """Lively random weights as a file."""
    return save_weights(
        folder / f"{name}.safetensors",
        lively(config),
        name=name,
        statistics=toy_statistics(),
        licence="CC0-1.0",
        commercial=True,
        licence_text="Do what you like.",
        source="made by the tests",
        training={"steps": 0},
    )


def toy_rig(joints: int = 6) -> RigInputs:
    """A chain with a branch at the root."""
    rng = np.random.default_rng(3)
    parents = np.array([-1, 0, 0, *range(1, joints - 2)])
    offsets = rng.normal(size=(joints, 3)) * 0.3
    positions = offsets.copy()
    for joint in range(1, joints):
        positions[joint] += positions[parents[joint]]
    positions -= positions[0] * [1.0, 0.0, 1.0]
    depths = np.zeros(joints, np.int64)
    for joint in range(1, joints):
        depths[joint] = depths[parents[joint]] + 1
    distances = np.minimum(np.abs(depths[:, None] - depths[None]), 5)
    return RigInputs(
        offsets=offsets,
        parents=parents,
        labels=tuple(f"Bone {chr(65 + joint)}" for joint in range(joints)),
        rest_positions=positions,
        relations=np.where(np.eye(joints, dtype=bool), 0, 4),
        distances=distances,
        depths=depths,
        spectral=rng.normal(size=(joints, 8)),
    )
