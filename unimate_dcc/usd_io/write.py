"""Write a take: a complete SkelAnimation in a layer of its own, verified, versioned, published at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Sdf, Usd

from unimate_dcc.clip import Clip
from unimate_dcc.errors import ConflictError, TargetError
from unimate_dcc.skeleton import BoolArray, FloatArray
from unimate_dcc.usd_io.animation import CHANNELS
from unimate_dcc.usd_io.author import (
    AnimationData,
    author_animation,
    author_binding,
    copy_blend_shapes,
    sign_continuous,
)
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.convert import stage_to_world
from unimate_dcc.usd_io.export import export
from unimate_dcc.usd_io.finding import Finding
from unimate_dcc.usd_io.meshes import read_meshes
from unimate_dcc.usd_io.placement import Placement, read_placement
from unimate_dcc.usd_io.provenance import write_provenance
from unimate_dcc.usd_io.read import LocalSamples, local_from_world, read_local, read_sample_times
from unimate_dcc.usd_io.shot_layer import describe_stage, shot_layer_update
from unimate_dcc.usd_io.stage import Shot
from unimate_dcc.usd_io.verify import CHECKED_FRAMES, check_joints, check_points, compose, hidden_by, playing_animation
from unimate_dcc.usd_io.versions import (
    Target,
    claim_by_file,
    partial_folder,
    publish_file,
    publish_folder,
)
from unimate_dcc.version import VERSION

SCOPE = "unimate"


@dataclass(frozen=True)
class Take:
    """A published take.

    Attributes:
        layer: The take.
        shot_layer: The layer that lays it over the shot; None for a single file.
        version: Version number; 0 for a single file.
        animation: Path of its SkelAnimation.
        digest: sha256 of the numbers written: joints, times and channels.
        findings: What was noticed while writing.
        worst_miss: Largest distance between UsdSkel's joints and the wanted ones, as share of the size.
    """

    layer: Path
    shot_layer: Path | None
    version: int
    animation: str
    digest: str
    findings: tuple[Finding, ...]
    worst_miss: float


@dataclass(frozen=True, eq=False)
class Motion:
    """What to write for one character.

    Attributes:
        clip: All joints in the world at ``time_codes``.
        time_codes: (T,) rising stage time codes.
        driven: (J,) or (T, J) what takes the clip's values; the rest keeps the source's, bit for bit.
        placement: Where the skeleton stands at ``time_codes``, or is held to stand.
        channels: (J,) joints of which a channel takes the clip's values; a channel that is not there takes all.
        source: Translations (T, J, 3), rotations (T, J, 4) and scales (T, J, 3), joint to parent, to keep; None for
            those of the bound animation.
    """

    clip: Clip
    time_codes: FloatArray
    driven: BoolArray
    placement: Placement
    channels: Mapping[str, BoolArray] = field(default_factory=dict)
    source: LocalSamples | None = None

    def takes(self, channel: str) -> BoolArray:
        """(T, J) which samples of a channel take the clip's values."""
        driven = np.broadcast_to(self.driven, self.clip.translations.shape[:2])
        return driven & self.channels[channel] if channel in self.channels else driven

    def placement_is_real(self, shot: Shot, character: Character) -> bool:
        """Whether the skeleton stands where the stage puts it, rather than being held still."""
        real = read_placement(shot, character.prim, self.time_codes)
        return bool(np.allclose(real.rigid, self.placement.rigid))


def write_take(
    shot: Shot,
    character: Character,
    motion: Motion,
    *,
    target: Target,
    provenance: Mapping[str, Any],
    positions: FloatArray,
    uninstance: bool = False,
    claim: Callable[[Path], int] = claim_by_file,
    may_publish: Callable[[], bool] = lambda: True,
    add_files: Callable[[Path], None] | None = None,
) -> Take:
    """Author, verify and publish one take.

    Args:
        shot: The shot, never written to.
        character: Whose take.
        motion: The samples.
        target: Where it goes.
        provenance: The request and everything needed to make the take again.
        positions: (T, J, 3) metres where UsdSkel must put the joints.
        uninstance: Break the instance that hides the take.
        claim: Gives the version number; the farm passes its own.
        may_publish: Asked right before publishing; the farm checks its fencing token.
        add_files: Called with the folder before it is published, for previews.

    Raises:
        TargetError, TemporaryError: the place cannot be written.
        CheckFailedError: UsdSkel does not play what was asked for; nothing is left behind.
        ConflictError: ``may_publish`` said no.
    """
    animation = animation_path(character)
    layer = Sdf.Layer.CreateAnonymous("take.usda")
    describe_stage(layer, shot.info)
    _cover_range(layer, motion.time_codes)
    data, findings = complete(shot, character, motion)
    author_animation(layer, animation, data)
    if character.animation:
        copy_blend_shapes(shot.stage, character.animation, layer, animation)
    instance = character.instance_root
    bound_on = character.prim if uninstance or not instance else instance
    author_binding(layer, bound_on, animation, uninstance=instance if uninstance else "")
    if not layer.defaultPrim:
        layer.defaultPrim = Sdf.Path(character.prim).GetPrefixes()[0].name
    digest = numeric_digest(data)
    write_provenance(layer, {**provenance, "contentSha256": digest}, VERSION)
    worst = _verified(shot, character, layer, animation, motion, positions)
    publish = _publish_one if target.file is not None else _publish_version
    path, shot_layer, version = publish(shot, character, layer, target, provenance, claim, may_publish, add_files)
    return Take(path, shot_layer, version, animation, digest, tuple(findings), worst)


def animation_path(character: Character) -> str:
    """Where the take's SkelAnimation lives: in a scope beside the skeleton, or beside the instance."""
    owner = Sdf.Path(character.instance_root or character.prim)
    return str(owner.GetParentPath().AppendChild(SCOPE).AppendChild(f"{owner.name}_anim"))


def character_name(character: Character) -> str:
    """A name for folders: the path of the SkelRoot, instance or skeleton below the stage's top prim."""
    path = character.instance_root or character.skel_root or character.prim
    parts = [part for part in path.split("/") if part]
    return "_".join(parts[1:] or parts)


def complete(shot: Shot, character: Character, motion: Motion) -> tuple[AnimationData, list[Finding]]:
    """All samples of the take: the clip's, and outside its span those of the bound animation."""
    times = motion.time_codes
    source = motion.source or read_local(shot, character, times, character.animation)
    made = local_from_world(motion.clip, motion.placement)
    parts = [
        np.where(motion.takes(name)[..., None], own, theirs)
        for name, own, theirs in zip(CHANNELS, made, source, strict=True)
    ]
    free = motion.takes("rotations")
    outer = read_sample_times(shot, character)
    outer = outer[(outer < times[0]) | (outer > times[-1])]
    every = np.concatenate((times, outer))
    order = np.argsort(every, kind="stable")
    if len(outer):
        more = read_local(shot, character, outer, character.animation)
        parts = [np.concatenate(pair)[order] for pair in zip(parts, more, strict=True)]
        free = np.concatenate((free, np.zeros((len(outer), len(character.joints)), dtype=bool)))[order]
    translations, rotations, scales = parts
    data = AnimationData(character.joints, every[order], translations, sign_continuous(rotations, free), scales)
    return data, _joins(character, data, times) if len(outer) else []


def numeric_digest(data: AnimationData) -> str:
    """sha256 over the numbers as they are stored, whatever the file's bytes."""
    digest = hashlib.sha256(json.dumps(data.joints).encode())
    kinds = ((data.time_codes, "<f8"), (data.translations, "<f4"), (data.rotations, "<f4"), (data.scales, "<f2"))
    for values, kind in kinds:
        digest.update(np.ascontiguousarray(values, dtype=kind).tobytes())
    return digest.hexdigest()


def _joins(character: Character, data: AnimationData, times: FloatArray) -> list[Finding]:
    found = []
    for name, edge, step in (("start", times[0], -1), ("end", times[-1], 1)):
        index = int(np.searchsorted(data.time_codes, edge))
        other = index + step
        if not 0 <= other < len(data.time_codes):
            continue
        turn = 2 * np.degrees(
            np.arccos(np.clip(np.abs(np.sum(data.rotations[index] * data.rotations[other], -1)), 0, 1))
        )
        moved = np.linalg.norm(data.translations[index] - data.translations[other], axis=-1)
        message = (
            f"join at the {name}: from frame {data.time_codes[other]:g} to {edge:g} joints turn up to "
            f"{turn.max():.1f} deg and move up to {moved.max():.4g} units"
        )
        found.append(Finding(f"join-{name}", "info", character.prim, message, (), (float(edge),)))
    return found


def _cover_range(layer: Sdf.Layer, times: FloatArray) -> None:
    if not layer.HasStartTimeCode():
        layer.startTimeCode, layer.endTimeCode = float(times[0]), float(times[-1])


def _verified(
    shot: Shot, character: Character, layer: Sdf.Layer, animation: str, motion: Motion, positions: FloatArray
) -> float:
    stage = compose(shot, layer)
    playing = playing_animation(stage, character.prim)
    if playing != animation:
        raise TargetError(character.prim, hidden_by(stage, character, playing))
    worst = check_joints(stage, shot, character.prim, motion.time_codes, positions)
    _check_skin(stage, shot, character, motion)
    return worst


def _check_skin(stage: Usd.Stage, shot: Shot, character: Character, motion: Motion) -> None:
    """A few frames of every mesh against UsdSkel's own bake; meshes inside instances cannot be baked."""
    if character.instance_root or not motion.placement_is_real(shot, character):
        return
    chosen = np.unique(np.round(np.linspace(0, len(motion.time_codes) - 1, CHECKED_FRAMES)).astype(int))
    few = motion.clip.at(chosen)
    back = np.linalg.inv(stage_to_world(shot.info.up_axis, shot.info.metres_per_unit))
    meshes = read_meshes(shot, character)
    ours = {mesh.mesh.prim: mesh.posed_in_world(few) @ back.T for mesh in meshes if mesh.mesh.blends_linearly}
    check_points(stage, character.prim, motion.time_codes[chosen], ours)


def _publish_one(
    shot: Shot, character: Character, layer: Sdf.Layer, target: Target, provenance: Mapping[str, Any],
    claim: Callable[[Path], int], may_publish: Callable[[], bool], add_files: Callable[[Path], None] | None,
) -> tuple[Path, None, int]:  # fmt: skip
    if target.file is None:
        raise TargetError(str(target.root), "no file was named")
    with partial_folder(target.file.parent) as folder:
        part = folder / target.file.name
        export(layer, part, "usda" if part.suffix == ".usda" else "usdc")
        _may(may_publish, target.file)
        publish_file(part, target.file)
    return target.file, None, 0


def _publish_version(
    shot: Shot, character: Character, layer: Sdf.Layer, target: Target, provenance: Mapping[str, Any],
    claim: Callable[[Path], int], may_publish: Callable[[], bool], add_files: Callable[[Path], None] | None,
) -> tuple[Path, Path, int]:  # fmt: skip
    name, stem = character_name(character), Path(shot.info.path).stem
    folder = target.root / name
    with partial_folder(folder) as partial:
        version = claim(folder)
        file = f"{stem}_{name}_anim_unimate_v{version:03d}.usd"
        export(layer, partial / file, "usdc")
        manifest = {**provenance, "version": version, "layer": file, "character": character.prim}
        (partial / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")
        if add_files is not None:
            add_files(partial)
        final = folder / f"v{version:03d}"
        shot_layer = target.root / f"{stem}_anim_unimate.usda"
        with shot_layer_update(shot_layer, Path(shot.info.path), shot.info, name, final / file):
            _may(may_publish, final)
            publish_folder(partial, final)
    return final / file, shot_layer, version


def _may(may_publish: Callable[[], bool], place: Path) -> None:
    if not may_publish():
        raise ConflictError(str(place), "publishing was refused: another attempt holds this take")
