"""What is on a stage and what would be driven: no torch, no writing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from unimate_dcc.errors import InputError
from unimate_dcc.pipeline.stage import StageOptions, open_stage
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.labels import LABELS_VERSION
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.rig import Rig
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.find import find_characters, repaired_order
from unimate_dcc.usd_io.read import read_rest, read_sample_times
from unimate_dcc.usd_io.stage import Shot

SCHEMA = "unimate-inspect"
SCHEMA_VERSION = 1


def inspect(
    path: str,
    stage: StageOptions | None = None,
    overrides: RigOverrides | None = None,
    limit: int | None = None,
    prim: str | None = None,
) -> dict[str, Any]:
    """Every skeleton of a stage, whether it can be animated, and how it was understood; plain values.

    Args:
        path: The stage.
        stage: Session layer, muting, mask.
        overrides: What a TD says about the rig.
        limit: Most joints to drive.
        prim: Only the skeletons at or below this path.

    Raises:
        StageOpenError: the stage does not open.
    """
    shot = open_stage(path, stage or StageOptions())
    characters = [item for item in find_characters(shot) if prim is None or item.prim.startswith(prim)]
    return {
        "schema": SCHEMA,
        "schemaVersion": SCHEMA_VERSION,
        "labelsVersion": LABELS_VERSION,
        "stage": asdict(shot.info),
        "layers": [layer.identifier for layer in shot.layers()],
        "findings": [finding.to_json() for finding in shot.findings],
        "skeletons": [_described(shot, item, overrides, limit) for item in characters],
    }


def _described(shot: Shot, character: Character, overrides: RigOverrides | None, limit: int | None) -> dict[str, Any]:
    times = read_sample_times(shot, character)
    facts: dict[str, Any] = {
        "prim": character.prim,
        "animatable": character.animatable,
        "problem": character.problem,
        "joints": len(character.joints),
        "restSource": character.rest.source if character.rest else "",
        "animation": character.animation,
        "animationSamples": len(times),
        "animationRange": [float(times[0]), float(times[-1])] if len(times) else None,
        "availableAnimations": list(character.available),
        "instanceRoot": character.instance_root,
        "skelRoot": character.skel_root,
        "meshBound": character.weighted is not None,
        "findings": [finding.to_json() for finding in character.findings],
        "rig": None,
    }
    if any(finding.code == "child-before-parent" for finding in character.findings):
        facts["repairedOrder"] = [character.joints[index] for index in repaired_order(character.parents)]
    if character.animatable:
        start = shot.info.start_time_code or 0.0
        try:
            rig = build_rig(read_rest(shot, character, start), overrides, limit, character.prim)
            facts["rig"] = rig_facts(rig)
        except InputError as error:
            facts["problem"] = str(error)
    return facts


def rig_facts(rig: Rig) -> dict[str, Any]:
    """How a rig was understood, as plain values."""
    ahead = rig.frame.turn.T @ [0.0, 0.0, 1.0]
    facing = rig.facing
    return {
        "summary": rig.summary(),
        "driven": [
            {"joint": joint, "label": label, "virtualEnd": bool(source < 0)}
            for joint, label, source in zip(rig.joints, rig.labels, rig.source, strict=True)
        ],
        "held": [asdict(held) for held in rig.held],
        "category": rig.category,
        "categoryConfidence": rig.category_confidence,
        "facing": None
        if facing is None
        else {
            "right": [rig.joints[joint] for joint in facing.right],
            "left": [rig.joints[joint] for joint in facing.left],
            "bodyAxis": facing.body_axis,
            "source": facing.source,
            "confidence": facing.confidence,
            "degreesFromPlusZ": round(float(np.degrees(np.arctan2(ahead[0], ahead[2]))), 1) + 0.0,
        },
        "contacts": [
            {"joint": rig.joints[contact.joint], "confidence": contact.confidence, "source": contact.source}
            for contact in rig.contacts
        ],
        "heightMetres": round(float(np.ptp(rig.positions[:, 1])) / rig.frame.scale, 4),
        "repairs": list(rig.repairs),
    }
