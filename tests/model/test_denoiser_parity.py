"""The network against the numbers of the upstream model (shared/tadit/parity)."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from model.tiny_fixture import NAMES, Fixture, largest_difference

from unimate_dcc.model.rope import Rotation, temporal_angles, temporal_base

TOLERANCE = 5e-6
"""parity/README.md, mid:: and out:: arrays in float32."""


@pytest.fixture(scope="module", params=NAMES)
def tiny(request: pytest.FixtureRequest, shared: Path) -> Fixture:
    return Fixture(shared / "tadit" / "parity" / f"{request.param}.npz")


@pytest.fixture(scope="module")
def seen(tiny: Fixture) -> dict[str, torch.Tensor]:
    """One conditional call with everything in between written down."""
    notes: dict[str, torch.Tensor] = {}
    model, blocks = tiny.model, tiny.model.transformer_blocks

    def enter(_: object, inputs: tuple[torch.Tensor, ...]) -> None:
        notes["tokens"], notes["y"] = inputs[0], inputs[1]

    hooks = [blocks[0].register_forward_pre_hook(enter)]
    for index, block in enumerate(blocks):
        hooks.append(
            block.register_forward_hook(lambda _m, _i, out, index=index: notes.__setitem__(f"block{index}", out))
        )
    with torch.no_grad():
        notes["out"] = model(tiny["in::x"], tiny["in::timesteps"], tiny.conditions())
    for hook in hooks:
        hook.remove()
    return notes


def test_skeleton_tokens_and_their_pool_match(tiny: Fixture) -> None:
    c = tiny.conditions()
    with torch.no_grad():
        tokens = tiny.model.input_layer.skeleton(c.rest, c.parent_rest)
        pooled = tiny.model.tpos_pool(tokens, c.joint_mask)
    assert largest_difference(tokens, tiny["mid::skeleton_tokens"]) < TOLERANCE
    assert largest_difference(pooled, tiny["mid::topo_condition"]) < 3e-6


def test_conditioning_vector_matches(tiny: Fixture, seen: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        time = tiny.model.time_embedder(tiny["in::timesteps"])
        undropped = tiny.model.prepare(tiny.conditions())
        dropped = tiny.model.prepare(tiny.conditions(dropped=True))
    assert largest_difference(time, tiny["mid::time_emb"]) < TOLERANCE
    assert largest_difference(seen["y"], tiny["mid::y"]) < TOLERANCE
    assert largest_difference(time + dropped.y, tiny["out::y_uncond"]) < TOLERANCE
    if tiny.config.factorised:
        without_topology = time + undropped.y - tiny["mid::topo_condition"]
        assert largest_difference(without_topology, tiny["mid::y_text_time"]) < TOLERANCE


def test_motion_tokens_match_before_and_after_depth_and_name(tiny: Fixture, seen: dict[str, torch.Tensor]) -> None:
    c = tiny.conditions()
    with torch.no_grad():
        rest = tiny.model.input_layer.skeleton(c.rest, c.parent_rest)[:, None]
        bare = torch.cat((rest, tiny.model.input_layer.motion(tiny["in::x"])), dim=1)
    assert largest_difference(bare, tiny["mid::tokens_input_layer"]) < TOLERANCE
    tokens = seen["tokens"].reshape(tiny["mid::tokens"].shape)
    assert largest_difference(tokens, tiny["mid::tokens"]) < TOLERANCE


def test_rotary_angles_match(tiny: Fixture) -> None:
    with torch.no_grad():
        angles = tiny.model.prepare(tiny.conditions()).angles
    assert largest_difference(angles, tiny["mid::spec_rope_angles"]) < 1e-6
    cos = tiny["mid::temporal_rope_cos"]
    frames = Rotation.of(temporal_angles(tiny.config, cos.shape[0], cos.shape[1], cos.device))
    assert largest_difference(frames.cos.repeat(1, 2), cos) < 1e-6
    assert largest_difference(frames.sin.repeat(1, 2), tiny["mid::temporal_rope_sin"]) < 1e-6
    assert temporal_base(tiny.config.max_frames) == tiny["mid::temporal_rope_base"]


def test_masks_match(tiny: Fixture) -> None:
    c = tiny.conditions()
    frames = tiny.model._valid(c.frame_lengths, tiny.config.max_frames + 1, c.rest.device)
    assert c.joint_mask is not None and frames is not None
    if tiny.config.factorised:
        assert torch.equal(c.joint_mask, tiny["mid::joints_valid"])
        assert torch.equal(frames, tiny["mid::temporal_valid"])
    else:
        both = (frames[:, :, None] & c.joint_mask[:, None, :]).flatten(1)
        assert torch.equal(both[:, None, None], tiny["mid::attention_mask"])


def test_attention_bias_or_text_memory_matches(tiny: Fixture) -> None:
    c = tiny.conditions()
    with torch.no_grad():
        prepared = tiny.model.prepare(c)
        memory = tiny.model.cond_embedder(c.text)
    if not tiny.config.factorised:
        assert largest_difference(memory, tiny["mid::text_mem"]) < TOLERANCE
        assert torch.equal(prepared.text_mask, tiny["mid::text_mask"])
    for index, bias in enumerate(prepared.biases):
        assert largest_difference(bias, tiny[f"mid::attention_bias_block{index}"]) < TOLERANCE


def test_every_block_matches(tiny: Fixture, seen: dict[str, torch.Tensor]) -> None:
    expected = tiny["mid::block_out"]
    for index in range(tiny.config.layers):
        assert largest_difference(seen[f"block{index}"], expected[index]) < TOLERANCE


def test_velocity_matches_with_and_without_the_prompt(tiny: Fixture, seen: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        without = tiny.model(tiny["in::x"], tiny["in::timesteps"], tiny.conditions(dropped=True))
    assert largest_difference(seen["out"], tiny["out::cond"]) < TOLERANCE
    assert largest_difference(without, tiny["out::uncond"]) < TOLERANCE


def test_guided_call_is_both_calls_at_once(tiny: Fixture) -> None:
    x, time = tiny["in::x"].repeat(2, 1, 1, 1), tiny["in::timesteps"].repeat(2)
    with torch.no_grad():
        both = tiny.model(x, time, tiny.conditions().guided())
    expected = torch.cat((tiny["out::cond"], tiny["out::uncond"]))
    assert largest_difference(both, expected) < TOLERANCE
