"""Meshes bound to a skeleton: which joints move them, and where their points go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel

from unimate_dcc.skeleton import BoolArray, FloatArray, IntArray
from unimate_dcc.usd_io.convert import column_matrices, column_matrix, vectors_from_vt


@dataclass(frozen=True, eq=False)
class SkinnedMesh:
    """A mesh that follows a skeleton by linear blend.

    Attributes:
        prim: Path of the mesh.
        points: (P, 3) rest points in the skeleton's space at bind, geomBindTransform applied.
        joints: (P, I) joint indices in the skeleton's order.
        weights: (P, I) weights; rows sum to 1.
        inverse_bind: (J, 4, 4) inverses of the bind transforms, joint units.
        faces: (F, 3) triangles, point indices.
        colour: (3,) display colour, 0 to 1.
        blends_linearly: Linear blend without blend shapes, which is what ``posed`` computes.
    """

    prim: str
    points: FloatArray
    joints: IntArray
    weights: FloatArray
    inverse_bind: FloatArray
    faces: IntArray
    colour: FloatArray
    blends_linearly: bool

    def posed(self, skeleton_space: FloatArray) -> FloatArray:
        """(T, P, 3) points under (T, J, 4, 4) joint-to-skeleton matrices, in skeleton space."""
        matrices = skeleton_space @ self.inverse_bind
        homogeneous = np.concatenate((self.points, np.ones((len(self.points), 1))), axis=1)
        out = np.zeros((len(matrices), *self.points.shape))
        for influence in range(self.joints.shape[1]):
            moved = np.einsum("tpab,pb->tpa", matrices[:, self.joints[:, influence], :3], homogeneous)
            out += self.weights[:, influence, None] * moved
        return out


def bound_meshes(cache: UsdSkel.Cache, skeleton: UsdSkel.Skeleton, root: UsdSkel.Root) -> list[UsdSkel.SkinningQuery]:
    """Skinning queries of everything below a SkelRoot that follows a skeleton."""
    bindings = cache.ComputeSkelBindings(root, Usd.TraverseInstanceProxies())
    return [
        query
        for binding in bindings
        if binding.GetSkeleton().GetPrim() == skeleton.GetPrim()
        for query in binding.GetSkinningTargets()
        if query.HasJointInfluences()
    ]


def weighted_joints(queries: list[UsdSkel.SkinningQuery], joints: tuple[str, ...]) -> BoolArray | None:
    """(J,) joints that move a point of some mesh; None without a mesh."""
    moved = np.zeros(len(joints), dtype=bool)
    place = {joint: index for index, joint in enumerate(joints)}
    seen = False
    for query in queries:
        influences = query.ComputeJointInfluences(Usd.TimeCode.EarliestTime())
        if influences is None or len(influences[0]) == 0:
            continue
        seen = True
        indices, weights = (np.asarray(part) for part in influences)
        order = query.GetJointOrder()
        names = [str(joint) for joint in order] if order else list(joints)
        for index in np.unique(indices[weights > 0.0]):
            if 0 <= index < len(names) and names[index] in place:
                moved[place[names[index]]] = True
    return moved if seen else None


def read_mesh(query: UsdSkel.SkinningQuery, skeleton: UsdSkel.Skeleton, joints: tuple[str, ...]) -> SkinnedMesh | None:
    """The mesh of a skinning query; None for what is no mesh, has no influences, or no usable bind pose."""
    mesh = UsdGeom.Mesh(query.GetPrim())
    bind = skeleton.GetBindTransformsAttr().Get()
    time = Usd.TimeCode.EarliestTime()
    points = mesh.GetPointsAttr().Get(time) if mesh else None
    if not points or bind is None or len(bind) != len(joints):
        return None
    influences = query.ComputeVaryingJointInfluences(len(points), time)
    if influences is None or len(influences[0]) == 0:
        return None
    order = query.GetJointOrder()
    names = [str(joint) for joint in order] if order else list(joints)
    place = {joint: index for index, joint in enumerate(joints)}
    index_map = np.array([place.get(name, 0) for name in names], dtype=np.int64)
    width = query.GetNumInfluencesPerComponent()
    indices = index_map[np.asarray(influences[0], dtype=np.int64).reshape(-1, width)]
    weights = np.asarray(influences[1], dtype=np.float64).reshape(-1, width)
    weights = weights / np.maximum(weights.sum(1, keepdims=True), 1e-12)
    geometry = column_matrix(query.GetGeomBindTransform(time))
    at_bind = vectors_from_vt(points) @ geometry[:3, :3].T + geometry[:3, 3]
    return SkinnedMesh(
        prim=str(query.GetPrim().GetPath()),
        points=at_bind,
        joints=indices,
        weights=weights,
        inverse_bind=np.asarray(np.linalg.pinv(column_matrices(bind)), dtype=np.float64),
        faces=_triangles(mesh),
        colour=_colour(mesh),
        blends_linearly=str(query.GetSkinningMethod()) == "classicLinear" and not query.HasBlendShapes(),
    )


def _triangles(mesh: UsdGeom.Mesh) -> IntArray:
    counts = np.asarray(mesh.GetFaceVertexCountsAttr().Get() or [], dtype=np.int64)
    indices = np.asarray(mesh.GetFaceVertexIndicesAttr().Get() or [], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(counts)[:-1])) if len(counts) else np.zeros(0, dtype=np.int64)
    fans = [
        np.stack(
            (
                indices[starts[counts > step]],
                indices[starts[counts > step] + step - 1],
                indices[starts[counts > step] + step],
            ),
            axis=1,
        )
        for step in range(2, int(counts.max(initial=0)))
    ]
    return np.concatenate(fans) if fans else np.zeros((0, 3), dtype=np.int64)


def _colour(mesh: UsdGeom.Mesh) -> FloatArray:
    colours = mesh.GetDisplayColorAttr().Get()
    return np.asarray(colours, dtype=np.float64).reshape(-1, 3).mean(0) if colours else np.array([0.62, 0.64, 0.68])
