"""Small stages made in a test's own folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt

JOINTS = [
    "Hips",
    "Hips/Spine",
    "Hips/Spine/Head",
    "Hips/Spine/Head/Eye_L",
    "Hips/LeftUpLeg",
    "Hips/LeftUpLeg/LeftLeg",
    "Hips/LeftUpLeg/LeftLeg/LeftFoot",
    "Hips/RightUpLeg",
    "Hips/RightUpLeg/RightLeg",
    "Hips/RightUpLeg/RightLeg/RightFoot",
]
LOCAL = [
    (0, 0.9, 0), (0, 0.3, 0), (0, 0.3, 0), (0.03, 0.05, 0.08), (0.1, -0.05, 0), (0, -0.4, 0.02), (0, -0.42, -0.02),
    (-0.1, -0.05, 0), (0, -0.4, 0.02), (0, -0.42, -0.02),
]  # fmt: skip


def matrices(units: float) -> list[Gf.Matrix4d]:
    """Local rest matrices, ``units`` stage units to the metre."""
    return [Gf.Matrix4d().SetTranslate(Gf.Vec3d(*row) * units) for row in LOCAL]


def bind_matrices(units: float) -> list[Gf.Matrix4d]:
    """Skeleton-space bind matrices."""
    found: list[Gf.Matrix4d] = []
    for joint, local in zip(JOINTS, matrices(units), strict=True):
        parent = joint.rsplit("/", 1)[0] if "/" in joint else None
        found.append(local * found[JOINTS.index(parent)] if parent else local)
    return found


def biped_stage(
    folder: Path,
    *,
    name: str = "shot.usda",
    up_axis: str = "Y",
    metres_per_unit: float = 1.0,
    animated: bool = False,
    moving_ancestor: bool = False,
    first: float = 1001,
    last: float = 1024,
    rate: float = 24.0,
) -> Path:
    """A biped under /World/Biped; returns the file."""
    path = folder / name
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up_axis)
    UsdGeom.SetStageMetersPerUnit(stage, metres_per_unit)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(first)
    stage.SetEndTimeCode(last)
    world = UsdGeom.Xform.Define(stage, "/World")
    stage.SetDefaultPrim(world.GetPrim())
    root = UsdSkel.Root.Define(stage, "/World/Biped")
    units = 1.0 / metres_per_unit
    if up_axis == "Z":
        root.AddRotateXOp().Set(90.0)
    if moving_ancestor:
        move = world.AddTranslateOp()
        move.Set(Gf.Vec3d(0, 0, 0), first)
        move.Set(Gf.Vec3d(3 * units, 0, 0), last)
    skeleton = UsdSkel.Skeleton.Define(stage, "/World/Biped/Skel")
    skeleton.CreateJointsAttr(JOINTS)
    skeleton.CreateRestTransformsAttr(matrices(units))
    skeleton.CreateBindTransformsAttr(bind_matrices(units))
    if animated:
        animation(stage, "/World/Biped/Anim", units, first - 10, last + 10)
        binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
        binding.CreateAnimationSourceRel().SetTargets([Sdf.Path("/World/Biped/Anim")])
    stage.GetRootLayer().Save()
    return path


def animation(stage: Usd.Stage, path: str, units: float, first: float, last: float) -> None:
    """A scripted sway with an eye that looks about and two blend shapes."""
    anim = UsdSkel.Animation.Define(stage, path)
    anim.CreateJointsAttr(JOINTS)
    anim.CreateBlendShapesAttr(["smile", "blink"])
    translations, rotations = anim.CreateTranslationsAttr(), anim.CreateRotationsAttr()
    scales, weights = anim.CreateScalesAttr(), anim.CreateBlendShapeWeightsAttr()
    rest = np.array(LOCAL, dtype=np.float32) * units
    for time in np.arange(first, last + 1, 2.0):
        moved = rest.copy()
        moved[0, 0] += 0.01 * units * (time - first)
        translations.Set(Vt.Vec3fArray.FromNumpy(moved), time)
        turns = np.zeros((len(JOINTS), 4), dtype=np.float32)
        angle = 0.3 * np.sin(time / 5.0)
        turns[:, 3], turns[:, 2] = np.cos(angle / 2), np.sin(angle / 2)
        rotations.Set(Vt.QuatfArray.FromNumpy(turns), time)
        weights.Set([float(np.sin(time) ** 2), 0.5], time)
    scales.Set(Vt.Vec3hArray(len(JOINTS), Gf.Vec3h(1, 1, 1)))
