"""Every verb does what its help says."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.running import nothing_written, run
from pxr import Sdf, Usd, UsdSkel
from usd_io.stages import biped_stage

from unimate_dcc.cli.main import EXIT_CODES, VERBS
from unimate_dcc.examples import write_examples
from unimate_dcc.usd_io.provenance import read_provenance

REPOSITORY = Path(__file__).resolve().parents[2]
FAST = ("--steps", "2", "--no-pictures", "--progress", "none")


def _modules_after(*arguments: str) -> set[str]:
    code = (
        "import sys; from unimate_dcc.cli.main import main\n"
        f"try: main({list(arguments)!r})\n"
        "except SystemExit as stop: assert stop.code == 0, stop.code\n"
        "print('MODULES', *[name for name in ('torch', 'pxr', 'transformers', 'PIL') if name in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return set(ran.stdout.strip().splitlines()[-1].split()[1:])


def test_help_imports_neither_torch_nor_usd() -> None:
    assert _modules_after("--help") == set()


def test_inspect_imports_no_torch() -> None:
    shot = REPOSITORY / "unimate_dcc/examples/data/shots/hero_stage.usda"
    assert not _modules_after("inspect", str(shot)) & {"torch", "transformers"}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    ran = run(capsys, verb, "--help")
    assert ran.code == 0
    assert "Usage: unimate-dcc" in ran.out


def test_the_exit_codes_of_the_help_are_those_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    shown = run(capsys, "--help").out
    for line in EXIT_CODES.splitlines():
        code = line.split()[0]
        assert f"| {code}" in readme
        assert line.strip() in shown


def test_help_prints_the_exit_codes_and_the_help_of_a_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "help", "exit-codes").out.strip() == EXIT_CODES.strip()
    assert "Usage: unimate-dcc preview" in run(capsys, "help", "preview").out
    refused = run(capsys, "help", "previw")
    assert (refused.code, refused.out) == (2, "")
    assert "preview" in refused.err


@pytest.mark.parametrize("group", [(), ("weights",), ("config",)])
def test_a_group_without_a_verb_lists_its_verbs_line_by_line(
    capsys: pytest.CaptureFixture[str], group: tuple[str, ...]
) -> None:
    ran = run(capsys, *group)
    assert (ran.code, ran.out) == (2, "")
    assert "\nCommands:\n" in ran.err


def _error_on_a_terminal(tmp_path: Path, **more: str) -> str:
    leader, follower = os.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment |= {"PYTHONPATH": str(REPOSITORY), **more}
    asked = [sys.executable, "-m", "unimate_dcc.cli.main", "inspect", str(tmp_path / "no.usd")]
    subprocess.run(asked, env=environment, stderr=follower, stdout=subprocess.DEVNULL, check=False)
    os.close(follower)
    shown = os.read(leader, 4096).decode()
    os.close(leader)
    return shown


def test_errors_are_red_on_a_terminal_unless_no_color_is_set(tmp_path: Path) -> None:
    assert "\x1b[31merror" in _error_on_a_terminal(tmp_path)
    assert "\x1b" not in _error_on_a_terminal(tmp_path, NO_COLOR="1")


def test_an_unknown_verb_names_the_closest(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "anmate", "x.usd")
    assert (ran.code, ran.out) == (2, "")
    assert "closest: animate" in ran.err


def test_versions_are_plain_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert "unimate-dcc 0." in run(capsys, "--version").out
    facts = json.loads(run(capsys, "--version", "--json").out)
    assert facts["schema"] == "unimate-version"
    assert facts["unimate-dcc"].startswith("0.")


def test_the_same_seed_gives_the_same_motion_and_touches_no_asset(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_examples(tmp_path / "ex")
    shot = tmp_path / "ex/shots/fox_meadow.usda"
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "ex").rglob("*.usda")}
    digests = []
    for name in ("a", "b"):
        arguments = ("animate", str(shot), "--prompt", "a quadruped trots forward", "--seed", "10", "--json")
        ran = run(capsys, *arguments, *FAST, "--out", str(tmp_path / name))
        assert ran.code == 0, ran.err
        digests.append(json.loads(ran.out)["takes"][0]["contentSha256"])
    assert digests[0] == digests[1]
    assert {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in before} == before


def test_takes_have_their_own_seeds_and_versions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shot = biped_stage(tmp_path)
    ran = run(capsys, "animate", str(shot), "--prompt", "a person jumps", "--takes", "2", "--json", *FAST)
    takes = json.loads(ran.out)["takes"]
    assert [take["version"] for take in takes] == [2, 1]
    ranks = [read_provenance(Sdf.Layer.FindOrOpen(take["layer"]))["ranking"]["rank"] for take in takes]
    assert ranks == [1, 2]
    assert takes[0]["contentSha256"] != takes[1]["contentSha256"]


def test_a_range_longer_than_the_window_has_every_frame(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shot = biped_stage(tmp_path)
    ran = run(
        capsys, "animate", str(shot), "--prompt", "a person walks", "-f", "1001-1240", "--extend", "--json", *FAST
    )
    take = json.loads(ran.out)["takes"][0]
    stage = Usd.Stage.Open(take["layer"])
    times = UsdSkel.Animation(stage.GetPrimAtPath(take["animation"])).GetRotationsAttr().GetTimeSamples()
    assert times == [float(frame) for frame in range(1001, 1241)]


@pytest.mark.parametrize("flags", [("--solver", "dopri5"), ("--guidance", "1")])
def test_what_cannot_continue_a_window_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, flags: tuple[str, ...]
) -> None:
    shot = biped_stage(tmp_path)
    arguments = ("animate", str(shot), "--prompt", "walks", "-f", "1001-1240", "--extend", *FAST, *flags)
    with nothing_written(tmp_path):
        ran = run(capsys, *arguments)
    assert ran.code == 2
    assert flags[0].strip("-") in ran.err
    assert "window" in ran.err


def test_a_dry_run_writes_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shot = biped_stage(tmp_path)
    with nothing_written(tmp_path):
        ran = run(capsys, "animate", str(shot), "--prompt", "a person walks", "--dry-run", "--json")
    plan = json.loads(ran.out)
    assert (plan["frames"], plan["category"]) == ("1001-1024", "biped")


def test_handles_and_subframes_add_samples(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shot = biped_stage(tmp_path)
    ran = run(capsys, "animate", str(shot), "--prompt", "walks", "--handles", "2", "--subframes", "2", "--json", *FAST)
    take = json.loads(ran.out)["takes"][0]
    stage = Usd.Stage.Open(take["layer"])
    times = UsdSkel.Animation(stage.GetPrimAtPath(take["animation"])).GetRotationsAttr().GetTimeSamples()
    assert times == [999 + 0.5 * index for index in range(2 * 27 + 1)]


def test_a_clip_of_the_stage_can_stand_in_for_the_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_examples(tmp_path / "ex")
    shot = tmp_path / "ex/shots/ensemble.usda"
    ran = run(
        capsys, "animate", str(shot), "--prim", "/World/Fox", "--from-clip", "/World/Fox/Look", "--json",
        "--no-pictures",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    refused = run(capsys, "animate", str(shot), "--prim", "/World/Fox", "--from-clip", "/World/Fox/Lok")
    assert refused.code == 3
    assert "/World/Fox/Look" in refused.err


def test_a_take_made_from_the_bound_clip_is_that_clip_on_its_ground(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """At the model's own rate, so that nothing is resampled; the clip begins at 991 and floats by a millimetre."""
    shot = biped_stage(tmp_path, animated=True, rate=30.0)
    ran = run(
        capsys, "animate", str(shot), "--from-clip", "/World/Biped/Anim", "-f", "991-1020", "--extend", "--json",
        "--no-pictures",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    take = json.loads(ran.out)["takes"][0]
    took, clip = _channels(Path(take["layer"]), take["animation"]), _channels(shot, "/World/Biped/Anim")
    assert np.abs(np.einsum("tjc,tjc->tj", took[1], clip[1])) == pytest.approx(1.0, abs=1e-5)
    moved = took[0] - clip[0]
    lifted = moved[:, 0, 1]
    assert lifted == pytest.approx(np.full(len(lifted), lifted[0]), abs=1e-6)
    assert abs(lifted[0]) < 0.002
    moved[:, 0, 1] = 0.0
    assert moved == pytest.approx(0.0, abs=1e-6)


def _channels(path: Path, prim: str) -> tuple[np.ndarray, np.ndarray]:
    """(T, J, 3) translations and (T, J, 4) rotations of an animation at 991 to 1020."""
    stage = Usd.Stage.Open(str(path))
    animation = UsdSkel.Animation(stage.GetPrimAtPath(prim))
    times = range(991, 1021)
    translations = np.array([animation.GetTranslationsAttr().Get(time) for time in times])
    rotations = [[(q.real, *q.imaginary) for q in animation.GetRotationsAttr().Get(time)] for time in times]
    return translations, np.array(rotations)


def test_inspect_tells_people_and_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shot = biped_stage(tmp_path, animated=True)
    text = run(capsys, "inspect", str(shot), "-v").out
    for word in ("10 joints: 9 driven, 1 held", "biped", "Hips/LeftUpLeg/LeftLeg/LeftFoot", "face joint", "1001-1024"):
        assert word in text
    facts = json.loads(run(capsys, "inspect", str(shot), "--json").out)
    assert (facts["schema"], facts["schemaVersion"]) == ("unimate-inspect", 1)
    assert facts["skeletons"][0]["animation"] == "/World/Biped/Anim"


def test_a_take_checks_clean_and_commercial_use_is_judged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shot = biped_stage(tmp_path)
    ran = run(capsys, "animate", str(shot), "--prompt", "a person walks", "--json", *FAST)
    layer = json.loads(ran.out)["takes"][0]["shotLayer"]
    assert run(capsys, "check", layer, "--strict", "--commercial").code == 0


@pytest.mark.parametrize("name", ["sheet.png", "walk.webp", "walk.gif"])
def test_preview_writes_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    shot = biped_stage(tmp_path, animated=True)
    assert run(capsys, "preview", str(shot), "-o", str(tmp_path / name)).code == 0
    assert (tmp_path / name).stat().st_size > 1000


def test_preview_refuses_other_formats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ran = run(capsys, "preview", str(biped_stage(tmp_path)), "-o", str(tmp_path / "walk.mp4"))
    assert ran.code == 3
    assert ".webp" in ran.err


def test_the_shipped_weights_list_show_and_verify(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Apache-2.0" in run(capsys, "weights", "list").out
    assert json.loads(run(capsys, "weights", "show").out)["commercial"] is True
    assert "fits" in run(capsys, "weights", "verify").out


def test_config_explains_which_file_and_line_won(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unimate.toml").write_text("# show\nsteps = 20\n", encoding="utf-8")
    shot = biped_stage(tmp_path)
    out = run(capsys, "config", "explain", "steps", "--shot", str(shot)).out
    assert f"steps = 20  from {tmp_path}/unimate.toml:2" in out
    assert "over 50 from built-in" in out
    monkeypatch.setenv("UNIMATE_STEPS", "7")
    assert "steps = 7  from UNIMATE_STEPS" in run(capsys, "config", "explain", "steps", "--shot", str(shot)).out


def test_an_unknown_setting_names_file_line_and_closest_key(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "unimate.toml").write_text("stepps = 20\n", encoding="utf-8")
    ran = run(capsys, "config", "show", "--shot", str(biped_stage(tmp_path)))
    assert ran.code == 2
    assert "unimate.toml:1" in ran.err
    assert "closest: steps" in ran.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert "_UNIMATE_DCC_COMPLETE" in run(capsys, "completion", shell).out


def test_doctor_passes_here(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "doctor", "--json")
    assert ran.code == 0
    assert all(row["ok"] for row in json.loads(ran.out)["checks"])


def test_a_prompt_far_from_all_that_was_trained_gets_a_warning_with_the_nearest(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_examples(tmp_path / "ex")
    shot = tmp_path / "ex/shots/lamp_desk.usda"
    ran = run(capsys, "animate", str(shot), "--prompt", "a lamp plays the violin", "--json", *FAST)
    assert ran.code == 0
    (finding,) = [one for one in json.loads(ran.out)["takes"][0]["findings"] if one["code"] == "prompt-unknown"]
    assert "plays the violin" in finding["message"] and "nearest known" in finding["message"]
    ran = run(capsys, "animate", str(shot), "--prompt", "a lamp nods for yes", "--json", *FAST)
    assert not [one for one in json.loads(ran.out)["takes"][0]["findings"] if one["code"] == "prompt-unknown"]
