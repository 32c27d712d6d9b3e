"""Sampling: follow the velocity of the flow from noise (t = 0) to motion (t = 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import torch
from torch import Tensor

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model import dopri5
from unimate_dcc.model.denoiser import Denoiser, Prepared
from unimate_dcc.model.pins import Pins

Velocity = Callable[[Tensor, Tensor], Tensor]
"""Of motion (B, J, 12, T) at flow times (B,), the same shape."""
OnStep = Callable[[int, int], None]
"""Called with steps done and steps in all; an exception it raises ends the sampling."""
Project = Callable[[Tensor], Tensor]
"""Moves an estimate (B, J, 12, T) of the finished motion, normalised, onto constraints."""
Solver = Literal["euler", "midpoint", "dopri5"]


def guided(denoiser: Denoiser, prepared: Prepared, guidance: float) -> Velocity:
    """Velocity under classifier-free guidance: v_u + s (v_c - v_u).

    Args:
        denoiser: The network.
        prepared: From ``Conditions.guided()`` where ``guidance`` is not 1, else from the plain conditions.
        guidance: Scale s; 1 follows the prompt only, in one evaluation of half the batch.
    """
    if guidance == 1:
        return lambda x, time: denoiser.velocity(x, time, prepared)

    def velocity(x: Tensor, time: Tensor) -> Tensor:
        both = denoiser.velocity(torch.cat((x, x)), torch.cat((time, time)), prepared)
        with_prompt, without = both.chunk(2)
        return without + guidance * (with_prompt - without)

    return velocity


def check_pinnable(solver: str, guidance: float) -> None:
    """Refuse what cannot hold known frames: dopri5, and guidance of 1 or less (SPEC e)."""
    if solver == "dopri5":
        raise BadRequestError("solver", solver, "cannot hold known frames; choose euler or midpoint for them")
    if not guidance > 1:
        raise BadRequestError("guidance", guidance, "known frames need guidance above 1; 3 is the usual value")


def integrate(
    velocity: Velocity,
    noise: Tensor,
    *,
    steps: int = 50,
    solver: Solver = "euler",
    pins: Pins | None = None,
    project: Project | None = None,
    on_step: OnStep | None = None,
    error_norm: dopri5.ErrorNorm = "clip",
) -> Tensor:
    """Solve the flow.

    Args:
        velocity: See ``guided``.
        noise: (B, J, 12, T) float32, where the flow starts.
        steps: Steps of ``euler`` and ``midpoint``; ``dopri5`` chooses its own and reports in fiftieths.
        solver: ``euler``, ``midpoint`` (two evaluations a step) or ``dopri5`` (adaptive).
        pins: Entries to hold; refused with ``dopri5``.
        project: Applied to the clean estimate of every step, which is then noised again; refused with ``dopri5``.
        on_step: Progress and cancel.
        error_norm: Whether dopri5 controls its step for each clip or for the batch as one.

    Returns:
        (B, J, 12, T) float32 normalised features.
    """
    if solver == "dopri5":
        if pins is not None or project is not None:
            check_pinnable(solver, guidance=float("inf"))
        return dopri5.integrate(velocity, noise, steps, on_step, error_norm)
    x = noise if pins is None else pins.hold(noise, 0.0)
    slope = _euler if solver == "euler" else _midpoint
    for step in range(steps):
        time, later = step / steps, (step + 1) / steps
        ahead = slope(velocity, x, time, 1 / steps)
        if project is None:
            x = x + 1 / steps * ahead
        else:
            # The flow is straight: x = (1 - t) noise + t clean, and the slope is clean - noise.
            x = (1 - later) * (x - time * ahead) + later * project(x + (1 - time) * ahead)
        if pins is not None:
            x = pins.hold(x, later)
        if on_step is not None:
            on_step(step + 1, steps)
    return x


def draw(generators: Sequence[torch.Generator], joints: int, frames: int, device: torch.device) -> Tensor:
    """Noise (B, J, 12, T), each clip from its own CPU generator.

    A clip's noise depends on neither the batch nor the device.
    """
    clips = [torch.randn(joints, 12, frames, generator=generator) for generator in generators]
    return torch.stack(clips).to(device)


def _euler(velocity: Velocity, x: Tensor, time: float, step: float) -> Tensor:
    return velocity(x, _times(x, time))


def _midpoint(velocity: Velocity, x: Tensor, time: float, step: float) -> Tensor:
    half = x + step / 2 * velocity(x, _times(x, time))
    return velocity(half, _times(x, time + step / 2))


def _times(x: Tensor, time: float) -> Tensor:
    return torch.full((len(x),), time, dtype=torch.float32, device=x.device)
