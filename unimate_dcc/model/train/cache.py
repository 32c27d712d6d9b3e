"""The training set on disk: one folder of flat arrays that are mapped, not read, and a hash of their numbers.

set.json          rigs and clips, one row each; where their numbers lie in the arrays; the hash
quaternions.npy   (N, 4) int16, wxyz times 32767: rotations of all clips, frame by frame, joint by joint
roots.npy         (F, 3) float32 root positions
positions.npy     (K, 3) float64 rest positions of all rigs
parents.npy       (K,) int16 parents of all rigs
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unimate_dcc.errors import InputError
from unimate_dcc.rig.facing import FacingPair
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import rest_offsets
from unimate_dcc.skeleton import FloatArray, IntArray, matrix_quaternions, quaternion_matrices

VERSION = 1
UNIT = 32767
"""A quaternion's component 1; what is lost is below 0.004 degrees."""
SYNTHETIC = "synthetic/"
"""Where the files of scripted creatures would lie."""
ARRAYS = ("quaternions", "roots", "positions", "parents")


class CacheError(InputError):
    """A folder that is no training set, or one that was damaged."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; make it with: unimate-dcc dataset build"


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

    @cached_property
    def offsets(self) -> FloatArray:
        """(K, 3) canonical rest offsets to the parent; the root's is its position."""
        return rest_offsets(self.positions, self.parents)

    @property
    def synthetic(self) -> bool:
        """Whether a script made it."""
        return self.file.startswith(SYNTHETIC)

    @property
    def tree(self) -> str:
        """The same for rigs with the same tree, however long their bones: 16 hexadecimal digits."""
        return hashlib.sha256(np.asarray(self.parents, np.int64).tobytes()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class StoredMotion:
    """A motion where it lies: (T, K, 4) int16 quaternions and (T, 3) float32 root positions."""

    quaternions: NDArray[np.int16]
    root: NDArray[np.float32]

    def read(self) -> RigMotion:
        """The motion as matrices."""
        unit = self.quaternions.astype(np.float64)
        unit /= np.linalg.norm(unit, axis=-1, keepdims=True)
        return RigMotion(quaternion_matrices(unit), self.root.astype(np.float64))


@dataclass(frozen=True, eq=False)
class TrainingClip:
    """A motion of one rig with its captions.

    Attributes:
        rig: Index of the rig.
        name: As the source says.
        stored: In memory or on disk.
        captions: Wordings, the most specific one first.
        loop: The last pose leads back to the first.
        travels: The root leaves its place.
    """

    rig: int
    name: str
    stored: RigMotion | StoredMotion
    captions: tuple[str, ...]
    loop: bool
    travels: bool

    @property
    def motion(self) -> RigMotion:
        """The motion; read anew each time where it lies on disk."""
        return self.stored if isinstance(self.stored, RigMotion) else self.stored.read()


def save(folder: Path, rigs: list[TrainingRig], clips: list[TrainingClip]) -> str:
    """Write the set into a new or empty folder; returns its hash, the same for the same set."""
    motions = [clip.motion for clip in clips]
    arrays: dict[str, NDArray[Any]] = {
        "quaternions": _joined([_packed(motion.rotations) for motion in motions], (0, 4), np.int16),
        "roots": _joined([motion.root for motion in motions], (0, 3), np.float32),
        "positions": _joined([rig.positions for rig in rigs], (0, 3), np.float64),
        "parents": _joined([rig.parents for rig in rigs], (0,), np.int16),
    }
    head: dict[str, Any] = {
        "schema": "unimate-training-set",
        "schemaVersion": VERSION,
        "rigs": [_rig_row(rig) for rig in rigs],
        "clips": [
            {"rig": clip.rig, "name": clip.name, "frames": len(motion.root), "captions": clip.captions,
             "loop": clip.loop, "travels": clip.travels}
            for clip, motion in zip(clips, motions, strict=True)
        ],
    }  # fmt: skip
    head["hash"] = _hash(head, arrays)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    (folder / "set.json").write_text(json.dumps(head, indent=0), encoding="utf-8")
    return str(head["hash"])


def load(folder: Path) -> tuple[list[TrainingRig], list[TrainingClip], str]:
    """Rigs, clips and the hash of the set.

    Raises:
        CacheError: no set, another version, or numbers that do not give the hash.
    """
    try:
        head = json.loads((folder / "set.json").read_text(encoding="utf-8"))
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS}
    except (OSError, ValueError) as error:
        raise CacheError(str(folder), f"cannot be read as a training set: {error}") from error
    if head.get("schemaVersion") != VERSION:
        raise CacheError(str(folder), f"is version {head.get('schemaVersion')}, this program reads {VERSION}")
    digest = head.pop("hash", "")
    if _hash(head, arrays) != digest:
        raise CacheError(str(folder), "its numbers do not give the hash written down")
    return _rigs(head, arrays), _clips(head, arrays), digest


def _rig_row(rig: TrainingRig) -> dict[str, Any]:
    facing = rig.facing and [list(rig.facing.right), list(rig.facing.left), rig.facing.body_axis]
    return {"labels": rig.labels, "facing": facing, "contacts": rig.contacts, "category": rig.category,
            "file": rig.file, "held_out": rig.held_out}  # fmt: skip


def _packed(rotations: FloatArray) -> NDArray[np.int16]:
    """(T * K, 4) int16 quaternions."""
    return np.round(matrix_quaternions(rotations).reshape(-1, 4) * UNIT).astype(np.int16)


def _joined(parts: list[Any], empty: tuple[int, ...], kind: type) -> NDArray[Any]:
    return np.concatenate(parts).astype(kind) if parts else np.zeros(empty, kind)


def _hash(head: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for name in ARRAYS:
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _rigs(head: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> list[TrainingRig]:
    found, start = [], 0
    for row in head["rigs"]:
        end = start + len(row["labels"])
        facing = row["facing"] and FacingPair(tuple(row["facing"][0]), tuple(row["facing"][1]), row["facing"][2])
        rig = TrainingRig(
            positions=np.array(arrays["positions"][start:end]),
            parents=arrays["parents"][start:end].astype(np.int64),
            labels=tuple(row["labels"]),
            facing=facing or None,
            contacts=tuple(row["contacts"]),
            category=row["category"],
            file=row["file"],
            held_out=row["held_out"],
        )
        found.append(rig)
        start = end
    return found


def _clips(head: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> list[TrainingClip]:
    found, frame, joint = [], 0, 0
    for row in head["clips"]:
        frames, joints = row["frames"], len(head["rigs"][row["rig"]]["labels"])
        turned = arrays["quaternions"][joint : joint + frames * joints].reshape(frames, joints, 4)
        stored = StoredMotion(turned, arrays["roots"][frame : frame + frames])
        captions = tuple(row["captions"])
        found.append(TrainingClip(row["rig"], row["name"], stored, captions, row["loop"], row["travels"]))
        frame, joint = frame + frames, joint + frames * joints
    return found
