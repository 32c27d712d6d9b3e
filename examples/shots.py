"""Write the example shots: one per creature, and one with several of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from assets import Units, describe
from pxr import Gf, Kind, Usd, UsdGeom

FIRST = 1001
LAST = 1060
WHEEL = 0.17
"""Metres: radius of the cart's wheels."""


def single(path: Path, name: str, asset: str, units: Units, rate: float, last: int) -> None:
    """A shot with one character, referenced by payload, on a ground."""
    stage = _new(path, units, rate, last)
    _ground(stage, units)
    _character(stage, name, asset, Gf.Vec3d(0, 0, 0))
    stage.GetRootLayer().Save()


def ensemble(path: Path, clips: list[str]) -> None:
    """Fox with animation layers, biped on a moving cart, bird; metres, Y up."""
    units = Units()
    stage = _new(path, units, 24.0, LAST)
    _ground(stage, units)
    _character(stage, "Fox", "../assets/fox.usda", Gf.Vec3d(-0.9, 0, -0.8))
    _character(stage, "Bird", "../assets/bird.usda", Gf.Vec3d(0.9, 0, 0.6))
    _cart(stage)
    rider = _character(stage, "Cart/Biped", "../assets/biped.usda", Gf.Vec3d(0, 0, 0))
    # The biped is centimetres and Z up: turned and scaled where it is referenced, as DCCs do.
    rider.AddRotateXOp().Set(-90.0)
    rider.AddScaleOp().Set(Gf.Vec3f(0.01, 0.01, 0.01))
    stage.GetRootLayer().subLayerPaths = clips
    stage.GetRootLayer().Save()


def _cart(stage: Usd.Stage) -> None:
    """A cart whose floor is its own y = 0; it drives along +X."""
    cart = UsdGeom.Xform.Define(stage, "/World/Cart")
    Usd.ModelAPI(cart).SetKind(Kind.Tokens.group)
    height = 2 * WHEEL + 0.02
    move = cart.AddTranslateOp()
    move.Set(Gf.Vec3d(-2, height, -1.8), FIRST)
    move.Set(Gf.Vec3d(2, height, -1.8), LAST)
    cart.AddRotateYOp().Set(90.0)
    board = UsdGeom.Cube.Define(stage, "/World/Cart/Board")
    board.CreateSizeAttr(1.0)
    board.AddTranslateOp().Set(Gf.Vec3d(0, -0.04, 0))
    board.AddScaleOp().Set(Gf.Vec3f(0.9, 0.08, 1.4))
    board.CreateExtentAttr([(-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)])
    board.CreateDisplayColorAttr([Gf.Vec3f(0.30, 0.17, 0.08)])
    for name, x, z in (
        ("FrontLeft", 0.5, 0.45),
        ("FrontRight", -0.5, 0.45),
        ("BackLeft", 0.5, -0.45),
        ("BackRight", -0.5, -0.45),
    ):
        wheel = UsdGeom.Cylinder.Define(stage, f"/World/Cart/{name}Wheel")
        wheel.CreateAxisAttr("X")
        wheel.CreateRadiusAttr(WHEEL)
        wheel.CreateHeightAttr(0.08)
        wheel.CreateExtentAttr([(-0.04, -WHEEL, -WHEEL), (0.04, WHEEL, WHEEL)])
        wheel.CreateDisplayColorAttr([Gf.Vec3f(0.07, 0.05, 0.04)])
        wheel.AddTranslateOp().Set(Gf.Vec3d(x, WHEEL - height, z))


def _new(path: Path, units: Units, rate: float, last: int) -> Usd.Stage:
    stage = Usd.Stage.CreateNew(str(path))
    describe(stage, units, rate)
    stage.SetStartTimeCode(FIRST)
    stage.SetEndTimeCode(last)
    world = UsdGeom.Xform.Define(stage, "/World")
    Usd.ModelAPI(world).SetKind(Kind.Tokens.assembly)
    stage.SetDefaultPrim(world.GetPrim())
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
    corners = units.place(np.array([[-4, 0, -4], [-4, 0, 4], [4, 0, 4], [4, 0, -4]], dtype=float)) + 0.0
    mesh.CreatePointsAttr([Gf.Vec3f(*row.tolist()) for row in corners])
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDisplayColorAttr([Gf.Vec3f(0.45, 0.5, 0.4)])
    mesh.CreateExtentAttr([Gf.Vec3f(*corners.min(0).tolist()), Gf.Vec3f(*corners.max(0).tolist())])
