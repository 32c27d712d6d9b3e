"""Write a creature as a skinned UsdSkel asset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from creature import Colour, Creature
from loft import INFLUENCES, Skin, skins
from pxr import Gf, Kind, Usd, UsdGeom, UsdSkel, Vt


@dataclass(frozen=True)
class Units:
    """How an asset or a shot is written."""

    up_axis: str = "Y"
    metres_per_unit: float = 1.0

    def place(self, points: np.ndarray) -> np.ndarray:
        """(..., 3) metres, Y up to this stage's units and axis; +Z ahead becomes -Y ahead where Z is up."""
        turned = points @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], dtype=float) if self.up_axis == "Z" else points
        return turned / self.metres_per_unit


def describe(stage: Usd.Stage, units: Units, rate: float = 24.0) -> None:
    """Axis, units and rates."""
    UsdGeom.SetStageUpAxis(stage, units.up_axis)
    UsdGeom.SetStageMetersPerUnit(stage, units.metres_per_unit)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)


def write_asset(creature: Creature, path: Path, units: Units) -> None:
    """One SkelRoot with a Skeleton and a Mesh for every look, in rest pose."""
    stage = Usd.Stage.CreateNew(str(path))
    describe(stage, units)
    root = UsdSkel.Root.Define(stage, f"/{creature.name}")
    stage.SetDefaultPrim(root.GetPrim())
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    skeleton = _skeleton(stage, creature, units)
    UsdGeom.Scope.Define(stage, root.GetPath().AppendChild("Geom"))
    boxes = [
        _mesh(stage, look, flesh, creature.looks[look], units, skeleton) for look, flesh in skins(creature).items()
    ]
    extent = _extent(np.concatenate(boxes))
    root.CreateExtentAttr(extent)
    skeleton.CreateExtentAttr(extent)
    stage.GetRootLayer().Save()


def _skeleton(stage: Usd.Stage, creature: Creature, units: Units) -> UsdSkel.Skeleton:
    skeleton = UsdSkel.Skeleton.Define(stage, f"/{creature.name}/Skel")
    skeleton.CreateJointsAttr(creature.paths)
    positions = np.round(units.place(creature.positions), 6) + 0.0
    bind = [Gf.Matrix4d().SetTranslate(Gf.Vec3d(*row.tolist())) for row in positions]
    steps = [
        row if parent < 0 else row - positions[parent] for row, parent in zip(positions, creature.parents, strict=True)
    ]
    skeleton.CreateBindTransformsAttr(bind)
    skeleton.CreateRestTransformsAttr(
        [Gf.Matrix4d().SetTranslate(Gf.Vec3d(*(np.round(step, 6) + 0.0).tolist())) for step in steps]
    )
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    return skeleton


def _mesh(
    stage: Usd.Stage, name: str, flesh: Skin, colour: Colour, units: Units, skeleton: UsdSkel.Skeleton
) -> np.ndarray:
    """The (P, 3) points written."""
    points = (np.round(units.place(flesh.points), 5) + 0.0).astype(np.float32)  # without negative zeros
    mesh = UsdGeom.Mesh.Define(stage, skeleton.GetPath().GetParentPath().AppendPath(f"Geom/{name}"))
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr([len(face) for face in flesh.faces])
    mesh.CreateFaceVertexIndicesAttr([corner for face in flesh.faces for corner in face])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDisplayColorAttr([Gf.Vec3f(*colour)])
    mesh.CreateExtentAttr(_extent(points))
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    indices = Vt.IntArray.FromNumpy(flesh.joints.astype(np.int32).ravel())
    weights = Vt.FloatArray.FromNumpy(flesh.weights.astype(np.float32).ravel())
    binding.CreateJointIndicesPrimvar(False, INFLUENCES).Set(indices)
    binding.CreateJointWeightsPrimvar(False, INFLUENCES).Set(weights)
    return points


def _extent(points: np.ndarray) -> Vt.Vec3fArray:
    return Vt.Vec3fArray.FromNumpy(np.stack([points.min(0), points.max(0)]))
