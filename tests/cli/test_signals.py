"""Ctrl-C, TERM and kill -9: the documented code, and never half a version."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pxr import Usd
from usd_io.stages import biped_stage

REPOSITORY = Path(__file__).resolve().parents[2]
KILLS = 6
WRITING_SECONDS = 0.25
"""From the first file of a version to its name, with some room: 0.12 to 0.22 s measured on one core."""


def _start(shot: Path, *flags: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "unimate_dcc.cli.main", "animate", str(shot), "--prompt", "a person walks forward"]
    return subprocess.Popen(
        [*command, "--progress", "json", *flags],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _after_first_step(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if '"event": "step"' in line:
            return
    raise AssertionError("it ended before the first step")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_while_generating_leaves_nothing(tmp_path: Path, number: signal.Signals, code: int) -> None:
    shot = biped_stage(tmp_path)
    process = _start(shot, "--steps", "5000")
    _after_first_step(process)
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert said.strip().splitlines()[-1].endswith(("interrupted", "terminated"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shot.usda"]


def test_kill_9_while_writing_never_shows_half_a_version(tmp_path: Path) -> None:
    shot = biped_stage(tmp_path, last=1006)
    root = tmp_path / "publish/anim/unimate"
    assert _start(shot, "--steps", "1").communicate(timeout=120)
    dice = random.Random(4)
    for pause in [0.0, *(dice.uniform(0.0, WRITING_SECONDS) for _ in range(KILLS - 1))]:
        known = set(root.glob("*/.partial-*"))
        process = _start(shot, "--steps", "1")
        while process.poll() is None and not set(root.glob("*/.partial-*")) - known:
            time.sleep(0.002)
        time.sleep(pause)
        process.kill()
        process.communicate(timeout=30)
        assert process.returncode == -signal.SIGKILL
        _every_version_is_whole(root)
    assert list(root.glob("*/.partial-*")), "no kill came while a version was being written"
    process = _start(shot, "--steps", "1")
    process.communicate(timeout=120)
    assert process.returncode == 0
    _every_version_is_whole(root)


def _every_version_is_whole(root: Path) -> None:
    versions = [path for path in root.glob("*/v[0-9]*") if path.is_dir()]
    assert versions
    for version in versions:
        manifest = json.loads((version / "manifest.json").read_text(encoding="utf-8"))
        assert Usd.Stage.Open(str(version / manifest["layer"]))
        assert (version / "preview.webp").stat().st_size > 0
    (shot_layer,) = root.glob("*_anim_unimate.usda")
    assert Usd.Stage.Open(str(shot_layer))
