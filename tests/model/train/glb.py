"""Write tiny GLB files: nodes, one skin, animations."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

KINDS = {np.dtype("<f4"): 5126, np.dtype("<i2"): 5122, np.dtype("u1"): 5121, np.dtype("i1"): 5120}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


@dataclass
class Track:
    """Keys of one property of one node; integers are stored as they are and marked as normalised."""

    node: int
    path: str
    seconds: list[float]
    values: np.ndarray
    interpolation: str = "LINEAR"


def write_glb(
    path: Path, nodes: list[dict[str, Any]], animations: dict[str, list[Track]], skin: list[int] | None = None
) -> Path:
    """One file with one buffer; every accessor has its own view."""
    document: dict[str, Any] = {"asset": {"version": "2.0"}, "nodes": nodes, "animations": []}
    document |= {"bufferViews": [], "accessors": []}
    if skin:
        document["skins"] = [{"joints": skin}]
    binary = bytearray()
    for name, tracks in animations.items():
        samplers, channels = [], []
        for number, track in enumerate(tracks):
            entry = {
                "input": _stored(document, binary, np.array(track.seconds, "<f4")[:, None]),
                "output": _stored(document, binary, track.values),
                "interpolation": track.interpolation,
            }
            samplers.append(entry)
            channels.append({"sampler": number, "target": {"node": track.node, "path": track.path}})
        document["animations"].append({"name": name, "samplers": samplers, "channels": channels})
    document["buffers"] = [{"byteLength": len(binary)}]
    path.write_bytes(_packed(document, bytes(binary)))
    return path


def _stored(document: dict[str, Any], binary: bytearray, values: np.ndarray) -> int:
    if values.dtype.kind == "f":
        values = values.astype("<f4")
    binary += b"\0" * (-len(binary) % 4)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": values.nbytes})
    entry = {"bufferView": len(document["bufferViews"]) - 1, "componentType": KINDS[values.dtype]}
    entry |= {"count": len(values), "type": TYPES[values.shape[1]], "normalized": values.dtype.kind != "f"}
    document["accessors"].append(entry)
    binary += values.tobytes()
    return len(document["accessors"]) - 1


def _packed(document: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    head = struct.pack("<III", 0x46546C67, 2, 12 + 8 + len(text) + 8 + len(binary))
    return (
        head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    )
