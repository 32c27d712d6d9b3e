"""Sizes of an official checkpoint: from its tensors, its config.json and, last, from flags."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unimate_dcc.errors import WeightsError
from unimate_dcc.model.config import ModelConfig, Variant

if TYPE_CHECKING:
    from torch import Tensor

SPELLINGS: dict[str, tuple[str, ...]] = {
    "layers": ("num_layers", "n_layers", "depth"),
    "width": ("latent_dim", "hidden_dim", "hidden_size"),
    "heads": ("num_heads", "n_heads"),
    "feed_forward": ("ff_size", "ff_dim"),
    "text_width": ("text_dim",),
    "max_joints": ("max_joints", "n_max_joints"),
    "max_depth": ("max_depth",),
    "max_frames": ("max_motion_length", "num_frames", "max_frames"),
}
"""Names under which upstream's own sources and their neighbours keep these numbers (SPEC a, b)."""
ASKED = {"max_joints": "--max-joints", "max_frames": "--max-frames"}
"""No tensor shape shows these (SPEC a); flags of ``weights import``."""


@dataclass(frozen=True)
class Given:
    """Sizes the user named; they win over config.json."""

    max_joints: int | None = None
    max_frames: int | None = None


def official_config(folder: Path, shadow: Sequence[Tensor], given: Given) -> ModelConfig:
    """The config of an official folder.

    Args:
        folder: Holds ``config.json``, whose exact keys are not known.
        shadow: The nameless EMA tensors, in parameter order.
        given: Sizes named by flag.

    Raises:
        WeightsError: A size that neither tensors, config.json nor flags tell, or that they dispute.
    """
    shown = _shown(folder, shadow)
    said = _said(folder / "config.json")
    nominal = said.get("feed_forward", 0)
    if 2 * nominal // 3 == 2 * shown["feed_forward"] // 3:
        shown["feed_forward"] = nominal  # several nominal sizes share one hidden width
    for name, value in said.items():
        if name in shown and shown[name] != value:
            problem = f"config.json says {name} {value}, the tensors have {shown[name]}"
            raise WeightsError(str(folder), problem)
    sizes = {**said, **shown}
    for name, flag in ASKED.items():
        value = getattr(given, name)
        if value is not None:
            sizes[name] = value
        if name not in sizes:
            raise WeightsError(
                str(folder), f"config.json does not say {name} and no tensor shows it: name it with {flag}"
            )
    return ModelConfig(variant=_variant(shadow), text_encoder="flan-t5-base", without=(), **sizes)


def _variant(shadow: Sequence[Tensor]) -> Variant:
    """The full variant alone begins with a null caption of three axes (SPEC b1)."""
    return "full/cross_attn" if len(shadow) and shadow[0].dim() == 3 else "graph/adaln"


def _shown(folder: Path, shadow: Sequence[Tensor]) -> dict[str, int]:
    """Sizes read from shapes, at the places that a one-layer model of the variant gives each name."""
    probe = ModelConfig(variant=_variant(shadow), layers=1, width=64, heads=4, feed_forward=96, text_width=8)
    order = _names(probe)
    per_layer = len(_names(replace(probe, layers=2))) - len(order)
    extra = len(shadow) - len(order)
    if extra < 0 or extra % per_layer:
        problem = f"holds {len(shadow)} EMA tensors; {probe.variant} has {len(order)} and {per_layer} per further layer"
        raise WeightsError(str(folder), problem)

    def shape(name: str) -> tuple[int, ...]:
        return tuple(shadow[order.index(name)].shape)

    attention = "t_attn" if probe.factorised else "attn"
    try:
        width, text_width = shape("cond_embedder.weight")
        (head_width,) = shape(f"transformer_blocks.0.{attention}.q_norm.weight")
        hidden = shape("transformer_blocks.0.mlp.w3.weight")[1]
        rows = shape("depth_embedding.weight")[0]
    except (ValueError, IndexError) as error:
        raise WeightsError(str(folder), "the EMA tensors are not those of a UniMate model") from error
    return {
        "layers": 1 + extra // per_layer,
        "width": width,
        "heads": width // head_width,
        "feed_forward": math.ceil(hidden * 3 / 2),  # the hidden width is two thirds of it, rounded down
        "text_width": text_width,
        "max_depth": rows - 1,
    }


def _names(config: ModelConfig) -> list[str]:
    import torch

    from unimate_dcc.model.denoiser import Denoiser

    with torch.device("meta"):
        return [name for name, _ in Denoiser(config).named_parameters()]


def _said(file: Path) -> dict[str, int]:
    """Sizes that config.json tells, wherever they are nested; two values under one name are refused."""
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(str(file), f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WeightsError(str(file), "is no JSON") from error
    found: dict[str, set[int]] = {}
    for key, value in _leaves(values):
        for name, spellings in SPELLINGS.items():
            if key in spellings and isinstance(value, int) and not isinstance(value, bool):
                found.setdefault(name, set()).add(value)
    for name, several in found.items():
        if len(several) > 1:
            raise WeightsError(str(file), f"says {name} {' and '.join(map(str, sorted(several)))}; keep one of them")
    return {name: several.pop() for name, several in found.items()}


def _leaves(values: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(values, Mapping):
        return
    for key, value in values.items():
        yield str(key), value
        yield from _leaves(value)
