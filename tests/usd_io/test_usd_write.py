"""Takes as layers: complete, exact, in their own file, and nobody else's file touched."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pxr import Sdf, Usd, UsdSkel
from usd_io.stages import JOINTS, biped_stage

from unimate_dcc.clip import Clip
from unimate_dcc.errors import CheckFailedError, ConflictError, TargetError
from unimate_dcc.skeleton import quaternion_multiply
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.meshes import read_meshes
from unimate_dcc.usd_io.placement import read_placement
from unimate_dcc.usd_io.provenance import read_provenance
from unimate_dcc.usd_io.read import read_clip, world_matrices
from unimate_dcc.usd_io.stage import open_shot
from unimate_dcc.usd_io.verify import check_points
from unimate_dcc.usd_io.versions import Target, claim_by_file
from unimate_dcc.usd_io.write import Motion, Take, write_take

TIMES = np.arange(1001.0, 1025.0)
EYE = JOINTS.index("Hips/Spine/Head/Eye_L")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _swinging(clip: Clip, driven: np.ndarray) -> Clip:
    """The clip with every driven joint turned further and the root moved."""
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    half = 0.5 * np.sin(np.linspace(0, 6, len(clip.seconds)))[:, None] * driven[None]
    turn = np.stack([np.cos(half), np.sin(half), np.zeros_like(half), np.zeros_like(half)], axis=-1)
    rotations = quaternion_multiply(rotations, turn)
    translations[:, 0, 0] += np.linspace(0, 2, len(clip.seconds))
    return Clip(clip.skeleton, clip.seconds, translations, rotations, clip.scales)


def _write(path: Path, out: Path, file: Path | None = None, held: tuple[int, ...] = (EYE,), **changes: Any) -> Take:
    shot = open_shot(path)
    character = choose_character(shot, None)
    placement = read_placement(shot, character.prim, TIMES)
    driven = np.ones(len(character.joints), dtype=bool)
    driven[list(held)] = False
    clip = _swinging(read_clip(shot, character, TIMES), driven)
    options: dict[str, Any] = {
        "positions": clip.positions,
        "provenance": {"verb": "test", "prompt": "läuft"},
        **changes,
    }
    return write_take(shot, character, Motion(clip, TIMES, driven, placement), target=Target(out, file), **options)


@pytest.mark.parametrize(("up_axis", "unit"), [("Y", 1.0), ("Z", 0.01), ("Z", 0.0254)])
def test_a_take_plays_where_it_was_asked_to(tmp_path: Path, up_axis: str, unit: float) -> None:
    take = _write(biped_stage(tmp_path, up_axis=up_axis, metres_per_unit=unit), tmp_path / "out")
    assert take.worst_miss < 1e-4
    assert take.shot_layer is not None
    shot = open_shot(take.shot_layer)
    character = choose_character(shot, None)
    assert character.animation == take.animation
    assert shot.info.up_axis == up_axis
    assert shot.info.metres_per_unit == unit
    moved = world_matrices(shot, character, [1001.0, 1024.0])[:, 0, 0, 3]
    assert moved[1] - moved[0] == pytest.approx(2.0 / unit, rel=1e-5)


def test_the_artists_files_are_not_touched(tmp_path: Path) -> None:
    path = biped_stage(tmp_path, animated=True)
    before = _digest(path)
    _write(path, tmp_path / "out")
    assert _digest(path) == before


def test_held_joints_and_blend_shapes_are_carried_bit_for_bit(tmp_path: Path) -> None:
    path = biped_stage(tmp_path, animated=True)
    take = _write(path, tmp_path / "out")
    before, after = Usd.Stage.Open(str(path)), Usd.Stage.Open(str(take.layer))
    source = UsdSkel.Animation(before.GetPrimAtPath("/World/Biped/Anim"))
    written = UsdSkel.Animation(after.GetPrimAtPath(take.animation))
    assert list(written.GetBlendShapesAttr().Get()) == ["smile", "blink"]
    for time in source.GetBlendShapeWeightsAttr().GetTimeSamples():
        assert list(written.GetBlendShapeWeightsAttr().Get(time)) == list(source.GetBlendShapeWeightsAttr().Get(time))
    for time in (991.0, 999.0, 1025.0, 1033.0):
        for name in ("translations", "rotations"):
            carried = np.asarray(written.GetPrim().GetAttribute(name).Get(time))
            assert np.array_equal(carried, np.asarray(source.GetPrim().GetAttribute(name).Get(time)))
    for time in (1001.0, 1011.0, 1023.0):
        eye = np.asarray(written.GetRotationsAttr().Get(time))[EYE]
        assert np.array_equal(eye, np.asarray(source.GetRotationsAttr().Get(time))[EYE])
        assert np.array_equal(
            np.asarray(written.GetTranslationsAttr().Get(time))[EYE],
            np.asarray(source.GetTranslationsAttr().Get(time))[EYE],
        )


def test_outside_the_asked_frames_the_bound_animation_goes_on(tmp_path: Path) -> None:
    path = biped_stage(tmp_path, animated=True)
    take = _write(path, tmp_path / "out")
    before, after = open_shot(path), open_shot(take.shot_layer or "")
    for time in (991.0, 997.0, 1029.0, 1033.0):
        wanted = world_matrices(before, choose_character(before, None), [time])
        found = world_matrices(after, choose_character(after, None), [time])
        assert np.allclose(found, wanted, atol=1e-6)
    assert {finding.code for finding in take.findings} == {"join-start", "join-end"}


def test_written_channels_have_the_schemas_types_and_do_not_flip(tmp_path: Path) -> None:
    take = _write(biped_stage(tmp_path), tmp_path / "out")
    stage = Usd.Stage.Open(str(take.layer))
    prim = stage.GetPrimAtPath(take.animation)
    types = {name: str(prim.GetAttribute(name).GetTypeName()) for name in ("translations", "rotations", "scales")}
    assert types == {"translations": "float3[]", "rotations": "quatf[]", "scales": "half3[]"}
    rotations = np.array([prim.GetAttribute("rotations").Get(time) for time in TIMES])
    assert np.allclose(np.linalg.norm(rotations, axis=-1), 1.0, atol=1e-6)
    assert (np.sum(rotations[1:] * rotations[:-1], axis=-1) > 0).all()
    assert [str(joint) for joint in UsdSkel.Animation(prim).GetJointsAttr().Get()] == JOINTS


def test_a_take_says_what_it_was_made_from(tmp_path: Path) -> None:
    take = _write(biped_stage(tmp_path), tmp_path / "out")
    layer = Sdf.Layer.FindOrOpen(str(take.layer))
    block = read_provenance(layer)
    assert block is not None
    assert (block["verb"], block["prompt"], block["contentSha256"]) == ("test", "läuft", take.digest)
    assert str(layer.customLayerData["creator"]).startswith("unimate-dcc")
    assert not any(str(tmp_path) in line for line in layer.ExportToString().splitlines())


def test_the_same_numbers_have_the_same_digest(tmp_path: Path) -> None:
    path = biped_stage(tmp_path)
    assert _write(path, tmp_path / "a").digest == _write(path, tmp_path / "b").digest


def test_every_publish_is_a_new_read_only_version(tmp_path: Path) -> None:
    path = biped_stage(tmp_path)
    takes = [_write(path, tmp_path / "out") for _ in range(3)]
    assert [take.version for take in takes] == [1, 2, 3]
    assert all(take.layer.stat().st_mode & 0o222 == 0 for take in takes)
    assert not list((tmp_path / "out").rglob(".partial-*"))


def test_the_shot_layer_points_at_the_newest_take_over_the_shot(tmp_path: Path) -> None:
    path = biped_stage(tmp_path)
    _write(path, tmp_path / "out")
    take = _write(path, tmp_path / "out")
    layer = Sdf.Layer.FindOrOpen(str(take.shot_layer))
    assert list(layer.subLayerPaths) == ["./Biped/v002/shot_Biped_anim_unimate_v002.usd", "../shot.usda"]


def test_claims_are_never_given_twice(tmp_path: Path) -> None:
    numbers = [claim_by_file(tmp_path / "fox") for _ in range(20)]
    assert numbers == list(range(1, 21))


def test_one_file_is_written_and_never_replaced(tmp_path: Path) -> None:
    path, file = biped_stage(tmp_path), tmp_path / "take.usda"
    take = _write(path, tmp_path, file)
    assert take.layer == file
    before = file.read_bytes()
    with pytest.raises(TargetError, match="exists already"):
        _write(path, tmp_path, file)
    assert file.read_bytes() == before
    with pytest.raises(TargetError, match="exists already"):
        Target(tmp_path, file).check()


def test_a_package_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="usd"):
        Target(tmp_path, tmp_path / "take.usdz").check()


def test_a_take_that_usd_skel_plays_otherwise_is_not_published(tmp_path: Path) -> None:
    path = biped_stage(tmp_path)
    wrong = np.zeros((len(TIMES), len(JOINTS), 3))
    with pytest.raises(CheckFailedError, match="units off at frame 1001"):
        _write(path, tmp_path / "out", positions=wrong)
    assert not (tmp_path / "out").exists()


def test_a_refused_publish_leaves_no_version(tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        _write(biped_stage(tmp_path), tmp_path / "out", may_publish=lambda: False)
    assert not list((tmp_path / "out").rglob("v00*/*"))


def test_a_failing_preview_leaves_no_version(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half.png").write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _write(biped_stage(tmp_path), tmp_path / "out", add_files=fail)
    assert not list((tmp_path / "out").rglob("*.png"))


def test_instances_are_bound_on_the_instance_root(tmp_path: Path) -> None:
    biped_stage(tmp_path, name="asset.usda")
    stage = Usd.Stage.CreateNew(str(tmp_path / "crowd.usda"))
    for name in ("A", "B"):
        prim = stage.DefinePrim(f"/Crowd/{name}", "Xform")
        prim.GetReferences().AddReference("./asset.usda", "/World/Biped")
        prim.SetInstanceable(True)
    stage.SetStartTimeCode(1001)
    stage.SetEndTimeCode(1024)
    stage.GetRootLayer().Save()
    shot = open_shot(tmp_path / "crowd.usda")
    character = choose_character(shot, "/Crowd/A")
    assert character.instance_root == "/Crowd/A"
    clip = read_clip(shot, character, TIMES)
    driven = np.ones(len(JOINTS), dtype=bool)
    motion = Motion(_swinging(clip, driven), TIMES, driven, read_placement(shot, character.prim, TIMES))
    take = write_take(
        shot, character, motion, target=Target(tmp_path / "out"), provenance={}, positions=motion.clip.positions
    )
    layer = Sdf.Layer.FindOrOpen(str(take.layer))
    assert layer.GetPrimAtPath("/Crowd/A").relationships["skel:animationSource"]
    assert take.animation == "/Crowd/unimate/A_anim"


def _crowd(tmp_path: Path, bound_inside: bool) -> tuple[Any, Any, Motion]:
    biped_stage(tmp_path, name="asset.usda", animated=bound_inside)
    stage = Usd.Stage.CreateNew(str(tmp_path / "crowd.usda"))
    prim = stage.DefinePrim("/Crowd/A", "Xform")
    prim.GetReferences().AddReference("./asset.usda", "/World/Biped")
    prim.SetInstanceable(True)
    stage.SetStartTimeCode(1001)
    stage.SetEndTimeCode(1024)
    stage.GetRootLayer().Save()
    shot = open_shot(tmp_path / "crowd.usda")
    character = choose_character(shot, None)
    driven = np.ones(len(JOINTS), dtype=bool)
    clip = _swinging(read_clip(shot, character, TIMES), driven)
    return shot, character, Motion(clip, TIMES, driven, read_placement(shot, character.prim, TIMES))


def test_a_binding_inside_an_instance_hides_the_take_and_is_refused_by_layer(tmp_path: Path) -> None:
    shot, character, motion = _crowd(tmp_path, bound_inside=True)
    with pytest.raises(TargetError, match=r"asset\.usda.*--uninstance"):
        write_take(
            shot, character, motion, target=Target(tmp_path / "out"), provenance={}, positions=motion.clip.positions
        )
    assert not (tmp_path / "out").exists()


def test_uninstancing_in_our_layer_lets_the_take_play(tmp_path: Path) -> None:
    shot, character, motion = _crowd(tmp_path, bound_inside=True)
    take = write_take(
        shot, character, motion, target=Target(tmp_path / "out"), provenance={}, positions=motion.clip.positions,
        uninstance=True,
    )  # fmt: skip
    layer = Sdf.Layer.FindOrOpen(str(take.layer))
    assert layer.GetPrimAtPath("/Crowd/A").GetInfo("instanceable") is False
    after = open_shot(take.shot_layer or "")
    assert choose_character(after, None).animation == take.animation


def test_a_session_layer_that_hides_the_take_is_named(tmp_path: Path) -> None:
    path = biped_stage(tmp_path, animated=True)
    session = tmp_path / "session.usda"
    stage = Usd.Stage.CreateNew(str(session))
    prim = stage.OverridePrim("/World/Biped/Skel")
    UsdSkel.BindingAPI.Apply(prim).CreateAnimationSourceRel().SetTargets(["/World/Biped/Anim"])
    stage.GetRootLayer().Save()
    shot = open_shot(path, session_layer=str(session))
    character = choose_character(shot, None)
    driven = np.ones(len(JOINTS), dtype=bool)
    motion = Motion(read_clip(shot, character, TIMES), TIMES, driven, read_placement(shot, character.prim, TIMES))
    with pytest.raises(TargetError, match=r"session\.usda.*--mute"):
        write_take(
            shot, character, motion, target=Target(tmp_path / "out"), provenance={}, positions=motion.clip.positions
        )


def test_skinned_points_are_checked_against_usd_skels_own_bake() -> None:
    data = Path(__file__).resolve().parents[2] / "unimate_dcc/examples/data/shots/fox_meadow.usda"
    shot = open_shot(data)
    character = choose_character(shot, None)
    times = np.array([1001.0])
    clip = read_clip(shot, character, times)
    ours = {mesh.mesh.prim: mesh.posed_in_world(clip) for mesh in read_meshes(shot, character)}
    assert ours
    assert check_points(shot.stage, character.prim, times, ours) < 1e-5
    wrong = {prim: points + [0.01, 0.0, 0.0] for prim, points in ours.items()}
    with pytest.raises(CheckFailedError, match="bake misses"):
        check_points(shot.stage, character.prim, times, wrong)
