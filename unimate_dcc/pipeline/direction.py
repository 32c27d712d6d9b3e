"""What a verb wants of the model, and how what comes back becomes a take; the same road for every verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from unimate_dcc.pipeline.finish import finish, locks_feet
from unimate_dcc.pipeline.job import AnimateOptions, Job, prepare
from unimate_dcc.pipeline.publish import Kept, publish
from unimate_dcc.pipeline.ranking import best_first, unknown_prompt
from unimate_dcc.request import Request
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.usd_io.finding import Finding
from unimate_dcc.usd_io.write import Take

if TYPE_CHECKING:
    from unimate_dcc.model.generate import Generator
    from unimate_dcc.model.known import Known, Projection

OnStep = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Direction:
    """One request, as the model and the writer need it.

    Attributes:
        segments: Prompts and their numbers of frames at 30 a second.
        raw: From a motion as generated to one on its ground, still at 30 a second.
        place: From a finished motion at 30 a second to the canonical frame of the rest pose at the job's samples.
        known: What is kept while sampling.
        project: Constraints while sampling.
        overlap: Frames that each window repeats of the one before.
        kept: What the take keeps.
        may_lock: Whether feet may be pinned at all.
        notes: What is worth a line about a placed motion.
    """

    segments: Sequence[tuple[str, int]]
    raw: Callable[[RigMotion], RigMotion]
    place: Callable[[RigMotion], RigMotion]
    known: Known | None = None
    project: Projection | None = None
    overlap: int = 20
    kept: Kept = field(default_factory=Kept)
    may_lock: bool = True
    notes: Callable[[RigMotion], Sequence[Finding]] = lambda motion: ()


def carry_out(
    request: Request,
    direct: Callable[[Job], Direction],
    options: AnimateOptions | None = None,
    on_step: OnStep | None = None,
    generator: Generator | None = None,
) -> list[tuple[Job, Take]]:
    """Generate what a request asks for and publish it; one take per seed.

    Args:
        request: What to do.
        direct: Makes the direction once the job is settled.
        options: Where and how.
        on_step: Called with solver steps done and in all.
        generator: A warm one, for many requests in a row; None loads the weights of the request.

    Returns:
        The job and the take, the best first by the quality measures; it is published last, so that the shot shows it.

    Raises:
        UnimateError: see ``errors.py``; nothing is left half-written.
    """
    from unimate_dcc.model.generate import Generator, Segment
    from unimate_dcc.model.text import open_encoder
    from unimate_dcc.model.weights import load_weights
    from unimate_dcc.pipeline.inputs import rig_inputs

    options = options or AnimateOptions()
    warm = generator.weights if generator else load_weights(request.weights)
    job = prepare(request, options, warm.config.max_joints)
    direction = direct(job)
    locks = direction.may_lock and locks_feet(job.rig, request, job.character.prim)
    if generator is None:
        encoder = open_encoder(warm.config.text_encoder, folder=options.flan_t5, cache=options.cache)
        generator = Generator(warm, device=request.device, dtype=request.dtype, encoder=encoder)
    motions = generator.direct(
        rig_inputs(job.rig),
        [Segment(prompt, frames) for prompt, frames in direction.segments],
        seeds=[request.seed + take for take in range(request.takes)],
        known=direction.known,
        project=direction.project,
        steps=request.steps,
        solver=request.solver,
        guidance=request.guidance,
        overlap=direction.overlap,
        on_step=on_step,
    )
    weights = {"name": warm.name, "sha256": warm.sha256, "licence": warm.licence, "commercial": warm.commercial}
    prompts = dict.fromkeys(prompt for prompt, _ in direction.segments)
    notes = [note for prompt in prompts for note in unknown_prompt(prompt, warm, generator.encoder)]
    finished = [
        finish(job, motion, direction.raw(RigMotion(motion.rotations, motion.root)), locks) for motion in motions
    ]
    published = []
    for rank, one in reversed(list(enumerate(best_first(finished, request.wording), 1))):
        made = {"weights": weights, "seed": one.made.seed, "made": one.made.facts, "quality": one.facts()}
        if len(motions) > 1:
            made["ranking"] = {"rank": rank, "takes": len(motions)}
        placed = direction.place(one.motion)
        take = publish(job, placed, direction.kept, made, options)
        findings = (*notes, *one.notes, *direction.notes(placed), *take.findings)
        published.append((job, replace(take, findings=findings)))
    return published[::-1]
