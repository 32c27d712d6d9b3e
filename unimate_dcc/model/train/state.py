"""What a training must not lose, as one file to commit: weights and average. Moments start anew from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from unimate_dcc.errors import WeightsError
from unimate_dcc.model.statistics import Statistics

FORMAT = "unimate-training-state/1"


@dataclass(frozen=True, eq=False)
class State:
    """Weights and average of a training, and how long it took.

    Attributes:
        model: Parameters and buffers by name.
        average: Averaged parameters by name.
        cpu_seconds: Spent so far, over all runs.
        steps: Taken so far, over all runs.
        statistics: What its features are normalised with; whoever goes on must use the same.
    """

    model: dict[str, Tensor]
    average: dict[str, Tensor]
    cpu_seconds: float
    steps: int
    statistics: Statistics


def read_any(path: Path) -> State:
    """The state in a checkpoint, a state file or exported weights.

    Raises:
        WeightsError: none of these.
    """
    return read_checkpoint(path) if path.suffix == ".pt" else read_state(path)


def read_checkpoint(path: Path) -> State:
    """The state of a run's own checkpoint."""
    return state_of(torch.load(path, weights_only=True))


def state_of(held: dict[str, Any]) -> State:
    """The state in what a checkpoint holds."""
    steps = held["step"] + held["steps_before"]
    statistics = Statistics.from_json(held["statistics"])
    return State(held["model"], held["average"], held["cpu_seconds"], steps, statistics)


def read_state(path: Path) -> State:
    """A state file; of exported weights, which hold the average alone, it is both.

    Raises:
        WeightsError: neither.
    """
    try:
        with safe_open(path, framework="pt") as file:
            said = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise WeightsError(str(path), f"cannot be read: {error}") from error
    if "statistics" not in said:
        raise WeightsError(str(path), "holds no statistics: it is neither a training state nor weights of ours")
    statistics = Statistics.from_json(said["statistics"])
    if said.get("format") == FORMAT:
        parts = {part: _below(tensors, part) for part in ("model", "average")}
        facts = json.loads(said["facts"])
        return State(parts["model"], parts["average"], facts["cpu_seconds"], facts["steps"], statistics)
    training = json.loads(said.get("training", "{}"))
    hours, steps = training.get("cpu_hours", 0.0), training.get("steps", 0)
    return State(tensors, dict(tensors), 3600.0 * float(hours), int(steps), statistics)


def write_state(path: Path, state: State) -> None:
    """Write a state file."""
    tensors = {
        f"{part}.{name}": value.contiguous()
        for part, values in (("model", state.model), ("average", state.average))
        for name, value in values.items()
    }
    facts = json.dumps({"cpu_seconds": state.cpu_seconds, "steps": state.steps})
    save_file(tensors, path, {"format": FORMAT, "facts": facts, "statistics": state.statistics.to_json()})


def _below(tensors: dict[str, Tensor], part: str) -> dict[str, Tensor]:
    start = f"{part}."
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}
