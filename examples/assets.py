"""Write a creature as a skinned UsdSkel asset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from creature import Creature, skin
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
    """One SkelRoot with a Skeleton and a Mesh, in rest pose."""
    stage = Usd.Stage.CreateNew(str(path))
    describe(stage, units)
    root = UsdSkel.Root.Define(stage, f"/{creature.name}")
    stage.SetDefaultPrim(root.GetPrim())
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    positions = units.place(creature.positions)
    skeleton = UsdSkel.Skeleton.Define(stage, root.GetPath().AppendChild("Skel"))
    skeleton.CreateJointsAttr(creature.paths)
    bind = [Gf.Matrix4d().SetTranslate(Gf.Vec3d(*row.tolist())) for row in np.round(positions, 6)]
    rest = [
        matrix if parent < 0 else matrix * bind[parent].GetInverse()
        for matrix, parent in zip(bind, creature.parents, strict=True)
    ]
    skeleton.CreateBindTransformsAttr(bind)
    skeleton.CreateRestTransformsAttr(rest)
    _mesh(stage, creature, units, root, skeleton)
    stage.GetRootLayer().Save()


def _mesh(stage: Usd.Stage, creature: Creature, units: Units, root: UsdSkel.Root, skeleton: UsdSkel.Skeleton) -> None:
    flesh = skin(creature)
    points = np.round(units.place(flesh.points), 5).astype(np.float32)
    mesh = UsdGeom.Mesh.Define(stage, root.GetPath().AppendChild("Body"))
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr([len(face) for face in flesh.faces])
    mesh.CreateFaceVertexIndicesAttr([corner for face in flesh.faces for corner in face])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDisplayColorAttr([Gf.Vec3f(*creature.colour)])
    extent = Vt.Vec3fArray.FromNumpy(np.stack([points.min(0), points.max(0)]))
    mesh.CreateExtentAttr(extent)
    root.CreateExtentAttr(extent)
    skeleton.CreateExtentAttr(extent)
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    indices = Vt.IntArray.FromNumpy(flesh.joints.astype(np.int32).ravel())
    weights = Vt.FloatArray.FromNumpy(flesh.weights.astype(np.float32).ravel())
    binding.CreateJointIndicesPrimvar(False, 2).Set(indices)
    binding.CreateJointWeightsPrimvar(False, 2).Set(weights)
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
