"""Bad input: one line that names the thing, the place and the fix, the documented code, and nothing written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cli.running import nothing_written, run
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt
from usd_io.stages import biped_stage

FAST = ("--steps", "1", "--no-pictures", "--progress", "none")
REPOSITORY = Path(__file__).resolve().parents[2]
PROMPT = ("--prompt", "a person walks forward")


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    return biped_stage(tmp_path, last=1012)


def _refused(
    capsys: pytest.CaptureFixture[str], folder: Path, code: int, *arguments: str, says: tuple[str, ...] = ()
) -> None:
    with nothing_written(folder):
        ran = run(capsys, *arguments)
    assert ran.code == code, ran
    assert ran.out == ""
    lines = ran.err.strip().splitlines()
    assert len(lines) == 1, ran.err
    for word in says:
        assert word in lines[0]


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--wobble",), ("--wobble",)),
        (("--frames", "1-10:4"), ("interleave",)),
        (("--frames", "1010-1001"), ("runs backwards", "1001-1010")),
        (("--frames", "monday"), ("monday", "FIRST-LAST")),
        (("--prompt", ""), ("is empty",)),
        (("--prompt", "  "), ("is empty",)),
        (("--prompt", "a" * 5000), ("5000 characters",)),
        (("--guidance", "0.5"), ("guidance", "1 or more")),
        (("--solver", "rk9"), ("rk9", "euler, midpoint, dopri5")),
        (("--weights", "no-such-weights"), ("no-such-weights", "known: default")),
        (("--device", "tpu"), ("tpu", "cpu")),
        (("--category", "unicorn"), ("unicorn", "quadruped")),
        (("--frames", "1001-1010", "--seconds", "2"), ("either frames or seconds",)),
    ],
)
def test_usage_is_refused_with_2(
    capsys: pytest.CaptureFixture[str], shot: Path, tmp_path: Path, flags: tuple[str, ...], says: tuple[str, ...]
) -> None:
    _refused(capsys, tmp_path, 2, "animate", str(shot), *PROMPT, *FAST, *flags, says=says)


def test_several_skeletons_without_prim_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    biped_stage(tmp_path, name="a.usda")
    stage = Usd.Stage.CreateNew(str(tmp_path / "two.usda"))
    for name in ("A", "B"):
        stage.DefinePrim(f"/W/{name}").GetReferences().AddReference("./a.usda", "/World/Biped")
    stage.SetStartTimeCode(1001)
    stage.SetEndTimeCode(1010)
    stage.GetRootLayer().Save()
    _refused(
        capsys, tmp_path, 2, "animate", str(tmp_path / "two.usda"), *PROMPT, *FAST,
        says=("--prim", "/W/A/Skel", "/W/B/Skel"),
    )  # fmt: skip


def test_weights_that_do_not_fit_name_the_first_tensor(
    capsys: pytest.CaptureFixture[str], shot: Path, tmp_path: Path
) -> None:
    from safetensors import safe_open
    from safetensors.torch import save_file

    from unimate_dcc.model.weights import load_weights

    path = load_weights().path
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    tensors["cond_embedder.weight"] = tensors["cond_embedder.weight"][:1].clone()
    wrong = tmp_path / "wrong.safetensors"
    save_file(tensors, wrong, metadata)
    _refused(
        capsys, tmp_path, 2, "animate", str(shot), *PROMPT, *FAST, "--weights", str(wrong),
        says=("cond_embedder.weight",),
    )  # fmt: skip


def _stage(path: Path, joints: list[str], broken: str = "") -> Path:
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Y")
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetStartTimeCode(1001)
    stage.SetEndTimeCode(1010)
    UsdSkel.Root.Define(stage, "/Root")
    skeleton = UsdSkel.Skeleton.Define(stage, "/Root/Skel")
    skeleton.CreateJointsAttr(joints)
    rest = [Gf.Matrix4d().SetTranslate(Gf.Vec3d(0, 0.3, 0)) for _ in joints]
    if broken == "nan rest":
        rest[1][3, 0] = float("nan")
    if broken != "no rest":
        skeleton.CreateRestTransformsAttr(rest)
    if broken == "nan sample":
        animation = UsdSkel.Animation.Define(stage, "/Root/Anim")
        animation.CreateJointsAttr(joints)
        moved = np.zeros((len(joints), 3), dtype=np.float32)
        moved[1] = np.inf
        animation.CreateTranslationsAttr().Set(Vt.Vec3fArray.FromNumpy(moved), 1004)
        animation.CreateRotationsAttr().Set([Gf.Quatf(1, 0, 0, 0)] * len(joints), 1004)
        animation.CreateScalesAttr().Set([Gf.Vec3h(1, 1, 1)] * len(joints))
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(["/Root/Anim"])
    stage.GetRootLayer().Save()
    return path


@pytest.mark.parametrize(
    ("joints", "broken", "says"),
    [
        ([], "", ("/Root/Skel", "no joints")),
        (["a", "a/b", "a/b/c"], "no rest", ("restTransforms missing", "bindTransforms missing")),
        (["a/b", "a"], "", ("'a/b'", "before its parent")),
        (["a", "a/b", "a/b"], "", ("'a/b'", "listed twice")),
        (["a", "a/b", "a/b/c"], "nan rest", ("'a/b'", "NaN", "rest pose")),
        (["a", "a/b", "a/b/c"], "nan sample", ("'a/b'", "NaN", "1001")),
    ],
)
def test_skeletons_that_cannot_be_used_are_refused_with_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, joints: list[str], broken: str, says: tuple[str, ...]
) -> None:
    path = _stage(tmp_path / "bad.usda", joints, broken)
    _refused(capsys, tmp_path, 3, "animate", str(path), *PROMPT, *FAST, says=says)


def test_a_stage_without_a_skeleton_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stage = Usd.Stage.CreateNew(str(tmp_path / "empty.usda"))
    stage.DefinePrim("/World", "Xform")
    stage.GetRootLayer().Save()
    _refused(
        capsys, tmp_path, 3, "animate", str(tmp_path / "empty.usda"), *PROMPT, *FAST, says=("no skeleton to animate",)
    )


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--prim", "/World/Bipde"), ("/World/Bipde", "/World/Biped/Skel")),
        (("--hold", "LeftUpLge"), ("LeftUpLge", "Hips/LeftUpLeg")),
        (("--frames", "990-1010"), ("990-1010", "1001-1012", "--extend")),
        (("--frames", "1005"), ("no motion",)),
        (("--out", "take.usdz"), ("take.usdz", ".usda")),
    ],
)
def test_input_is_refused_with_3(
    capsys: pytest.CaptureFixture[str], shot: Path, tmp_path: Path, flags: tuple[str, ...], says: tuple[str, ...]
) -> None:
    _refused(capsys, tmp_path, 3, "animate", str(shot), *PROMPT, *FAST, *flags, says=says)


@pytest.mark.parametrize("content", [None, b'#usda 1.0\ndef Xform "World" {\n  double3 x = (1, 2\n'])
def test_missing_and_truncated_files_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "shot.usda"
    if content is not None:
        path.write_bytes(content)
    says = ("no such file",) if content is None else ("shot.usda", "line")
    _refused(capsys, tmp_path, 3, "animate", str(path), *PROMPT, *FAST, says=says)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_crate_is_refused_wherever_it_ends(
    capsys: pytest.CaptureFixture[str], shot: Path, tmp_path: Path, share: float
) -> None:
    whole, cut = tmp_path / "whole.usdc", tmp_path / "cut.usdc"
    assert Sdf.Layer.FindOrOpen(str(shot)).Export(str(whole), args={"format": "usdc"})
    content = whole.read_bytes()
    cut.write_bytes(content[: int(share * len(content))])
    _refused(capsys, tmp_path, 3, "animate", str(cut), *PROMPT, *FAST, says=("cut.usdc", "cannot be opened"))


def test_a_rig_over_the_limit_says_what_would_be_driven(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    joints = ["spine0"]
    for index in range(1, 90):
        joints.append(f"{joints[-1]}/spine{index}")
    path = _stage(tmp_path / "long.usda", joints)
    _refused(capsys, tmp_path, 3, "animate", str(path), *PROMPT, *FAST, says=("the weights take 71", "--max-joints 71"))
    ran = run(capsys, "animate", str(path), *PROMPT, *FAST, "--max-joints", "60", "--dry-run", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["rig"].startswith("90 joints: ")


def test_a_failing_check_ends_with_4(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = _stage(tmp_path / "bad.usda", ["a", "a/b", "a/b/c"], "nan sample")
    ran = run(capsys, "check", str(path))
    assert ran.code == 4
    assert "check failed" in ran.err
    assert "joint 'a/b' has NaN or infinite values in /Root/Anim.translations at 1004" in ran.out


def test_errors_are_json_where_json_was_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ran = run(capsys, "inspect", str(tmp_path / "none.usda"), "--json")
    error = json.loads(ran.err)["error"]
    assert (ran.code, error["code"], error["class"], error["retryable"]) == (3, 3, "StageOpenError", False)


@pytest.fixture
def tiny_disk() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() != 0 or subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(folder)], check=False, capture_output=True
    ).returncode:  # fmt: skip
        pytest.skip("needs root to mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


@pytest.mark.parametrize(
    ("ballast", "pictures"),
    [(92, "--no-pictures"), (88, "--no-pictures"), (84, "--no-pictures"), (56, "--pictures")],
)
def test_a_full_disk_is_temporary_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], shot: Path, tiny_disk: Path, ballast: int, pictures: str
) -> None:
    """Full at the first folder, at the layer, at the shot layer, and at the pictures."""
    (tiny_disk / "ballast").write_bytes(b"x" * ballast * 1024)
    ran = run(capsys, "animate", str(shot), *PROMPT, *FAST, pictures, "--out", str(tiny_disk / "out"))
    assert ran.code == 75, ran
    assert len(ran.err.strip().splitlines()) == 1
    assert "no space left" in ran.err
    left = [path for path in tiny_disk.rglob("*") if path.name not in ("ballast", "out", "Biped", ".claims")]
    assert {(path.parent.name, path.stat().st_size) for path in left} <= {(".claims", 0), ("out", 0)}, left
    assert not [path for path in left if path.parent.name == "out" and path.suffix != ".lock"]


AS_NOBODY = """
import os, sys
from unimate_dcc.cli.main import main
try:  # all that the real run imports: the interpreter of root may be closed to the other user
    main([*sys.argv[1:], "--out", os.environ["ELSEWHERE"]])
except SystemExit as stop:
    assert stop.code == 0, stop.code
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
main(sys.argv[1:])
"""


def test_a_read_only_folder_is_refused_before_any_work(shot: Path, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("root drops to another user here")
    public = Path(tempfile.mkdtemp(dir="/var/tmp"))
    try:
        shutil.copy(shot, public / "shot.usda")
        public.chmod(0o555)
        environment = {
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "ELSEWHERE": str(tmp_path / "elsewhere"),
            "HOME": str(public),
            "XDG_CONFIG_HOME": str(public),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        }
        ran = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, "animate", str(public / "shot.usda"), *PROMPT, *FAST],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 3, ran.stderr
        assert str(public) in ran.stderr.splitlines()[-1]
        assert "is not writable; choose another place with --out" in ran.stderr.splitlines()[-1]
        assert sorted(path.name for path in public.iterdir()) == ["shot.usda"]
    finally:
        public.chmod(0o755)
        shutil.rmtree(public)
