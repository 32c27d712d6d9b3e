"""From a prompt and a rig to motion."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.ndimage import gaussian_filter1d

from unimate_dcc.errors import BadRequestError, CheckFailedError
from unimate_dcc.model.device import choose_device, choose_dtype
from unimate_dcc.model.features import motion_from_features
from unimate_dcc.model.flow import OnStep, Solver, check_pinnable, guided
from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.model.rollout import Plan, Rollout, roll_out
from unimate_dcc.model.text import TextEncoder, open_encoder
from unimate_dcc.model.weights import Weights
from unimate_dcc.model.windows import OVERLAP, count_windows, joined
from unimate_dcc.skeleton import FloatArray

if TYPE_CHECKING:
    from unimate_dcc.model.denoiser import Denoiser


@dataclass(frozen=True, eq=False)
class GeneratedMotion:
    """One take in the canonical frame, 30 frames per second.

    Attributes:
        rotations: (T, J, 3, 3) rest-relative local rotations R'.
        root: (T, 3) root positions, from x = z = 0.
        features: (T, J, 12) what they were decoded from, unnormalised and smoothed.
        seed: Of the noise.
        prompt: What was asked.
        facts: What the last digits depend on: device, dtype, torch, batch shape, windows.
        seconds: Time spent in ``text``, ``network`` and ``decode``, of the whole batch.
    """

    rotations: FloatArray
    root: FloatArray
    features: FloatArray
    seed: int
    prompt: str
    facts: dict[str, str | int | list[int]]
    seconds: dict[str, float]


class Generator:
    """Loaded weights and a text encoder, kept warm between takes."""

    def __init__(
        self,
        weights: Weights,
        *,
        device: str = "auto",
        dtype: str = "auto",
        encoder: TextEncoder | None = None,
        cache: Path | None = None,
    ) -> None:
        """Load.

        Args:
            weights: See ``load_weights``.
            device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
            dtype: ``auto``, ``float32`` or ``bfloat16``.
            encoder: Text encoder; None opens the one the weights were trained with.
            cache: Folder for remembered texts, used when ``encoder`` is None.
        """
        self.weights = weights
        self.device = choose_device(device)
        self.dtype = choose_dtype(dtype, self.device)
        self.encoder = encoder or open_encoder(weights.config.text_encoder, cache=cache)
        self.denoiser: Denoiser = weights.denoiser(self.device, self.dtype)

    @torch.inference_mode()
    def generate(
        self,
        rig: RigInputs,
        prompt: str | Sequence[str],
        frames: int,
        *,
        seeds: Sequence[int] = (0,),
        steps: int = 50,
        solver: Solver = "euler",
        guidance: float = 3.0,
        overlap: int = OVERLAP,
        on_step: OnStep | None = None,
    ) -> list[GeneratedMotion]:
        """Takes of one rig, one for each seed, made in one batch.

        Args:
            rig: The canonical rig.
            prompt: One for all takes, or one for each.
            frames: T, at 30 frames per second; at least 2, any length.
            seeds: Of the takes.
            steps: Solver steps of each window.
            solver: ``euler``, ``midpoint`` or ``dopri5``.
            guidance: Classifier-free guidance, at least 1.
            overlap: Frames shared by consecutive windows.
            on_step: Called with steps done and steps in all, over all windows.

        Raises:
            BadRequestError: The rig has too many joints for the weights, or ``frames`` exceed the
                window and solver or guidance cannot continue one.
            CheckFailedError: The network made values that are not finite.
        """
        prompts = [prompt] * len(seeds) if isinstance(prompt, str) else list(prompt)
        windows = self._check(rig, prompts, frames, seeds, steps, solver, guidance, overlap)
        began = time.perf_counter()
        conditions = rig.conditions(self.weights.statistics, self.encoder, prompts)
        encoded = time.perf_counter()
        prepared = self.denoiser.prepare((conditions if guidance == 1 else conditions.guided()).to(self.device))
        velocity = guided(self.denoiser, prepared, guidance)
        plan = Plan(
            rig.parents, self.weights.statistics, self.weights.config.max_frames, windows, overlap, steps, solver
        )
        clips = roll_out(velocity, plan, seeds, self.device, on_step)
        sampled = time.perf_counter()
        features = [self._decoded(clip, rig, overlap)[:frames] for clip in clips]
        if not all(np.isfinite(clip).all() for clip in features):
            raise CheckFailedError(f"weights {self.weights.name}", "made NaN or infinite values; try --dtype float32")
        motions = [motion_from_features(rig.offsets, rig.parents, clip) for clip in features]
        ended = time.perf_counter()
        seconds = {"text": encoded - began, "network": sampled - encoded, "decode": ended - sampled}
        facts = self._facts(len(seeds), len(rig.parents), windows)
        return [
            GeneratedMotion(rotations, root, clip, seed, text, facts, seconds)
            for (rotations, root), clip, seed, text in zip(motions, features, seeds, prompts, strict=True)
        ]

    def _check(
        self,
        rig: RigInputs,
        prompts: Sequence[str],
        frames: int,
        seeds: Sequence[int],
        steps: int,
        solver: str,
        guidance: float,
        overlap: int,
    ) -> int:
        """Refuse what cannot be made; the number of windows."""
        config = self.weights.config
        if not seeds or len(prompts) != len(seeds):
            raise BadRequestError("prompt", len(prompts), f"give one prompt, or one for each of {len(seeds)} seeds")
        if frames < 2:
            raise BadRequestError("frames", frames, "a motion has at least 2")
        if len(rig.parents) > config.max_joints:
            raise BadRequestError("joints", len(rig.parents), f"weights {self.weights.name} take {config.max_joints}")
        if steps < 1:
            raise BadRequestError("steps", steps, "must be 1 or more")
        for seed in seeds:
            if not 0 <= seed < 2**63:
                raise BadRequestError("seed", seed, "must be 0 or more and fit 63 bits")
        if not guidance >= 1:
            raise BadRequestError("guidance", guidance, "must be 1 or more")
        windows = count_windows(frames, config.max_frames, overlap)
        if windows > 1:
            try:
                check_pinnable(solver, guidance)
            except BadRequestError as error:
                problem = f"cannot continue past the window of {config.max_frames} frames (frames {frames}): "
                raise BadRequestError(error.field, error.value, problem + error.problem) from error
        return windows

    def _decoded(self, clip: Rollout, rig: RigInputs, overlap: int) -> FloatArray:
        """One run of features, smoothed as the weights ask."""
        statistics, sigma = self.weights.statistics, self.weights.config.smoothing_sigma_frames
        features = joined([statistics.denormalise(window) for window in clip.windows], clip.yaws, rig.parents, overlap)
        if sigma:
            features = gaussian_filter1d(features, sigma, axis=0, mode="nearest")
        return np.asarray(features, np.float64)

    def _facts(self, clips: int, joints: int, windows: int) -> dict[str, str | int | list[int]]:
        return {
            "device": str(self.device),
            "dtype": str(self.dtype).removeprefix("torch."),
            "torch": torch.__version__,
            "batch_shape": [clips, joints, 12, self.weights.config.max_frames],
            "windows": windows,
        }


def generate(
    weights: Weights,
    rig: RigInputs,
    prompt: str | Sequence[str],
    frames: int,
    *,
    seeds: Sequence[int] = (0,),
    steps: int = 50,
    solver: Solver = "euler",
    guidance: float = 3.0,
    overlap: int = OVERLAP,
    device: str = "auto",
    dtype: str = "auto",
    encoder: TextEncoder | None = None,
    cache: Path | None = None,
    on_step: OnStep | None = None,
) -> list[GeneratedMotion]:
    """Load, generate, forget; see ``Generator`` for the arguments."""
    generator = Generator(weights, device=device, dtype=dtype, encoder=encoder, cache=cache)
    return generator.generate(
        rig,
        prompt,
        frames,
        seeds=seeds,
        steps=steps,
        solver=solver,
        guidance=guidance,
        overlap=overlap,
        on_step=on_step,
    )
