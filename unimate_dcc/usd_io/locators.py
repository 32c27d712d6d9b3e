"""Places an artist put on the stage: locators and curves, read as points in the world."""

from __future__ import annotations

import numpy as np
from pxr import Usd, UsdGeom

from unimate_dcc.errors import PrimRefusedError, UnknownPrimError
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.convert import column_matrix, stage_to_world
from unimate_dcc.usd_io.stage import Shot

PER_SPAN = 24
"""Points read from each span of a curve."""
BASES: dict[str, FloatArray] = {
    "bspline": np.array([[-1, 3, -3, 1], [3, -6, 3, 0], [-3, 0, 3, 0], [1, 4, 1, 0]]) / 6.0,
    "catmullRom": np.array([[-1, 3, -3, 1], [2, -5, 4, -1], [-1, 0, 1, 0], [0, 2, 0, 0]]) / 2.0,
    "bezier": np.array([[-1.0, 3, -3, 1], [3, -6, 3, 0], [-3, 3, 0, 0], [1, 0, 0, 0]]),
}
"""Of cubic curves, rows for t^3, t^2, t, 1 (UsdGeomBasisCurves)."""


def read_points(shot: Shot, prim: str, time_codes: FloatArray) -> FloatArray:
    """(T, 3) metres, Y up: where the origin of a prim is at (T,) stage time codes.

    Raises:
        UnknownPrimError: no such prim.
        PrimRefusedError: a prim without a place.
    """
    found = _prim(shot, prim)
    if not found.IsA(UsdGeom.Xformable):
        raise PrimRefusedError(shot.info.path, prim, "has no transform; name an Xform or a mesh")
    turn = stage_to_world(shot.info.up_axis, shot.info.metres_per_unit)
    places = [
        column_matrix(UsdGeom.XformCache(Usd.TimeCode(code)).GetLocalToWorldTransform(found))[:3, 3]
        for code in time_codes.tolist()
    ]
    return np.asarray(np.stack(places) @ turn.T)


def read_curve(shot: Shot, prim: str, time_code: float) -> FloatArray:
    """(N, 3) metres, Y up: the first curve of a BasisCurves prim as a fine line.

    Raises:
        UnknownPrimError: no such prim.
        PrimRefusedError: no BasisCurves, or fewer than two points.
    """
    found = _prim(shot, prim)
    if not found.IsA(UsdGeom.BasisCurves):
        raise PrimRefusedError(shot.info.path, prim, f"is a {found.GetTypeName() or 'typeless prim'}, not BasisCurves")
    curves, code = UsdGeom.BasisCurves(found), Usd.TimeCode(time_code)
    counts = curves.GetCurveVertexCountsAttr().Get(code)
    points = np.asarray(curves.GetPointsAttr().Get(code) or [], dtype=np.float64).reshape(-1, 3)
    points = points[: int(counts[0])] if counts else points
    if len(points) < 2:
        raise PrimRefusedError(shot.info.path, prim, f"has {len(points)} point; a path needs two or more")
    kind, wrap = str(curves.GetTypeAttr().Get()), str(curves.GetWrapAttr().Get())
    line = _cubic(points, str(curves.GetBasisAttr().Get()), wrap) if kind == "cubic" else _linear(points, wrap)
    above = column_matrix(UsdGeom.XformCache(code).GetLocalToWorldTransform(found))
    turn = stage_to_world(shot.info.up_axis, shot.info.metres_per_unit)
    return np.asarray((line @ above[:3, :3].T + above[:3, 3]) @ turn.T)


def _prim(shot: Shot, path: str) -> Usd.Prim:
    prim = shot.stage.GetPrimAtPath(path) if path.startswith("/") else None
    if not prim:
        known = [str(one.GetPath()) for one in shot.stage.Traverse() if one.IsA(UsdGeom.Xformable)]
        raise UnknownPrimError(shot.info.path, path, known, "prim")
    return prim


def _linear(points: FloatArray, wrap: str) -> FloatArray:
    return np.concatenate((points, points[:1])) if wrap == "periodic" else points


def _cubic(points: FloatArray, basis: str, wrap: str) -> FloatArray:
    """A cubic curve as a line through points ``PER_SPAN`` to a span."""
    stride = 3 if basis == "bezier" else 1
    if wrap == "periodic":
        points = np.concatenate((points, points[: 4 - stride]))
    elif wrap == "pinned" and basis != "bezier":
        points = np.concatenate((2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]))
    if len(points) < 4:
        return points
    share = np.linspace(0.0, 1.0, PER_SPAN, endpoint=False)
    powers = np.stack((share**3, share**2, share, np.ones_like(share)), axis=-1) @ BASES[basis]
    spans = [powers @ points[first : first + 4] for first in range(0, len(points) - 3, stride)]
    last = BASES[basis].sum(0) @ points[len(spans) * stride - stride :][:4]
    return np.concatenate((*spans, last[None]))
