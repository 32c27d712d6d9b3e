"""What is done to a generated motion before it is written: stand it on its ground, pin its feet, measure it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from unimate_dcc.errors import BadRequestError
from unimate_dcc.motion.foot_lock import LOCKED_KINDS, lock_feet
from unimate_dcc.motion.quality import Quality, measure, root_height
from unimate_dcc.pipeline.job import MODEL_FPS
from unimate_dcc.request import Request
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.usd_io.finding import Finding

if TYPE_CHECKING:
    from unimate_dcc.model.generate import GeneratedMotion
    from unimate_dcc.pipeline.job import Job

FAR_MISS = 0.02
"""Canonical units; a foot that misses its place by more is worth a line."""


@dataclass(frozen=True, eq=False)
class Finished:
    """A motion ready to be written.

    Attributes:
        made: As generated.
        motion: Grounded and locked, at 30 frames per second.
        before: Measures as generated.
        quality: Measures as it is now.
        locked: Spans in which feet were pinned; None where feet were not locked.
        notes: What is worth a line.
    """

    made: GeneratedMotion
    motion: RigMotion
    before: Quality
    quality: Quality
    locked: int | None
    notes: tuple[Finding, ...]

    def facts(self) -> dict[str, Any]:
        """For the take's provenance."""
        return {"footLock": self.locked, "before": asdict(self.before), "after": asdict(self.quality)}


def locks_feet(rig: Rig, request: Request, prim: str) -> bool:
    """Whether standing feet are to be pinned.

    Raises:
        BadRequestError: it was asked for, and the rig has no contact joints.
    """
    from unimate_dcc.model.eval.actions import action_of

    if request.foot_lock == "on" and not rig.contacts:
        raise BadRequestError(
            "foot_lock", "on", f"{prim} has no contact joints (distal ends of limbs on the ground); name --contacts"
        )
    if request.foot_lock != "auto":
        return request.foot_lock == "on"
    flies = action_of(request.wording) in ("fly", "swim")
    return rig.category in LOCKED_KINDS and bool(rig.contacts) and not flies


def finish(job: Job, made: GeneratedMotion, raw: RigMotion, locks: bool) -> Finished:
    """Ground, pin, measure a motion (``raw``) that stands on the ground of its rig."""
    before = measured(job.rig, raw)
    if not locks:
        return Finished(made, raw, before, before, None, ())
    rig = job.rig
    contacts = [contact.joint for contact in rig.contacts]
    locked = lock_feet(rig.offsets, rig.parents, rig.positions, contacts, raw, MODEL_FPS)
    notes: tuple[Finding, ...] = ()
    if locked.worst_miss > FAR_MISS:
        size = locked.worst_miss / 2
        message = f"a standing foot could not reach its place by {size:.1%} of the rig's size"
        notes = (Finding("foot-out-of-reach", "info", job.character.prim, message),)
    spans = sum(len(standing) for standing in locked.spans)
    return Finished(made, locked.motion, before, measured(job.rig, locked.motion), spans, notes)


def measured(rig: Rig, motion: RigMotion) -> Quality:
    """The quality measures of a canonical motion."""
    height = root_height(rig.positions)
    feet = [contact.joint for contact in rig.contacts] if height > 0 else []
    return measure(motion.positions(rig), MODEL_FPS, contacts=feet, root_height=height)
