"""Dormand-Prince 5(4) with a step of its own for every clip.

Numbers from Dormand and Prince (1980) and Shampine (1986); control as the reference
sampler has it (SPEC e): rtol 1e-3, atol 1e-6, the last step runs past t = 1 and is
read off a quartic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unimate_dcc.errors import CheckFailedError

ErrorNorm = Literal["clip", "batch"]
Velocity = Callable[[Tensor, Tensor], Tensor]
Times = NDArray[np.float64]

RELATIVE, ABSOLUTE = 1e-3, 1e-6
"""Tolerances of the reference sampler (SPEC e)."""
NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
"""The last row is the fifth-order solution itself, so its velocity opens the next step."""
FOURTH_ORDER = (1951 / 21600, 0.0, 22642 / 50085, 451 / 720, -12231 / 42400, 649 / 6300, 1 / 60)
MIDDLE = (
    6025192743 / 30085553152 / 2,
    0.0,
    51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2,
    11237099 / 235043384 / 2,
)
"""Weights of the solution half a step in."""
SMALLEST_STEP = 1e-9
"""Far below any step that the tolerances ask of a finite flow; time is float64."""
SAFETY, LARGEST_GROWTH, LARGEST_CUT = 0.9, 10.0, 0.2


@dataclass(eq=False)
class _State:
    """Where every clip is.

    Attributes:
        x: (B, J, 12, T).
        slope: Velocity at ``x``.
        time: (B,) flow times.
        step: (B,) next step sizes.
        answer: (B, J, 12, T) the motion at t = 1 of the clips that are done.
    """

    x: Tensor
    slope: Tensor
    time: Times
    step: Times
    answer: Tensor


def integrate(
    velocity: Velocity,
    noise: Tensor,
    reports: int,
    on_step: Callable[[int, int], None] | None,
    error_norm: ErrorNorm,
) -> Tensor:
    """From ``noise`` (B, J, 12, T) at t = 0 to motion at t = 1; see ``flow.integrate``.

    Clips that are done wait for the others; their answer no longer changes.
    """
    state = _start(velocity, noise, error_norm)
    while np.any(state.time < 1):
        _advance(velocity, state, error_norm)
        if not np.all(state.step > SMALLEST_STEP):  # also where it is NaN
            raise CheckFailedError("dopri5", "its step shrank to nothing, the network's velocity is not finite")
        if on_step is not None:
            on_step(int(reports * min(1.0, float(state.time.min()))), reports)
    return state.answer


def _start(velocity: Velocity, x: Tensor, error_norm: ErrorNorm) -> _State:
    """First step by Hairer's rule with exponent 1/5; costs one evaluation beside the first slope."""
    time = np.zeros(len(x))
    slope = velocity(x, _as_tensor(time, x)[:, 0, 0, 0])
    scale = ABSOLUTE + RELATIVE * x.abs()
    size, speed = _norm(x / scale, error_norm), _norm(slope / scale, error_norm)
    tiny = (size < 1e-5) | (speed < 1e-5)
    trial = np.where(tiny, 1e-6, 0.01 * size / np.where(tiny, 1.0, speed))
    ahead = velocity(x + _as_tensor(trial, x) * slope, _as_tensor(trial, x)[:, 0, 0, 0])
    bend = _norm((ahead - slope) / scale, error_norm) / trial
    largest = np.maximum(speed, bend)
    flat = largest <= 1e-15
    step = np.where(flat, np.maximum(1e-6, trial * 1e-3), (0.01 / np.where(flat, 1.0, largest)) ** 0.2)
    return _State(x, slope, time, np.minimum(100 * trial, step), torch.zeros_like(x))


def _advance(velocity: Velocity, state: _State, error_norm: ErrorNorm) -> None:
    """Try one step of every clip; keep it where its error is small enough."""
    size = _as_tensor(state.step, state.x)
    slopes = [state.slope]
    end = state.x
    for node, weights in zip(NODES, STAGES, strict=True):
        end = state.x + size * _weighted(slopes, weights)
        slopes.append(velocity(end, _as_tensor(state.time + node * state.step, end)[:, 0, 0, 0]))
    differences = [a - b for a, b in zip((*STAGES[-1], 0.0), FOURTH_ORDER, strict=True)]
    allowed = ABSOLUTE + RELATIVE * torch.maximum(state.x.abs(), end.abs())
    ratio = _norm(size * _weighted(slopes, differences) / allowed, error_norm)
    moving = state.time < 1
    accepted = moving & (ratio <= 1)
    arriving = accepted & (state.time + state.step >= 1)
    if arriving.any():
        middle = state.x + size * _weighted(slopes, MIDDLE)
        answer = _quartic(state, end, middle, slopes[-1], size)
        state.answer = torch.where(_as_mask(arriving, end), answer, state.answer)
    chosen = _as_mask(accepted, end)
    state.x = torch.where(chosen, end, state.x)
    state.slope = torch.where(chosen, slopes[-1], state.slope)
    state.time = np.where(accepted, state.time + state.step, state.time)
    state.step = np.where(moving, state.step * _growth(ratio), state.step)


def _growth(ratio: Times) -> Times:
    """Factor from one step to the next, given error over tolerance."""
    shrink = np.where(ratio < 1, 1.0, LARGEST_CUT)
    wished = SAFETY * np.where(ratio == 0, 1.0, ratio) ** -0.2
    return np.where(ratio == 0, LARGEST_GROWTH, np.minimum(LARGEST_GROWTH, np.maximum(wished, shrink)))


def _quartic(state: _State, end: Tensor, middle: Tensor, end_slope: Tensor, size: Tensor) -> Tensor:
    """Value at t = 1 of the quartic through start, middle and end with the slopes of start and end."""
    start, first, last = state.x, size * state.slope, size * end_slope
    at = _as_tensor((1 - state.time) / state.step, end)
    fourth = 2 * (last - first) - 8 * (end + start) + 16 * middle
    third = 5 * first - 3 * last + 18 * start + 14 * end - 32 * middle
    second = last - 4 * first - 11 * start - 5 * end + 16 * middle
    return start + at * (first + at * (second + at * (third + at * fourth)))


def _weighted(slopes: list[Tensor], weights: Sequence[float]) -> Tensor:
    """Weighted sum, added up along one axis: in early steps the error is all rounding, so its order shows."""
    factors = torch.tensor(tuple(weights), dtype=torch.float32, device=slopes[0].device)
    return (torch.stack(slopes, dim=-1) * factors).sum(dim=-1)


def _norm(x: Tensor, error_norm: ErrorNorm) -> Times:
    """(B,) root mean square, of each clip or of the whole batch."""
    squares = x.square().mean(dim=(1, 2, 3)).cpu().double().numpy()
    if error_norm == "batch":
        squares = np.full_like(squares, squares.mean())
    root: Times = np.sqrt(squares)
    return root


def _as_tensor(values: Times, like: Tensor) -> Tensor:
    """(B, 1, 1, 1) float32 on the device of ``like``."""
    return torch.from_numpy(values.astype(np.float32)).to(like.device)[:, None, None, None]


def _as_mask(values: NDArray[np.bool_], like: Tensor) -> Tensor:
    return torch.from_numpy(values).to(like.device)[:, None, None, None]
