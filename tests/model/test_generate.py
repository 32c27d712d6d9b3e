"""From prompt to motion: seeds, lengths, batches, seams."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from model.toy_model import CONFIGS, ToyEncoder, save_toy_weights, toy_rig

from unimate_dcc.errors import BadRequestError, CheckFailedError
from unimate_dcc.model.device import choose_device, choose_dtype
from unimate_dcc.model.generate import GeneratedMotion, Generator, generate

WINDOW = 24


@pytest.fixture(scope="module", params=["graph", "patched", "full"])
def generator(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator:
    config = replace(CONFIGS[request.param], max_frames=WINDOW)
    weights = save_toy_weights(tmp_path_factory.mktemp("weights"), config)
    return Generator(weights, device="cpu", dtype="float32", encoder=ToyEncoder())


def one(generator: Generator, frames: int = WINDOW, seed: int = 4, prompt: str = "trots") -> GeneratedMotion:
    (motion,) = generator.generate(toy_rig(), prompt, frames, seeds=[seed], steps=6, guidance=2.0, overlap=6)
    return motion


def test_shapes_are_right_and_rotations_are_rotations(generator: Generator) -> None:
    motion = one(generator)
    assert motion.rotations.shape == (WINDOW, 6, 3, 3)
    assert motion.root.shape == (WINDOW, 3)
    identity = motion.rotations @ motion.rotations.swapaxes(-1, -2)
    np.testing.assert_allclose(identity, np.broadcast_to(np.eye(3), identity.shape), atol=1e-9)
    np.testing.assert_array_equal(motion.root[0, [0, 2]], 0.0)


def test_same_seed_same_clip_to_the_last_bit(generator: Generator) -> None:
    first, again, other = one(generator), one(generator), one(generator, seed=5)
    assert np.array_equal(first.features, again.features)
    assert np.array_equal(first.rotations, again.rotations)
    assert not np.allclose(first.features, other.features, atol=1e-2)


def test_a_seed_gives_the_same_clip_in_another_batch(generator: Generator) -> None:
    batch = generator.generate(toy_rig(), "trots", WINDOW, seeds=[9, 4, 1], steps=6, guidance=2.0)
    alone = one(generator)
    assert [motion.seed for motion in batch] == [9, 4, 1]
    size = np.abs(alone.root).max() + 1
    assert np.abs(batch[1].root - alone.root).max() < 1e-3 * size
    assert np.abs(batch[1].features - alone.features).max() < 1e-3


def test_each_clip_of_a_batch_may_have_its_own_prompt(generator: Generator) -> None:
    calm, wild = generator.generate(toy_rig(), ["idles", "jumps high"], WINDOW, seeds=[4, 4], steps=6, guidance=2.0)
    assert np.abs(calm.features - one(generator, prompt="idles").features).max() < 1e-3
    assert np.abs(wild.features - calm.features).max() > 1e-2


def test_a_short_range_is_the_beginning_of_the_whole_window(generator: Generator) -> None:
    short, whole = one(generator, frames=7), one(generator)
    np.testing.assert_array_equal(short.features, whole.features[:7])
    np.testing.assert_allclose(short.root, whole.root[:7], atol=1e-12)


@pytest.mark.parametrize("frames", [WINDOW + 1, 60, 61])
def test_a_long_range_has_its_length_and_begins_with_the_window(generator: Generator, frames: int) -> None:
    long = one(generator, frames=frames)
    assert len(long.root) == len(long.rotations) == frames
    np.testing.assert_allclose(long.features[:WINDOW], one(generator).features, atol=1e-12)


def test_guidance_one_needs_half_the_batch_and_follows_the_prompt(generator: Generator) -> None:
    plain = generator.generate(toy_rig(), "trots", WINDOW, seeds=[4], steps=6, guidance=1.0)[0]
    nearly = generator.generate(toy_rig(), "trots", WINDOW, seeds=[4], steps=6, guidance=1.0 + 1e-6)[0]
    np.testing.assert_allclose(plain.features, nearly.features, atol=1e-3)


def test_a_long_range_refuses_dopri5_and_guidance_one_naming_both(generator: Generator) -> None:
    with pytest.raises(BadRequestError, match=r"solver 'dopri5': .*frames 100.*known frames"):
        generator.generate(toy_rig(), "trots", 100, solver="dopri5", overlap=6)
    with pytest.raises(BadRequestError, match=r"guidance 1\.0: .*frames 100.*known frames"):
        generator.generate(toy_rig(), "trots", 100, guidance=1.0, overlap=6)


def test_progress_counts_the_steps_of_all_windows(generator: Generator) -> None:
    seen: list[tuple[int, int]] = []
    generator.generate(
        toy_rig(), "trots", 60, steps=6, guidance=2.0, overlap=6, on_step=lambda step, all_: seen.append((step, all_))
    )
    assert seen == [(step, 18) for step in range(1, 19)]


def test_what_cannot_be_made_is_refused_by_name(generator: Generator) -> None:
    with pytest.raises(BadRequestError, match="joints 17.*take 16"):
        generator.generate(toy_rig(17), "trots", 10)
    with pytest.raises(BadRequestError, match="frames 1: a motion has at least 2"):
        generator.generate(toy_rig(), "trots", 1)
    with pytest.raises(BadRequestError, match="prompt 2: give one prompt, or one for each of 1"):
        generator.generate(toy_rig(), ["a", "b"], 10)
    with pytest.raises(BadRequestError, match="steps 0"):
        generator.generate(toy_rig(), "trots", 10, steps=0)
    with pytest.raises(BadRequestError, match="seed 9223372036854775808"):
        generator.generate(toy_rig(), "trots", 10, seeds=[2**63])
    with pytest.raises(BadRequestError, match="overlap 24.*below the window of 24"):
        generator.generate(toy_rig(), "trots", 100, overlap=24)


def test_facts_say_what_the_last_digits_depend_on(generator: Generator) -> None:
    motion = one(generator, frames=60)
    assert motion.facts["batch_shape"] == [1, 6, 12, WINDOW]
    assert motion.facts["dtype"] == "float32" and motion.facts["windows"] == 3
    assert set(motion.seconds) == {"text", "network", "decode"}


def test_reordering_the_joints_of_a_rig_reorders_the_motion_of_the_network(generator: Generator) -> None:
    """Noise is drawn by slot, so the noise is reordered with the joints."""
    rig, order = toy_rig(), torch.tensor([0, 2, 1, 3, 4, 5])
    given = rig.conditions(generator.weights.statistics, ToyEncoder(), ["trots"])
    turned = replace(
        given,
        **{name: getattr(given, name)[:, order] for name in ("names", "rest", "parent_rest", "depths", "spectral")},
        relations=given.relations[:, order][:, :, order],
        distances=given.distances[:, order][:, :, order],
    )
    x, time = torch.randn(1, 6, 12, WINDOW), torch.tensor([0.5])
    with torch.no_grad():
        straight, other = generator.denoiser(x, time, given), generator.denoiser(x[:, order], time, turned)
    torch.testing.assert_close(other, straight[:, order], atol=1e-5, rtol=1e-5)


def test_smoothing_of_the_weights_is_applied_before_decoding(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("smooth")
    config = replace(CONFIGS["graph"], max_frames=WINDOW)
    rough = save_toy_weights(folder, config, "rough")
    smooth = save_toy_weights(folder, replace(config, smoothing_sigma_frames=1.5), "smooth")
    jerk = [
        np.diff(
            generate(weights, toy_rig(), "trots", WINDOW, steps=4, device="cpu", dtype="float32", encoder=ToyEncoder())[
                0
            ].features,
            n=3,
            axis=0,
        ).std()
        for weights in (rough, smooth)
    ]
    assert jerk[1] < 0.5 * jerk[0]


def test_a_motion_that_is_not_finite_is_never_handed_out(generator: Generator) -> None:
    rig = toy_rig()
    broken = replace(rig, rest_positions=rig.rest_positions * np.nan)
    with pytest.raises(CheckFailedError, match="weights toy: check failed: made NaN.*float32"):
        generator.generate(broken, "trots", 10, steps=2)


def test_device_and_dtype_are_chosen_or_refused_by_name() -> None:
    cpu = choose_device("cpu")
    assert choose_device("auto").type in ("cpu", "cuda", "mps")
    assert choose_dtype("float32", cpu) == torch.float32
    assert choose_dtype("auto", cpu) in (torch.float32, torch.bfloat16)
    with pytest.raises(BadRequestError, match="dtype 'float16': choose"):
        choose_dtype("float16", cpu)
    if not torch.cuda.is_available():
        with pytest.raises(BadRequestError, match="device 'cuda': is not on this machine; here: cpu"):
            choose_device("cuda")
