"""Read a BVH file: a hierarchy of joints and one motion, resampled to 30 frames per second."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from unimate_dcc.model.train.source import FPS, Source, SourceClip, SourceError
from unimate_dcc.motion.resample import resample_rotations, resample_vectors
from unimate_dcc.skeleton import FloatArray, forward_kinematics


@dataclass
class _Joint:
    name: str
    parent: int
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    channels: list[str] = field(default_factory=list)


def read_bvh(path: Path) -> Source:
    """The joints, end sites included, and the one motion, named after the file.

    A position channel replaces the joint's offset, as DCC importers read it; rotations apply in the order listed.

    Raises:
        SourceError: damaged; with what is wrong.
    """
    try:
        words = path.read_text(encoding="utf-8", errors="replace").split()
        joints, place = _hierarchy(words)
        values, fps = _frames(words, place, sum(len(joint.channels) for joint in joints))
        rotations, translations = _local(joints, values)
    except (ValueError, IndexError, OSError) as error:
        raise SourceError(str(path), f"cannot be read as BVH: {error}") from error
    parents = np.array([joint.parent for joint in joints])
    rest = _matrices(np.eye(3), np.array([joint.offset for joint in joints], dtype=np.float64))[None]
    seconds = np.arange(round((len(values) - 1) / fps * FPS) + 1) / FPS
    local = _matrices(resample_rotations(rotations, fps, seconds), resample_vectors(translations, fps, seconds))
    return Source(
        place=str(path),
        names=tuple(joint.name for joint in joints),
        parents=tuple(parents.tolist()),
        rest=forward_kinematics(parents, rest)[0],
        weights=None,
        clips=(SourceClip(path.stem, 0, forward_kinematics(parents, local)),),
    )


def _hierarchy(words: list[str]) -> tuple[list[_Joint], int]:
    """Joints, parents first, and where ``MOTION`` stands."""
    if not words or words[0].upper() != "HIERARCHY":
        raise ValueError("it does not begin with HIERARCHY")
    joints: list[_Joint] = []
    open_joints: list[int] = []
    place = 1
    while words[place].upper() != "MOTION":
        word = words[place].upper()
        if word in ("ROOT", "JOINT", "END"):
            above = open_joints[-1] if open_joints else -1
            name = f"{joints[above].name}_end" if word == "END" else words[place + 1]
            joints.append(_Joint(name, above))
            place += 2
        elif word == "{":
            open_joints.append(len(joints) - 1)
            place += 1
        elif word == "}":
            open_joints.pop()
            place += 1
        elif word == "OFFSET":
            joints[-1].offset = tuple(float(value) for value in words[place + 1 : place + 4])
            place += 4
        elif word == "CHANNELS":
            count = int(words[place + 1])
            joints[-1].channels = [channel.lower() for channel in words[place + 2 : place + 2 + count]]
            place += 2 + count
        else:
            raise ValueError(f"unexpected word {words[place]!r}")
    if not joints:
        raise ValueError("no joints")
    return joints, place


def _frames(words: list[str], place: int, width: int) -> tuple[FloatArray, float]:
    """(T, C) channel values and frames a second."""
    head = [word.upper() for word in words[place + 1 : place + 6]]
    if head[0] != "FRAMES:" or head[2:4] != ["FRAME", "TIME:"]:
        raise ValueError("MOTION is not followed by Frames: and Frame Time:")
    count, step = int(head[1]), float(head[4])
    values = np.array(words[place + 6 :], dtype=np.float64)
    if count < 1 or step <= 0 or len(values) != count * width:
        raise ValueError(f"{count} frames of {width} channels announced, {len(values)} values found")
    return values.reshape(count, width), 1.0 / step


def _local(joints: list[_Joint], values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(T, J, 3, 3) rotations and (T, J, 3) translations, joint to parent."""
    rotations = np.broadcast_to(np.eye(3), (len(values), len(joints), 3, 3)).copy()
    translations = np.repeat(np.array([joint.offset for joint in joints])[None], len(values), axis=0)
    column = 0
    for slot, joint in enumerate(joints):
        turns = ""
        angles = []
        for channel in joint.channels:
            axis = channel[0]
            if channel.endswith("position"):
                translations[:, slot, "xyz".index(axis)] = values[:, column]
            elif channel.endswith("rotation"):
                turns += axis.upper()
                angles.append(values[:, column])
            else:
                raise ValueError(f"unknown channel {channel!r}")
            column += 1
        if turns:
            rotations[:, slot] = Rotation.from_euler(turns, np.stack(angles, axis=-1), degrees=True).as_matrix()
    return rotations, translations


def _matrices(rotations: FloatArray, translations: FloatArray) -> FloatArray:
    out = np.zeros((*translations.shape[:-1], 4, 4))
    out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = rotations, translations, 1.0
    return out
