"""Make a training set: read each source, clean it, find loops and travel, caption it, and say what was dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from unimate_dcc.errors import InputError
from unimate_dcc.model.train import cache
from unimate_dcc.model.train.bvh import read_bvh
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.captions import from_name, is_gait, truthful, wordings
from unimate_dcc.model.train.curate import Curated, RawClip, curate
from unimate_dcc.model.train.cycles import is_loop, travelling, travels
from unimate_dcc.model.train.gltf_source import read_gltf_source
from unimate_dcc.model.train.manifest import Caption, Entry
from unimate_dcc.model.train.source import Source, SourceError
from unimate_dcc.model.train.synthetic.creature import creature
from unimate_dcc.motion.measured import measured
from unimate_dcc.rig.motion import RigMotion

Reader = Callable[[Entry], Iterable[Source]]
"""Sources of one file; UsdSkel's comes from ``pipeline``, which may see USD."""
HELD_OUT_SEED, SYNTHETIC_HELD_OUT = 1_000_000, 20
"""Creatures from this seed on are never trained on."""
NO_FBX = "there is no well-kept FBX reader for Python; convert it to glTF or USD in your DCC"


@dataclass
class Report:
    """What became of every file and clip.

    Attributes:
        files: Files offered.
        rigs: Skeletons kept.
        clips: Clips kept, travelling versions included.
        travelling: Of these, versions whose ground speed was recovered from standing feet.
        synthetic: Scripted creatures among the skeletons.
        skipped: File and reason.
        dropped: File, clip and reason.
        repairs: File and what was changed on its skeleton.
        hash: Of the set's numbers.
    """

    files: int = 0
    rigs: int = 0
    clips: int = 0
    travelling: int = 0
    synthetic: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[tuple[str, str, str]] = field(default_factory=list)
    repairs: list[tuple[str, str]] = field(default_factory=list)
    hash: str = ""

    def lines(self) -> list[str]:
        """Every repair, drop and skip, then the sums."""
        kinds = Counter(reason.split(",")[0].lstrip("0123456789 ") for _, _, reason in self.dropped)
        sums = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        return [
            *(f"{file}: {text}" for file, text in self.repairs),
            *(f"{file}: {clip} dropped: {reason}" for file, clip, reason in self.dropped),
            *(f"{file}: skipped: {reason}" for file, reason in self.skipped),
            f"{self.files} files: {self.rigs} skeletons, {self.clips} clips ({self.travelling} of them with recovered "
            f"travel, {self.synthetic} skeletons synthetic); {len(self.skipped)} files skipped, "
            f"{len(self.dropped)} clips dropped" + (f": {sums}" if sums else ""),
            f"hash {self.hash}",
        ]


def build(entries: Iterable[Entry], out: Path, read: Reader, *, unlicensed: bool = False, synthetic: int = 0) -> Report:
    """Curate files into a training set.

    Args:
        entries: The files, in the order of the set.
        out: Folder of the set.
        read: Reads one file.
        unlicensed: Take files that no manifest gives a licence.
        synthetic: Scripted creatures to add, and ``SYNTHETIC_HELD_OUT`` more that are held out.
    """
    report = Report()
    rigs: list[TrainingRig] = []
    clips: list[TrainingClip] = []
    for entry in entries:
        report.files += 1
        if not entry.licence and not unlicensed:
            report.skipped.append((entry.name, "no licence in a manifest; --allow-unlicensed takes it all the same"))
            continue
        try:
            cleaned = [curate(source) for source in read(entry)]
        except (InputError, OSError) as error:
            report.skipped.append((entry.name, str(error)))
            continue
        for curated in cleaned:
            report.repairs += [(entry.name, line) for line in curated.repairs]
            report.dropped += [(entry.name, *row) for row in curated.dropped]
            if curated.clips:
                rigs.append(_rig(curated, entry))
                for raw in curated.clips:
                    clips += _versions(curated, raw, entry, rigs[-1].category, len(rigs) - 1)
        if not any(curated.clips for curated in cleaned):
            report.skipped.append((entry.name, "no clip of use"))
    report.travelling = len(clips) - len({(clip.rig, clip.name) for clip in clips})
    for seed in (*range(synthetic), *(range(HELD_OUT_SEED, HELD_OUT_SEED + SYNTHETIC_HELD_OUT) if synthetic else ())):
        rig, moves = creature(seed)
        clips += [replace(clip, rig=len(rigs)) for clip in moves]
        rigs.append(replace(rig, held_out=seed >= HELD_OUT_SEED))
        report.synthetic += 1
    report.rigs, report.clips = len(rigs), len(clips)
    report.hash = cache.save(out, rigs, clips)
    return report


def read_file(entry: Entry) -> list[Source]:
    """A glTF, GLB or BVH file.

    Raises:
        SourceError: damaged, or of another format.
    """
    suffix = entry.path.suffix.lower()
    if suffix in (".gltf", ".glb"):
        wanted = None if entry.captions is None else sorted(entry.captions)
        return [read_gltf_source(entry.path, wanted)]
    if suffix == ".bvh":
        return [read_bvh(entry.path)]
    raise SourceError(str(entry.path), NO_FBX if suffix == ".fbx" else "is no glTF, GLB, BVH or USD file")


def _rig(curated: Curated, entry: Entry) -> TrainingRig:
    rig = curated.rig
    return TrainingRig(
        positions=rig.positions,
        parents=rig.parents,
        labels=rig.labels,
        facing=rig.facing,
        contacts=tuple(contact.joint for contact in rig.contacts),
        category=entry.category or rig.category,
        file=entry.name,
        held_out=entry.held_out,
    )


def _versions(curated: Curated, raw: RawClip, entry: Entry, category: str, number: int) -> list[TrainingClip]:
    """The clip as it is, and where it is a gait whose feet tell the speed, the clip that travels."""
    loop = is_loop(curated.rig, raw.motion)
    still = not travels(raw.motion)
    caption = _caption(raw, entry, category)
    moving = travelling(curated.rig, raw.motion) if still and is_gait(caption.specific) else None
    return [
        TrainingClip(number, raw.name, motion, _wordings(curated, motion, caption, in_place), loop, not in_place)
        for motion, in_place in ((raw.motion, still), (moving, False))
        if motion is not None
    ]


def _wordings(curated: Curated, motion: RigMotion, caption: Caption, in_place: bool) -> tuple[str, ...]:
    facts = measured(curated.rig, motion)
    return wordings(truthful(caption.specific, facts), truthful(caption.generic, facts), in_place)


def _caption(raw: RawClip, entry: Entry, category: str) -> Caption:
    if entry.captions is not None:
        return entry.captions[raw.index]
    generic = from_name(raw.name, category.split("_")[0])
    return Caption(from_name(raw.name, entry.species) if entry.species else generic, generic)
