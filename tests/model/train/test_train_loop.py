"""Losses, averages, balance, and a training run that can be killed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from model.train.walker import sample

from unimate_dcc.errors import TemporaryError, WeightsError
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.train.batches import BUCKETS, Batches, bucket_of, clip_weights, measure
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.ema import MovingAverage, decay_at
from unimate_dcc.model.train.loop import Trainer, TrainOptions, rate_at, start_from
from unimate_dcc.model.train.losses import flow_loss, geodesic_loss, rotation_columns, smoothness_loss
from unimate_dcc.model.train.state import read_any, read_checkpoint, write_state
from unimate_dcc.model.train.validation import Validation, split
from unimate_dcc.model.weights import save_weights

TINY = ModelConfig(
    layers=1, width=16, heads=2, feed_forward=32, text_width=6, max_frames=8, frames_per_token=2,
    text_encoder="all-minilm-l6-v2",
)  # fmt: skip


def _embed(text: str) -> np.ndarray:
    return np.random.default_rng(sum(text.encode())).normal(size=6)


def _set() -> tuple[list[TrainingRig], list[TrainingClip]]:
    one = sample()
    clips = [TrainingClip(0, f"walk{i}", one.motion, ("a biped walks",), True, False) for i in range(3)]
    return [one.rig], clips


def _trainer(steps: int, data_hash: str = "x", rate: float = 1e-3) -> Trainer:
    rigs, clips = _set()
    batches = Batches(rigs, clips, measure(rigs, clips), _embed, slots=32, lengths=(8,))
    options = TrainOptions(steps=steps, dtype="float32", warm_up=2, log_steps=1000, seed=3, rate=rate)
    return Trainer(TINY, batches, options, data_hash)


@pytest.mark.parametrize("which", ["flow", "geodesic", "smoothness"])
def test_losses_have_the_gradients_of_finite_differences(which: str) -> None:
    random = torch.Generator().manual_seed(0)
    x = torch.randn(2, 3, 12, 4, generator=random, dtype=torch.float64, requires_grad=True)
    other = torch.randn(2, 3, 12, 4, generator=random, dtype=torch.float64)
    mask = torch.tensor([[True, True, True], [True, True, False]])
    losses = {
        "flow": lambda value: flow_loss(value, other, mask),
        "geodesic": lambda value: geodesic_loss(value[:, :, 3:9], other[:, :, 3:9], mask),
        "smoothness": lambda value: smoothness_loss(value, mask),
    }
    assert torch.autograd.gradcheck(losses[which], (x,), atol=1e-4)


def test_losses_are_zero_only_for_the_truth_and_blind_to_padding() -> None:
    x = torch.randn(1, 3, 12, 4, generator=torch.Generator().manual_seed(1))
    mask = torch.tensor([[True, True, False]])
    other = x.clone()
    other[:, 2] += 5
    assert flow_loss(x, other, mask) == 0
    assert geodesic_loss(x[:, :, 3:9], other[:, :, 3:9], mask) < 0.01
    other[:, 1] += 1
    assert flow_loss(x, other, mask) > 0.1


def test_the_angle_between_quarter_turns_is_a_quarter_turn() -> None:
    one = torch.tensor([1.0, 0, 0, 0, 1, 0]).view(1, 1, 6, 1)
    two = torch.tensor([0.0, 1, 0, -1, 0, 0]).view(1, 1, 6, 1)
    assert geodesic_loss(one, two, torch.ones(1, 1, dtype=torch.bool)) == pytest.approx(np.pi / 2, abs=1e-3)
    columns = torch.stack(rotation_columns(torch.randn(1, 2, 6, 3)))
    assert torch.allclose(columns.norm(dim=3), torch.ones(3, 1, 2, 3), atol=1e-5)


def test_the_average_follows_equation_21() -> None:
    assert decay_at(0, 0.9999) == pytest.approx(0.1**0.01)
    assert decay_at(50_000, 0.9999) == pytest.approx((501 / 510) ** 0.01)
    assert decay_at(10**9, 0.9995) == 0.9995
    model = torch.nn.Linear(1, 1)
    average = MovingAverage(model, 0.5)
    start = model.weight.item()
    with torch.no_grad():
        model.weight.fill_(start + 1.0)
    average.update(model, 10**9)
    assert average.values["weight"].item() == pytest.approx(start + 0.5)


def test_kinds_of_bodies_are_balanced_by_the_square_root() -> None:
    rigs, clips = _set()
    rare = TrainingRig(**{**vars(rigs[0]), "category": "bird"})
    mixed = [*clips, *[TrainingClip(0, "w", clips[0].motion, ("x",), True, False)] * 13]
    mixed += [TrainingClip(1, "f", clips[0].motion, ("y",), True, False)] * 4
    weights = clip_weights([rigs[0], rare], mixed)
    assert weights.sum() == pytest.approx(1.0)
    assert weights[:16].sum() / weights[16:].sum() == pytest.approx(4 / 2)


@pytest.mark.parametrize("joints", [1, 16, 17, 36, 56])
def test_a_bucket_takes_the_rig(joints: int) -> None:
    assert BUCKETS[bucket_of(joints)] >= joints


def test_the_learning_rate_warms_up_and_ends_at_five_percent() -> None:
    options = TrainOptions(steps=100, warm_up=10, rate=1.0)
    rates = [rate_at(step, options) for step in range(101)]
    assert rates[0] == pytest.approx(0.1)
    assert max(rates) == pytest.approx(1.0)
    assert rates[100] == pytest.approx(0.05)
    assert rate_at(10, TrainOptions(steps=100, warm_up=10, rate=1.0, minutes=1.0), 60.0) == pytest.approx(0.05)


def test_a_killed_run_ends_bit_identical_to_an_unbroken_one(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    whole = _trainer(6)
    for _ in range(6):
        whole.train_step()
    first = _trainer(6)
    for _ in range(3):
        first.train_step()
    first.save(tmp_path)
    second = _trainer(6)
    second.resume(tmp_path)
    for _ in range(3):
        second.train_step()
    for name, value in whole.model.state_dict().items():
        assert torch.equal(value, second.model.state_dict()[name]), name
    for name, value in whole.average.values.items():
        assert torch.equal(value, second.average.values[name]), name


def test_a_checkpoint_of_other_data_is_refused_with_both_hashes(tmp_path: Path) -> None:
    _trainer(2, "one").save(tmp_path)
    with pytest.raises(WeightsError, match=r"data one is not this run's two"):
        _trainer(2, "two").resume(tmp_path)


def test_training_lowers_the_loss() -> None:
    trainer = _trainer(120, rate=1e-2)
    losses = [float(trainer.train_step()[0][0]) for _ in range(120)]
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])


def test_exported_weights_start_a_new_run(tmp_path: Path) -> None:
    trained, fresh = _trainer(4), _trainer(4)
    for _ in range(4):
        trained.train_step()
    path = tmp_path / "weights.safetensors"
    save_weights(
        path, trained.model, name="w", statistics=trained.batches.statistics, licence="", commercial=True,
        licence_text="", source="", training={},
    )  # fmt: skip
    start_from(fresh, read_any(path), path)
    for name, value in trained.model.named_parameters():
        assert torch.equal(fresh.model.get_parameter(name), value)
        assert torch.equal(fresh.average.values[name], value)
    assert fresh.step == 0


def test_a_state_file_carries_weights_average_and_time(tmp_path: Path) -> None:
    trained, fresh = _trainer(4), _trainer(4)
    for _ in range(4):
        trained.train_step()
    trained.cpu_seconds, trained.steps_before = 60.0, 10
    trained.save(tmp_path)
    write_state(tmp_path / "s.safetensors", read_checkpoint(tmp_path / "checkpoint.pt"))
    state = read_any(tmp_path / "s.safetensors")
    start_from(fresh, state, tmp_path)
    assert state.statistics.to_json() == trained.batches.statistics.to_json()
    for name, value in trained.model.named_parameters():
        assert torch.equal(fresh.model.get_parameter(name), value)
        assert torch.equal(fresh.average.values[name], trained.average.values[name])
    assert (fresh.step, fresh.steps_before, fresh.cpu_seconds) == (0, 14, 60.0)


def test_a_state_of_another_size_is_refused_by_the_first_tensor_that_differs(tmp_path: Path) -> None:
    _trainer(1).save(tmp_path)
    rigs, clips = _set()
    batches = Batches(rigs, clips, measure(rigs, clips), _embed, slots=32, lengths=(8,))
    wider = Trainer(replace(TINY, width=32), batches, TrainOptions(steps=1), "x")
    with pytest.raises(WeightsError, match="choose another --config"):
        start_from(wider, read_any(tmp_path / "checkpoint.pt"), tmp_path)


def test_validation_is_the_same_number_for_the_same_weights_and_leaves_the_run_alone() -> None:
    rigs, clips = _set()
    batches = Batches(rigs, clips, measure(rigs, clips), _embed, slots=32, lengths=(8,))
    validation, trainer = Validation(batches, early=2.0), _trainer(10)
    before = torch.random.get_rng_state()
    first = validation.loss(TINY, trainer.average)
    assert validation.loss(TINY, trainer.average) == first
    assert torch.equal(torch.random.get_rng_state(), before)


def test_validation_takes_whole_topologies_and_small_sets_are_not_split() -> None:
    rigs, clips = _set()
    assert split(rigs, clips) == (clips, [])
    random = np.random.default_rng(0)
    many = [
        replace(rigs[0], parents=np.array([-1, *(int(random.integers(0, joint)) for joint in range(1, 9))]))
        for _ in range(60)
    ]
    each = [replace(clips[0], rig=number) for number in range(120)]
    train, validating = split([*many, *many], each)
    assert validating and len(train) + len(validating) == 120
    trees = [{many[clip.rig % 60].parents.tobytes() for clip in part} for part in (train, validating)]
    assert not trees[0] & trees[1]


def test_training_stops_when_patience_is_over(tmp_path: Path) -> None:
    rigs, clips = _set()
    batches = Batches(rigs, clips, measure(rigs, clips), _embed, slots=32, lengths=(8,))
    options = TrainOptions(steps=50, dtype="float32", rate=0.0, save_minutes=0.0, patience=3)
    trainer = Trainer(TINY, batches, options, "x", Validation(batches, early=1.0))
    trainer.run(tmp_path, lambda line: None)
    assert trainer.step == 4
    assert len((tmp_path / "validation.csv").read_text().splitlines()) == 5


def test_a_full_disk_leaves_the_last_good_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = _trainer(2)
    trainer.save(tmp_path)
    good = (tmp_path / "checkpoint.pt").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(TemporaryError, match="last good checkpoint stays"):
        trainer.save(tmp_path)
    assert (tmp_path / "checkpoint.pt").read_bytes() == good
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]
