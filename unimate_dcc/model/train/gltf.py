"""Read nodes, skins and animations of a glTF 2.0 or GLB file into plain numpy.

Units and axes stay the file's own (glTF: metres as a rule, Y up, right-handed).
"""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from unimate_dcc.model.train.source import SourceError
from unimate_dcc.skeleton import FloatArray, matrix_quaternions

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942


@dataclass(frozen=True, eq=False)
class Channel:
    """One animated property of one node.

    Attributes:
        node: Index of the node.
        path: ``translation``, ``rotation`` (wxyz) or ``scale``.
        seconds: (N,) key times.
        values: (N, 3 or 4) key values; for cubic splines (N, 3, 3 or 4): in-tangent, value, out-tangent.
        interpolation: ``LINEAR``, ``STEP`` or ``CUBICSPLINE``.
    """

    node: int
    path: str
    seconds: FloatArray
    values: FloatArray
    interpolation: str


@dataclass(frozen=True, eq=False)
class Animation:
    """A named set of channels."""

    name: str
    channels: tuple[Channel, ...]


@dataclass(frozen=True, eq=False)
class Gltf:
    """What a file says about things that move.

    Attributes:
        names: N node names.
        parents: N parent nodes, -1 at the top.
        translations: (N, 3).
        rotations: (N, 4) wxyz.
        scales: (N, 3).
        skins: Joint nodes of each skin.
        weights: (N,) sums of skinning weights above 1 %, or None where no mesh is skinned.
        animations: All animations.
    """

    names: list[str]
    parents: list[int]
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    skins: list[list[int]]
    weights: FloatArray | None
    animations: list[Animation] = field(default_factory=list)


def read_gltf(path: Path) -> Gltf:
    """Read ``.gltf`` or ``.glb``.

    Raises:
        SourceError: damaged, or sparse and compressed accessors.
    """
    try:
        return _Reader(path).read()
    except (KeyError, IndexError, ValueError, struct.error, OSError) as error:
        raise SourceError(str(path), f"cannot be read as glTF: {error!r}") from error


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.document, self.binary = _split(path.read_bytes())
        self.buffers: dict[int, bytes] = {}

    def read(self) -> Gltf:
        nodes: list[dict[str, Any]] = self.document.get("nodes", [])
        parents = [-1] * len(nodes)
        for index, node in enumerate(nodes):
            for child in node.get("children", []):
                parents[child] = index
        local = [_local(node) for node in nodes]
        skins = [skin["joints"] for skin in self.document.get("skins", [])]
        return Gltf(
            names=[node.get("name", f"node{index}") for index, node in enumerate(nodes)],
            parents=parents,
            translations=np.array([item[0] for item in local]).reshape(-1, 3),
            rotations=np.array([item[1] for item in local]).reshape(-1, 4),
            scales=np.array([item[2] for item in local]).reshape(-1, 3),
            skins=skins,
            weights=self._weights(nodes, skins),
            animations=[self._animation(index, item) for index, item in enumerate(self.document.get("animations", []))],
        )

    def _animation(self, index: int, item: dict[str, Any]) -> Animation:
        channels = []
        for channel in item["channels"]:
            node, path = channel["target"].get("node"), channel["target"]["path"]
            if node is None or path not in ("translation", "rotation", "scale"):
                continue
            sampler = item["samplers"][channel["sampler"]]
            seconds = self._accessor(sampler["input"])[:, 0]
            values = self._accessor(sampler["output"])
            if not len(seconds):
                continue
            if path == "rotation":
                values = np.roll(values, 1, axis=-1)
            interpolation = sampler.get("interpolation", "LINEAR")
            if interpolation == "CUBICSPLINE":
                values = values.reshape(len(seconds), 3, -1)
            channels.append(Channel(node, path, seconds, values, interpolation))
        return Animation(item.get("name", f"animation{index}"), tuple(channels))

    def _weights(self, nodes: list[dict[str, Any]], skins: list[list[int]]) -> FloatArray | None:
        sums = np.zeros(len(nodes))
        for node in nodes:
            if "skin" not in node or "mesh" not in node:
                continue
            joints = np.asarray(skins[node["skin"]])
            for primitive in self.document["meshes"][node["mesh"]]["primitives"]:
                attributes = primitive["attributes"]
                if "JOINTS_0" not in attributes:
                    continue
                index = self._accessor(attributes["JOINTS_0"]).astype(np.int64)
                weights = self._accessor(attributes["WEIGHTS_0"])
                np.add.at(sums, joints[index], np.where(weights > 0.01, weights, 0.0))
        return sums if sums.any() else None

    def _accessor(self, index: int) -> FloatArray:
        accessor = self.document["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise SourceError(str(self.path), f"accessor {index} is sparse or empty; export it dense")
        view = self.document["bufferViews"][accessor["bufferView"]]
        if "extensions" in view:
            raise SourceError(str(self.path), f"accessor {index} is compressed; export it without compression")
        kind: np.dtype[Any] = np.dtype(COMPONENTS[accessor["componentType"]])
        width, count = WIDTHS[accessor["type"]], accessor["count"]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride") or kind.itemsize * width
        raw: NDArray[Any] = np.ndarray(
            (count, width), kind, self._buffer(view["buffer"]), start, (stride, kind.itemsize)
        )
        values = raw.astype(np.float64)
        if accessor.get("normalized") and kind != np.float32:
            values = np.maximum(values / np.iinfo(kind).max, -1.0)
        return values

    def _buffer(self, index: int) -> bytes:
        if index not in self.buffers:
            uri = self.document["buffers"][index].get("uri")
            if uri is None:
                self.buffers[index] = self.binary
            elif uri.startswith("data:"):
                self.buffers[index] = base64.b64decode(uri.split(",", 1)[1])
            else:
                self.buffers[index] = (self.path.parent / unquote(uri)).read_bytes()
        return self.buffers[index]


def _split(data: bytes) -> tuple[dict[str, Any], bytes]:
    if data[:4] != b"glTF":
        return json.loads(data), b""
    document: dict[str, Any] = {}
    binary, place = b"", 12
    while place + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, place)
        chunk = data[place + 8 : place + 8 + length]
        place += 8 + length
        if kind == JSON_CHUNK:
            document = json.loads(chunk)
        elif kind == BINARY_CHUNK and not binary:
            binary = chunk
    if not document:
        raise ValueError("no JSON chunk")
    return document, binary


def _local(node: dict[str, Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    if "matrix" not in node:
        rotation = np.roll(np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)), dtype=float), 1)
        translation = np.array(node.get("translation", (0.0, 0.0, 0.0)), dtype=float)
        return translation, rotation, np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=float)
    matrix = np.array(node["matrix"], dtype=float).reshape(4, 4).T
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    scale[scale == 0] = 1.0
    if np.linalg.det(matrix[:3, :3]) < 0:
        scale[0] *= -1
    return matrix[:3, 3], matrix_quaternions(matrix[:3, :3] / scale), scale
