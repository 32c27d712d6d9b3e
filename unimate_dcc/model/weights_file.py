"""The safetensors file: its head read without torch, its body written tensor by tensor."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unimate_dcc.errors import WeightsError

if TYPE_CHECKING:
    from torch import Tensor

DTYPE_BYTES = {"F32": 4, "F16": 2, "BF16": 2}
LARGEST_HEAD = 16 * 2**20
"""Bytes; a head of the biggest model is under 100 kB, more is not ours."""


@dataclass(frozen=True)
class Head:
    """What a file says of itself.

    Attributes:
        metadata: Text by name.
        tensors: Shape and dtype (``F32``, ``F16``, ``BF16``) by name, in the file's order.
        body: Byte at which the tensors begin.
    """

    metadata: dict[str, str]
    tensors: dict[str, tuple[tuple[int, ...], str]]
    body: int


def read_head(path: Path) -> Head:
    """Read the head of a safetensors file and check that the body is as long as it says."""
    try:
        with path.open("rb") as stream:
            length_bytes = stream.read(8)
            length = struct.unpack("<Q", length_bytes)[0] if len(length_bytes) == 8 else LARGEST_HEAD + 1
            if length > LARGEST_HEAD:
                raise WeightsError(str(path), "is no safetensors file")
            head = json.loads(stream.read(length))
            metadata = head.pop("__metadata__", {})
            tensors = {name: _tensor(path, name, facts) for name, facts in head.items()}
    except OSError as error:
        raise WeightsError(str(path), f"cannot be read: {error.strerror}") from error
    except (ValueError, AttributeError) as error:
        raise WeightsError(str(path), "is no safetensors file, or a damaged one") from error
    body = 8 + length
    size = sum(prod(shape) * DTYPE_BYTES[dtype] for shape, dtype in tensors.values())
    if path.stat().st_size != body + size:
        raise WeightsError(
            str(path), f"is {path.stat().st_size} bytes long, its head says {body + size}: copy it again"
        )
    return Head(metadata, tensors, body)


def write(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Write a safetensors file beside its place, then move it there in one step.

    The metadata gains ``tensors_sha256``, the digest of the body.
    """
    body = hashlib.sha256()
    for tensor in tensors.values():
        body.update(_raw(tensor))
    head: dict[str, Any] = {"__metadata__": {**metadata, "tensors_sha256": body.hexdigest()}}
    start = 0
    for name, tensor in tensors.items():
        end = start + tensor.numel() * tensor.element_size()
        head[name] = {"dtype": _dtype_name(tensor), "shape": list(tensor.shape), "data_offsets": [start, end]}
        start = end
    encoded = json.dumps(head, separators=(",", ":")).encode()
    encoded += b" " * (-len(encoded) % 8)  # the format aligns the body to 8 bytes
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(struct.pack("<Q", len(encoded)))
            stream.write(encoded)
            for tensor in tensors.values():
                stream.write(_raw(tensor))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def body_digest(path: Path, head: Head) -> str:
    """sha256 of the tensors alone."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        stream.seek(head.body)
        while piece := stream.read(2**20):
            digest.update(piece)
    return digest.hexdigest()


def _tensor(path: Path, name: str, facts: dict[str, Any]) -> tuple[tuple[int, ...], str]:
    if facts.get("dtype") not in DTYPE_BYTES:
        raise WeightsError(
            str(path), f"tensor {name} has dtype {facts.get('dtype')}, expected {', '.join(DTYPE_BYTES)}"
        )
    return tuple(int(size) for size in facts["shape"]), str(facts["dtype"])


def _dtype_name(tensor: Tensor) -> str:
    names = {"torch.float32": "F32", "torch.float16": "F16", "torch.bfloat16": "BF16"}
    return names[str(tensor.dtype)]


def _raw(tensor: Tensor) -> memoryview:
    import torch

    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().data
