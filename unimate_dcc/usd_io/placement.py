"""Where a skeleton stands in the world: its prim's own transform and everything above, over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pxr import Usd, UsdGeom

from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.convert import column_matrix, stage_to_world
from unimate_dcc.usd_io.finding import Finding
from unimate_dcc.usd_io.stage import Shot

UNIFORM = 1e-4
"""Ancestor scales that differ by more than this share stretch the skeleton unevenly."""


@dataclass(frozen=True, eq=False)
class Placement:
    """From skeleton space to the world.

    Attributes:
        rigid: (T, 4, 4) from skeleton space in metres to the world: metres, Y up.
        scale: (T,) metres of one joint unit.
    """

    rigid: FloatArray
    scale: FloatArray

    @property
    def moves(self) -> bool:
        """Whether anything above the skeleton is animated."""
        return bool(np.ptp(self.rigid, axis=0).max() > 1e-9 or np.ptp(self.scale) > 1e-9)

    def at(self, index: int) -> Placement:
        """One sample of it."""
        return Placement(self.rigid[index : index + 1], self.scale[index : index + 1])

    def frozen(self, index: int) -> Placement:
        """As if everything above the skeleton stood where it stands at one sample."""
        count = len(self.scale)
        return Placement(np.repeat(self.rigid[index : index + 1], count, axis=0), np.full(count, self.scale[index]))


def read_placement(shot: Shot, prim: str, time_codes: FloatArray) -> Placement:
    """Placement of a skeleton prim at (T,) stage time codes; each transform counts once."""
    stage, info = shot.stage, shot.info
    target = stage.GetPrimAtPath(prim)
    turn = stage_to_world(info.up_axis, info.metres_per_unit)
    if _moves(target):
        matrices = np.stack([_local_to_world(target, time) for time in time_codes.tolist()])
    else:
        matrices = np.repeat(_local_to_world(target, float(time_codes[0]))[None], len(time_codes), axis=0)
    linear = turn @ matrices[:, :3, :3]
    scale = np.cbrt(np.linalg.det(linear))
    rigid = np.broadcast_to(np.eye(4), matrices.shape).copy()
    rigid[:, :3, :3] = linear / scale[:, None, None]
    rigid[:, :3, 3] = matrices[:, :3, 3] @ turn.T
    return Placement(rigid, scale)


def placement_findings(shot: Shot, prim: Usd.Prim) -> list[Finding]:
    """Transforms above a skeleton that a take cannot be exact under."""
    start = shot.info.start_time_code
    time = Usd.TimeCode(start) if start is not None else Usd.TimeCode.EarliestTime()
    linear = column_matrix(UsdGeom.XformCache(time).GetLocalToWorldTransform(prim))[:3, :3]
    path = str(prim.GetPath())
    if not np.isfinite(linear).all():
        return [Finding("ancestor-not-finite", "error", path, "a transform above it has NaN or infinite values")]
    values = np.linalg.svd(linear, compute_uv=False)
    if values[0] < 1e-12:
        return [Finding("ancestor-zero-scale", "error", path, "a transform above it scales it to nothing")]
    if values[0] - values[-1] > UNIFORM * values[0] or np.linalg.det(linear) < 0:
        message = "a transform above it mirrors it or scales it unevenly; use a uniform scale there"
        return [Finding("ancestor-uneven", "error", path, message)]
    return []


def _moves(prim: Usd.Prim) -> bool:
    """Whether the transform of a prim or of anything above it may vary over time."""
    while prim and not prim.IsPseudoRoot():
        transform = UsdGeom.Xformable(prim)
        if transform and transform.TransformMightBeTimeVarying():
            return True
        prim = prim.GetParent()
    return False


def _local_to_world(prim: Usd.Prim, time: float) -> FloatArray:
    return column_matrix(UsdGeom.XformCache(Usd.TimeCode(float(time))).GetLocalToWorldTransform(prim))
