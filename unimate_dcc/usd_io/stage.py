"""Open a shot to read it; nothing here ever writes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pxr import Sdf, Tf, Usd, UsdGeom, UsdUtils

from unimate_dcc.errors import BadRequestError, StageOpenError
from unimate_dcc.usd_io.finding import Finding

MISSING = re.compile(r"@([^@]+)@")


@dataclass(frozen=True)
class LayerInfo:
    """A layer the stage was composed from.

    Attributes:
        identifier: As USD names it.
        path: File on disk, or nothing for anonymous layers.
        sha256: Of the file's bytes, or nothing.
    """

    identifier: str
    path: str
    sha256: str


@dataclass(frozen=True)
class StageInfo:
    """Facts of the composed stage.

    Attributes:
        path: Root layer as given.
        up_axis: ``Y`` or ``Z``.
        metres_per_unit: Length of a stage unit.
        time_codes_per_second: Rate of the time codes.
        frames_per_second: Rate for display.
        start_time_code: First authored time code, or None.
        end_time_code: Last authored time code, or None.
        is_package: The root layer is a usdz package.
        default_prim: Path, or nothing.
    """

    path: str
    up_axis: str
    metres_per_unit: float
    time_codes_per_second: float
    frames_per_second: float
    start_time_code: float | None
    end_time_code: float | None
    is_package: bool
    default_prim: str

    @property
    def range(self) -> tuple[float, float] | None:
        """First and last authored time code; None when the stage has no range."""
        if self.start_time_code is None or self.end_time_code is None:
            return None
        return self.start_time_code, self.end_time_code


@dataclass(frozen=True, eq=False)
class Shot:
    """An open stage and what was noticed while it opened.

    ``keep`` holds layers that nothing else keeps alive, and the delegate that keeps USD's warnings off the terminal.
    """

    stage: Usd.Stage
    info: StageInfo
    findings: tuple[Finding, ...]
    keep: tuple[object, ...] = field(default=())

    def layers(self) -> tuple[LayerInfo, ...]:
        """Every layer in use, with the digest of its file; sorted by identifier."""
        used = sorted(self.stage.GetUsedLayers(), key=lambda layer: layer.identifier)
        return tuple(_layer_info(layer) for layer in used if not layer.anonymous)


def open_shot(
    path: str | Path, *, session_layer: str | None = None, mute: Sequence[str] = (), mask: Sequence[str] = ()
) -> Shot:
    """Compose a stage.

    Args:
        path: Root layer: usda, usdc, usd or usdz.
        session_layer: A layer laid over everything, as ``usdview --sessionLayer``.
        mute: Regular expressions; layers whose identifier they find are muted.
        mask: Prim paths outside which nothing is populated.

    Raises:
        StageOpenError: missing, truncated, or no USD; the message is one line.
        BadRequestError: a ``mute`` expression that is none.
    """
    name = str(path)
    if not Path(name).is_file():
        raise StageOpenError(name, "no such file")
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    session, kept = _session(session_layer)
    try:
        root = Sdf.Layer.FindOrOpen(name)
        if root is None:
            raise StageOpenError(name, "is no USD layer")
        if mask:
            masked = Usd.StagePopulationMask([Sdf.Path(prim) for prim in mask])
            stage = Usd.Stage.OpenMasked(root, session, masked)
        else:
            stage = Usd.Stage.Open(root, session)
        _mute(stage, mute)
    except Tf.ErrorException as error:
        raise StageOpenError(name, _one_line(error)) from error
    findings = (*_composition(stage), *_diagnostics(delegate, name))
    return Shot(stage, _info(stage, name), findings, (*kept, delegate))


def missing_assets(shot: Shot) -> tuple[str, ...]:
    """Assets that composition asked for and did not find."""
    found = [
        match
        for finding in shot.findings
        if finding.code == "composition"
        for match in MISSING.findall(finding.message)
    ]
    return tuple(dict.fromkeys(found))


def _session(path: str | None) -> tuple[Sdf.Layer, tuple[Sdf.Layer, ...]]:
    session = Sdf.Layer.CreateAnonymous("session.usda")
    if path is None:
        return session, ()
    if not Path(path).is_file():
        raise StageOpenError(path, "no such session layer")
    try:
        layer = Sdf.Layer.FindOrOpen(path)
    except Tf.ErrorException as error:
        raise StageOpenError(path, _one_line(error)) from error
    session.subLayerPaths.append(layer.identifier)
    return session, (layer,)


def _mute(stage: Usd.Stage, patterns: Sequence[str]) -> None:
    for pattern in patterns:
        try:
            expression = re.compile(pattern)
        except re.error as error:
            raise BadRequestError("mute", pattern, f"is no regular expression: {error}") from error
        root = stage.GetRootLayer()
        for layer in stage.GetUsedLayers():
            if layer != root and not layer.anonymous and expression.search(layer.identifier):
                stage.MuteLayer(layer.identifier)


def _composition(stage: Usd.Stage) -> list[Finding]:
    lines = dict.fromkeys(" ".join(str(error).split()) for error in stage.GetCompositionErrors())
    return [Finding("composition", "error", "/", line) for line in lines]


def _diagnostics(delegate: UsdUtils.CoalescingDiagnosticDelegate, place: str) -> list[Finding]:
    lines = [" ".join(item.commentary.split()) for item in delegate.TakeUncoalescedDiagnostics()]
    return [Finding("usd-diagnostic", "info", place, line) for line in dict.fromkeys(lines)]


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    said = re.search(r" : '(.*)", text)
    where = re.search(r":(\d+):\d+: parse error", text)
    if where:
        return f"is damaged at line {where[1]}: it does not parse; copy or export it again"
    return f"cannot be opened: {(said[1] if said else text)[:200]}"


def _info(stage: Usd.Stage, name: str) -> StageInfo:
    authored = stage.HasAuthoredTimeCodeRange()
    default = stage.GetDefaultPrim()
    return StageInfo(
        path=name,
        up_axis=str(UsdGeom.GetStageUpAxis(stage)),
        metres_per_unit=UsdGeom.GetStageMetersPerUnit(stage),
        time_codes_per_second=stage.GetTimeCodesPerSecond(),
        frames_per_second=stage.GetFramesPerSecond(),
        start_time_code=stage.GetStartTimeCode() if authored else None,
        end_time_code=stage.GetEndTimeCode() if authored else None,
        is_package=stage.GetRootLayer().GetFileFormat().IsPackage(),
        default_prim=str(default.GetPath()) if default else "",
    )


def _layer_info(layer: Sdf.Layer) -> LayerInfo:
    path = layer.realPath.split("[", 1)[0]
    digest = ""
    if path and Path(path).is_file():
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return LayerInfo(layer.identifier, path, digest)
