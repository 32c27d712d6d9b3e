"""Laws of the network: what must not matter does not matter."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from model.toy_model import CONFIGS, conditions, lively
from torch.nn.attention import SDPBackend, sdpa_kernel

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.config import ModelConfig, Part
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.layers import attend


def with_padding(given: Conditions, extra: int, lengths: torch.Tensor) -> Conditions:
    """The same conditions with ``extra`` joint slots full of noise behind the real ones."""

    def pad(value: torch.Tensor, axes: tuple[int, ...]) -> torch.Tensor:
        for axis in axes:
            shape = list(value.shape)
            shape[axis] = extra
            filler = torch.ones(shape, dtype=value.dtype) if value.dtype == torch.int64 else 9 * torch.randn(shape)
            value = torch.cat((value, filler), dim=axis)
        return value

    joints = given.rest.shape[1]
    return replace(
        given,
        names=pad(given.names, (1,)),
        rest=pad(given.rest, (1,)),
        parent_rest=pad(given.parent_rest, (1,)),
        relations=pad(given.relations, (1, 2)),
        distances=pad(given.distances, (1, 2)),
        depths=pad(given.depths, (1,)),
        spectral=pad(given.spectral, (1,)),
        joint_mask=(torch.arange(joints + extra) < joints).expand(len(given.rest), -1),
        frame_lengths=lengths,
    )


@pytest.fixture(scope="module", params=CONFIGS)
def model(request: pytest.FixtureRequest) -> Denoiser:
    return lively(CONFIGS[request.param])


def test_reordering_joints_reorders_the_output(model: Denoiser) -> None:
    given = conditions(2, 7)
    x, time = torch.randn(2, 7, 12, 8), torch.tensor([0.2, 0.7])
    order = torch.tensor([0, 4, 2, 6, 1, 5, 3])  # the root stays first
    turned = replace(
        given,
        names=given.names[:, order],
        rest=given.rest[:, order],
        parent_rest=given.parent_rest[:, order],
        relations=given.relations[:, order][:, :, order],
        distances=given.distances[:, order][:, :, order],
        depths=given.depths[:, order],
        spectral=given.spectral[:, order],
    )
    with torch.no_grad():
        straight, reordered = model(x, time, given), model(x[:, order], time, turned)
    torch.testing.assert_close(reordered, straight[:, order], atol=1e-5, rtol=1e-5)


def test_contents_of_padded_joints_and_frames_change_nothing_at_all(model: Denoiser) -> None:
    lengths = torch.tensor([8, 4])
    given = with_padding(conditions(2, 6), 3, lengths)
    other = replace(given, rest=given.rest.clone(), names=given.names.clone(), spectral=given.spectral.clone())
    for value in (other.rest, other.names, other.spectral):
        value[:, 6:] = 55.0
    x, time = torch.randn(2, 9, 12, 8), torch.tensor([0.1, 0.9])
    dirty = x.clone()
    dirty[:, 6:] = -77.0
    dirty[1, :, :, 4:] = 33.0
    with torch.no_grad():
        clean, soiled = model(x, time, given), model(dirty, time, other)
    assert (clean[0, :6] - soiled[0, :6]).abs().max() == 0.0
    assert (clean[1, :6, :, :4] - soiled[1, :6, :, :4]).abs().max() == 0.0


def test_padding_itself_changes_only_the_last_digits(model: Denoiser) -> None:
    given = conditions(2, 6)
    x, time = torch.randn(2, 6, 12, 4), torch.tensor([0.3, 0.6])
    padded = torch.cat((x, torch.randn(2, 3, 12, 4)), dim=1)
    padded = torch.cat((padded, torch.randn(2, 9, 12, 4)), dim=3)
    with torch.no_grad():
        bare = model(x, time, given)
        framed = model(padded, time, with_padding(given, 3, torch.tensor([4, 4])))
    torch.testing.assert_close(framed[:, :6, :, :4], bare, atol=2e-5, rtol=1e-5)


def test_one_skeleton_given_once_serves_every_clip(model: Denoiser) -> None:
    once = conditions(3, 6, skeletons=1)
    rig = {n: getattr(once, n).expand(3, *[-1] * (getattr(once, n).dim() - 1)) for n in SKELETON_FIELDS}
    x, time = torch.randn(3, 6, 12, 8), torch.tensor([0.2, 0.5, 0.8])
    with torch.no_grad():
        shared, repeated = model(x, time, once), model(x, time, replace(once, **rig))
    torch.testing.assert_close(shared, repeated, atol=1e-5, rtol=1e-5)


def test_eigenvector_signs_mean_nothing(model: Denoiser) -> None:
    given = conditions(1, 6)
    signs = torch.tensor([1.0, -1, 1, -1, -1, 1, -1, 1])
    x, time = torch.randn(1, 6, 12, 8), torch.tensor([0.4])
    with torch.no_grad():
        plain, flipped = model(x, time, given), model(x, time, replace(given, spectral=given.spectral * signs))
    torch.testing.assert_close(flipped, plain, atol=1e-5, rtol=1e-5)


def test_dropped_text_is_never_read(model: Denoiser) -> None:
    given = replace(conditions(1, 5), text_dropped=torch.ones(1, dtype=torch.bool))
    other = replace(given, text=given.text + 3, pooled=given.pooled - 3)
    x, time = torch.randn(1, 5, 12, 8), torch.tensor([0.4])
    with torch.no_grad():
        assert torch.equal(model(x, time, given), model(x, time, other))


def test_the_prompt_is_read_when_it_is_not_dropped(model: Denoiser) -> None:
    given = conditions(1, 5)
    other = replace(given, text=given.text + 3, pooled=given.pooled - 3)
    x, time = torch.randn(1, 5, 12, 8), torch.tensor([0.4])
    with torch.no_grad():
        assert not torch.allclose(model(x, time, given), model(x, time, other), atol=1e-3)


def test_fresh_network_predicts_zero_and_still_learns() -> None:
    model = Denoiser(CONFIGS["patched"])
    out = model(torch.randn(1, 5, 12, 8), torch.tensor([0.4]), conditions(1, 5))
    assert float(out.detach().abs().max()) == 0.0
    (out - 1).square().mean().backward()
    gradient = model.final_layer.joint_out[2].weight.grad
    assert gradient is not None and float(gradient.abs().max()) > 0


def test_bfloat16_stays_near_float32(model: Denoiser) -> None:
    given = conditions(2, 6)
    x, time = torch.randn(2, 6, 12, 8), torch.tensor([0.2, 0.7])
    half = Denoiser(model.config).eval()
    half.load_state_dict(model.state_dict())
    half.compute_in(torch.bfloat16)
    with torch.no_grad():
        exact, rough = model(x, time, given), half(x, time, given)
    assert rough.dtype == torch.float32
    assert float((rough - exact).norm() / exact.norm()) < 0.05


def test_the_math_kernel_and_autocast_give_the_same_motion(model: Denoiser) -> None:
    given = conditions(2, 6)
    x, time = torch.randn(2, 6, 12, 8), torch.tensor([0.2, 0.7])
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
        exact = model(x, time, given)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            rough = model(x, time, given)
    assert float((rough - exact).norm() / exact.norm()) < 0.05


def test_every_intermediate_is_made_where_the_inputs_are(model: Denoiser) -> None:
    """On the meta device a tensor made elsewhere is an error, as it is on a GPU."""
    meta = torch.device("meta")
    away = Denoiser(model.config).to(meta)
    given = with_padding(conditions(2, 6), 3, torch.tensor([8, 4])).guided().to(meta)
    out = away(torch.randn(4, 9, 12, 8, device=meta), torch.rand(4, device=meta), given)
    assert out.device == meta and out.shape == (4, 9, 12, 8)


def test_plain_attention_is_the_kernel_of_torch() -> None:
    query, key, value = torch.randn(3, 2, 4, 9, 8)
    padded = torch.arange(9) < torch.tensor([9, 5])[:, None, None, None]
    bias = torch.randn(1, 4, 9, 9).masked_fill(~padded, -torch.inf)
    for mask in (None, padded, bias):
        expected = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        torch.testing.assert_close(attend(query, key, value, mask), expected, atol=1e-6, rtol=1e-5)


def test_config_survives_json_and_refuses_an_unknown_size() -> None:
    config = CONFIGS["patched"]
    assert ModelConfig.from_json(config.to_json()) == config
    with pytest.raises(BadRequestError, match="colour.*no such model size"):
        ModelConfig.from_json('{"colour": 3}')
    with pytest.raises(BadRequestError, match="frames_per_token"):
        ModelConfig(frames_per_token=7)


SKELETON_FIELDS = ("names", "rest", "parent_rest", "relations", "distances", "depths", "spectral")


@pytest.mark.parametrize(
    ("part", "fields"), [("graph", ("distances", "relations")), ("spectral", ("spectral",)), ("topology", ())]
)
def test_a_part_that_is_left_out_changes_nothing_whatever_it_says(part: Part, fields: tuple[str, ...]) -> None:
    config = replace(CONFIGS["graph"], without=(part,))
    assert ModelConfig.from_json(config.to_json()) == config
    whole, model = lively(CONFIGS["graph"]), Denoiser(config)
    model.load_state_dict(whole.state_dict())
    given = conditions(2, 7)
    x, time = torch.randn(2, 7, 12, 8), torch.tensor([0.2, 0.7])
    told = model(x, time, given)
    assert not torch.allclose(told, whole(x, time, given), atol=1e-5)
    for name in fields:
        other = replace(given, **{name: getattr(given, name).flip(1)})
        assert torch.allclose(model(x, time, other), told, atol=1e-5)
        assert not torch.allclose(whole(x, time, other), whole(x, time, given), atol=1e-5)
