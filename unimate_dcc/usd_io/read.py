"""Read rest pose and bound animation of a character into plain numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pxr import Usd, UsdSkel

from unimate_dcc.clip import Clip
from unimate_dcc.errors import NonFiniteError, SkeletonRefusedError
from unimate_dcc.rig.pose import nearest_rotations
from unimate_dcc.skeleton import (
    FloatArray,
    Skeleton,
    matrix_quaternions,
    quaternion_matrices,
    unflipped,
)
from unimate_dcc.usd_io.animation import CHANNELS, sample_times
from unimate_dcc.usd_io.character import Character, LocalRest
from unimate_dcc.usd_io.convert import quaternions_from_vt, stage_to_world, vectors_from_vt
from unimate_dcc.usd_io.placement import Placement, read_placement
from unimate_dcc.usd_io.stage import Shot

LocalSamples = tuple[FloatArray, FloatArray, FloatArray]
"""Translations (T, J, 3) in joint units, rotations (T, J, 4) wxyz and scales (T, J, 3), joint to parent."""
ROUNDED = 1e-6
"""Quaternions this close to unit length are unit as float32 can say it, and are carried bit for bit."""


def read_sample_times(shot: Shot, character: Character) -> FloatArray:
    """(N,) stage time codes of the bound animation; empty when nothing is bound or nothing varies."""
    return sample_times(shot, character.animation) if character.animation else np.zeros(0)


def read_rest(shot: Shot, character: Character, time_code: float) -> Skeleton:
    """The rest pose under the real ancestors at one time.

    Raises:
        SkeletonRefusedError: no take could play on this skeleton.
    """
    rest = _usable(character)
    placement = read_placement(shot, character.prim, np.array([time_code]))
    local = [part[None].copy() for part in (rest.translations, rest.rotations, rest.scales)]
    translations, rotations, scales = _into_world(character, placement, *local)
    return Skeleton(character.joints, character.parents, translations[0], rotations[0], scales[0], character.weighted)


def read_clip(
    shot: Shot,
    character: Character,
    time_codes: FloatArray,
    animation: str | None = None,
    placement: Placement | None = None,
) -> Clip:
    """What UsdSkel plays on a character at (T,) stage time codes.

    Args:
        shot: The open shot.
        character: Whose motion.
        time_codes: (T,) rising.
        animation: Another SkelAnimation of the stage instead of the bound one.
        placement: Where the skeleton stands instead of where the stage says.

    Returns:
        All joints; those the animation leaves out are at rest. Quaternions are unit and do not flip.

    Raises:
        NonFiniteError: NaN or infinite values at one of these times.
    """
    source = character.animation if animation is None else animation
    placement = placement or read_placement(shot, character.prim, time_codes)
    return clip_of(shot, character, time_codes, read_local(shot, character, time_codes, source), placement)


def clip_of(
    shot: Shot, character: Character, time_codes: FloatArray, local: LocalSamples, placement: Placement
) -> Clip:
    """Samples of a character at (T,) stage time codes, put into the world."""
    skeleton = read_rest(shot, character, float(time_codes[0]))
    translations, rotations, scales = _into_world(character, placement, *local)
    seconds = np.asarray(time_codes, dtype=np.float64) / shot.info.time_codes_per_second
    return Clip(skeleton, seconds, translations, unflipped(rotations), scales)


def read_local(shot: Shot, character: Character, time_codes: FloatArray, animation: str) -> LocalSamples:
    """What a SkelAnimation, or without one the rest pose, says at (T,) stage time codes."""
    rest = _usable(character)
    at_rest = dict(zip(CHANNELS, (rest.translations, rest.rotations, rest.scales), strict=True))
    if not animation:
        translations, rotations, scales = (np.repeat(part[None], len(time_codes), axis=0) for part in at_rest.values())
        return translations, rotations, scales
    prim = shot.stage.GetPrimAtPath(animation)
    own = [str(joint) for joint in UsdSkel.Animation(prim).GetJointsAttr().Get()]
    place = {joint: index for index, joint in enumerate(character.joints)}
    here = [index for index, joint in enumerate(own) if joint in place]
    there = [place[own[index]] for index in here]
    found: dict[str, FloatArray] = {}
    for name, part in at_rest.items():
        values = read_channel(prim.GetAttribute(name), time_codes, len(own))
        if tuple(own) != character.joints:
            whole = np.repeat(part[None], len(time_codes), axis=0)
            whole[:, there] = values[:, here]
            values = whole
        found[name] = values
    _check_finite(character, found, time_codes)
    turns = found["rotations"]
    lengths = np.sqrt(np.einsum("tjq,tjq->tj", turns, turns))
    off = np.abs(lengths - 1.0) > ROUNDED
    turns[off] /= np.where(lengths > 0, lengths, 1.0)[off][:, None]
    return found["translations"], turns, found["scales"]


def read_channel(attribute: Usd.Attribute, time_codes: FloatArray, count: int) -> FloatArray:
    """(T, N, 3 or 4) values of one channel, as the stage resolves them between samples."""
    query = Usd.AttributeQuery(attribute)
    width, convert = (4, quaternions_from_vt) if attribute.GetName() == "rotations" else (3, vectors_from_vt)
    if not query.ValueMightBeTimeVarying():
        value = convert(query.Get(Usd.TimeCode(float(time_codes[0]))))
        return np.repeat(value[None], len(time_codes), axis=0)
    raw = np.empty((len(time_codes), count, width), dtype=np.float32)
    for frame, time in enumerate(time_codes.tolist()):
        raw[frame] = np.asarray(query.Get(Usd.TimeCode(time)))
    return convert(raw).reshape(len(time_codes), count, width)


def world_matrices(shot: Shot, character: Character, time_codes: Sequence[float] | FloatArray) -> FloatArray:
    """(T, J, 4, 4) joint to world in the stage's own units and axes, for comparison with UsdSkel."""
    codes = np.asarray(time_codes, dtype=np.float64)
    clip = read_clip(shot, character, codes)
    back = np.linalg.inv(stage_to_world(shot.info.up_axis, shot.info.metres_per_unit))
    world = clip.world.copy()
    world[..., :3, :] = back @ world[..., :3, :]
    return world


def _usable(character: Character) -> LocalRest:
    if character.rest is None or not character.animatable:
        raise SkeletonRefusedError(character.prim, character.problem)
    return character.rest


def local_from_world(clip: Clip, placement: Placement) -> LocalSamples:
    """The samples of a clip: the inverse of reading."""
    translations, rotations = clip.translations.copy(), clip.rotations.copy()
    back = np.swapaxes(placement.rigid[:, :3, :3], -1, -2)
    for root in np.flatnonzero(clip.skeleton.parents < 0):
        away = translations[:, root] - placement.rigid[:, :3, 3]
        translations[:, root] = np.einsum("tab,tb->ta", back, away)
        turned = back @ quaternion_matrices(rotations[:, root])
        rotations[:, root] = matrix_quaternions(nearest_rotations(turned))
    return translations / placement.scale[:, None, None], rotations, clip.scales


def _into_world(
    character: Character, placement: Placement, translations: FloatArray, rotations: FloatArray, scales: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Metres everywhere; what lies above the skeleton goes into its root joints."""
    translations, rotations = translations * placement.scale[:, None, None], rotations.copy()
    turn = placement.rigid[:, None, :3, :3]
    for root in np.flatnonzero(character.parents < 0):
        moved = np.einsum("tab,tb->ta", turn[:, 0], translations[:, root])
        translations[:, root] = moved + placement.rigid[:, :3, 3]
        turned = turn[:, 0] @ quaternion_matrices(rotations[:, root])
        rotations[:, root] = matrix_quaternions(nearest_rotations(turned))
    return translations, rotations, scales


def _check_finite(character: Character, out: dict[str, FloatArray], time_codes: FloatArray) -> None:
    if all(np.isfinite(values.sum()) for values in out.values()):
        return
    bad = np.zeros((len(time_codes), len(character.joints)), dtype=bool)
    for values in out.values():
        bad |= ~np.isfinite(values).all(axis=-1)
    if bad.any():
        joint = int(np.flatnonzero(bad.any(0))[0])
        frames = [float(time) for time in time_codes[bad[:, joint]]]
        raise NonFiniteError(character.prim, character.joints[joint], frames)
