"""Everything that is settled about a take before anything is generated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from unimate_dcc.motion.resample import resample_rotations, resample_vectors
from unimate_dcc.pipeline.stage import StageOptions, open_stage
from unimate_dcc.pipeline.timing import Timing, plan
from unimate_dcc.request import ExpandRequest, Request
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, canonicalise
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.rig import Rig
from unimate_dcc.settings import KEYS
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.placement import Placement, read_placement
from unimate_dcc.usd_io.read import read_clip, read_rest, read_sample_times
from unimate_dcc.usd_io.stage import Shot
from unimate_dcc.usd_io.versions import Target

MODEL_FPS = 30.0
WINDOW_SECONDS = 59 / MODEL_FPS
"""One window of the model, where neither the request nor the stage says how long."""


@dataclass(frozen=True)
class AnimateOptions:
    """Where and how a take is made, besides the request.

    Attributes:
        out: Folder instead of ``publish/anim/unimate`` beside the shot, or one ``.usd`` file.
        stage: Session layer, muting, mask.
        overrides: What a TD says about the rig.
        pictures: Draw a contact sheet and an animation beside the take.
        cache: Folder for encoded texts.
        flan_t5: Local folder of google/flan-t5-base, for weights that were trained with it.
    """

    out: Path | None = None
    stage: StageOptions = field(default_factory=StageOptions)
    overrides: RigOverrides = field(default_factory=RigOverrides)
    pictures: bool = True
    cache: Path | None = None
    flan_t5: Path | None = None


@dataclass(frozen=True, eq=False)
class Job:
    """Everything that is settled before anything is generated.

    Attributes:
        request: What was asked for.
        shot: The open shot.
        character: Whose take.
        rig: Its canonical rig.
        timing: Which time codes.
        placement: Where the skeleton stands at them.
        target: Where the take goes.
    """

    request: Request
    shot: Shot
    character: Character
    rig: Rig
    timing: Timing
    placement: Placement
    target: Target

    def describe(self) -> dict[str, Any]:
        """Plain values for ``--dry-run`` and people."""
        times = self.timing
        return {
            "shot": self.shot.info.path,
            "prim": self.character.prim,
            "rig": self.rig.summary(),
            "category": self.rig.category,
            "frames": f"{times.first:g}-{times.last:g}",
            "samples": len(times.time_codes),
            "seconds": round(float(times.seconds[-1]), 4),
            "target": str(self.target.file or self.target.root),
        }

    def placed_at(self, time_codes: FloatArray) -> Placement:
        """Where the skeleton stands at other stage time codes, or is held to stand."""
        if self.request.root == "parent":
            return Placement(
                np.repeat(self.placement.rigid[:1], len(time_codes), axis=0),
                np.full(len(time_codes), self.placement.scale[0]),
            )
        return read_placement(self.shot, self.character.prim, time_codes)

    def playing(self, time_codes: FloatArray) -> RigMotion:
        """What plays now at (T,) stage time codes, canonical; the rest pose where nothing is bound."""
        clip = read_clip(self.shot, self.character, time_codes, placement=self.placed_at(time_codes))
        return canonicalise(self.rig, clip)

    def sampled(self, motion: RigMotion, lead: int = 0) -> RigMotion:
        """A motion at 30 frames per second, its frame ``lead`` at the first sample, read at the take's samples."""
        seconds = self.timing.seconds + lead / MODEL_FPS
        return RigMotion(
            resample_rotations(motion.rotations, MODEL_FPS, seconds),
            resample_vectors(motion.root, MODEL_FPS, seconds),
        )


def prepare(request: Request, options: AnimateOptions, joint_limit: int | None = None) -> Job:
    """Open, choose, canonicalise and plan; refuses what cannot work before any expensive second."""
    shot = open_stage(request.shot, options.stage)
    character = choose_character(shot, request.prim)
    info = shot.info
    own = read_sample_times(shot, character)
    if isinstance(request, ExpandRequest) and request.start is None:
        edge = float(own[0 if request.before else -1]) if len(own) else info.start_time_code or 0.0
        request = replace(request, start=edge)
    timing = plan(
        request, info.path, info.time_codes_per_second, info.range, info.start_time_code or 0.0, WINDOW_SECONDS
    )
    timing = timing.including(own)
    target = target_of(request.shot, options.out)
    target.check()
    skeleton = read_rest(shot, character, timing.first)
    rig = build_rig(skeleton, options.overrides, joint_limit, character.prim)
    placement = read_placement(shot, character.prim, timing.time_codes)
    if request.root == "parent":
        placement = placement.frozen(timing.start)
    return Job(request, shot, character, rig, timing, placement, target)


def target_of(shot: str, out: Path | None) -> Target:
    """Where takes of a shot go."""
    if out is not None and out.suffix in (".usd", ".usda", ".usdc", ".usdz"):
        return Target(out.parent, out)
    return Target(out if out is not None else Path(shot).parent / KEYS["out"].default)


def category_of(shot: str, prim: str | None, options: AnimateOptions) -> str:
    """Kind of body of a character."""
    opened = open_stage(shot, options.stage)
    character = choose_character(opened, prim)
    skeleton = read_rest(opened, character, opened.info.start_time_code or 0.0)
    return build_rig(skeleton, options.overrides, None, character.prim).category
