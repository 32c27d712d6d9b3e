"""Official checkpoint folders, converted once to our own file.

A folder holds ``config.json``, ``dataset_stats.npy`` and ``checkpoints/checkpoint_step_N.pt``.
Inference uses the EMA weights: a list without names, in the order of the parameters (SPEC a).
No released file was opened while this was written.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unimate_dcc.errors import WeightsError
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.official_config import Given, official_config
from unimate_dcc.model.official_order import check_order
from unimate_dcc.model.restricted_pickle import read_pickled_dict
from unimate_dcc.model.statistics import NAMES, Statistics
from unimate_dcc.model.text_models import file_digest
from unimate_dcc.model.weights import SUFFIX, Weights, default_registry, save_weights

if TYPE_CHECKING:
    from torch import Tensor

    from unimate_dcc.model.denoiser import Denoiser

USUAL_STATISTICS = "objaverse"
"""What upstream uses for custom rigs (SPEC c)."""
UNREAD_LICENCE = "CC-BY-NC-4.0 (reported by users, not read from a card)"
"""Five projects report it for the weights; upstream's README does not say (SPEC a)."""
LICENCE_FILES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "README.md")
STEP = re.compile(r"checkpoint_step_(\d+)\.pt")


def import_official(
    folder: Path,
    out: Path | None = None,
    *,
    step: int | None = None,
    statistics: str | None = None,
    max_joints: int | None = None,
    max_frames: int | None = None,
    licence: str | None = None,
) -> Weights:
    """Convert an official folder to one safetensors file.

    Args:
        folder: The folder.
        out: The file to write; None for ``<folder name>.safetensors`` in the user's registry.
        step: Which checkpoint; None for the last.
        statistics: Whose statistics; None for ``objaverse``, or the only ones.
        max_joints: Where config.json does not say.
        max_frames: Where config.json does not say.
        licence: SPDX identifier that a person read on the model card.

    Raises:
        WeightsError: A file is missing or does not fit; names the first tensor that differs.
    """
    if not folder.is_dir():
        raise WeightsError(str(folder), "is no folder")
    target = out or default_registry() / f"{folder.name}{SUFFIX}"
    if target.exists():
        raise WeightsError(str(target), "exists already; remove it or name another file with --out")
    checkpoint = _checkpoint(folder, step)
    found = _statistics(folder / "dataset_stats.npy", statistics)
    content = _opened(checkpoint)
    shadow = _shadow(checkpoint, content)
    config = official_config(folder, shadow, Given(max_joints, max_frames))
    model = _named(checkpoint, config, shadow)
    raw = content.get("model_state_dict")
    if isinstance(raw, Mapping):
        check_order(str(checkpoint), [name for name, _ in model.named_parameters()], shadow, raw)
    target.parent.mkdir(parents=True, exist_ok=True)
    return save_weights(
        target,
        model,
        name=target.stem,
        statistics=found,
        licence=licence or UNREAD_LICENCE,
        commercial=licence is not None and not re.search(r"\bNC\b", licence, re.IGNORECASE),
        licence_text=_licence_text(folder),
        source=f"{folder.name}/checkpoints/{checkpoint.name}",
        training={"step": content.get("step"), "source_sha256": file_digest(checkpoint), "ema": True},
    )


def _checkpoint(folder: Path, step: int | None) -> Path:
    steps = {int(match[1]): file for file in folder.glob("checkpoints/*.pt") if (match := STEP.fullmatch(file.name))}
    if not steps:
        raise WeightsError(str(folder), "has no checkpoints/checkpoint_step_N.pt")
    if step is not None and step not in steps:
        raise WeightsError(str(folder), f"has no step {step}; there are {', '.join(map(str, sorted(steps)))}")
    return steps[max(steps) if step is None else step]


def _opened(checkpoint: Path) -> Mapping[str, Any]:
    """The dict inside, its tensors left on disk until they are used."""
    import torch

    try:
        content = torch.load(checkpoint, map_location="cpu", weights_only=True, mmap=True)
    except (RuntimeError, pickle.UnpicklingError, ValueError, EOFError, KeyError) as error:
        raise WeightsError(str(checkpoint), f"cannot be loaded safely: {str(error).splitlines()[0]}") from error
    except OSError as error:
        raise WeightsError(str(checkpoint), f"cannot be read: {error.strerror}") from error
    if not isinstance(content, Mapping):
        raise WeightsError(str(checkpoint), f"holds a {type(content).__name__}, expected a dict")
    return content


def _shadow(checkpoint: Path, content: Mapping[str, Any]) -> Sequence[Tensor]:
    import torch

    ema = content.get("ema_state_dict")
    shadow = ema.get("shadow_params") if isinstance(ema, Mapping) else None
    if not isinstance(shadow, list) or not all(isinstance(value, torch.Tensor) for value in shadow):
        raise WeightsError(str(checkpoint), "has no ema_state_dict with a list of shadow_params")
    return shadow


def _named(checkpoint: Path, config: ModelConfig, shadow: Sequence[Tensor]) -> Denoiser:
    """The network whose parameters are the list, in order; the first that does not fit is named."""
    import torch

    from unimate_dcc.model.denoiser import Denoiser

    with torch.device("meta"):
        model = Denoiser(config)
    state = {}
    for index, ((name, parameter), value) in enumerate(zip(model.named_parameters(), shadow, strict=True)):
        if value.shape != parameter.shape:
            shapes = f"{tuple(value.shape)}, expected {tuple(parameter.shape)}"
            raise WeightsError(str(checkpoint), f"does not fit: EMA tensor {index} ({name}) is {shapes}")
        if not torch.isfinite(value).all():
            raise WeightsError(str(checkpoint), f"EMA tensor {index} ({name}) has NaN or infinite values")
        state[name] = value if value.dtype in (torch.float16, torch.bfloat16) else value.to(torch.float32)
    model.load_state_dict(state, assign=True)
    return model


def _statistics(file: Path, wanted: str | None) -> Statistics:
    table = read_pickled_dict(file)
    known = ", ".join(sorted(map(str, table)))
    name = wanted or (USUAL_STATISTICS if USUAL_STATISTICS in table else next(iter(table)) if len(table) == 1 else "")
    if name not in table:
        problem = f"has no statistics {wanted!r}" if wanted else "has several statistics"
        raise WeightsError(str(file), f"{problem}: name one of {known} with --statistics")
    values = table[name]
    missing = [key for key in NAMES if not isinstance(values, Mapping) or key not in values]
    if missing:
        raise WeightsError(str(file), f"{name} lacks {', '.join(missing)}")
    return Statistics(**{key: np.asarray(values[key], np.float64) for key in NAMES})


def _licence_text(folder: Path) -> str:
    """What lies in the folder, else what is known."""
    for name in LICENCE_FILES:
        if (folder / name).is_file():
            return (folder / name).read_text(encoding="utf-8", errors="replace")
    return (
        "No licence text lay in the folder. Users report CC BY-NC 4.0 for the released weights; "
        "read the live model card before any use, and plan for non-commercial use only."
    )
