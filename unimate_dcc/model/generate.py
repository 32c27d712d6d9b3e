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
from unimate_dcc.model.flow import OnStep, Solver, Velocity, check_pinnable, guided
from unimate_dcc.model.known import Known, Projection
from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.model.rollout import Piece, Plan, roll_out
from unimate_dcc.model.text import TextEncoder, open_encoder
from unimate_dcc.model.weights import Weights
from unimate_dcc.model.windows import OVERLAP, check_overlap, pieces
from unimate_dcc.skeleton import FloatArray

if TYPE_CHECKING:
    from unimate_dcc.model.denoiser import Denoiser


@dataclass(frozen=True)
class Segment:
    """A part of a run.

    Attributes:
        prompt: One for all takes, or one for each.
        frames: How many.
    """

    prompt: str | Sequence[str]
    frames: int

    def prompts(self, takes: int) -> list[str]:
        """One for each take."""
        return [self.prompt] * takes if isinstance(self.prompt, str) else list(self.prompt)


@dataclass(frozen=True, eq=False)
class GeneratedMotion:
    """One take in the canonical frame, 30 frames per second.

    Attributes:
        rotations: (T, J, 3, 3) rest-relative local rotations R'.
        root: (T, 3) root positions, from x = z = 0.
        features: (T, J, 12) what they were decoded from, unnormalised and smoothed.
        seed: Of the noise.
        prompt: What was asked; of several segments, all in order.
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
        """Takes of one prompt, one for each seed, made in one batch: ``direct`` with one segment."""
        return self.direct(
            rig,
            [Segment(prompt, frames)],
            seeds=seeds,
            steps=steps,
            solver=solver,
            guidance=guidance,
            overlap=overlap,
            on_step=on_step,
        )

    @torch.inference_mode()
    def direct(
        self,
        rig: RigInputs,
        segments: Sequence[Segment],
        *,
        seeds: Sequence[int] = (0,),
        known: Known | None = None,
        project: Projection | None = None,
        steps: int = 50,
        solver: Solver = "euler",
        guidance: float = 3.0,
        overlap: int = OVERLAP,
        on_step: OnStep | None = None,
    ) -> list[GeneratedMotion]:
        """Takes of one rig, one for each seed, made in one batch.

        Args:
            rig: The canonical rig.
            segments: What happens, in order, at 30 frames per second; together at least 2 frames, any length.
            seeds: Of the takes.
            known: What is kept, of the run from its first frame on.
            project: Moves every step's estimate onto constraints.
            steps: Solver steps of each window.
            solver: ``euler``, ``midpoint`` or ``dopri5``.
            guidance: Classifier-free guidance, at least 1.
            overlap: Frames shared by consecutive windows.
            on_step: Called with steps done and steps in all, over all windows.

        Raises:
            BadRequestError: The rig has too many joints for the weights, or the frames exceed the window, or frames
                are known, and solver or guidance cannot hold them.
            CheckFailedError: The network made values that are not finite.
        """
        frames = sum(segment.frames for segment in segments)
        window = self.weights.config.max_frames
        self._check(rig, segments, seeds, steps, guidance)
        if frames > window:
            check_overlap(overlap, window)
            _check_pinnable(solver, guidance, f"cannot continue past the window of {window} frames (frames {frames}): ")
        if known is not None or project is not None:
            _check_pinnable(solver, guidance, "")
        began = time.perf_counter()
        velocities = [self._velocity(rig, segment.prompts(len(seeds)), guidance) for segment in segments]
        encoded = time.perf_counter()
        plan = Plan(
            rig.parents,
            self.weights.statistics,
            window,
            [
                Piece(velocity, added)
                for number, (velocity, segment) in enumerate(zip(velocities, segments, strict=True))
                for added in pieces(segment.frames, window, overlap, first=not number)
            ],
            overlap,
            steps,
            solver,
            known,
            project,
        )
        clips = roll_out(plan, seeds, self.device, on_step)
        sampled = time.perf_counter()
        features = [self._smoothed(clip.joined(plan))[:frames] for clip in clips]
        if not all(np.isfinite(clip).all() for clip in features):
            raise CheckFailedError(f"weights {self.weights.name}", "made NaN or infinite values; try --dtype float32")
        motions = [motion_from_features(rig.offsets, rig.parents, clip) for clip in features]
        ended = time.perf_counter()
        seconds = {"text": encoded - began, "network": sampled - encoded, "decode": ended - sampled}
        facts = self._facts(len(seeds), len(rig.parents), len(plan.pieces))
        texts = ["; ".join(parts) for parts in zip(*(segment.prompts(len(seeds)) for segment in segments), strict=True)]
        return [
            GeneratedMotion(rotations, root, clip, seed, text, facts, seconds)
            for (rotations, root), clip, seed, text in zip(motions, features, seeds, texts, strict=True)
        ]

    def _check(
        self, rig: RigInputs, segments: Sequence[Segment], seeds: Sequence[int], steps: int, guidance: float
    ) -> None:
        """Refuse what cannot be made."""
        config = self.weights.config
        for segment in segments:
            prompts = segment.prompts(len(seeds))
            if not seeds or len(prompts) != len(seeds):
                problem = f"give one prompt, or one for each of {len(seeds)} seeds"
                raise BadRequestError("prompt", len(prompts), problem)
            if segment.frames < 1:
                raise BadRequestError("frames", segment.frames, "a segment has at least 1")
        if (frames := sum(segment.frames for segment in segments)) < 2:
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

    def _velocity(self, rig: RigInputs, prompts: Sequence[str], guidance: float) -> Velocity:
        conditions = rig.conditions(self.weights.statistics, self.encoder, prompts)
        prepared = self.denoiser.prepare((conditions if guidance == 1 else conditions.guided()).to(self.device))
        return guided(self.denoiser, prepared, guidance)

    def _smoothed(self, features: FloatArray) -> FloatArray:
        """Features (T, J, 12) smoothed as the weights ask."""
        sigma = self.weights.config.smoothing_sigma_frames
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


def _check_pinnable(solver: str, guidance: float, why: str) -> None:
    try:
        check_pinnable(solver, guidance)
    except BadRequestError as error:
        raise BadRequestError(error.field, error.value, why + error.problem) from error


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
