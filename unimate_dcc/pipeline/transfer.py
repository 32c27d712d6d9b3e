"""From one character's motion to words, and from the words to another character's motion (paper: text-mediated)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import gaussian_filter1d

from unimate_dcc.errors import BadRequestError, UnknownPrimError
from unimate_dcc.motion.describe import Description, describe
from unimate_dcc.motion.path import SWAY, Path, Travel, follow
from unimate_dcc.pipeline.direction import Direction, OnStep, carry_out
from unimate_dcc.pipeline.job import MODEL_FPS, AnimateOptions, Job
from unimate_dcc.pipeline.projection import Pull
from unimate_dcc.pipeline.source import features_of
from unimate_dcc.pipeline.stage import StageOptions, open_stage
from unimate_dcc.pipeline.start import Home
from unimate_dcc.request import TransferRequest
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, aligned, canonicalise
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.animation import sample_times
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.read import read_clip, read_rest, read_sample_times
from unimate_dcc.usd_io.write import Take

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator
    from unimate_dcc.model.known import Known

LONG_ENOUGH = 0.3
"""Canonical units; a shorter way is no path to follow."""


@dataclass(frozen=True, eq=False)
class Source:
    """What plays on a character.

    Attributes:
        rig: Its rig.
        motion: The motion at 30 frames a second, on its ground, first facing +Z.
        description: The motion in words.
    """

    rig: Rig
    motion: RigMotion
    description: Description


def read_source(shot: str, prim: str | None, stage: StageOptions | None = None) -> Source:
    """Read and describe what plays on a character.

    Raises:
        BadRequestError: nothing that moves is bound.
    """
    opened = open_stage(shot, stage or StageOptions())
    character = choose_character(opened, prim)
    own = read_sample_times(opened, character)
    if len(own) < 2:
        raise BadRequestError("source", shot, f"{character.prim} has no bound animation that moves")
    rate = opened.info.time_codes_per_second
    frames = int(np.floor((own[-1] - own[0]) / rate * MODEL_FPS + 1e-6)) + 1
    if frames < 4:
        raise BadRequestError("source", shot, f"the animation of {character.prim} is shorter than 0.1 s")
    codes = np.asarray(own[0] + np.arange(frames) * rate / MODEL_FPS, dtype=np.float64)
    rig = build_rig(read_rest(opened, character, float(own[0])), prim=character.prim)
    motion = aligned(rig, canonicalise(rig, read_clip(opened, character, codes)))
    return Source(rig, motion, describe(rig, motion))


def transfer(
    request: TransferRequest,
    options: AnimateOptions | None = None,
    *,
    on_step: OnStep | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Animate a character from the words of the request, as another one moves; see ``direction.carry_out``."""
    stage = options.stage if options else None
    source = read_source(request.source or request.shot, request.source_prim, stage)
    return carry_out(request, lambda job: _direct(job, request, source), options, on_step, generator)


def _direct(job: Job, request: TransferRequest, source: Source) -> Direction:
    poses = job.timing.poses(MODEL_FPS)
    home = Home.of(job.rig, job.playing(job.timing.time_codes[:1]))
    travel = _travel(source.motion) if request.keeps_path else None
    grid = np.arange(poses) / MODEL_FPS

    def on_path(motion: RigMotion, seconds: FloatArray) -> RigMotion:
        return motion if travel is None else follow(job.rig, motion, travel, seconds)

    def pulled(motion: RigMotion, first: int) -> RigMotion:
        return on_path(motion, (first + np.arange(len(motion.root))) / MODEL_FPS)

    return Direction(
        segments=[(request.prompt, poses)],
        raw=lambda motion: on_path(aligned(job.rig, motion), grid),
        place=lambda motion: home.leave(job.sampled(motion)),
        known=_style(job, request),
        project=Pull(job.rig, pulled) if travel is not None else None,
    )


def _travel(motion: RigMotion) -> Travel | None:
    """The source's way on the ground at its times; canonical units make body lengths of it. None where it stays."""
    steady = gaussian_filter1d(motion.root, SWAY, axis=0, mode="nearest") * [1.0, 0.0, 1.0]
    steps = np.linalg.norm(np.diff(steady, axis=0), axis=-1)
    if steps.sum() < LONG_ENOUGH:
        return None
    path = Path.through(steady)
    lengths = np.minimum(np.concatenate(([0.0], np.cumsum(steps))), path.length)
    return Travel(path, np.arange(len(steady)) / MODEL_FPS, lengths)


def _style(job: Job, request: TransferRequest) -> Known | None:
    """Poses of an example clip of the same character, evenly spread over the frames."""
    if request.style_from is None:
        return None
    from unimate_dcc.model.features import POSITION, ROTATION
    from unimate_dcc.model.known import Known

    if request.style_from not in job.character.available:
        known = job.character.available
        raise UnknownPrimError(job.shot.info.path, request.style_from, known, "SkelAnimation of this rig")
    own = sample_times(job.shot, request.style_from)
    begin = float(own[0]) if len(own) else job.timing.first
    length = float(own[-1] - own[0]) / job.timing.rate * MODEL_FPS if len(own) else 0.0
    frames = min(int(length) + 1, job.timing.poses(MODEL_FPS))
    codes = np.asarray(begin + np.arange(frames) * job.timing.rate / MODEL_FPS, dtype=np.float64)
    clip = read_clip(job.shot, job.character, codes, request.style_from, job.placed_at(codes))
    features = features_of(job.rig, aligned(job.rig, canonicalise(job.rig, clip)))
    keep = np.zeros(features.shape, dtype=bool)
    held = np.unique(np.round(np.arange(0, frames, 1.0 / request.style_share)).astype(int))
    held = held[held < frames]
    keep[held, 1:, POSITION] = keep[held, 1:, ROTATION] = True
    return Known(features, keep)
