"""The samplers against the numbers of the upstream sampler (shared/tadit/parity)."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from model.tiny_fixture import NAMES, Fixture, largest_difference

from unimate_dcc.model.flow import Velocity, guided, integrate
from unimate_dcc.model.pins import Pins


@pytest.fixture(scope="module", params=NAMES)
def tiny(request: pytest.FixtureRequest, shared: Path) -> Fixture:
    return Fixture(shared / "tadit" / "parity" / f"{request.param}.npz")


def velocity_of(tiny: Fixture) -> Velocity:
    return guided(tiny.model, tiny.model.prepare(tiny.conditions().guided()), guidance=3.0)


def test_fifty_guided_euler_steps_with_pinned_frames_match(tiny: Fixture) -> None:
    pins = Pins(tiny["solver::known"], tiny["solver::keep"], tiny["solver::eps"])
    with torch.no_grad():
        ours = integrate(velocity_of(tiny), tiny["solver::eps"], steps=50, pins=pins)
    assert largest_difference(ours, tiny["solver::euler50_cfg3_replacement"]) < 1e-5


def test_dopri5_matches_with_the_same_evaluations(tiny: Fixture) -> None:
    """Two calls an evaluation, as the fixture was made: the first error estimates are all rounding (9e-6 of the
    tolerance) and steer the next step, so another batching alone moves the result by 1e-5."""
    model, calls = tiny.model, 0
    with torch.no_grad():
        prompted, free = model.prepare(tiny.conditions()), model.prepare(tiny.conditions(dropped=True))

    def counted(x: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        nonlocal calls
        calls += 1
        without = model.velocity(x, time, free)
        return without + 3.0 * (model.velocity(x, time, prompted) - without)

    with torch.no_grad():
        ours = integrate(counted, tiny["solver::eps"], solver="dopri5", error_norm="batch")
    expected = tiny["solver::dopri5_cfg3_free"]
    assert calls == tiny["solver::dopri5_nfe"]
    real = (torch.arange(tiny.config.max_joints)[None] < tiny["in::n_joints"][:, None])[:, :, None, None]
    difference = (ours - expected).abs()
    assert float((difference * real).max()) < 1e-5
    assert float((difference * ~real).max()) < 2e-3
