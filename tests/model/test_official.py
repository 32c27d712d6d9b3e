"""Official folders, made here from SPEC (a): nobody of us has opened a released one."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from model.toy_model import conditions, lively

from unimate_dcc.errors import WeightsError
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.official import import_official
from unimate_dcc.model.weights import verify_weights

SHAPE = ModelConfig(layers=3, width=32, heads=2, feed_forward=49, text_width=768, max_joints=40, max_depth=9)


@dataclass
class Folder:
    """An official folder and the network that its EMA weights are."""

    path: Path
    model: Denoiser

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoints" / "checkpoint_step_1200.pt"

    def rewrite(self, **changes: Any) -> None:
        """Change entries of the checkpoint."""
        content = torch.load(self.checkpoint, weights_only=True)
        torch.save({**content, **changes}, self.checkpoint)


def statistics(shift: float) -> dict[str, Any]:
    std = np.full(12, 0.5)
    std[[0, 2]] = 1e-8
    values = {"mean_root": np.full(12, shift), "std_root": std, "mean_local": np.zeros(12), "std_local": np.ones(12)}
    return {**values, "pool": "<all>", "tie_std": np.bool_(True)}


@pytest.fixture(params=["graph/adaln", "full/cross_attn"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    config = replace(SHAPE, variant=request.param)
    model, path = lively(config), tmp_path / "unimate_toy_f60"
    (path / "checkpoints").mkdir(parents=True)
    sizes = {"num_layers": 3, "latent_dim": 32, "ff_size": 49, "max_joints": 40, "max_motion_length": 60}
    (path / "config.json").write_text(json.dumps({"model": {"kwargs": sizes, "dropout": 0.0}, "seed": 10}))
    np.save(path / "dataset_stats.npy", np.array({"mixamo": statistics(1), "objaverse": statistics(2)}, dtype=object))
    ema = {"decay": 0.9999, "shadow_params": [value.detach().clone() for value in model.parameters()]}
    # The raw weights differ, so that taking them instead of the EMA shows.
    raw = {name: 1.1 * value + 0.01 for name, value in model.state_dict().items()}
    shared, inside = ("rope_j.", "s_attn") if config.factorised else ("rope.", "attn")
    for name in [name for name in raw if name.startswith(shared)]:
        for block in range(config.layers):
            raw[f"transformer_blocks.{block}.{inside}.rope.{name.removeprefix(shared)}"] = raw[name].clone()
    content = {"model_state_dict": raw, "ema_state_dict": ema, "step": 1200, "epoch": 3, "optimizer_state_dict": {}}
    torch.save(content, path / "checkpoints" / "checkpoint_step_1200.pt")
    torch.save({"step": 400}, path / "checkpoints" / "checkpoint_step_400.pt")
    return Folder(path, model)


def test_the_imported_network_is_the_ema_network(folder: Folder, tmp_path: Path) -> None:
    weights = import_official(folder.path, tmp_path / "out.safetensors")
    verify_weights(weights)
    assert weights.config == folder.model.config
    x, time = torch.randn(1, 5, 12, 8), torch.tensor([0.4])
    given = conditions(1, 5, text_width=768)
    with torch.no_grad():
        assert torch.equal(weights.denoiser()(x, time, given), folder.model(x, time, given))


def test_what_is_known_of_the_source_is_recorded(folder: Folder, tmp_path: Path) -> None:
    weights = import_official(folder.path, tmp_path / "out.safetensors")
    assert weights.source == "unimate_toy_f60/checkpoints/checkpoint_step_1200.pt"
    assert weights.training["step"] == 1200 and len(weights.training["source_sha256"]) == 64
    assert "CC-BY-NC-4.0" in weights.licence and not weights.commercial
    assert "plan for non-commercial" in weights.licence_text
    assert weights.config.text_encoder == "flan-t5-base"


def test_a_licence_that_was_read_and_its_text_are_kept(folder: Folder, tmp_path: Path) -> None:
    (folder.path / "LICENSE").write_text("Permission is granted.")
    free = import_official(folder.path, tmp_path / "free.safetensors", licence="MIT")
    assert (free.licence, free.commercial, free.licence_text) == ("MIT", True, "Permission is granted.")
    bound = import_official(folder.path, tmp_path / "bound.safetensors", licence="CC-BY-NC-4.0")
    assert not bound.commercial


def test_statistics_are_those_asked_for(folder: Folder, tmp_path: Path) -> None:
    usual = import_official(folder.path, tmp_path / "usual.safetensors")
    other = import_official(folder.path, tmp_path / "other.safetensors", statistics="mixamo")
    assert usual.statistics.mean_root[0] == 2 and other.statistics.mean_root[0] == 1
    assert usual.statistics.std_root[0] == 1e-8
    with pytest.raises(WeightsError, match="no statistics 'zoo': name one of mixamo, objaverse with --statistics"):
        import_official(folder.path, tmp_path / "none.safetensors", statistics="zoo")


def test_sizes_that_no_tensor_shows_are_asked_for_by_flag(folder: Folder, tmp_path: Path) -> None:
    (folder.path / "config.json").write_text("{}")
    with pytest.raises(WeightsError, match="max_joints.*--max-joints"):
        import_official(folder.path, tmp_path / "out.safetensors")
    with pytest.raises(WeightsError, match="max_frames.*--max-frames"):
        import_official(folder.path, tmp_path / "out.safetensors", max_joints=40)
    weights = import_official(folder.path, tmp_path / "out.safetensors", max_joints=40, max_frames=60)
    assert weights.config == replace(folder.model.config, feed_forward=48)  # 48 and 49 have the same hidden width


def test_a_config_that_contradicts_the_tensors_or_itself_is_refused(folder: Folder, tmp_path: Path) -> None:
    (folder.path / "config.json").write_text('{"num_layers": 8, "max_joints": 40, "max_motion_length": 60}')
    with pytest.raises(WeightsError, match="says layers 8, the tensors have 3"):
        import_official(folder.path, tmp_path / "out.safetensors")
    (folder.path / "config.json").write_text('{"max_joints": 40, "data": {"max_joints": 70}}')
    with pytest.raises(WeightsError, match="max_joints 40 and 70"):
        import_official(folder.path, tmp_path / "out.safetensors")


def test_the_first_ema_tensor_that_differs_is_named(folder: Folder, tmp_path: Path) -> None:
    shadow = [value.detach().clone() for value in folder.model.parameters()]
    names = [name for name, _ in folder.model.named_parameters()]
    index = names.index("input_layer.joint_x_embedder.0.weight")
    shadow[index] = shadow[index].T.contiguous()
    folder.rewrite(ema_state_dict={"shadow_params": shadow})
    with pytest.raises(
        WeightsError, match=rf"EMA tensor {index} \(input_layer.joint_x_embedder.0.weight\) is \(12, 32\)"
    ):
        import_official(folder.path, tmp_path / "out.safetensors")
    folder.rewrite(ema_state_dict={"shadow_params": shadow[:-1]})
    with pytest.raises(WeightsError, match=rf"holds {len(shadow) - 1} EMA tensors"):
        import_official(folder.path, tmp_path / "out.safetensors")
    assert not (tmp_path / "out.safetensors").exists()


def test_an_ema_list_in_another_order_is_noticed_by_the_raw_weights(folder: Folder, tmp_path: Path) -> None:
    """Both matrices have one shape, so nothing else would tell."""
    names = [name for name, _ in folder.model.named_parameters()]
    shadow = [value.detach().clone() for value in folder.model.parameters()]
    first, second = (names.index(f"input_layer.{part}.2.weight") for part in ("root_x_embedder", "joint_x_embedder"))
    shadow[first], shadow[second] = shadow[second], shadow[first]
    folder.rewrite(ema_state_dict={"shadow_params": shadow})
    with pytest.raises(
        WeightsError, match=r"\(input_layer\.root_x.*nearest to the raw input_layer\.joint_x.*another order"
    ):
        import_official(folder.path, tmp_path / "out.safetensors")


def test_raw_weights_with_other_names_or_torn_aliases_are_refused(folder: Folder, tmp_path: Path) -> None:
    raw = torch.load(folder.checkpoint, weights_only=True)["model_state_dict"]
    folder.rewrite(model_state_dict={**raw, "gcn.weight": torch.zeros(3)})
    with pytest.raises(WeightsError, match=r"gcn\.weight of model_state_dict belongs to no part"):
        import_official(folder.path, tmp_path / "out.safetensors")
    alias = next(name for name in raw if ".rope.spectral" in name)
    folder.rewrite(model_state_dict={**raw, alias: raw[alias] + 1})
    with pytest.raises(WeightsError, match=r"differs from the shared rope"):
        import_official(folder.path, tmp_path / "out.safetensors")
    folder.rewrite(model_state_dict={name: value for name, value in raw.items() if name != "cond_embedder.bias"})
    with pytest.raises(WeightsError, match=r"model_state_dict lacks tensor cond_embedder\.bias"):
        import_official(folder.path, tmp_path / "out.safetensors")


def test_nan_in_the_ema_is_refused(folder: Folder, tmp_path: Path) -> None:
    shadow = [value.detach().clone() for value in folder.model.parameters()]
    shadow[4].view(-1)[0] = torch.inf
    folder.rewrite(ema_state_dict={"shadow_params": shadow})
    with pytest.raises(WeightsError, match=r"EMA tensor 4 \(.*\) has NaN"):
        import_official(folder.path, tmp_path / "out.safetensors")


class Hostile:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def test_a_hostile_checkpoint_or_statistics_file_runs_nothing(folder: Folder, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    np.save(folder.path / "dataset_stats.npy", np.array({"objaverse": Hostile(mark)}, dtype=object))
    with pytest.raises(WeightsError, match="only numeric arrays are read"):
        import_official(folder.path, tmp_path / "out.safetensors")
    np.save(folder.path / "dataset_stats.npy", np.array({"objaverse": statistics(2)}, dtype=object))
    torch.save({"ema_state_dict": Hostile(mark)}, folder.checkpoint)
    with pytest.raises(WeightsError, match="cannot be loaded safely"):
        import_official(folder.path, tmp_path / "out.safetensors")
    folder.checkpoint.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(WeightsError, match="cannot be loaded safely"):
        import_official(folder.path, tmp_path / "out.safetensors")
    assert not mark.exists()


def test_missing_parts_are_named(folder: Folder, tmp_path: Path) -> None:
    out = tmp_path / "out.safetensors"
    with pytest.raises(WeightsError, match="no step 7; there are 400, 1200"):
        import_official(folder.path, out, step=7)
    with pytest.raises(WeightsError, match="no ema_state_dict"):
        import_official(folder.path, out, step=400)
    with pytest.raises(WeightsError, match="is no folder"):
        import_official(tmp_path / "absent", out)
    (folder.path / "dataset_stats.npy").unlink()
    with pytest.raises(WeightsError, match="dataset_stats.npy: cannot be read"):
        import_official(folder.path, out)
    out.touch()
    with pytest.raises(WeightsError, match="exists already"):
        import_official(folder.path, out)
