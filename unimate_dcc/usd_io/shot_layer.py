"""The small text layer that lays the newest take of each character over the untouched shot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from pxr import Sdf

from unimate_dcc.errors import ConflictError
from unimate_dcc.usd_io.export import export
from unimate_dcc.usd_io.stage import StageInfo
from unimate_dcc.usd_io.versions import sync

WAIT_SECONDS = 30.0


@contextmanager
def shot_layer_update(path: Path, shot: Path, info: StageInfo, character: str, take: Path) -> Iterator[None]:
    """Point the shot layer at a take that is published inside the ``with`` block; other characters keep theirs.

    The new layer is written before and takes its place after the block, under a lock, so that a full disk is noticed
    before anything is visible.

    Raises:
        ConflictError: somebody held the lock for half a minute.
        TargetError, TemporaryError: the disk said no.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with FileLock(str(path.with_name(f".{path.name}.lock")), timeout=WAIT_SECONDS):
            try:
                export(_rewritten(path, shot, info, character, take), part, "usda")
                sync(part)
                yield
                os.replace(part, path)
            finally:
                part.unlink(missing_ok=True)
    except Timeout as error:
        raise ConflictError(str(path), "is locked by another publish; try again") from error


def _rewritten(path: Path, shot: Path, info: StageInfo, character: str, take: Path) -> Sdf.Layer:
    takes = _takes(path)
    takes[character] = _relative(take, path.parent)
    layer = Sdf.Layer.CreateAnonymous("shot.usda")
    describe_stage(layer, info)
    layer.subLayerPaths = [*(takes[name] for name in sorted(takes)), _relative(shot, path.parent)]
    data = dict(layer.customLayerData)
    data["unimate"] = {"takes": takes}
    layer.customLayerData = data
    return layer


def describe_stage(layer: Sdf.Layer, info: StageInfo) -> None:
    """Units, axis, rates, range and default prim of the shot, which every root layer of ours repeats."""
    root = layer.pseudoRoot
    root.SetInfo("upAxis", info.up_axis)
    root.SetInfo("metersPerUnit", info.metres_per_unit)
    layer.timeCodesPerSecond = info.time_codes_per_second
    layer.framesPerSecond = info.frames_per_second
    if info.range is not None:
        layer.startTimeCode, layer.endTimeCode = info.range
    if info.default_prim:
        layer.defaultPrim = info.default_prim.lstrip("/")


def _takes(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    layer = Sdf.Layer.OpenAsAnonymous(str(path))
    held = layer.customLayerData.get("unimate", {})
    return {str(name): str(take) for name, take in dict(held.get("takes", {})).items()}


def _relative(path: Path, start: Path) -> str:
    relative = Path(os.path.relpath(path.resolve(), start.resolve())).as_posix()
    return relative if relative.startswith(".") else f"./{relative}"
