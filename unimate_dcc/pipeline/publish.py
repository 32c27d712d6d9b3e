"""Put a finished motion onto the skeleton and publish it as a take."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from unimate_dcc.clip import Clip
from unimate_dcc.pipeline.job import AnimateOptions, Job
from unimate_dcc.pipeline.picture import add_pictures
from unimate_dcc.rig.motion import RigMotion, apply
from unimate_dcc.skeleton import BoolArray, FloatArray
from unimate_dcc.usd_io.placement import read_placement
from unimate_dcc.usd_io.read import LocalSamples, clip_of, read_local
from unimate_dcc.usd_io.write import Motion, Take, write_take
from unimate_dcc.version import VERSION


@dataclass(frozen=True, eq=False)
class Kept:
    """What a take keeps of what was there, bit for bit.

    Attributes:
        source: What is kept from; None for what the bound animation plays.
        samples: (S, J) True where a joint is kept; None for joints that are not driven, only.
        channels: (J,) joints whose translations, rotations or scales are generated, by channel; a channel that is not
            there is generated for all.
    """

    source: LocalSamples | None = None
    samples: BoolArray | None = None
    channels: Mapping[str, BoolArray] = field(default_factory=dict)


def publish(job: Job, motion: RigMotion, kept: Kept, made: dict[str, Any], options: AnimateOptions) -> Take:
    """Write one motion, in the canonical frame of the rest pose at the samples of the job."""
    shot, character, times = job.shot, job.character, job.timing.time_codes
    source = kept.source or read_local(shot, character, times, character.animation)
    base = clip_of(shot, character, times, source, job.placement)
    driven = np.zeros((len(times), len(character.joints)), dtype=bool)
    driven[:, job.rig.source[job.rig.source >= 0]] = True
    if kept.samples is not None:
        driven &= ~kept.samples
    written = Motion(apply(job.rig, motion, base), times, driven, job.placement, kept.channels, source)
    clip = _with_kept(written, base)
    provenance = {
        "verb": job.request.verb,
        "request": portable(job),
        "rig": job.rig.summary(),
        "inputs": inputs_of(job),
        "software": {"unimate-dcc": VERSION},
        **made,
    }
    return write_take(
        shot,
        character,
        written,
        target=job.target,
        provenance=provenance,
        positions=seen_in_world(job, clip.positions),
        uninstance=job.request.uninstance,
        add_files=(lambda folder: add_pictures(folder, job, clip)) if options.pictures else None,
    )


def _with_kept(written: Motion, base: Clip) -> Clip:
    """The clip as it will play: kept samples from ``base``."""
    clip = written.clip
    parts = [
        np.where(written.takes(name)[..., None], getattr(clip, name), getattr(base, name))
        for name in ("translations", "rotations", "scales")
    ]
    return Clip(clip.skeleton, clip.seconds, *parts)


def seen_in_world(job: Job, positions: FloatArray) -> FloatArray:
    """(T, J, 3) where the joints really are, when the skeleton rides on ancestors that were held still."""
    real = read_placement(job.shot, job.character.prim, job.timing.time_codes)
    held = job.placement
    local = np.einsum("tba,tjb->tja", held.rigid[:, :3, :3], positions - held.rigid[:, None, :3, 3])
    local = local * (real.scale / held.scale)[:, None, None]
    return np.asarray(np.einsum("tab,tjb->tja", real.rigid[:, :3, :3], local) + real.rigid[:, None, :3, 3])


def portable(job: Job) -> dict[str, Any]:
    """The request with its shot relative to the folder of the takes, and weights by name: no path of this machine."""
    request = job.request
    shot = Path(os.path.relpath(Path(request.shot).resolve(), job.target.root.resolve())).as_posix()
    weights = None if request.weights is None else Path(request.weights).stem
    return {**request.to_json(), "shot": shot, "weights": weights}


def inputs_of(job: Job) -> list[dict[str, str]]:
    """Every layer that was read, relative to the shot, with its digest."""
    start = Path(job.request.shot).resolve().parent
    return [
        {"layer": Path(os.path.relpath(layer.path, start)).as_posix(), "sha256": layer.sha256}
        for layer in job.shot.layers()
        if layer.path
    ]
