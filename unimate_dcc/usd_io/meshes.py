"""The skinned meshes of a character, ready to follow a clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pxr import Usd, UsdSkel

from unimate_dcc.clip import Clip
from unimate_dcc.skeleton import FloatArray, IntArray
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.placement import read_placement
from unimate_dcc.usd_io.skinning import SkinnedMesh, bound_meshes, read_mesh
from unimate_dcc.usd_io.stage import Shot


@dataclass(frozen=True, eq=False)
class WorldMesh:
    """A skinned mesh in metres.

    Attributes:
        mesh: The mesh in joint units.
        scale: Metres of a joint unit.
    """

    mesh: SkinnedMesh
    scale: float

    @property
    def faces(self) -> IntArray:
        """(F, 3) triangles."""
        return self.mesh.faces

    @property
    def colour(self) -> FloatArray:
        """(3,) display colour."""
        return self.mesh.colour

    def posed_in_world(self, clip: Clip) -> FloatArray:
        """(T, P, 3) points in metres under a clip of the same skeleton."""
        matrices = clip.world.copy()
        matrices[..., :3, :3] *= self.scale  # points and inverse binds are in joint units
        return self.mesh.posed(matrices)


def read_meshes(shot: Shot, character: Character) -> list[WorldMesh]:
    """Meshes bound to a character; those without a usable bind pose are left out."""
    if not character.skel_root:
        return []
    cache = UsdSkel.Cache()
    root = UsdSkel.Root(shot.stage.GetPrimAtPath(character.skel_root))
    cache.Populate(root, Usd.TraverseInstanceProxies())
    skeleton = UsdSkel.Skeleton(shot.stage.GetPrimAtPath(character.prim))
    start = shot.info.start_time_code or 0.0
    scale = float(read_placement(shot, character.prim, np.array([start])).scale[0])
    queries = bound_meshes(cache, skeleton, root)
    meshes = [read_mesh(query, skeleton, character.joints) for query in queries]
    return [WorldMesh(mesh, scale) for mesh in meshes if mesh is not None]
