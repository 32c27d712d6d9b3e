"""Names, shapes and order of the full-size parameters against shared/tadit/tensors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser

NAMES = (
    "unimate_mixamo_f60",
    "unimate_uniml3d_f60_preview",
    "unimate_uniml3d_f60_v2",
    "unimate_uniml3d_f60_v2_full_cross_attn",
)


@pytest.fixture(scope="module", params=NAMES)
def listed(request: pytest.FixtureRequest, shared: Path) -> dict[str, Any]:
    text = (shared / "tadit" / "tensors" / f"{request.param}.json").read_text()
    values: dict[str, Any] = json.loads(text)
    return values


@pytest.fixture(scope="module")
def model(listed: dict[str, Any]) -> Denoiser:
    sizes = listed["kwargs"]
    with torch.device("meta"):
        return Denoiser(
            ModelConfig(
                variant="full/cross_attn" if listed["class"].endswith("FullCrossAttn") else "graph/adaln",
                layers=sizes["num_layers"],
                width=sizes["latent_dim"],
                heads=sizes["num_heads"],
                feed_forward=sizes["ff_size"],
                text_width=sizes["text_dim"],
                max_joints=sizes["max_joints"],
                max_depth=sizes["max_depth"],
                max_frames=sizes["max_motion_length"],
            )
        )


def test_parameters_match_by_name_shape_and_order(listed: dict[str, Any], model: Denoiser) -> None:
    ours = [[i, name, list(p.shape)] for i, (name, p) in enumerate(model.named_parameters())]
    assert ours == [entry[:3] for entry in listed["parameter_order_for_ema_shadow_params"]]
    assert sum(p.numel() for p in model.parameters()) == listed["n_parameters"]


def test_state_matches_apart_from_the_aliases_of_the_shared_rope(listed: dict[str, Any], model: Denoiser) -> None:
    theirs = [(name, shape) for name, shape, _ in listed["state_dict"]]
    aliases = [name for name, _ in theirs if ".rope.spectral_encoder." in name]
    assert len(aliases) == 8 * model.config.layers
    kept = [(name, shape) for name, shape in theirs if name not in aliases]
    assert [(name, list(value.shape)) for name, value in model.state_dict().items()] == kept
