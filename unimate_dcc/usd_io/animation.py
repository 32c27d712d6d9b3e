"""The SkelAnimation bound to a skeleton: which one plays, and what keeps it from playing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from pxr import Usd, UsdSkel

from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.finding import Finding
from unimate_dcc.usd_io.stage import Shot

CHANNELS = ("translations", "rotations", "scales")
SCHEMA_TYPES = {"translations": "float3[]", "rotations": "quatf[]", "scales": "half3[]"}
UNIT = 1e-3
"""Quaternions whose length misses 1 by more than this are named."""


def bound_animation(shot: Shot, skeleton: UsdSkel.Skeleton, joints: tuple[str, ...]) -> tuple[str, list[Finding]]:
    """Path of the SkelAnimation that UsdSkel plays on a skeleton, and what was noticed."""
    prim = skeleton.GetPrim()
    path = str(prim.GetPath())
    findings: list[Finding] = []
    while prim and not prim.IsPseudoRoot():
        relationship = prim.GetRelationship("skel:animationSource")
        if relationship and relationship.HasAuthoredTargets():
            targets = relationship.GetForwardedTargets()
            if not prim.HasAPI(UsdSkel.BindingAPI):
                findings += _without_api(path, prim, targets)
                prim = prim.GetParent()
                continue
            return _target(shot, path, prim, targets, findings)
        prim = prim.GetParent()
    return "", findings


def _without_api(path: str, prim: Usd.Prim, targets: list[Any]) -> list[Finding]:
    if not targets:
        return []
    message = (
        f"skel:animationSource {targets[0]} on {prim.GetPath()} is ignored by UsdSkel since 23.08, because "
        "SkelBindingAPI is not applied there; apply it in a layer above to play that animation"
    )
    return [Finding("binding-without-api", "warning", path, message)]


def _target(
    shot: Shot, path: str, holder: Usd.Prim, targets: list[Any], findings: list[Finding]
) -> tuple[str, list[Finding]]:
    if not targets:
        return "", findings
    if len(targets) > 1:
        message = (
            f"skel:animationSource on {holder.GetPath()} has {len(targets)} targets; the first plays, {targets[0]}"
        )
        findings.append(Finding("double-source", "warning", path, message))
    prim = shot.stage.GetPrimAtPath(targets[0])
    if not prim:
        message = f"animation {targets[0]} does not exist; the rest pose plays"
        findings.append(Finding("dangling-source", "warning", path, message))
        return "", findings
    if not prim.IsA(UsdSkel.Animation):
        findings.append(
            Finding(
                "dangling-source", "warning", path, f"animation {targets[0]} is no SkelAnimation; the rest pose plays"
            )
        )
        return "", findings
    return str(targets[0]), findings


def animation_findings(shot: Shot, animation: str, path: str, joints: tuple[str, ...]) -> list[Finding]:
    """What is wrong with an animation for a skeleton; codes ``unplayable-*`` mean that UsdSkel plays the rest pose."""
    prim = shot.stage.GetPrimAtPath(animation)
    skel_animation = UsdSkel.Animation(prim)
    own = [str(joint) for joint in skel_animation.GetJointsAttr().Get() or []]
    findings: list[Finding] = []
    if not own:
        return [Finding("unplayable-empty", "warning", path, f"{animation} has no joints; the rest pose plays")]
    foreign = tuple(joint for joint in own if joint not in joints)
    if foreign:
        named = ", ".join(foreign)
        message = f"{animation} has {len(foreign)} joints the skeleton lacks: {named}{_prefix_hint(foreign, joints)}"
        findings.append(Finding("foreign-joints", "warning", path, message, foreign))
    missing = tuple(joint for joint in joints if joint not in own)
    if missing and len(foreign) < len(own):
        message = (
            f"{animation} lacks {len(missing)} of {len(joints)} joints; they are at rest: {', '.join(missing[:6])}"
        )
        findings.append(Finding("missing-joints", "info", path, message, missing))
    twice = [joint for joint, count in Counter(own).items() if count > 1]
    if twice:
        findings.append(
            Finding("duplicate-joint", "warning", path, f"{animation} lists joint {twice[0]!r} twice", tuple(twice))
        )
    return findings + _channel_findings(prim, path, len(own))


def _prefix_hint(foreign: tuple[str, ...], joints: tuple[str, ...]) -> str:
    for joint in foreign:
        for known in joints:
            if joint.endswith("/" + known):
                return f"; strip the prefix {joint[: -len(known)]!r} to match"
            if known.endswith("/" + joint):
                return f"; add the prefix {known[: -len(joint)]!r} to match"
    return ""


def _channel_findings(prim: Usd.Prim, path: str, count: int) -> list[Finding]:
    findings: list[Finding] = []
    for name in CHANNELS:
        attribute = prim.GetAttribute(name)
        if not attribute or not attribute.HasAuthoredValue():
            message = (
                f"{prim.GetPath()}.{name} is not authored, so UsdSkel plays the rest pose; author all three channels"
            )
            findings.append(Finding("unplayable-channel", "warning", path, message))
            continue
        authored = {str(spec.typeName) for spec in attribute.GetPropertyStack(Usd.TimeCode.EarliestTime())}
        if authored - {SCHEMA_TYPES[name]}:
            message = (
                f"{prim.GetPath()}.{name} is {', '.join(sorted(authored))}, not {SCHEMA_TYPES[name]}, so UsdSkel plays "
                "the rest pose; re-author it in the schema type"
            )
            findings.append(Finding("unplayable-type", "warning", path, message))
            continue
        times = attribute.GetTimeSamples() or [Usd.TimeCode.Default()]
        findings += _value_findings(attribute, path, count, times)
    return findings


def _value_findings(attribute: Usd.Attribute, path: str, count: int, times: list[Any]) -> list[Finding]:
    wrong: list[tuple[float, int]] = []
    bad: dict[str, list[float]] = {}
    long: list[float] = []
    prim = attribute.GetPrim()
    joints = [str(joint) for joint in UsdSkel.Animation(prim).GetJointsAttr().Get()]
    for time in times:
        values = np.asarray(attribute.Get(time), dtype=np.float64)
        code = 0.0 if isinstance(time, Usd.TimeCode) else float(time)
        if len(values) != count:
            wrong.append((code, len(values)))
            continue
        finite = np.isfinite(values).all(axis=-1)
        for joint in np.flatnonzero(~finite):
            bad.setdefault(joints[joint], []).append(code)
        if (
            attribute.GetName() == "rotations"
            and np.abs(np.linalg.norm(values[finite], axis=-1) - 1).max(initial=0) > UNIT
        ):
            long.append(code)
    findings = []
    if wrong:
        message = (
            f"{attribute.GetPath()} has {wrong[0][1]} values for {count} joints at {wrong[0][0]:g}, so UsdSkel plays "
            "the rest pose there; re-export it whole"
        )
        findings.append(Finding("unplayable-length", "warning", path, message, (), tuple(code for code, _ in wrong)))
    for name, codes in bad.items():
        where = ", ".join(f"{code:g}" for code in codes)
        message = f"joint {name!r} has NaN or infinite values in {attribute.GetPath()} at {where}"
        findings.append(Finding("not-finite-samples", "warning", path, message, (name,), tuple(codes)))
    if long:
        message = f"{attribute.GetPath()} holds quaternions that are not unit; they are normalised"
        findings.append(Finding("quaternions-not-unit", "warning", path, message, (), tuple(long)))
    return findings


def sample_times(shot: Shot, animation: str) -> FloatArray:
    """(N,) stage time codes at which any channel of a SkelAnimation has a sample, rising."""
    prim = shot.stage.GetPrimAtPath(animation)
    times = {time for name in CHANNELS for time in prim.GetAttribute(name).GetTimeSamples()}
    return np.array(sorted(times), dtype=np.float64)
