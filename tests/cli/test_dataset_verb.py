"""``dataset build`` and ``train``, as a TD calls them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from cli.running import run
from model.train.test_train_bvh import TEXT

from unimate_dcc.examples import write_examples
from unimate_dcc.model.train import cache
from unimate_dcc.model.weights import load_weights


def _bvh(path: Path, frames: int = 30) -> Path:
    """A thigh that swings for ``frames`` frames."""
    head = TEXT.split("Frames:")[0]
    rows = [f"0 90 {frame} 0 0 0 {30 * np.sin(frame / 4):.4f} 0 0" for frame in range(frames)]
    path.write_text(f"{head}Frames: {frames}\nFrame Time: 0.0333333\n" + "\n".join(rows), encoding="utf-8")
    return path


def test_a_folder_of_clips_becomes_a_set_and_what_is_of_no_use_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "clips"
    source.mkdir()
    _bvh(source / "walk.bvh")
    (source / "broken.glb").write_bytes(b"glTF")
    (source / "old.fbx").write_bytes(b"Kaydara")
    out = tmp_path / "set"
    result = run(capsys, "dataset", "build", str(source), "--out", str(out), "--allow-unlicensed", "--json")
    assert result.code == 8
    facts = json.loads(result.out)
    assert {file for file, _ in facts["skipped"]} == {"broken.glb", "old.fbx"}
    assert "glTF or USD" in dict(facts["skipped"])["old.fbx"]
    _, clips, digest = cache.load(out)
    assert digest == facts["hash"]
    assert "walks" in clips[0].captions[0]


def test_a_file_without_a_licence_is_left_out_and_the_flag_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _bvh(tmp_path / "walk.bvh")
    result = run(capsys, "dataset", "build", str(path), "--out", str(tmp_path / "set"))
    assert result.code == 8
    assert "--allow-unlicensed" in result.out


def test_a_manifest_gives_licence_kind_and_captions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _bvh(tmp_path / "a.bvh")
    clip = {"gltf_animation_index": 0, "caption": "a robot waves", "caption_generic": "a biped waves"}
    row = {"file": "a.bvh", "licence": "CC0-1.0", "category": "biped", "clips": [clip]}
    (tmp_path / "MANIFEST.json").write_text(json.dumps({"files": [row]}), encoding="utf-8")
    assert run(capsys, "dataset", "build", str(tmp_path), "--out", str(tmp_path / "set")).code == 0
    rigs, clips, _ = cache.load(tmp_path / "set")
    assert rigs[0].category == "biped"
    assert clips[0].captions[:2] == ("a robot waves", "a biped waves")


def test_stages_with_a_bound_animation_are_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_examples(tmp_path / "examples")
    shot = tmp_path / "examples/shots/ensemble.usda"
    result = run(capsys, "dataset", "build", str(shot), "--out", str(tmp_path / "set"), "--allow-unlicensed")
    assert result.code == 0, result.err
    rigs, clips, _ = cache.load(tmp_path / "set")
    fox = next(number for number, rig in enumerate(rigs) if rig.category == "quadruped")
    assert any(clip.rig == fox and "trots" in clip.captions[0] for clip in clips)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", "--out", "set"), "nowhere"),
        ((".", "--out", "set"), "holds no"),
        (("walk.bvh", "--out", "."), "not an empty folder"),
    ],
)
def test_bad_sources_and_targets_are_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if "walk.bvh" in arguments:
        _bvh(tmp_path / "walk.bvh")
    result = run(capsys, "dataset", "build", *arguments)
    assert result.code in (2, 3)
    assert words in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_a_set_trains_and_exports_weights_that_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _bvh(tmp_path / "walk.bvh")
    data, runs = str(tmp_path / "set"), str(tmp_path / "run")
    assert run(capsys, "dataset", "build", str(tmp_path / "walk.bvh"), "-o", data, "--allow-unlicensed").code == 0
    result = run(capsys, "train", "--data", data, "--out", runs, "--config", "tiny", "--steps", "50", "--slots", "56")
    assert result.code == 0, result.err
    assert run(capsys, "train", "--data", data, "--out", runs, "--config", "tiny", "--steps", "3").code == 2
    assert (tmp_path / "run/log.png").exists()
    weights = tmp_path / "w.safetensors"
    assert run(capsys, "weights", "export", runs, str(weights), "--data", data).code == 0
    assert run(capsys, "weights", "verify", str(weights)).code == 0
    told = json.loads(run(capsys, "prompts", "--weights", str(weights), "--json").out)["prompts"]
    assert all("walks" in caption for captions in told.values() for caption in captions) and told


def test_a_killed_run_resumes_to_the_weights_of_an_unbroken_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _bvh(tmp_path / "walk.bvh")
    data = str(tmp_path / "set")
    run(capsys, "dataset", "build", str(tmp_path / "walk.bvh"), "-o", data, "--allow-unlicensed")
    common = ("--data", data, "--config", "tiny", "--steps", "60", "--threads", "1", "--no-compile", "--slots", "56")
    assert run(capsys, "train", *common, "--out", str(tmp_path / "whole")).code == 0
    broken = tmp_path / "broken"
    command = [sys.executable, "-m", "unimate_dcc.cli.main", "train", *common, "--out", str(broken)]
    child = subprocess.Popen([*command, "--save-minutes", "0"], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while _steps(broken) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    child.kill()
    child.wait()
    assert 5 <= _steps(broken) < 60
    assert run(capsys, "train", *common, "--out", str(broken), "--resume").code == 0
    one, two = (torch.load(tmp_path / name / "checkpoint.pt", weights_only=True) for name in ("whole", "broken"))
    for part in ("model", "average"):
        assert all(torch.equal(one[part][name], two[part][name]) for name in one[part])


def test_batches_drawn_by_workers_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _bvh(tmp_path / "walk.bvh")
    data = str(tmp_path / "set")
    run(capsys, "dataset", "build", str(tmp_path / "walk.bvh"), "-o", data, "--allow-unlicensed")
    common = ("train", "--data", data, "--config", "tiny", "--steps", "3", "--slots", "56", "--out")
    for workers in ("0", "2"):
        assert run(capsys, *common, str(tmp_path / workers), "--workers", workers).code == 0
    one, two = (torch.load(tmp_path / name / "checkpoint.pt", weights_only=True)["model"] for name in "02")
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_run_does_not_resume_on_another_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for frames in (30, 40):
        _bvh(tmp_path / "walk.bvh", frames)
        run(
            capsys,
            "dataset",
            "build",
            str(tmp_path / "walk.bvh"),
            "-o",
            str(tmp_path / f"{frames}"),
            "--allow-unlicensed",
        )
    hashes = [cache.load(tmp_path / str(frames))[2] for frames in (30, 40)]
    common = ("train", "--out", str(tmp_path / "run"), "--config", "tiny", "--steps", "2", "--slots", "56", "--data")
    assert run(capsys, *common, str(tmp_path / "30")).code == 0
    result = run(capsys, *common, str(tmp_path / "40"), "--resume")
    assert result.code == 2
    assert all(digest in result.err for digest in hashes)


def _steps(folder: Path) -> int:
    """Steps of the checkpoint that lies there."""
    path = folder / "checkpoint.pt"
    return int(torch.load(path, weights_only=True)["step"]) if path.exists() else 0


def test_fine_tuning_keeps_the_normalisation_it_starts_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for frames in (30, 45):
        _bvh(tmp_path / "walk.bvh", frames)
        out = str(tmp_path / str(frames))
        run(capsys, "dataset", "build", str(tmp_path / "walk.bvh"), "-o", out, "--allow-unlicensed")
    common = ("train", "--config", "tiny", "--steps", "1", "--slots", "56")
    run(capsys, *common, "--data", str(tmp_path / "30"), "--out", str(tmp_path / "a"))
    first = tmp_path / "a/checkpoint.pt"
    for name, init in (("tuned", ("--init", str(first))), ("fresh", ())):
        assert run(capsys, *common, "--data", str(tmp_path / "45"), "--out", str(tmp_path / name), *init).code == 0
    said = {
        name: torch.load(tmp_path / name / "checkpoint.pt", weights_only=True)["statistics"]
        for name in ("a", "tuned", "fresh")
    }
    assert said["tuned"] == said["a"] != said["fresh"]


def test_exported_weights_claim_no_licence_that_nobody_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _bvh(tmp_path / "walk.bvh")
    data, runs = str(tmp_path / "set"), str(tmp_path / "run")
    run(capsys, "dataset", "build", str(tmp_path / "walk.bvh"), "-o", data, "--allow-unlicensed")
    run(capsys, "train", "--data", data, "--out", runs, "--config", "tiny", "--steps", "1", "--slots", "56")
    silent, said = tmp_path / "silent.safetensors", tmp_path / "said.safetensors"
    assert run(capsys, "weights", "export", runs, str(silent), "--data", data).code == 0
    told = ("--licence", "Apache-2.0", "--commercial", "--source", "our own library")
    assert run(capsys, "weights", "export", runs, str(said), "--data", data, *told).code == 0
    one, two = load_weights(silent), load_weights(said)
    assert (one.licence, one.commercial) == ("not stated", False)
    assert (two.licence, two.commercial, two.source) == ("Apache-2.0", True, "our own library")
