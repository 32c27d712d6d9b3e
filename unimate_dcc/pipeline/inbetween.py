"""Keep key poses and generate what lies between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import PchipInterpolator

from unimate_dcc.errors import BadRequestError
from unimate_dcc.motion.bridge import Anchor, bridged, healed, rates
from unimate_dcc.pipeline.direction import Direction, OnStep, carry_out
from unimate_dcc.pipeline.job import MODEL_FPS, AnimateOptions, Job
from unimate_dcc.pipeline.poses import key_samples
from unimate_dcc.pipeline.projection import Pull
from unimate_dcc.pipeline.publish import Kept
from unimate_dcc.pipeline.source import features_of
from unimate_dcc.pipeline.start import Home
from unimate_dcc.request import InbetweenRequest
from unimate_dcc.rig.motion import RigMotion, canonicalise
from unimate_dcc.skeleton import FloatArray, IntArray
from unimate_dcc.usd_io.read import clip_of, read_sample_times
from unimate_dcc.usd_io.write import Take

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator
    from unimate_dcc.model.known import Known


def inbetween(
    request: InbetweenRequest,
    options: AnimateOptions | None = None,
    *,
    on_step: OnStep | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Generate the motion between key poses; see ``direction.carry_out``.

    Raises:
        BadRequestError: nothing is bound and not every key has a pose of its own, or a key is no sample of the take.
        UnknownPrimError: a pose that is not there.
    """
    return carry_out(request, lambda job: _direct(job, request), options, on_step, generator)


def _direct(job: Job, request: InbetweenRequest) -> Direction:
    times = job.timing.time_codes
    samples = np.searchsorted(times, request.keys)
    if not np.allclose(times[samples], request.keys):
        raise BadRequestError("keys", list(request.keys), "lie between the frames of the take; give whole frames")
    local = key_samples(job, samples, request)
    clip = clip_of(job.shot, job.character, times, local, job.placement)
    keys = canonicalise(job.rig, clip.at(samples))
    home = Home.of(job.rig, keys)
    keys = home.enter(keys)
    held = np.zeros((len(times), len(job.character.joints)), dtype=bool)
    held[samples] = True
    return Direction(
        segments=[(request.prompt, job.timing.poses(MODEL_FPS))],
        raw=lambda motion: motion,
        place=lambda motion: home.leave(_through(job, home, motion, keys, samples)),
        known=_known(job, keys, samples),
        project=Pull(job.rig, lambda motion, first: _towards(motion, first, _frames(job, samples), keys.root)),
        kept=Kept(source=local, samples=held),
    )


def _frames(job: Job, samples: IntArray) -> FloatArray:
    """Where samples lie on the model's grid."""
    return job.timing.seconds[samples] * MODEL_FPS


def _pinned(job: Job, samples: IntArray) -> dict[int, int]:
    """Model frames that show a key, and which; a key between two frames is shown by both."""
    found: dict[int, int] = {}
    for key, frame in enumerate(_frames(job, samples).tolist()):
        near = round(frame)
        for shown in {near} if abs(frame - near) < 1e-6 else {int(frame), int(frame) + 1}:
            found.setdefault(shown, key)
    return found


def _known(job: Job, keys: RigMotion, samples: IntArray) -> Known:
    """Poses and facings of the keys; velocities are left to the model."""
    from unimate_dcc.model.features import POSITION, ROTATION
    from unimate_dcc.model.known import Known

    pinned = _pinned(job, samples)
    shown = sorted(pinned)
    order = [pinned[frame] for frame in shown]
    at_keys = features_of(job.rig, RigMotion(keys.rotations[order], keys.root[order]))
    features = np.zeros((job.timing.poses(MODEL_FPS), *at_keys.shape[1:]))
    features[shown] = at_keys
    keep = np.zeros(features.shape, dtype=bool)
    keep[shown, :, POSITION] = keep[shown, :, ROTATION] = True
    return Known(features, keep)


def _towards(motion: RigMotion, first: int, frames: FloatArray, places: FloatArray) -> RigMotion:
    """Shift the root to ``places`` (N, 3) at ``frames`` (N,), and part of the way to a key past the window.

    Heights are left alone.
    """
    last = first + len(motion.root) - 1
    inside = (frames >= first) & (frames <= last)
    times, wanted = frames[inside], places[inside]
    if frames[-1] > last and frames[0] < last:
        way = np.array([np.interp(last, frames, places[:, axis]) for axis in range(3)])
        times, wanted = np.append(times, last), np.concatenate((wanted, way[None]))
    if not len(times):
        return motion
    own = np.arange(first, last + 1)
    now = np.stack([np.interp(times, own, motion.root[:, axis]) for axis in range(3)], axis=-1)
    miss = (wanted - now) * [1.0, 0.0, 1.0]
    if len(times) == 1:
        return motion.moved(miss[0])
    return RigMotion(motion.rotations, motion.root + PchipInterpolator(times, miss)(np.clip(own, times[0], times[-1])))


def _through(job: Job, home: Home, motion: RigMotion, keys: RigMotion, samples: IntArray) -> RigMotion:
    """The motion at the samples through every key, at both ends with the velocity the shot has there."""
    seconds = job.timing.seconds
    smooth = job.sampled(healed(motion, list(_pinned(job, samples))))
    anchors = [
        Anchor(seconds[sample], keys.rotations[key], keys.root[key]) for key, sample in enumerate(samples.tolist())
    ]
    own = read_sample_times(job.shot, job.character)
    for end, outside in ((0, own[own < job.timing.time_codes[0]]), (-1, own[own > job.timing.time_codes[-1]])):
        if len(outside):
            anchors[end] = _moving(job, home, anchors[end], end)
    return bridged(smooth, seconds, anchors)


def _moving(job: Job, home: Home, anchor: Anchor, end: int) -> Anchor:
    """The anchor with the velocity that the bound animation has there, seen from outside the take."""
    code, step = job.timing.time_codes[end], job.timing.rate / MODEL_FPS
    around = np.array([code - step, code] if end == 0 else [code, code + step])
    playing = home.enter(job.playing(around))
    turning, moving = rates(playing, around / job.timing.rate, 0, 1)
    return Anchor(anchor.second, anchor.rotations, anchor.root, turning, moving)
