"""Go on after the bound animation, lead up to it, or begin from nothing, with one prompt after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unimate_dcc.motion.bridge import carried_on
from unimate_dcc.motion.loop import closed
from unimate_dcc.pipeline.direction import Direction, OnStep, carry_out
from unimate_dcc.pipeline.job import MODEL_FPS, AnimateOptions, Job
from unimate_dcc.pipeline.publish import Kept
from unimate_dcc.pipeline.source import backwards, codes_at_model_rate, features_of, joined, part
from unimate_dcc.pipeline.start import Home
from unimate_dcc.request import ExpandRequest
from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.motion import RigMotion, aligned
from unimate_dcc.usd_io.read import read_sample_times
from unimate_dcc.usd_io.write import Take

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator
    from unimate_dcc.model.known import Known

SPARE = 20
"""Model frames generated beyond a loop, so that it may begin where it closes best."""


def expand(
    request: ExpandRequest,
    options: AnimateOptions | None = None,
    *,
    on_step: OnStep | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Generate one segment after the other; see ``direction.carry_out``."""

    def direct(job: Job) -> Direction:
        if request.loop:
            return _loop(job, request)
        return _before(job, request) if request.before else _after(job, request)

    return carry_out(request, direct, options, on_step, generator)


def _lengths(job: Job, request: ExpandRequest) -> list[int]:
    """New model frames of each segment; together the poses of the take less the first."""
    ends = np.cumsum([frames for _, frames in request.segments]) / job.timing.rate * MODEL_FPS
    marks = np.round(ends).astype(int)
    marks[-1] = job.timing.poses(MODEL_FPS) - 1
    return [int(length) for length in np.diff(np.concatenate(([0], marks)))]


def _available(job: Job, after: bool, most: int) -> int:
    """How many model frames of the bound animation lie beyond the join."""
    own = read_sample_times(job.shot, job.character)
    if not len(own):
        return 0
    edge = job.timing.time_codes[0] - own[0] if after else own[-1] - job.timing.time_codes[-1]
    return int(np.clip(np.floor(edge / job.timing.rate * MODEL_FPS + 1e-6), 0, most))


def _segments(request: ExpandRequest, lengths: list[int], at: int, more: int) -> list[tuple[str, int]]:
    longer = list(lengths)
    longer[at] += more
    return [(prompt, length) for (prompt, _), length in zip(request.segments, longer, strict=True) if length]


def _seams(motion: RigMotion, request: ExpandRequest, segments: list[tuple[str, int]]) -> RigMotion:
    """The motion without steps where one segment follows another."""
    for frame in np.cumsum([length for _, length in segments])[:-1].tolist():
        motion = carried_on(motion, frame)
    return motion


def _after(job: Job, request: ExpandRequest) -> Direction:
    lead = _available(job, True, request.overlap)
    goes_on = bool(job.character.animation)
    segments = _segments(request, _lengths(job, request), 0, lead + 1)
    playing = job.playing(codes_at_model_rate(job, -lead, lead + 1))
    home = Home.of(job.rig, playing)
    source = home.enter(playing)

    def raw(motion: RigMotion) -> RigMotion:
        motion = _seams(motion, request, segments)
        return motion if goes_on else aligned(job.rig, motion)

    def place(motion: RigMotion) -> RigMotion:
        if goes_on:
            motion = carried_on(joined(source, part(motion, slice(lead + 1, None))), lead + 1)
        return home.leave(job.sampled(motion, lead))

    return Direction(
        segments,
        raw,
        place,
        known=_held(job, source, 0, lead + sum(_lengths(job, request)) + 1) if goes_on else None,
        overlap=request.overlap,
        kept=_first_kept(job, 0) if goes_on else Kept(),
    )


def _before(job: Job, request: ExpandRequest) -> Direction:
    tail = _available(job, False, request.overlap)
    lengths = _lengths(job, request)
    segments = _segments(request, lengths, -1, tail + 1)
    poses = sum(lengths) + 1
    playing = job.playing(codes_at_model_rate(job, poses - 1, tail + 1))
    home = Home.of(job.rig, playing)
    source = home.enter(playing)

    def raw(motion: RigMotion) -> RigMotion:
        motion = _seams(motion, request, segments)
        positions = motion.positions(job.rig)[poses - 1 : poses]
        here = motion.moved(-motion.root[poses - 1] * [1.0, 0.0, 1.0])
        return here.turned(facing_rotations(positions, job.rig.facing)[0])

    def place(motion: RigMotion) -> RigMotion:
        ends = joined(part(motion, slice(poses - 1)), source)
        return home.leave(job.sampled(backwards(carried_on(backwards(ends), tail + 1))))

    return Direction(
        segments,
        raw,
        place,
        known=_held(job, source, poses - 1, poses + tail),
        overlap=request.overlap,
        kept=_first_kept(job, -1),
    )


def _loop(job: Job, request: ExpandRequest) -> Direction:
    poses = job.timing.poses(MODEL_FPS)
    standing = Home.of(job.rig, job.playing(job.timing.time_codes[:1]))
    period = float(job.timing.seconds[-1]) * MODEL_FPS

    def place(motion: RigMotion) -> RigMotion:
        loop = job.sampled(aligned(job.rig, closed(job.rig, motion, period)))
        loop.rotations[-1, 1:] = loop.rotations[0, 1:]  # the last sample may lie between two of the model's frames
        return standing.leave(loop)

    return Direction(
        [(request.segments[0][0], poses + SPARE)],
        raw=lambda motion: aligned(job.rig, motion),
        place=place,
        overlap=request.overlap,
    )


def _held(job: Job, source: RigMotion, at: int, frames: int) -> Known:
    """A clip's features as known frames of a run, from frame ``at`` on."""
    from unimate_dcc.model.features import VELOCITY
    from unimate_dcc.model.known import Known

    own = features_of(job.rig, source)
    features = np.zeros((frames, *own.shape[1:]))
    features[at : at + len(own)] = own
    keep = np.zeros(features.shape, dtype=bool)
    keep[at : at + len(own)] = True
    keep[at + len(own) - 1, :, VELOCITY] = False  # leads to the frame after, which is not the clip's
    return Known(features, keep)


def _first_kept(job: Job, sample: int) -> Kept:
    """The sample where the take joins the clip is the clip's own."""
    held = np.zeros((len(job.timing.time_codes), len(job.character.joints)), dtype=bool)
    held[sample] = True
    return Kept(samples=held)
