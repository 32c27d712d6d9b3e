"""Make a training set of a studio's own clips: glTF, BVH and UsdSkel stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from unimate_dcc.errors import BadRequestError, TargetError
from unimate_dcc.model.train.dataset import Report, build, read_file
from unimate_dcc.model.train.manifest import MANIFEST, Entry, read_manifest
from unimate_dcc.model.train.source import FPS, Source, SourceClip, SourceError
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.find import find_characters
from unimate_dcc.usd_io.read import read_clip, read_rest, read_sample_times
from unimate_dcc.usd_io.stage import Shot, open_shot

USD = (".usd", ".usda", ".usdc", ".usdz")
SUFFIXES = (".gltf", ".glb", ".bvh", ".fbx", *USD)


def build_dataset(sources: Sequence[Path], out: Path, *, unlicensed: bool = False, synthetic: int = 0) -> Report:
    """Curate files and folders into a training set.

    Args:
        sources: Files, and folders; a folder with a manifest gives its files, licences and captions, any other every
            file of motion below it.
        out: Folder of the set; must not hold one.
        unlicensed: Take files that no manifest gives a licence.
        synthetic: Scripted creatures to add.

    Raises:
        BadRequestError: a source that does not exist.
        TargetError: ``out`` is not empty.
        ManifestError: a manifest that cannot be read.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise TargetError(str(out), "is not an empty folder; name a new one")
    return build(list(_entries(sources)), out, _read, unlicensed=unlicensed, synthetic=synthetic)


def _entries(sources: Sequence[Path]) -> Iterator[Entry]:
    for source in sources:
        if not source.exists():
            raise BadRequestError("source", str(source), "does not exist")
        if (source / MANIFEST).exists():
            yield from read_manifest(source)
        elif source.is_dir():
            found = sorted(path for path in source.rglob("*") if path.suffix.lower() in SUFFIXES)
            if not found:
                raise BadRequestError("source", str(source), f"holds no {', '.join(SUFFIXES)} file")
            yield from (Entry(path, path.relative_to(source).as_posix()) for path in found)
        else:
            yield Entry(source, source.name)


def _read(entry: Entry) -> Iterable[Source]:
    return _read_usd(entry.path) if entry.path.suffix.lower() in USD else read_file(entry)


def _read_usd(path: Path) -> list[Source]:
    """Every skeleton of a stage on which an animation is bound."""
    shot = open_shot(str(path))
    found = [_source(shot, character) for character in find_characters(shot) if character.animation]
    if not found:
        raise SourceError(str(path), "no skeleton with a bound animation")
    return found


def _source(shot: Shot, character: Character) -> Source:
    times = read_sample_times(shot, character)
    if len(times) < 2:
        raise SourceError(f"{shot.info.path} {character.prim}", "its animation has no time samples")
    rate = shot.info.time_codes_per_second
    seconds = np.arange(round((times[-1] - times[0]) / rate * FPS) + 1) / FPS
    codes = np.minimum(times[0] + seconds * rate, times[-1])
    skeleton = read_rest(shot, character, float(times[0]))
    clip = read_clip(shot, character, codes)
    name = character.animation.rsplit("/", 1)[-1]
    return Source(
        place=f"{shot.info.path} {character.prim}",
        names=skeleton.leaf_names,
        parents=tuple(skeleton.parents.tolist()),
        rest=skeleton.rest_world,
        weights=None if skeleton.weighted is None else skeleton.weighted.astype(np.float64),
        clips=(SourceClip(name, 0, clip.world),),
    )
