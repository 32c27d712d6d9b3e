"""One window after the other, each beginning with the end of the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from unimate_dcc.model.features import root_path
from unimate_dcc.model.flow import OnStep, Project, Solver, Velocity, draw, integrate
from unimate_dcc.model.known import Known, Place, Projection
from unimate_dcc.model.pins import Pins
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.windows import handed_on, joined
from unimate_dcc.skeleton import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Piece:
    """One window: what drives it and how many frames it adds to the run."""

    velocity: Velocity
    frames: int


@dataclass(frozen=True, eq=False)
class Plan:
    """How a run of windows is made.

    Attributes:
        parents: (J,) parent indices of the rig.
        statistics: Of the model.
        window: Frames T of a window.
        pieces: The windows.
        overlap: Frames that each later window repeats.
        steps: Solver steps of a window.
        solver: Of the flow.
        known: What is known of the run, the same for every clip.
        project: Applied to every clip's clean estimate in every step.
    """

    parents: IntArray
    statistics: Statistics
    window: int
    pieces: Sequence[Piece]
    overlap: int
    steps: int
    solver: Solver
    known: Known | None = None
    project: Projection | None = None


@dataclass(eq=False)
class Rollout:
    """The windows of one clip, as far as they are made.

    Attributes:
        windows: Each (T_i, J, 12), normalised, in its own facing; all but the last are cut where the next goes on.
        yaws: The (3, 3) turn between each window and the next.
        overlaps: Frames that each window repeats of the one before.
        place: Where the window lies that is being made.
    """

    windows: list[FloatArray] = field(default_factory=list)
    yaws: list[FloatArray] = field(default_factory=list)
    overlaps: list[int] = field(default_factory=lambda: [0])
    place: Place = field(default_factory=lambda: Place(0, np.eye(3), np.zeros(3)))

    def go_on(self, plan: Plan, added: int) -> FloatArray:
        """Cut the last window where the next begins; returns the frames (O, J, 12) that it begins with."""
        window = self.windows[-1] = self.windows[-1][: self.overlaps[-1] + added]
        overlap = min(plan.overlap, len(window))
        ahead, yaw = handed_on(window[-overlap:], plan.parents, plan.statistics)
        start = len(window) - overlap
        moved = root_path(plan.statistics.denormalise(window))[start] * [1.0, 0.0, 1.0]
        place = self.place
        self.place = Place(place.first + start, yaw @ place.yaw, place.origin + place.yaw.T @ moved)
        self.yaws.append(yaw)
        self.overlaps.append(overlap)
        return ahead

    def joined(self, plan: Plan) -> FloatArray:
        """(T, J, 12) unnormalised features of the whole run, in the facing of its first frame."""
        windows = [plan.statistics.denormalise(window) for window in self.windows]
        return joined(windows, self.yaws, self.overlaps, plan.parents)


def roll_out(plan: Plan, seeds: Sequence[int], device: torch.device, on_step: OnStep | None) -> list[Rollout]:
    """The windows of every clip; a clip's noise comes from its own generator, window after window."""
    clips = [Rollout() for _ in seeds]
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    for index, piece in enumerate(plan.pieces):
        tails = [clip.go_on(plan, plan.pieces[index - 1].frames) for clip in clips] if index else []
        noise = draw(generators, len(plan.parents), plan.window, device)
        made = integrate(
            piece.velocity,
            noise,
            steps=plan.steps,
            solver=plan.solver,
            pins=_pins(clips, tails, plan, noise),
            project=_projection(clips, plan),
            on_step=_of_all(on_step, index, plan),
        )
        for clip, window in zip(clips, _frames_first(made), strict=True):
            clip.windows.append(window)
    return clips


def _pins(clips: list[Rollout], tails: list[FloatArray], plan: Plan, noise: Tensor) -> Pins | None:
    """What a window holds: what is known of the run, and over it the end of the window before."""
    if plan.known is None and not tails:
        return None
    values, masks = [], []
    for row, clip in enumerate(clips):
        value, keep = _known(plan, clip.place)
        if tails:
            value[: len(tails[row])], keep[: len(tails[row])] = tails[row], True
        values.append(value)
        masks.append(keep)
    return Pins(_frames_last(np.stack(values), noise), _frames_last(np.stack(masks), noise), noise)


def _known(plan: Plan, place: Place) -> tuple[FloatArray, BoolArray]:
    """Normalised values and mask (T, J, 12) of a window; channels that never move are left to the network."""
    joints = len(plan.parents)
    if plan.known is None:
        shape = (plan.window, joints, 12)
        return np.zeros(shape), np.zeros(shape, dtype=bool)
    features, keep = plan.known.window(place.first, plan.window, plan.parents, place.yaw)
    return plan.statistics.normalise(features), keep & ~plan.statistics.constant(joints)


def _projection(clips: list[Rollout], plan: Plan) -> Project | None:
    project = plan.project
    if project is None:
        return None

    def move(clean: Tensor) -> Tensor:
        moved = [
            plan.statistics.normalise(project(plan.statistics.denormalise(window), clip.place))
            for clip, window in zip(clips, _frames_first(clean), strict=True)
        ]
        constant = torch.from_numpy(plan.statistics.constant(len(plan.parents))).to(clean.device)
        return torch.where(constant[None, :, :, None], clean, _frames_last(np.stack(moved), clean))

    return move


def _frames_first(x: Tensor) -> FloatArray:
    """(B, J, 12, T) as (B, T, J, 12)."""
    return np.asarray(x.permute(0, 3, 1, 2).cpu().double().numpy())


def _frames_last(values: FloatArray | BoolArray, like: Tensor) -> Tensor:
    """(B, T, J, 12) as (B, J, 12, T) on a tensor's device; numbers in its type."""
    kind = torch.bool if values.dtype == np.bool_ else like.dtype
    return torch.from_numpy(values).to(like.device, kind).permute(0, 2, 3, 1)


def _of_all(on_step: OnStep | None, window: int, plan: Plan) -> OnStep | None:
    """Reports steps of one window as steps of all."""
    if on_step is None:
        return None
    return lambda step, _: on_step(window * plan.steps + step, plan.steps * len(plan.pieces))
