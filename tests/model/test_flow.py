"""Laws of the samplers, on flows whose solution is known."""

from __future__ import annotations

import math

import pytest
import torch
from model.toy_model import CONFIGS, conditions, lively

from unimate_dcc.errors import BadRequestError, CheckFailedError
from unimate_dcc.model.flow import Solver, check_pinnable, draw, guided, integrate
from unimate_dcc.model.pins import Pins

SOLVERS: tuple[Solver, ...] = ("euler", "midpoint", "dopri5")


def noise(clips: int) -> torch.Tensor:
    return torch.randn(clips, 3, 12, 4, generator=torch.Generator().manual_seed(3))


def growth(x: torch.Tensor, _: torch.Tensor) -> torch.Tensor:
    """x' = x, so the answer is e times the noise."""
    return x


@pytest.mark.parametrize(("solver", "error"), [("euler", 0.03), ("midpoint", 2e-4), ("dopri5", 2e-3)])
def test_exponential_growth_arrives_at_e(solver: Solver, error: float) -> None:
    start = noise(2)
    end = integrate(growth, start, solver=solver, steps=50)
    torch.testing.assert_close(end, math.e * start, rtol=error, atol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_straight_flow_is_followed_exactly(solver: Solver) -> None:
    start, goal = noise(2), noise(2).flip(0)
    end = integrate(lambda x, t: goal - start, start, solver=solver, steps=7)
    torch.testing.assert_close(end, goal, rtol=1e-5, atol=1e-5)


def test_dopri5_gives_up_on_a_flow_that_is_not_finite() -> None:
    with pytest.raises(CheckFailedError, match="dopri5.*not finite"):
        integrate(lambda x, time: x / (time[:, None, None, None] - 0.5).clamp(max=0), noise(2), solver="dopri5")
    with pytest.raises(CheckFailedError, match="dopri5.*not finite"):
        integrate(lambda x, time: x * torch.nan, noise(1), solver="dopri5")


def test_halving_the_step_quarters_the_error_of_midpoint() -> None:
    start = noise(1)

    def error(steps: int) -> float:
        return float((integrate(growth, start, solver="midpoint", steps=steps) - math.e * start).abs().max())

    assert error(8) / error(16) == pytest.approx(4.0, rel=0.1)


def test_dopri5_controls_every_clip_by_itself() -> None:
    start = noise(2)
    stiffness = torch.tensor([1.0, 40.0])[:, None, None, None]

    def wave(x: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        return torch.cos(stiffness[-len(x) :] * time[:, None, None, None]) * stiffness[-len(x) :] * torch.ones_like(x)

    together = integrate(wave, start, solver="dopri5")
    alone = integrate(wave, start[1:], solver="dopri5")
    torch.testing.assert_close(together[1:], alone, rtol=0, atol=1e-6)
    torch.testing.assert_close(together, start + torch.sin(stiffness), rtol=0, atol=2e-2)


def test_pinned_entries_arrive_exactly_and_follow_the_way_there() -> None:
    start, known = noise(2), noise(2) + 5
    keep = torch.tensor([True, False, False, True])[None, None, None]
    seen: list[torch.Tensor] = []

    def watch(x: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        seen.append((x - ((1 - time[0]) * start + time[0] * known)).abs()[..., [0, 3]].max())
        return 100 * torch.ones_like(x)

    end = integrate(watch, start, steps=5, pins=Pins(known, keep, start))
    assert torch.equal(end[..., [0, 3]], known[..., [0, 3]])
    assert max(float(value) for value in seen) < 1e-5
    torch.testing.assert_close(end[..., 1:3], start[..., 1:3] + 100)


def test_pins_refuse_dopri5_and_guidance_of_one_by_name() -> None:
    pins = Pins(noise(1), torch.ones(1, 1, 1, 4, dtype=torch.bool), noise(1))
    with pytest.raises(BadRequestError, match="dopri5.*known frames"):
        integrate(growth, noise(1), solver="dopri5", pins=pins)
    with pytest.raises(BadRequestError, match="guidance 1.0.*known frames"):
        check_pinnable("euler", 1.0)
    check_pinnable("midpoint", 1.5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_progress_rises_to_the_end_and_cancels_by_raising(solver: Solver) -> None:
    seen: list[tuple[int, int]] = []
    integrate(growth, noise(1), solver=solver, steps=10, on_step=lambda step, total: seen.append((step, total)))
    assert seen[-1] == (10, 10) and seen == sorted(seen)

    def cancel(_step: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        integrate(growth, noise(1), solver=solver, steps=10, on_step=cancel)


def test_guidance_one_is_the_conditional_network_and_zero_difference_is_any_guidance() -> None:
    model, given = lively(CONFIGS["graph"]), conditions(1, 4)
    x, time = torch.randn(1, 4, 12, 8), torch.tensor([0.3])
    with torch.no_grad():
        plain = model(x, time, given)
        one = guided(model, model.prepare(given), 1.0)(x, time)
        nearly = guided(model, model.prepare(given.guided()), 1.0 + 1e-9)(x, time)
        three = guided(model, model.prepare(given.guided()), 3.0)(x, time)
    assert torch.equal(one, plain)
    torch.testing.assert_close(nearly, plain, rtol=1e-4, atol=1e-5)
    assert not torch.allclose(three, plain, atol=1e-3)


def test_noise_of_a_clip_does_not_depend_on_its_batch() -> None:
    def generator(seed: int) -> torch.Generator:
        return torch.Generator().manual_seed(seed)

    device = torch.device("cpu")
    pair = draw([generator(1), generator(2)], 5, 8, device)
    assert torch.equal(draw([generator(2)], 5, 8, device)[0], pair[1])
    assert not torch.equal(pair[0], pair[1])
