"""Generate some joints anew; everything else stays as it is in the shot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unimate_dcc.errors import BadRequestError
from unimate_dcc.motion.bridge import carried_on
from unimate_dcc.pipeline.direction import Direction, OnStep, carry_out
from unimate_dcc.pipeline.job import MODEL_FPS, AnimateOptions, Job
from unimate_dcc.pipeline.publish import Kept
from unimate_dcc.pipeline.source import backwards, codes_at_model_rate, features_of, joined, part
from unimate_dcc.pipeline.start import Home
from unimate_dcc.request import EditRequest
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.select import select_joints
from unimate_dcc.skeleton import BoolArray
from unimate_dcc.usd_io.read import read_rest, read_sample_times
from unimate_dcc.usd_io.write import Take

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator

AROUND = 10
"""Model frames before and after the edited ones that the model sees, so that it can join them."""


def edit(
    request: EditRequest,
    options: AnimateOptions | None = None,
    *,
    on_step: OnStep | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Generate the named joints of a character; see ``direction.carry_out``.

    Raises:
        UnknownJointError: a name that no joint or label has.
        BadRequestError: only joints that are not driven were named.
    """
    return carry_out(request, lambda job: _direct(job, request), options, on_step, generator)


def _direct(job: Job, request: EditRequest) -> Direction:
    from unimate_dcc.model.known import Known, kept_channels

    chosen = _chosen(job, request)
    poses = job.timing.poses(MODEL_FPS)
    playing = job.playing(codes_at_model_rate(job, -AROUND, poses + 2 * AROUND))
    home = Home.of(job.rig, playing)
    source = home.enter(playing)
    kept = np.ones(source.rotations.shape[:2], dtype=bool)
    kept[AROUND : AROUND + poses, chosen] = False
    return Direction(
        segments=[(request.prompt, len(kept))],
        raw=lambda motion: _merged(source, motion, chosen),
        place=lambda motion: home.leave(_joined(job, home, source, motion, chosen)),
        known=Known(features_of(job.rig, source), kept_channels(job.rig.parents, kept)),
        kept=_kept(job, request, chosen),
        may_lock=bool(chosen[0]),
    )


def _chosen(job: Job, request: EditRequest) -> BoolArray:
    """(K,) joints of the rig to generate."""
    skeleton = read_rest(job.shot, job.character, job.timing.first)
    wanted = select_joints(job.character.prim, skeleton, request.joints)
    chosen = np.where(job.rig.source >= 0, wanted[job.rig.source], False)
    if not chosen.any():
        names = ", ".join(np.array(skeleton.leaf_names)[wanted][:5])
        raise BadRequestError(
            "joints", ", ".join(request.joints), f"{names}: not driven on this rig; --drive JOINT drives a joint"
        )
    return np.asarray(chosen, dtype=bool)


def _merged(source: RigMotion, motion: RigMotion, chosen: BoolArray) -> RigMotion:
    """Chosen joints of ``motion``, all others of ``source``; the root is moved only where it is chosen."""
    rotations = np.where(chosen[:, None, None], motion.rotations, source.rotations)
    return RigMotion(rotations, motion.root if chosen[0] else source.root)


def _joined(job: Job, home: Home, source: RigMotion, motion: RigMotion, chosen: BoolArray) -> RigMotion:
    """The edit at the samples, joined in pose and velocity to what plays before and after it."""
    last = len(motion.root) - 1 - AROUND
    before, after = _plays_on(job)
    if before:
        motion = carried_on(joined(part(source, slice(AROUND + 1)), part(motion, slice(AROUND + 1, None))), AROUND + 1)
    if after:
        ends = joined(part(motion, slice(last)), part(source, slice(last, None)))
        motion = backwards(carried_on(backwards(ends), AROUND + 1))
    playing = home.enter(job.playing(job.timing.time_codes))
    return _merged(playing, job.sampled(motion, AROUND), chosen)


def _plays_on(job: Job) -> tuple[bool, bool]:
    """Whether the bound animation has samples before the take and after it."""
    times, own = job.timing.time_codes, read_sample_times(job.shot, job.character)
    return bool((own < times[0]).any()), bool((own > times[-1]).any())


def _kept(job: Job, request: EditRequest, chosen: BoolArray) -> Kept:
    joints = np.zeros(len(job.character.joints), dtype=bool)
    joints[job.rig.source[chosen]] = True
    root = np.zeros_like(joints)
    root[job.rig.source[0]] = True
    samples = np.repeat(~joints[None], len(job.timing.time_codes), axis=0)
    before, after = _plays_on(job)
    samples[0] |= before
    samples[-1] |= after
    channels = {
        "scales": np.zeros_like(joints),
        "translations": root if "translations" in request.channels else ~joints,
    }
    channels["translations"] = channels["translations"] & joints
    if "rotations" not in request.channels:
        channels["rotations"] = np.zeros_like(joints)
    return Kept(samples=samples, channels=channels)
