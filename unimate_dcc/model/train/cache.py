"""The training set as one file of arrays: rigs, motions, captions, and a hash of the numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from unimate_dcc.errors import InputError
from unimate_dcc.model.features import from_six_d, six_d
from unimate_dcc.model.train.captions import is_gait, wordings
from unimate_dcc.model.train.curate import Curated, RawClip, curate
from unimate_dcc.model.train.cycles import is_loop, travelling
from unimate_dcc.rig.facing import FacingPair
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.skeleton import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class TrainingRig:
    """A canonical rig of the training set.

    Attributes:
        positions: (K, 3) canonical rest positions.
        parents: (K,) parent indices.
        labels: K labels.
        facing: Facing joints, or None.
        contacts: Contact joints.
        category: Morphology.
        file: Source file, relative to the set.
        held_out: Never trained on.
    """

    positions: FloatArray
    parents: IntArray
    labels: tuple[str, ...]
    facing: FacingPair | None
    contacts: tuple[int, ...]
    category: str
    file: str
    held_out: bool


@dataclass(frozen=True, eq=False)
class TrainingClip:
    """A motion of one rig with its captions."""

    rig: int
    name: str
    motion: RigMotion
    captions: tuple[str, ...]
    loop: bool
    travels: bool


def build(source: Path, out: Path) -> list[str]:
    """Curate all files of a manifest folder into ``out`` (npz); returns the report."""
    manifest = json.loads((source / "MANIFEST.json").read_text(encoding="utf-8"))
    split = json.loads((source / "SPLIT.json").read_text(encoding="utf-8"))
    held_out = {row["topology_hash"] for row in split["test"]}
    rigs: list[TrainingRig] = []
    clips: list[TrainingClip] = []
    report: list[str] = []
    for row in manifest["files"]:
        wanted = [clip["gltf_animation_index"] for clip in row["clips"]]
        try:
            curated = curate(source / row["file"], wanted)
        except InputError as error:
            report.append(f"{row['file']}: dropped: {error}")
            continue
        report += [f"{row['file']}: {line}" for line in curated.report]
        if curated.clips:
            rigs.append(_rig(curated, row, held_out))
            clips += _clips(curated, row, len(rigs) - 1)
    save(out, rigs, clips)
    return report


def _rig(curated: Curated, row: dict[str, Any], held_out: set[str]) -> TrainingRig:
    rig = curated.rig
    return TrainingRig(
        positions=rig.positions,
        parents=rig.parents,
        labels=rig.labels,
        facing=rig.facing,
        contacts=tuple(contact.joint for contact in rig.contacts),
        category=row["category"],
        file=row["file"],
        held_out=row["topology_hash"] in held_out,
    )


def _clips(curated: Curated, row: dict[str, Any], number: int) -> list[TrainingClip]:
    by_index = {clip["gltf_animation_index"]: clip for clip in row["clips"]}
    found: list[TrainingClip] = []
    for raw in curated.clips:
        entry = by_index[raw.index]
        found += _versions(curated, raw, entry, number)
    return found


def _versions(curated: Curated, raw: RawClip, entry: dict[str, Any], number: int) -> list[TrainingClip]:
    """The clip as it is, and where it is a gait whose feet tell the speed, the clip that travels."""
    loop = is_loop(curated.rig, raw.motion)
    shift = raw.motion.root[-1] - raw.motion.root[0]
    still = float(np.hypot(shift[0], shift[2])) < 0.1
    texts = wordings(entry["caption"], entry["caption_generic"], still)
    found = [TrainingClip(number, raw.name, raw.motion, texts, loop, not still)]
    moving = travelling(curated.rig, raw.motion) if still and is_gait(entry["caption"]) else None
    if moving is not None:
        texts = wordings(entry["caption"], entry["caption_generic"], False)
        found.append(TrainingClip(number, raw.name, moving, texts, loop, True))
    return found


def save(path: Path, rigs: list[TrainingRig], clips: list[TrainingClip]) -> None:
    """Write the set; the same set gives the same content hash."""
    arrays: dict[str, Any] = {}
    head: dict[str, Any] = {"rigs": [], "clips": []}
    for number, rig in enumerate(rigs):
        arrays[f"rig{number}_positions"] = rig.positions
        arrays[f"rig{number}_parents"] = rig.parents
        facing = rig.facing and [list(rig.facing.right), list(rig.facing.left), rig.facing.body_axis]
        head["rigs"].append(
            {"labels": rig.labels, "facing": facing, "contacts": rig.contacts, "category": rig.category,
             "file": rig.file, "held_out": rig.held_out}
        )  # fmt: skip
    for number, clip in enumerate(clips):
        arrays[f"clip{number}_rotations"] = six_d(clip.motion.rotations).astype(np.float32)
        arrays[f"clip{number}_root"] = clip.motion.root.astype(np.float32)
        head["clips"].append(
            {"rig": clip.rig, "name": clip.name, "captions": clip.captions, "loop": clip.loop, "travels": clip.travels}
        )
    text = json.dumps(head, sort_keys=True)
    np.savez_compressed(path, head=np.frombuffer(text.encode(), np.uint8), **arrays)


def load(path: Path) -> tuple[list[TrainingRig], list[TrainingClip], str]:
    """Rigs, clips and the content hash of the set."""
    with np.load(path, allow_pickle=False) as data:
        digest = hashlib.sha256()
        for key in sorted(data.files):
            digest.update(key.encode())
            digest.update(np.ascontiguousarray(data[key]).tobytes())
        head = json.loads(data["head"].tobytes().decode())
        rigs = [_loaded_rig(data, number, row) for number, row in enumerate(head["rigs"])]
        clips = [
            TrainingClip(
                row["rig"],
                row["name"],
                RigMotion(
                    from_six_d(data[f"clip{number}_rotations"].astype(np.float64)),
                    data[f"clip{number}_root"].astype(np.float64),
                ),
                tuple(row["captions"]),
                row["loop"],
                row["travels"],
            )
            for number, row in enumerate(head["clips"])
        ]
    return rigs, clips, digest.hexdigest()


def _loaded_rig(data: Any, number: int, row: dict[str, Any]) -> TrainingRig:
    facing = row["facing"] and FacingPair(tuple(row["facing"][0]), tuple(row["facing"][1]), row["facing"][2])
    return TrainingRig(
        data[f"rig{number}_positions"],
        data[f"rig{number}_parents"],
        tuple(row["labels"]),
        facing or None,
        tuple(row["contacts"]),
        row["category"],
        row["file"],
        row["held_out"],
    )
