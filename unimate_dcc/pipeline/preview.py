"""Draw what plays on a skeleton of a stage."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from unimate_dcc.frames import parse_frames
from unimate_dcc.pipeline.picture import motion_picture
from unimate_dcc.pipeline.stage import StageOptions, open_stage
from unimate_dcc.render.sheet import animation, contact_sheet
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.read import read_clip, read_sample_times
from unimate_dcc.usd_io.stage import Shot
from unimate_dcc.usd_io.versions import from_os_error


def preview(
    path: str,
    out: Path,
    *,
    prim: str | None = None,
    frames: str | None = None,
    cells: int = 10,
    stage: StageOptions | None = None,
) -> None:
    """Write a contact sheet (``.png``) or an animation (``.webp``, ``.gif``) of one skeleton.

    Raises:
        InputError: no such skeleton, or values that are not finite.
        TargetError: the picture cannot be written.
    """
    shot = open_stage(path, stage or StageOptions())
    character = choose_character(shot, prim)
    times = _times(shot, frames, read_sample_times(shot, character))
    picture = motion_picture(
        shot, character, read_clip(shot, character, times), times, f"{Path(path).name} {character.prim}"
    )
    try:
        if out.suffix.lower() == ".png":
            contact_sheet(picture, cells).save(out)
        else:
            animation(picture, out)
    except OSError as error:
        raise from_os_error(out, error) from error


def _times(shot: Shot, frames: str | None, samples: FloatArray) -> FloatArray:
    if frames is not None:
        return np.array(parse_frames(frames).frames)
    if shot.info.range is not None and shot.info.range[1] > shot.info.range[0]:
        first, last = shot.info.range
        return np.arange(first, last + 1e-6)
    return samples if len(samples) else np.array([shot.info.start_time_code or 0.0])
