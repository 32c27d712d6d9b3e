"""The main job: from a prompt and a shot to a published take."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unimate_dcc.errors import UnknownPrimError
from unimate_dcc.motion.resample import resample_rotations, resample_vectors
from unimate_dcc.pipeline.finish import MODEL_FPS, finish, locks_feet
from unimate_dcc.pipeline.picture import add_pictures
from unimate_dcc.pipeline.ranking import best_first, unknown_prompt
from unimate_dcc.pipeline.stage import StageOptions, open_stage
from unimate_dcc.pipeline.start import start_where_it_stands
from unimate_dcc.pipeline.timing import Timing, plan
from unimate_dcc.request import GenerateRequest
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, aligned, apply, canonicalise
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.rig import Rig
from unimate_dcc.settings import KEYS
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.animation import sample_times
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.placement import Placement, read_placement
from unimate_dcc.usd_io.read import read_clip, read_rest, read_sample_times
from unimate_dcc.usd_io.stage import Shot
from unimate_dcc.usd_io.versions import Target
from unimate_dcc.usd_io.write import Motion, Take, write_take
from unimate_dcc.version import VERSION

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator

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

    request: GenerateRequest
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


def animate(
    request: GenerateRequest,
    options: AnimateOptions | None = None,
    *,
    on_step: Callable[[int, int], None] | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Generate motion for one character and publish it; one take per seed.

    Args:
        request: What to do.
        options: Where and how.
        on_step: Called with solver steps done and in all.
        generator: A warm one, for many requests in a row; None loads the weights of the request.

    Returns:
        The job and the take, the best first by the quality measures; it is published last, so that the shot shows it.

    Raises:
        UnimateError: see ``errors.py``; nothing is left half-written.
    """
    from unimate_dcc.model.generate import Generator
    from unimate_dcc.model.text import open_encoder
    from unimate_dcc.model.weights import load_weights
    from unimate_dcc.pipeline.inputs import rig_inputs

    options = options or AnimateOptions()
    warm = generator.weights if generator else load_weights(request.weights)
    job = prepare(request, options, warm.config.max_joints)
    locks = locks_feet(job.rig, request, job.character.prim)
    if generator is None:
        encoder = open_encoder(warm.config.text_encoder, folder=options.flan_t5, cache=options.cache)
        generator = Generator(warm, device=request.device, dtype=request.dtype, encoder=encoder)
    seeds = [request.seed + take for take in range(request.takes)]
    motions = generator.generate(
        rig_inputs(job.rig),
        request.prompt,
        job.timing.poses(MODEL_FPS),
        seeds=seeds,
        steps=request.steps,
        solver=request.solver,
        guidance=request.guidance,
        on_step=on_step,
    )
    weights = {"name": warm.name, "sha256": warm.sha256, "licence": warm.licence, "commercial": warm.commercial}
    notes = unknown_prompt(request.prompt, warm, generator.encoder)
    published = []
    finished = [finish(job, motion, locks) for motion in motions]
    for rank, one in reversed(list(enumerate(best_first(finished, request.prompt), 1))):
        made = {"weights": weights, "seed": one.made.seed, "made": one.made.facts, "quality": one.facts()}
        if len(motions) > 1:
            made["ranking"] = {"rank": rank, "takes": len(motions)}
        take = publish(job, one.motion, made, options)
        published.append((job, replace(take, findings=(*notes, *one.notes, *take.findings))))
    return published[::-1]


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
        raise UnknownPrimError(f"{job.shot.info.path}, animations", animation, job.character.available)
    begin = sample_times(job.shot, animation)
    first = float(begin[0]) if len(begin) else job.timing.first
    poses = job.timing.poses(MODEL_FPS)
    codes = np.asarray(first + np.arange(poses) * job.timing.rate / MODEL_FPS, dtype=np.float64)
    standing = job.placement.at(job.timing.start)
    still = Placement(np.repeat(standing.rigid, poses, axis=0), np.repeat(standing.scale, poses))
    clip = read_clip(job.shot, job.character, codes, animation, still)
    take = publish(job, canonicalise(job.rig, clip), {"clip": animation}, options)
    return job, take


def prepare(request: GenerateRequest, options: AnimateOptions, joint_limit: int | None = None) -> Job:
    """Open, choose, canonicalise and plan; refuses what cannot work before any expensive second."""
    shot = open_stage(request.shot, options.stage)
    character = choose_character(shot, request.prim)
    info = shot.info
    timing = plan(
        request, info.path, info.time_codes_per_second, info.range, info.start_time_code or 0.0, WINDOW_SECONDS
    )
    timing = timing.including(read_sample_times(shot, character))
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


def publish(job: Job, motion: RigMotion, made: dict[str, Any], options: AnimateOptions) -> Take:
    """Resample, place, put onto the skeleton and write one motion at 30 frames per second from its first sample on."""
    shot, character, times = job.shot, job.character, job.timing.time_codes
    base = read_clip(shot, character, times, placement=job.placement)
    sampled = RigMotion(
        resample_rotations(motion.rotations, MODEL_FPS, job.timing.seconds),
        resample_vectors(motion.root, MODEL_FPS, job.timing.seconds),
    )
    sampled = aligned(job.rig, sampled)
    first = base.at(np.array([job.timing.start]))
    placed = start_where_it_stands(job.rig, sampled, canonicalise(job.rig, first), job.timing.start)
    clip = apply(job.rig, placed, base)
    driven = np.zeros(len(character.joints), dtype=bool)
    driven[job.rig.source[job.rig.source >= 0]] = True
    provenance = {
        "verb": "animate",
        "request": portable(job),
        "rig": job.rig.summary(),
        "inputs": inputs_of(job),
        "software": {"unimate-dcc": VERSION},
        **made,
    }
    return write_take(
        shot,
        character,
        Motion(clip, times, driven, job.placement),
        target=job.target,
        provenance=provenance,
        positions=seen_in_world(job, clip.positions),
        uninstance=job.request.uninstance,
        add_files=(lambda folder: add_pictures(folder, job, clip)) if options.pictures else None,
    )


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
