"""The local rest pose of a skeleton, from the first source that can be trusted.

1. ``restTransforms``, when there is one per joint.
2. ``bindTransforms`` and the topology, when there is one per joint: a warning says so.
3. Nothing: the skeleton is refused.
"""

from __future__ import annotations

import numpy as np
from pxr import UsdSkel

from unimate_dcc.skeleton import FloatArray, IntArray
from unimate_dcc.usd_io.character import LocalRest
from unimate_dcc.usd_io.convert import column_matrices, decompose
from unimate_dcc.usd_io.finding import Finding

SHEAR = 1e-3
"""Rest matrices whose columns are less square than this cannot be kept as translation, rotation and scale."""


def local_rest(
    skeleton: UsdSkel.Skeleton, joints: tuple[str, ...], parents: IntArray
) -> tuple[LocalRest | None, list[Finding]]:
    """Rest pose and what was noticed on the way."""
    prim = str(skeleton.GetPrim().GetPath())
    rest = _matrices(skeleton.GetRestTransformsAttr().Get())
    bind = _matrices(skeleton.GetBindTransformsAttr().Get())
    findings: list[Finding] = []
    count = len(joints)
    if len(rest) == count:
        return _finite(prim, joints, rest, "restTransforms", findings)
    problem = "missing" if not len(rest) else f"{len(rest)} values for {count} joints"
    if len(bind) != count:
        found = "missing" if not len(bind) else f"has {len(bind)} values"
        message = f"restTransforms {problem} and bindTransforms {found}; author one matrix per joint"
        return None, [Finding("no-rest", "error", prim, message)]
    message = f"restTransforms {problem}; rest derived from bindTransforms and the topology"
    findings.append(Finding("rest-from-bind", "warning", prim, message))
    singular = [joint for joint, matrix in zip(joints, bind, strict=True) if not np.isfinite(matrix).all()]
    if singular:
        return None, [*findings, _not_finite(prim, singular)]
    local = bind.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            local[joint] = np.linalg.pinv(bind[parent]) @ bind[joint]
    return _finite(prim, joints, local, "bindTransforms", findings)


def _matrices(values: object) -> FloatArray:
    return np.zeros((0, 4, 4)) if values is None else column_matrices(values)


def _finite(
    prim: str, joints: tuple[str, ...], local: FloatArray, source: str, findings: list[Finding]
) -> tuple[LocalRest | None, list[Finding]]:
    bad = [joint for joint, matrix in zip(joints, local, strict=True) if not np.isfinite(matrix).all()]
    if bad:
        return None, [*findings, _not_finite(prim, bad)]
    sheared = [joint for joint, matrix in zip(joints, local, strict=True) if _shear(matrix[:3, :3]) > SHEAR]
    if sheared:
        message = f"rest of {len(sheared)} joints is sheared, which translation, rotation and scale cannot hold"
        findings.append(Finding("rest-sheared", "warning", prim, message, tuple(sheared)))
    return LocalRest(*decompose(local), source), findings


def _not_finite(prim: str, joints: list[str]) -> Finding:
    message = f"joint {joints[0]!r} has NaN or infinite values in its rest pose; re-export it without them"
    return Finding("not-finite", "error", prim, message, tuple(joints))


def _shear(linear: FloatArray) -> float:
    length = np.linalg.norm(linear, axis=0)
    if np.any(length < 1e-12):
        return 0.0
    unit = linear / length
    return float(np.abs(unit.T @ unit - np.eye(3)).max())
