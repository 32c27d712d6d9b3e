"""Weights: what a file holds and says of itself, and the denoiser it becomes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unimate_dcc.errors import UnimateError, WeightsError
from unimate_dcc.model import weights_file
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.text_models import file_digest

if TYPE_CHECKING:
    import torch

    from unimate_dcc.model.denoiser import Denoiser

FORMAT = "unimate-weights/1"
SUFFIX = ".safetensors"
SHIPPED = Path(__file__).parent / "shipped"
"""Weights inside the package."""
DEFAULT = "default"


@dataclass(frozen=True, eq=False)
class Weights:
    """One file of weights, not yet loaded.

    Attributes:
        name: What it is called; unique in one folder.
        path: The safetensors file.
        sha256: Of the whole file.
        config: Sizes of the network.
        statistics: What normalises its features.
        licence: SPDX identifier, or a sentence where none fits.
        commercial: Whether the licence allows commercial use; unknown counts as no.
        licence_text: Full text or the best there is.
        source: Where the numbers come from.
        training: Facts about how they were trained.
    """

    name: str
    path: Path
    sha256: str
    config: ModelConfig
    statistics: Statistics
    licence: str
    commercial: bool
    licence_text: str
    source: str
    training: dict[str, Any]

    def denoiser(self, device: torch.device | str = "cpu", dtype: torch.dtype | None = None) -> Denoiser:
        """The network, ready to sample, on ``device``; ``dtype`` None is float32.

        Raises:
            WeightsError: The tensors do not fit the config; names the first that differs.
        """
        import torch
        from safetensors import safe_open

        from unimate_dcc.model.denoiser import Denoiser

        with torch.device("meta"):
            model = Denoiser(self.config)
        check_fit(self, model)
        with safe_open(self.path, framework="pt") as file:
            # A copy, because the file may be replaced while it is mapped.
            state = {name: file.get_tensor(name).to(device, torch.float32, copy=True) for name in model.state_dict()}
        model.load_state_dict(state, assign=True)
        return model.requires_grad_(False).eval().compute_in(dtype or torch.float32)


def load_weights(name: str | Path | None = None, *, registry: Path | None = None) -> Weights:
    """The weights that a name or a path means; reads only their head.

    Args:
        name: ``default`` or None for those of the package; a name that ``list_weights`` shows; or a path.
        registry: Folder of imported weights; None for the user's own.

    Raises:
        WeightsError: No such weights, or no file of ours.
    """
    return read_weights(_find(name, registry or default_registry()))


def read_weights(path: Path) -> Weights:
    """Weights of one safetensors file of ours."""
    head = weights_file.read_head(path)
    said = head.metadata
    if said.get("format") != FORMAT:
        raise WeightsError(str(path), f"is not of the format {FORMAT}; official folders are imported first")
    try:
        return Weights(
            name=said["name"],
            path=path,
            sha256=file_digest(path),
            config=ModelConfig.from_json(said["config"]),
            statistics=Statistics.from_json(said["statistics"]),
            licence=said["licence"],
            commercial=said["commercial"] == "yes",
            licence_text=said["licence_text"],
            source=said["source"],
            training=json.loads(said["training"]),
        )
    except KeyError as error:
        raise WeightsError(str(path), f"does not say its {error.args[0]}") from error
    except (ValueError, TypeError) as error:
        raise WeightsError(str(path), f"its head is damaged: {error}") from error


def save_weights(
    path: Path,
    denoiser: Denoiser,
    *,
    name: str,
    statistics: Statistics,
    licence: str,
    commercial: bool,
    licence_text: str,
    source: str,
    training: dict[str, Any],
    dtype: torch.dtype | None = None,
) -> Weights:
    """Write a denoiser and all that ``Weights`` says to ``path``, in one step.

    Args:
        path: Where; its folder must exist.
        denoiser: The network whose parameters are stored.
        dtype: Of the stored tensors; None keeps theirs.

    The other arguments are the fields of ``Weights``.
    """
    state = denoiser.state_dict()
    metadata = {
        "format": FORMAT,
        "name": name,
        "config": denoiser.config.to_json(),
        "statistics": statistics.to_json(),
        "licence": licence,
        "commercial": "yes" if commercial else "no",
        "licence_text": licence_text,
        "source": source,
        "training": json.dumps(training, sort_keys=True),
    }
    tensors = {key: value if dtype is None else value.to(dtype) for key, value in state.items()}
    weights_file.write(path, tensors, metadata)
    return read_weights(path)


def list_weights(registry: Path | None = None) -> tuple[list[Weights], list[UnimateError]]:
    """All weights by name, those of the package first, and the complaints about files that cannot be read."""
    found: list[Weights] = []
    complaints: list[UnimateError] = []
    for path in _files(registry or default_registry()):
        try:
            found.append(read_weights(path))
        except UnimateError as error:
            complaints.append(error)
    return found, complaints


def show_weights(weights: Weights) -> dict[str, Any]:
    """Everything a file says of itself, as plain values."""
    head = weights_file.read_head(weights.path)
    return {
        "name": weights.name,
        "path": str(weights.path),
        "sha256": weights.sha256,
        "bytes": weights.path.stat().st_size,
        "tensors": len(head.tensors),
        "parameters": sum(_count(shape) for shape, _ in head.tensors.values()),
        "dtypes": sorted({dtype for _, dtype in head.tensors.values()}),
        "config": json.loads(weights.config.to_json()),
        "licence": weights.licence,
        "commercial": weights.commercial,
        "licence_text": weights.licence_text,
        "source": weights.source,
        "training": weights.training,
    }


def verify_weights(weights: Weights) -> None:
    """Check that the tensors are the ones written, fit the config and are finite.

    Raises:
        WeightsError: Names the first thing that is wrong.
    """
    import torch
    from safetensors import safe_open

    from unimate_dcc.model.denoiser import Denoiser

    head = weights_file.read_head(weights.path)
    written = head.metadata.get("tensors_sha256")
    found = weights_file.body_digest(weights.path, head)
    if written != found:
        raise WeightsError(str(weights.path), f"tensors have sha256 {found}, {written} was written: copy it again")
    with torch.device("meta"):
        check_fit(weights, Denoiser(weights.config))
    with safe_open(weights.path, framework="pt") as file:
        for name in head.tensors:
            if not torch.isfinite(file.get_tensor(name)).all():
                raise WeightsError(str(weights.path), f"tensor {name} has NaN or infinite values")


def check_fit(weights: Weights, model: Denoiser) -> None:
    """Compare the file's tensors with the model's; the first that differs is named."""
    found = weights_file.read_head(weights.path).tensors
    expected = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    for name, shape in expected.items():
        if name not in found:
            raise WeightsError(str(weights.path), f"do not fit: tensor {name} {shape} is missing")
        if found[name][0] != shape:
            raise WeightsError(str(weights.path), f"do not fit: tensor {name} is {found[name][0]}, expected {shape}")
    for name in found:
        if name not in expected:
            raise WeightsError(str(weights.path), f"do not fit: tensor {name} belongs to no part of the model")


def default_registry() -> Path:
    """The user's folder of imported weights; not made here."""
    from platformdirs import user_data_path

    return user_data_path("unimate-dcc") / "weights"


def _find(name: str | Path | None, registry: Path) -> Path:
    shipped = sorted(SHIPPED.glob(f"*{SUFFIX}"))
    if name is None or str(name) == DEFAULT:
        if not shipped:
            raise WeightsError(
                DEFAULT, "this package carries none; give a name of `unimate-dcc weights list` or a file"
            )
        return shipped[-1]
    path = Path(name)
    if path.is_dir():
        raise WeightsError(str(path), f"is a folder; convert it once: unimate-dcc weights import {path}")
    if path.is_file():
        return path
    by_name = {file.stem: file for file in _files(registry)}
    if str(name) in by_name:
        return by_name[str(name)]
    known = ", ".join([DEFAULT, *by_name])
    raise WeightsError(str(name), f"no such file and no such name; known: {known}")


def _files(registry: Path) -> Iterable[Path]:
    return [*sorted(SHIPPED.glob(f"*{SUFFIX}")), *sorted(registry.glob(f"*{SUFFIX}"))]


def _count(shape: tuple[int, ...]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total
