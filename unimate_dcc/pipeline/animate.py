"""The main job: from a prompt and a shot to a published take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unimate_dcc.errors import UnknownPrimError
from unimate_dcc.pipeline.control import control_of
from unimate_dcc.pipeline.direction import Direction, OnStep, carry_out
from unimate_dcc.pipeline.job import MODEL_FPS, AnimateOptions, Job, prepare
from unimate_dcc.pipeline.projection import Pull
from unimate_dcc.pipeline.publish import Kept, publish
from unimate_dcc.pipeline.start import start_where_it_stands
from unimate_dcc.request import GenerateRequest
from unimate_dcc.rig.motion import RigMotion, aligned, canonicalise
from unimate_dcc.usd_io.animation import sample_times
from unimate_dcc.usd_io.placement import Placement
from unimate_dcc.usd_io.read import read_clip
from unimate_dcc.usd_io.write import Take

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator


def animate(
    request: GenerateRequest,
    options: AnimateOptions | None = None,
    *,
    on_step: OnStep | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Generate motion for one character and publish it; one take per seed. See ``direction.carry_out``."""

    def direct(job: Job) -> Direction:
        if request.steers:
            return _steered(job, request)
        return Direction(
            segments=[(request.prompt, job.timing.poses(MODEL_FPS))],
            raw=lambda motion: aligned(job.rig, motion),
            place=lambda motion: _placed(job, motion),
        )

    return carry_out(request, direct, options, on_step, generator)


def animate_from_clip(
    request: GenerateRequest, animation: str, options: AnimateOptions | None = None
) -> tuple[Job, Take]:
    """Publish the motion of a SkelAnimation that is on the stage, put where the character stands; no model is needed.

    Args:
        request: The range and how to write; the prompt is only recorded.
        animation: Prim path of the SkelAnimation; its first sample plays at the first asked frame.
        options: Where and how.

    Raises:
        UnknownPrimError: no SkelAnimation with joints of this skeleton is there.
    """
    options = options or AnimateOptions()
    job = prepare(request, options)
    if animation not in job.character.available:
        raise UnknownPrimError(job.shot.info.path, animation, job.character.available, "SkelAnimation of this rig")
    begin = sample_times(job.shot, animation)
    first = float(begin[0]) if len(begin) else job.timing.first
    poses = job.timing.poses(MODEL_FPS)
    codes = np.asarray(first + np.arange(poses) * job.timing.rate / MODEL_FPS, dtype=np.float64)
    standing = job.placement.at(job.timing.start)
    still = Placement(np.repeat(standing.rigid, poses, axis=0), np.repeat(standing.scale, poses))
    clip = read_clip(job.shot, job.character, codes, animation, still)
    take = publish(job, _placed(job, canonicalise(job.rig, clip)), Kept(), {"clip": animation}, options)
    return job, take


def _steered(job: Job, request: GenerateRequest) -> Direction:
    """On a path, reaching for targets, looking at things: pulled there in every step, exact at the end."""
    control = control_of(job, request)
    poses = job.timing.poses(MODEL_FPS)
    grid = np.arange(poses) / MODEL_FPS
    return Direction(
        segments=[(request.prompt, poses)],
        raw=lambda motion: control.bent(aligned(job.rig, motion), grid),
        place=lambda motion: control.home.leave(control.aimed(job.sampled(motion), job.timing.seconds)),
        project=Pull(job.rig, control.pulled),
        notes=lambda placed: control.notes(control.home.enter(placed)),
    )


def _placed(job: Job, motion: RigMotion) -> RigMotion:
    """A motion at 30 frames a second, read at the samples, put where the character stands at the first asked frame."""
    times, start = job.timing.time_codes, job.timing.start
    standing = job.playing(times[start : start + 1])
    return start_where_it_stands(job.rig, aligned(job.rig, job.sampled(motion)), standing, start)
