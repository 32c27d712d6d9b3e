"""One window after the other, each beginning with the end of the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from unimate_dcc.model.flow import OnStep, Solver, Velocity, draw, integrate
from unimate_dcc.model.pins import Pins
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.windows import handed_on
from unimate_dcc.skeleton import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Plan:
    """How a run of windows is made.

    Attributes:
        parents: (J,) parent indices of the rig.
        statistics: Of the model.
        window: Frames T of a window.
        windows: How many.
        overlap: Frames that each later window repeats.
        steps: Solver steps of a window.
        solver: Of the flow.
    """

    parents: IntArray
    statistics: Statistics
    window: int
    windows: int
    overlap: int
    steps: int
    solver: Solver


@dataclass(frozen=True, eq=False)
class Rollout:
    """The windows of one clip.

    Attributes:
        windows: Each (T, J, 12), normalised, in its own facing.
        yaws: The (3, 3) turn between each window and the next.
    """

    windows: list[FloatArray] = field(default_factory=list)
    yaws: list[FloatArray] = field(default_factory=list)


def roll_out(
    velocity: Velocity, plan: Plan, seeds: Sequence[int], device: torch.device, on_step: OnStep | None
) -> list[Rollout]:
    """The windows of every clip; a clip's noise comes from its own generator, window after window."""
    clips = [Rollout() for _ in seeds]
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    for index in range(plan.windows):
        noise = draw(generators, len(plan.parents), plan.window, device)
        pins = _continued(clips, plan, noise) if index else None
        report = _of_all(on_step, index, plan)
        made = integrate(velocity, noise, steps=plan.steps, solver=plan.solver, pins=pins, on_step=report)
        for clip, window in zip(clips, made.permute(0, 3, 1, 2).cpu().double().numpy(), strict=True):
            clip.windows.append(window)
    return clips


def _continued(clips: list[Rollout], plan: Plan, noise: torch.Tensor) -> Pins:
    """Pins that begin a window with the end of the last; each clip notes its turn."""
    known = torch.zeros_like(noise)
    for row, clip in enumerate(clips):
        ahead, yaw = handed_on(clip.windows[-1][-plan.overlap :], plan.parents, plan.statistics)
        known[row, :, :, : plan.overlap] = torch.from_numpy(ahead.astype(np.float32)).permute(1, 2, 0)
        clip.yaws.append(yaw)
    keep = (torch.arange(plan.window, device=noise.device) < plan.overlap)[None, None, None]
    return Pins(known, keep, noise)


def _of_all(on_step: OnStep | None, window: int, plan: Plan) -> OnStep | None:
    """Reports steps of one window as steps of all."""
    if on_step is None:
        return None
    return lambda step, _: on_step(window * plan.steps + step, plan.steps * plan.windows)
