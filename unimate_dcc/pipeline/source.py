"""What a character does already, at the model's rate, as known frames."""

from __future__ import annotations

import numpy as np

from unimate_dcc.pipeline.job import MODEL_FPS, Job
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray


def codes_at_model_rate(job: Job, first: int, frames: int) -> FloatArray:
    """(frames,) stage time codes, 1/30 s apart, number ``first`` of them counted from the take's first sample."""
    return np.asarray(job.timing.time_codes[0] + (first + np.arange(frames)) * job.timing.rate / MODEL_FPS)


def features_of(rig: Rig, motion: RigMotion) -> FloatArray:
    """(T, K, 12) features of T frames that begin at the origin, facing +Z; the last one moves on as the one before."""
    from unimate_dcc.model.features import features_from_motion

    step = motion.root[-1:] - motion.root[-2:-1] if len(motion.root) > 1 else 0.0
    rotations = np.concatenate((motion.rotations, motion.rotations[-1:]))
    root = np.concatenate((motion.root, motion.root[-1:] + step))
    return features_from_motion(rig.offsets, rig.parents, rig.facing, rotations, root)


def joined(first: RigMotion, second: RigMotion) -> RigMotion:
    """One motion after the other."""
    return RigMotion(np.concatenate((first.rotations, second.rotations)), np.concatenate((first.root, second.root)))


def part(motion: RigMotion, frames: slice) -> RigMotion:
    """Some frames of a motion."""
    return RigMotion(motion.rotations[frames], motion.root[frames])


def backwards(motion: RigMotion) -> RigMotion:
    """The motion in reverse."""
    return part(motion, slice(None, None, -1))
