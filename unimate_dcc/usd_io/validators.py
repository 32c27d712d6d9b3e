"""Our checks of skeletons and animations, every sample, inside UsdValidation and on their own."""

from __future__ import annotations

from collections.abc import Sequence

from pxr import Usd, UsdSkel, UsdValidation

from unimate_dcc.usd_io.animation import animation_findings
from unimate_dcc.usd_io.find import find_characters
from unimate_dcc.usd_io.finding import Finding, Severity
from unimate_dcc.usd_io.provenance import read_provenance
from unimate_dcc.usd_io.stage import Shot

ERRORS = ("unplayable-channel", "unplayable-type", "unplayable-length", "not-finite-samples")
"""Findings that a check fails on though a stage with them opens."""


def check_stage(shot: Shot, *, strict: bool = False, commercial: bool = False) -> tuple[Finding, ...]:
    """Everything that is wrong with a stage's skeletons and animations.

    Args:
        shot: The open shot.
        strict: Warnings count as errors.
        commercial: Takes made with weights that forbid commercial use are errors.

    Returns:
        Findings, worst first; the check fails when one is an ``error``.
    """
    found = [*shot.findings, *_skeletons(shot), *_animations(shot), *_standard(shot)]
    if commercial:
        found += _licences(shot)
    unique = list(dict.fromkeys(found))
    judged = [_judged(finding, strict) for finding in unique if finding.code != "usd-diagnostic"]
    order = {"error": 0, "warning": 1, "info": 2}
    return tuple(sorted(judged, key=lambda finding: (order[finding.severity], finding.prim, finding.code)))


def _judged(finding: Finding, strict: bool) -> Finding:
    wrong = finding.code in ERRORS or (strict and finding.severity == "warning")
    if not wrong or finding.severity == "error":
        return finding
    return Finding(finding.code, "error", finding.prim, finding.message, finding.joints, finding.frames)


def _skeletons(shot: Shot) -> list[Finding]:
    return [finding for character in find_characters(shot) for finding in character.findings]


def _animations(shot: Shot) -> list[Finding]:
    """Animations nothing is bound to, against their own joints."""
    played = {character.animation for character in find_characters(shot)}
    found: list[Finding] = []
    for prim in Usd.PrimRange.Stage(shot.stage, Usd.TraverseInstanceProxies()):
        path = str(prim.GetPath())
        if prim.IsA(UsdSkel.Animation) and path not in played:
            joints = tuple(str(joint) for joint in UsdSkel.Animation(prim).GetJointsAttr().Get() or [])
            found += [item for item in animation_findings(shot, path, path, joints) if item.code != "unplayable-empty"]
    return found


def _standard(shot: Shot) -> list[Finding]:
    """What USD's own validators say."""
    registry = UsdValidation.ValidationRegistry()
    validators = registry.GetOrLoadAllValidators()
    context = UsdValidation.ValidationContext(validators)
    found = []
    for error in context.Validate(shot.stage):
        severity: Severity = "error" if error.GetType() == UsdValidation.ValidationErrorType.Error else "warning"
        sites = error.GetSites()
        place = str(sites[0].GetPrim().GetPath()) if sites and sites[0].IsPrim() else "/"
        message = " ".join(error.GetMessage().split())
        found.append(Finding(f"usd:{error.GetName()}", severity, place, message))
    return found


def _licences(shot: Shot) -> list[Finding]:
    found = []
    for layer in shot.stage.GetUsedLayers():
        block = read_provenance(layer)
        weights = (block or {}).get("weights", {})
        if weights and not weights.get("commercial", False):
            message = f"made with weights {weights.get('name')} under {weights.get('licence')}: not for commercial use"
            found.append(Finding("non-commercial", "error", layer.identifier, message))
    return found


def failed(findings: Sequence[Finding]) -> bool:
    """Whether a check with these findings fails."""
    return any(finding.severity == "error" for finding in findings)
