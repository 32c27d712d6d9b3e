"""Key poses: from what plays, from another SkelAnimation of the stage, or from another file."""

from __future__ import annotations

import numpy as np

from unimate_dcc.errors import BadRequestError, UnknownPrimError
from unimate_dcc.pipeline.job import Job
from unimate_dcc.request import InbetweenRequest
from unimate_dcc.skeleton import IntArray
from unimate_dcc.usd_io.animation import sample_times
from unimate_dcc.usd_io.find import animations_of
from unimate_dcc.usd_io.read import LocalSamples, read_local
from unimate_dcc.usd_io.stage import Shot, open_shot


def key_samples(job: Job, samples: IntArray, request: InbetweenRequest) -> LocalSamples:
    """Local values of all samples of the take: what plays, and at the keys that have one the pose they name.

    Raises:
        BadRequestError: nothing is bound and a key has no pose.
        UnknownPrimError: a pose that is not there.
    """
    poses = dict(request.poses)
    bare = [f"{key:g}" for key in request.keys if key not in poses]
    if not job.character.animation and bare:
        problem = f"{job.character.prim} has no bound animation; give --pose FRAME=ANIMATION for {', '.join(bare)}"
        raise BadRequestError("keys", ", ".join(bare), problem)
    local = read_local(job.shot, job.character, job.timing.time_codes, job.character.animation)
    for sample, key in zip(samples.tolist(), request.keys, strict=True):
        if key in poses:
            for values, own in zip(local, _pose(job, poses[key]), strict=True):
                values[sample] = own[0]
    return local


def _pose(job: Job, source: str) -> LocalSamples:
    """The first sample of ``PRIM`` of the stage or of ``FILE:PRIM``; a FILE alone has one SkelAnimation."""
    shot, prim = job.shot, source
    if not source.startswith("/"):
        file, _, prim = source.partition(":")
        shot = open_shot(file)
    found = animations_of(shot, job.character.joints)
    if not prim and len(found) == 1:
        prim = found[0]
    if prim not in found:
        raise UnknownPrimError(shot.info.path, prim or source, found, "SkelAnimation of this rig")
    return read_local(shot, job.character, _first_time(shot, prim), prim)


def _first_time(shot: Shot, animation: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    times = sample_times(shot, animation)
    return times[:1] if len(times) else np.zeros(1)
