"""Weight files: what is stored comes back, what does not fit is named."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from model.toy_model import CONFIGS, conditions, lively, save_toy_weights, toy_statistics

from unimate_dcc.errors import WeightsError
from unimate_dcc.model import weights as weights_module
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.weights import (
    Weights,
    list_weights,
    load_weights,
    read_weights,
    save_weights,
    show_weights,
    verify_weights,
)


@pytest.fixture(params=CONFIGS)
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> Weights:
    return save_toy_weights(tmp_path, CONFIGS[request.param])


def test_a_saved_network_computes_the_same_when_loaded(saved: Weights) -> None:
    original, loaded = lively(saved.config), saved.denoiser()
    x, time = torch.randn(1, 5, 12, 8), torch.tensor([0.4])
    with torch.no_grad():
        assert torch.equal(original(x, time, conditions(1, 5)), loaded(x, time, conditions(1, 5)))
    assert not any(parameter.requires_grad for parameter in loaded.parameters())


def test_statistics_come_back_to_the_last_digit(tmp_path: Path) -> None:
    odd = Statistics(np.full(12, 0.1 + 0.2), np.full(12, 1e-8), np.full(12, 1 / 3), np.full(12, np.pi))
    again = Statistics.from_json(odd.to_json())
    assert all(np.array_equal(getattr(odd, name), getattr(again, name)) for name in ("mean_root", "std_local"))


def test_the_digest_is_of_the_file_and_names_find_it(saved: Weights, tmp_path: Path) -> None:
    again = load_weights("toy", registry=tmp_path)
    assert again.sha256 == saved.sha256 == load_weights(saved.path).sha256
    assert again.licence == "CC0-1.0" and again.commercial


def test_half_precision_is_stored_and_loaded_as_float32(tmp_path: Path) -> None:
    fields = {"licence": "CC0-1.0", "commercial": True, "licence_text": "", "source": "", "training": {}}
    small = save_weights(
        tmp_path / "half.safetensors",
        lively(CONFIGS["graph"]),
        name="half",
        statistics=toy_statistics(),
        dtype=torch.bfloat16,
        **fields,  # type: ignore[arg-type]
    )
    full = save_toy_weights(tmp_path, CONFIGS["graph"])
    assert small.path.stat().st_size < 0.6 * full.path.stat().st_size
    assert small.denoiser().dtype == torch.float32
    assert small.denoiser(dtype=torch.bfloat16).dtype == torch.bfloat16


def test_verify_passes_and_names_a_flipped_bit(saved: Weights) -> None:
    verify_weights(saved)
    content = bytearray(saved.path.read_bytes())
    content[-3] ^= 1
    saved.path.write_bytes(content)
    with pytest.raises(WeightsError, match="sha256.*was written: copy it again"):
        verify_weights(read_weights(saved.path))


def test_verify_names_the_tensor_with_nan(tmp_path: Path) -> None:
    model = lively(CONFIGS["graph"])
    with torch.no_grad():
        model.depth_embedding.weight[3, 4] = torch.nan
    fields = {"licence": "", "commercial": False, "licence_text": "", "source": "", "training": {}}
    bad = save_weights(tmp_path / "bad.safetensors", model, name="bad", statistics=toy_statistics(), **fields)  # type: ignore[arg-type]
    with pytest.raises(WeightsError, match=r"depth_embedding\.weight has NaN"):
        verify_weights(bad)


def test_the_first_tensor_that_does_not_fit_is_named(saved: Weights) -> None:
    for change, message in (
        ({"text_width": 13}, r"tensor (null_caption|cond_embedder\.weight) is .*12.*expected .*13"),
        ({"max_depth": 3}, r"tensor depth_embedding\.weight is \(20, 32\), expected \(4, 32\)"),
        ({"layers": 3}, r"tensor transformer_blocks\.2\.\S+ .* is missing"),
        ({"layers": 1}, r"tensor transformer_blocks\.1\.\S+ belongs to no part"),
    ):
        with pytest.raises(WeightsError, match=message):
            replace(saved, config=replace(saved.config, **change)).denoiser()


def test_a_cut_file_and_a_foreign_file_are_refused_in_one_line(saved: Weights, tmp_path: Path) -> None:
    content = saved.path.read_bytes()
    for name, bad in {"cut": content[:-9], "empty": b"", "text": b"hello" * 99, "head": content[:40]}.items():
        file = tmp_path / f"{name}.safetensors"
        file.write_bytes(bad)
        with pytest.raises(WeightsError) as caught:
            load_weights(file)
        assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_a_safetensors_file_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file({"a": torch.zeros(3)}, tmp_path / "other.safetensors")
    with pytest.raises(WeightsError, match="not of the format unimate-weights/1"):
        load_weights(tmp_path / "other.safetensors")


def test_the_file_is_plain_safetensors_for_any_reader(saved: Weights) -> None:
    from safetensors.torch import load_file

    state = lively(saved.config).state_dict()
    found = load_file(saved.path)
    assert set(found) == set(state)
    assert all(torch.equal(found[name], value) for name, value in state.items())


def test_an_unknown_name_lists_the_known_and_a_folder_says_import(saved: Weights, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="wolf.*known: default.*toy"):
        load_weights("wolf", registry=tmp_path)
    with pytest.raises(WeightsError, match=r"is a folder; convert it once: unimate-dcc weights import"):
        load_weights(tmp_path)


def test_a_package_without_weights_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(weights_module, "SHIPPED", tmp_path / "none")
    with pytest.raises(WeightsError, match="default: this package carries none"):
        load_weights()


def test_listing_goes_on_past_a_damaged_file(saved: Weights, tmp_path: Path) -> None:
    (tmp_path / "broken.safetensors").write_bytes(b"x")
    found, complaints = list_weights(tmp_path)
    assert "toy" in [weights.name for weights in found]
    assert len(complaints) == 1 and "broken" in str(complaints[0])


def test_reading_the_head_of_weights_needs_no_torch(saved: Weights) -> None:
    code = f"""
import sys
from unimate_dcc.model.weights import load_weights, show_weights
show_weights(load_weights({str(saved.path)!r}))
sys.exit("torch" in sys.modules or "transformers" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_show_tells_everything_as_plain_values(saved: Weights) -> None:
    told = show_weights(saved)
    assert json.loads(json.dumps(told)) == told
    assert told["parameters"] == sum(parameter.numel() for parameter in lively(saved.config).parameters())
    assert told["config"]["variant"] == saved.config.variant
