"""What a take says of itself, in ``customLayerData``; the schema is in docs/layer-format.md."""

from __future__ import annotations

import json
from typing import Any

from pxr import Sdf

KEY = "unimate"
SCHEMA_VERSION = 1


def write_provenance(layer: Sdf.Layer, block: dict[str, Any], version: str) -> None:
    """Store ``creator`` and the ``unimate`` block; values are kept as one JSON string, lossless and diffable."""
    data = dict(layer.customLayerData)
    data["creator"] = f"unimate-dcc {version}"
    data[KEY] = {"schemaVersion": SCHEMA_VERSION, "json": json.dumps(block, sort_keys=True, ensure_ascii=False)}
    layer.customLayerData = data


def read_provenance(layer: Sdf.Layer) -> dict[str, Any] | None:
    """The ``unimate`` block, or None where a layer is not ours."""
    held = layer.customLayerData.get(KEY)
    if not held or "json" not in held:
        return None
    block: dict[str, Any] = json.loads(held["json"])
    block["schemaVersion"] = held["schemaVersion"]
    return block
