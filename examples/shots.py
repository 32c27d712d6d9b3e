"""Write the example shots: one per creature, and one with several of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from assets import Units, describe
from pxr import Gf, Usd, UsdGeom, UsdSkel

FIRST = 1001


def single(path: Path, name: str, asset: str, units: Units, rate: float, last: int) -> None:
    """A shot with one character, referenced by payload, on a ground."""
    stage = _new(path, units, rate, last)
    _ground(stage, units)
    _character(stage, name, asset, Gf.Vec3d(0, 0, 0))
    stage.GetRootLayer().Save()


def ensemble(path: Path, clip: str) -> None:
    """Fox with an animation layer, biped on a moving cart, bird; metres, Y up."""
    units = Units()
    stage = _new(path, units, 24.0, 1060)
    _ground(stage, units)
    _character(stage, "Fox", "../assets/fox.usda", Gf.Vec3d(-0.8, 0, 0))
    _character(stage, "Bird", "../assets/bird.usda", Gf.Vec3d(0.8, 0, 0.4))
    cart = UsdGeom.Xform.Define(stage, "/World/Cart")
    move = cart.AddTranslateOp()
    move.Set(Gf.Vec3d(-2, 0.2, -1.5), FIRST)
    move.Set(Gf.Vec3d(2, 0.2, -1.5), 1060)
    board = UsdGeom.Cube.Define(stage, "/World/Cart/Board")
    board.CreateSizeAttr(1.0)
    board.AddTranslateOp().Set(Gf.Vec3d(0, -0.06, 0))
    board.AddScaleOp().Set(Gf.Vec3f(1.2, 0.1, 1.0))
    board.CreateExtentAttr([(-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)])
    board.CreateDisplayColorAttr([Gf.Vec3f(0.35, 0.24, 0.15)])
    rider = _character(stage, "Cart/Biped", "../assets/biped.usda", Gf.Vec3d(0, 0, 0))
    # The biped is centimetres and Z up: turned and scaled where it is referenced, as DCCs do.
    rider.AddRotateXOp().Set(-90.0)
    rider.AddScaleOp().Set(Gf.Vec3f(0.01, 0.01, 0.01))
    stage.GetRootLayer().subLayerPaths.append(clip)
    stage.GetRootLayer().Save()


def look_layer(path: Path, joints: list[str], parents: list[int], positions: np.ndarray) -> None:
    """The animation department's layer: the fox looks about and sways, from frame 991 to 1070."""
    stage = Usd.Stage.CreateNew(str(path))
    describe(stage, Units())
    stage.SetStartTimeCode(991)
    stage.SetEndTimeCode(1070)
    stage.SetDefaultPrim(stage.OverridePrim("/World"))
    animation = UsdSkel.Animation.Define(stage, "/World/Fox/Look")
    animation.CreateJointsAttr(joints)
    local = positions.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            local[joint] -= positions[parent]
    translations = animation.CreateTranslationsAttr()
    translations.Set([Gf.Vec3f(*row.tolist()) for row in np.round(local, 6)])
    animation.CreateScalesAttr([Gf.Vec3h(1, 1, 1)] * len(joints))
    rotations = animation.CreateRotationsAttr()
    leaf = [joint.rsplit("/", 1)[-1] for joint in joints]
    for time in range(991, 1071, 2):
        phase = 2 * np.pi * (time - 991) / 40
        turns = [Gf.Quatf(1, 0, 0, 0) for _ in joints]
        for name, axis, size in (
            ("Head", Gf.Vec3f(0, 1, 0), 20),
            ("Neck", Gf.Vec3f(0, 1, 0), 10),
            ("Tail2", Gf.Vec3f(0, 1, 0), 15),
        ):
            half = np.radians(size * np.sin(phase)) / 2
            turns[leaf.index(name)] = Gf.Quatf(float(np.cos(half)), axis * float(np.sin(half)))
        rotations.Set(turns, time)
    skeleton = stage.OverridePrim("/World/Fox/Skel")
    UsdSkel.BindingAPI.Apply(skeleton).CreateAnimationSourceRel().SetTargets(["/World/Fox/Look"])
    stage.GetRootLayer().Save()


def _new(path: Path, units: Units, rate: float, last: int) -> Usd.Stage:
    stage = Usd.Stage.CreateNew(str(path))
    describe(stage, units, rate)
    stage.SetStartTimeCode(FIRST)
    stage.SetEndTimeCode(last)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/World").GetPrim())
    return stage


def _character(stage: Usd.Stage, name: str, asset: str, place: Gf.Vec3d) -> UsdGeom.Xformable:
    prim = stage.DefinePrim(f"/World/{name}")
    prim.GetPayloads().AddPayload(asset)
    transform = UsdGeom.Xformable(prim)
    if place != Gf.Vec3d(0, 0, 0):
        transform.AddTranslateOp().Set(place)
    return transform


def _ground(stage: Usd.Stage, units: Units) -> None:
    mesh = UsdGeom.Mesh.Define(stage, "/World/Ground")
    corners = units.place(np.array([[-4, 0, -4], [-4, 0, 4], [4, 0, 4], [4, 0, -4]], dtype=float))
    mesh.CreatePointsAttr([Gf.Vec3f(*row.tolist()) for row in corners])
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDisplayColorAttr([Gf.Vec3f(0.45, 0.5, 0.4)])
    mesh.CreateExtentAttr([Gf.Vec3f(*corners.min(0).tolist()), Gf.Vec3f(*corners.max(0).tolist())])
