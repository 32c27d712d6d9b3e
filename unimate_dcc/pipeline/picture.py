"""Pictures of a take: what is drawn beside it when it is published, and by ``preview``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unimate_dcc.clip import Clip
from unimate_dcc.render.picture import MotionPicture, Surface
from unimate_dcc.render.sheet import animation, contact_sheet
from unimate_dcc.rig.labels import label_joints, side_of
from unimate_dcc.skeleton import FloatArray, Skeleton
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.meshes import read_meshes
from unimate_dcc.usd_io.stage import Shot

if TYPE_CHECKING:
    from unimate_dcc.pipeline.job import Job

SHEET_FRAMES = 10


def add_pictures(folder: Path, job: Job, clip: Clip) -> None:
    """``sheet.png``, ``thumb.png`` and ``preview.webp`` of a take, into its unpublished folder."""
    picture = motion_picture(job.shot, job.character, clip, job.timing.time_codes, job.request.wording)
    contact_sheet(picture, SHEET_FRAMES).save(folder / "sheet.png")
    contact_sheet(picture, 1).save(folder / "thumb.png")
    animation(picture, folder / "preview.webp")


def motion_picture(shot: Shot, character: Character, clip: Clip, time_codes: FloatArray, title: str) -> MotionPicture:
    """Joints and skinned meshes of a clip, for drawing."""
    surfaces = [Surface(mesh.posed_in_world(clip), mesh.faces, mesh.colour) for mesh in read_meshes(shot, character)]
    sides = [side_of(label.label) for label in label_joints(clip.skeleton)]
    shown = _of_the_body(clip.skeleton)
    place = {joint: slot for slot, joint in enumerate(shown)}
    return MotionPicture(
        positions=clip.positions[:, shown],
        parents=np.array([place.get(int(clip.skeleton.parents[joint]), -1) for joint in shown]),
        sides=[sides[joint] for joint in shown],
        surfaces=surfaces,
        frames=[f"{time:g}" for time in time_codes],
        seconds=clip.seconds - clip.seconds[0],
        title=title,
    )


def _of_the_body(skeleton: Skeleton) -> list[int]:
    """Joints that move the mesh and everything below them; controls and IK targets above would only hide the body."""
    if skeleton.weighted is None or not skeleton.weighted.any():
        return list(range(len(skeleton.joints)))
    inside = skeleton.weighted.copy()
    for joint, parent in enumerate(skeleton.parents):
        inside[joint] |= parent >= 0 and inside[parent]
    return [int(joint) for joint in np.flatnonzero(inside)]
