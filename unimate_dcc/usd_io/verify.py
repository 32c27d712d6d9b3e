"""Check a finished take through UsdSkel itself, which knows nothing of how it was made."""

from __future__ import annotations

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel

from unimate_dcc.errors import CheckFailedError
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.convert import column_matrices, column_matrix, stage_to_world
from unimate_dcc.usd_io.stage import Shot

JOINT_SHARE, JOINT_UNITS = 1e-4, 2e-5
"""World joints may miss by this share of the box's diagonal, or this many stage units, whichever is more."""
POINT_SHARE = 1e-3
"""Skinned points may miss by this share of the box's diagonal."""
CHECKED_FRAMES = 3
"""Skinned points are baked at so many frames, spread over the take."""


def compose(shot: Shot, take: Sdf.Layer) -> Usd.Stage:
    """The shot with a take on top, in memory; neither is changed."""
    root = Sdf.Layer.CreateAnonymous("verify.usda")
    root.subLayerPaths = [take.identifier, shot.stage.GetRootLayer().identifier]
    info = shot.info
    root.timeCodesPerSecond, root.framesPerSecond = info.time_codes_per_second, info.frames_per_second
    root.pseudoRoot.SetInfo("upAxis", info.up_axis)
    root.pseudoRoot.SetInfo("metersPerUnit", info.metres_per_unit)
    session = Sdf.Layer.CreateAnonymous("verify-session.usda")
    session.subLayerPaths = list(shot.stage.GetSessionLayer().subLayerPaths)
    stage = Usd.Stage.Open(root, session)
    for muted in shot.stage.GetMutedLayers():
        stage.MuteLayer(muted)
    return stage


def playing_animation(stage: Usd.Stage, prim: str) -> str:
    """The SkelAnimation that UsdSkel plays on a skeleton, or nothing."""
    query = skel_query(stage, prim)
    animation = query.GetAnimQuery() if query else None
    return str(animation.GetPrim().GetPath()) if animation else ""


def hidden_by(stage: Usd.Stage, character: Character, playing: str) -> str:
    """Why another animation plays than the take's, with the layer that says so and the way out."""
    said = f"plays {playing or 'nothing'} instead of the take"
    prim = stage.GetPrimAtPath(character.prim)
    while prim and not prim.IsPseudoRoot():
        relationship = prim.GetRelationship("skel:animationSource")
        if relationship and relationship.HasAuthoredTargets():
            layer = relationship.GetPropertyStack(Usd.TimeCode.EarliestTime())[0].layer.identifier
            if character.instance_root:
                return f"{said}: {layer} binds it inside the instance; --uninstance breaks the instance in our layer"
            return f"{said}: the stronger {layer} binds it; mute it with --mute, or remove that opinion"
        prim = prim.GetParent()
    return f"{said}, and no layer says why"


def skel_query(stage: Usd.Stage, prim: str) -> UsdSkel.SkeletonQuery:
    """UsdSkel's query of a skeleton, bindings resolved from its SkelRoot."""
    cache = UsdSkel.Cache()
    target = stage.GetPrimAtPath(prim)
    root = UsdSkel.Root.Find(target)
    if root:
        cache.Populate(root, Usd.TraverseInstanceProxies())
    return cache.GetSkelQuery(UsdSkel.Skeleton(target))


def check_joints(stage: Usd.Stage, shot: Shot, prim: str, time_codes: FloatArray, wanted: FloatArray) -> float:
    """Compare UsdSkel's world joints with (T, J, 3) metres; returns the worst miss as share of the size.

    Raises:
        CheckFailedError: names the frame and the joint.
    """
    query = skel_query(stage, prim)
    if not query or not query.GetAnimQuery():
        raise CheckFailedError(prim, "UsdSkel plays no animation on the written take")
    target = stage.GetPrimAtPath(prim)
    turn = stage_to_world(shot.info.up_axis, shot.info.metres_per_unit)
    metres = shot.info.metres_per_unit
    size = float(np.linalg.norm(np.ptp(wanted[0], axis=0)))
    allowed = max(JOINT_SHARE * size, JOINT_UNITS * metres)
    worst = 0.0
    for time, positions in zip(time_codes.tolist(), wanted, strict=True):
        code = Usd.TimeCode(time)
        local = column_matrices(query.ComputeJointSkelTransforms(code))
        above = column_matrix(UsdGeom.XformCache(code).GetLocalToWorldTransform(target))
        found = (above @ local)[:, :3, 3] @ turn.T
        miss = np.linalg.norm(found - positions, axis=-1)
        if not np.isfinite(miss).all() or miss.max() > allowed:
            joint = int(np.argmax(np.where(np.isfinite(miss), miss, np.inf)))
            name = query.GetJointOrder()[joint]
            problem = f"UsdSkel puts joint {name!r} {miss[joint] / metres:.4g} units off at frame {time:g}"
            raise CheckFailedError(prim, problem)
        worst = max(worst, float(miss.max()) / max(size, 1e-12))
    return worst


def check_points(stage: Usd.Stage, prim: str, time_codes: FloatArray, ours: dict[str, FloatArray]) -> float:
    """Compare UsdSkel's own bake with our skinned points; returns the worst miss as share of size.

    Args:
        stage: The composed stage; the character is flattened and baked in memory.
        prim: The skeleton.
        time_codes: (N,) checked frames.
        ours: Mesh path to (N, P, 3) world points in stage units.

    Raises:
        CheckFailedError: names the mesh and the frame.
    """
    root = UsdSkel.Root.Find(stage.GetPrimAtPath(prim))
    if not root or not ours:
        return 0.0
    # Only the character: a shot's sets may be too big to flatten.
    mask = Usd.StagePopulationMask([root.GetPath()])
    alone = Usd.Stage.OpenMasked(stage.GetRootLayer(), stage.GetSessionLayer(), mask)
    for muted in stage.GetMutedLayers():
        alone.MuteLayer(muted)
    flat = Usd.Stage.Open(alone.Flatten())
    worst = 0.0
    for index, time in enumerate(time_codes.tolist()):
        baked = Usd.Stage.Open(flat.Flatten())
        UsdSkel.BakeSkinning(UsdSkel.Root(baked.GetPrimAtPath(root.GetPath())), Gf.Interval(time, time))
        for path, points in ours.items():
            worst = max(worst, _miss(baked, path, time, points[index]))
    return worst


def _miss(stage: Usd.Stage, path: str, time: float, wanted: FloatArray) -> float:
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
    code = Usd.TimeCode(time)
    points = np.asarray(mesh.GetPointsAttr().Get(code), dtype=np.float64)
    above = column_matrix(UsdGeom.XformCache(code).GetLocalToWorldTransform(mesh.GetPrim()))
    found = points @ above[:3, :3].T + above[:3, 3]
    size = max(float(np.linalg.norm(np.ptp(wanted, axis=0))), 1e-12)
    miss = float(np.linalg.norm(found - wanted, axis=-1).max()) / size
    if not miss <= POINT_SHARE:
        raise CheckFailedError(path, f"UsdSkel's bake misses our points by {miss:.2g} of the size at frame {time:g}")
    return miss
