"""The training loop: a plain one, that can be killed at any moment and goes on from its last checkpoint."""

from __future__ import annotations

import contextlib
import csv
import functools
import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from unimate_dcc.errors import TemporaryError, WeightsError
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.device import choose_dtype
from unimate_dcc.model.train.batches import Batch, Batches
from unimate_dcc.model.train.ema import MovingAverage
from unimate_dcc.model.train.losses import GEODESIC, SMOOTHNESS, flow_loss, geodesic_loss, smoothness_loss
from unimate_dcc.model.train.state import State
from unimate_dcc.model.train.stream import Draws, stream
from unimate_dcc.model.train.validation import Validation

CHECKPOINT = "checkpoint.pt"


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """How to train.

    Attributes:
        steps: Length of the learning-rate schedule; training stops there.
        minutes: Stop earlier after this time; 0 for never.
        rate: Highest learning rate.
        warm_up: Steps until it is reached.
        average: Highest EMA decay.
        early: Flow times are u^early of a uniform u; 1 is SPEC (f). With 2 half of them lie below 0.25, where a
            motion is decided: at 0.5 a half-trained model already finds it (correlation 0.95 on unseen walks).
        seed: Of everything random.
        dtype: ``auto``, ``float32`` or ``bfloat16`` of the blocks; see ``device.choose_dtype``.
        device: ``cpu`` or ``cuda``.
        workers: Processes that draw batches ahead; 0 draws them in this one.
        compiled: Compile the blocks.
        save_minutes: Time between checkpoints, and between looks at the validation rigs.
        patience: Stop after so many looks without a better one; 0 for never.
        log_steps: Steps between lines of the log.
    """

    steps: int
    minutes: float = 0.0
    rate: float = 1e-3
    warm_up: int = 300
    average: float = 0.9995
    early: float = 2.0
    seed: int = 0
    dtype: str = "auto"
    device: str = "cpu"
    workers: int = 0
    compiled: bool = False
    save_minutes: float = 5.0
    patience: int = 0
    log_steps: int = 50


class Trainer:
    """A model, its optimiser, its average and its place in the schedule."""

    def __init__(
        self,
        config: ModelConfig,
        batches: Batches,
        options: TrainOptions,
        data_hash: str,
        validation: Validation | None = None,
    ) -> None:
        torch.manual_seed(options.seed)
        self.validation = validation
        self.config, self.batches, self.options, self.data_hash = config, batches, options, data_hash
        self.draws = Draws(batches, options.seed)
        self.model = Denoiser(config).to(options.device)
        self.halved = choose_dtype(options.dtype, torch.device(options.device)) == torch.bfloat16
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=options.rate, betas=(0.9, 0.99), weight_decay=1e-5, fused=True
        )
        self.average = MovingAverage(self.model, options.average)
        self.noise = torch.Generator().manual_seed(options.seed)
        self.step = 0
        self.steps_before = 0
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self.best = math.inf
        self.worse = 0

    def run(self, folder: Path, log: Callable[[str], None]) -> None:
        """Train until the schedule, the time or the patience is over.

        ``folder`` gets ``checkpoint.pt``, ``log.csv`` and ``validation.csv``.

        Raises:
            TemporaryError: no space for a checkpoint; the last good one stays.
        """
        if self.options.compiled:
            compile_blocks(self.model)
        start, cpu, saved = time.monotonic(), time.process_time(), time.monotonic()
        sums: list[np.ndarray] = []
        began, clips = self.seconds, 0
        self.model.train()
        for batch in stream(self.draws, self.step, self.options.steps, self.options.workers):
            if self._ended():
                break
            parts, drawn = self.train_step(batch)
            sums.append(parts)
            clips += drawn
            now, used = time.monotonic(), time.process_time()
            self.seconds, self.cpu_seconds = self.seconds + now - start, self.cpu_seconds + used - cpu
            start, cpu = now, used
            if self.step % self.options.log_steps == 0:
                self._log(folder, clips / max(self.seconds - began, 1e-9), np.mean(sums, axis=0), log)
                sums.clear()
                began, clips = self.seconds, 0
            if now - saved > 60 * self.options.save_minutes:
                self._look(folder, log)
                self.save(folder)
                saved = now
        self._look(folder, log)
        self.save(folder)

    def _ended(self) -> bool:
        late = bool(self.options.minutes) and self.seconds > 60 * self.options.minutes
        return late or (bool(self.options.patience) and self.worse >= self.options.patience)

    def _look(self, folder: Path, log: Callable[[str], None]) -> None:
        """Measure the average on the validation rigs."""
        if self.validation is None:
            return
        loss = self.validation.loss(self.config, self.average)
        self.worse = 0 if loss < self.best else self.worse + 1
        self.best = min(self.best, loss)
        _append(folder / "validation.csv", [self.step, f"{self.seconds:.0f}", f"{loss:.5f}"])
        log(f"validation at step {self.step}: {loss:.5f}, best {self.best:.5f}")

    def train_step(self, batch: Batch | None = None) -> tuple[np.ndarray, int]:
        """One step; returns flow, geodesic and smoothness loss, and the number of clips."""
        batch = batch or self.draws[self.step]
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.step, self.options, self.seconds)
        self.optimiser.zero_grad(set_to_none=True)
        total, parts = self._loss(batch)
        torch.autograd.backward(total)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        self.average.update(self.model, self.step)
        return parts, len(batch.features)

    def _loss(self, batch: Batch) -> tuple[torch.Tensor, np.ndarray]:
        device = torch.device(self.options.device)
        x1, joint_mask = batch.features.to(device), batch.joint_mask.to(device)
        noise = torch.randn(x1.shape, generator=self.noise).to(device)
        at = torch.rand(len(x1), generator=self.noise).to(device) ** self.options.early
        wide = at[:, None, None, None]
        noisy = (1 - wide) * noise + wide * x1
        with _fast_attention(device), torch.autocast(device.type, torch.bfloat16, enabled=self.halved):
            velocity = self.model(noisy, at, batch.conditions.to(device))
        velocity = velocity.float()
        mean, std = self._scales(x1.shape[1])
        clean, found = x1 * std + mean, (noisy + (1 - wide) * velocity) * std + mean
        flow = flow_loss(velocity, x1 - noise, joint_mask)
        turn = geodesic_loss(found[:, :, 3:9], clean[:, :, 3:9], joint_mask)
        calm = smoothness_loss(found, joint_mask)
        total = flow + GEODESIC * turn + SMOOTHNESS * calm
        return total, np.array([flow.item(), turn.item(), calm.item()])

    def _scales(self, joints: int) -> tuple[torch.Tensor, torch.Tensor]:
        mean, std = self.batches.statistics.per_joint(joints)
        scales = torch.from_numpy(np.stack([mean, std])).float().to(self.options.device)[:, None, :, :, None]
        return scales[0], scales[1]

    def _log(self, folder: Path, speed: float, means: np.ndarray, log: Callable[[str], None]) -> None:
        losses = [f"{value:.5f}" for value in means]
        row = [self.step, f"{self.seconds:.0f}", f"{self.cpu_seconds:.0f}", f"{speed:.1f}", *losses]
        _append(folder / "log.csv", row)
        log(" ".join(str(value) for value in row))

    def save(self, folder: Path) -> None:
        """Write the checkpoint in one step, so that there is always a whole one."""
        state = {
            "config": self.config.to_json(),
            "statistics": self.batches.statistics.to_json(),
            "data": self.data_hash,
            "options": json.dumps(asdict(self.options)),
            "model": self.model.state_dict(),
            "average": self.average.values,
            "optimiser": self.optimiser.state_dict(),
            "noise": self.noise.get_state(),
            "step": self.step,
            "steps_before": self.steps_before,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "best": self.best,
            "worse": self.worse,
        }
        part = folder / f"{CHECKPOINT}.part"
        try:
            torch.save(state, part)
            os.replace(part, folder / CHECKPOINT)
        except (OSError, RuntimeError) as error:  # torch words a full disk as a RuntimeError
            part.unlink(missing_ok=True)
            raise TemporaryError(str(part), f"cannot be written ({error}); the last good checkpoint stays") from error

    def resume(self, folder: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            WeightsError: it was made from other data or sizes; both are shown.
        """
        path = folder / CHECKPOINT
        state: dict[str, Any] = torch.load(path, weights_only=True)
        for name, own in (("config", self.config.to_json()), ("data", self.data_hash)):
            if state[name] != own:
                raise WeightsError(str(path), f"its {name} {state[name]} is not this run's {own}")
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average.values = state["average"]
        self.noise.set_state(state["noise"])
        self.step, self.seconds, self.cpu_seconds = state["step"], state["seconds"], state["cpu_seconds"]
        self.best, self.worse, self.steps_before = state["best"], state["worse"], state["steps_before"]


def _append(path: Path, row: list[Any]) -> None:
    with path.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerow(row)


def start_from(trainer: Trainer, state: State, path: Path) -> None:
    """Take weights, average and time spent, but no moments.

    Raises:
        WeightsError: they are of another size; ``path`` says where they came from.
    """
    for name, own in trainer.model.state_dict().items():
        if name not in state.model or state.model[name].shape != own.shape:
            found = tuple(state.model[name].shape) if name in state.model else "nothing"
            raise WeightsError(
                str(path), f"{name} is {found}, this size has {tuple(own.shape)}; choose another --config"
            )
    trainer.model.load_state_dict({name: state.model[name] for name in trainer.model.state_dict()})
    own = trainer.average.values
    trainer.average.values = {name: state.average[name].to(value) for name, value in own.items()}
    trainer.cpu_seconds, trainer.steps_before = state.cpu_seconds, state.steps


def rate_at(step: int, options: TrainOptions, seconds: float = 0.0) -> float:
    """Learning rate: linear warm-up, then cosine down to 5 % (SPEC f) over steps or time, whichever ends first."""
    if step < options.warm_up:
        return options.rate * (step + 1) / options.warm_up
    progress = (step - options.warm_up) / max(options.steps - options.warm_up, 1)
    if options.minutes:
        progress = max(progress, seconds / (60.0 * options.minutes))
    return options.rate * (0.05 + 0.95 * 0.5 * (1.0 + math.cos(math.pi * min(progress, 1.0))))


def compile_blocks(model: Denoiser) -> None:
    """Compile the blocks, where nearly all the time goes; one graph per shape."""
    torch._dynamo.config.cache_size_limit = 64
    # One compiled function for all blocks: compiling each block by itself takes as many times as long.
    forward = torch.compile(type(model.transformer_blocks[0]).forward, dynamic=False)
    for block in model.transformer_blocks:
        block.forward = functools.partial(forward, block)


def _fast_attention(device: torch.device) -> contextlib.AbstractContextManager[None]:
    """On a CPU the plain form: its own fused one spends a third of a step in its backward pass."""
    backends = SDPBackend.MATH if device.type == "cpu" else [SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    context: contextlib.AbstractContextManager[None] = sdpa_kernel(backends)
    return context
