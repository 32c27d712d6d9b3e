"""Write scripted motion of the fox as animation layers, as an animation department would hand them over."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from assets import Units, describe
from creature import Creature
from gait import Pose, trot
from pxr import Gf, Usd, UsdSkel, Vt
from scipy.spatial.transform import Rotation

FIRST, LAST, RATE = 991, 1070, 24.0
"""Frames: ten before and after the shot."""
SHOT_START = 1001
LOOKS = (("Head", 20.0), ("Neck", 10.0), ("Tail2", 15.0))
"""Joints that turn about Y, and by how many degrees either way."""
LOOK_PERIOD = 40
"""Frames."""


def trotting(path: Path, fox: Creature) -> None:
    """The fox trots ahead and passes its place in the shot at the shot's first frame."""
    times = np.arange(FIRST, LAST + 1)
    rotations, translations = trot(fox, (times - SHOT_START) / RATE)
    _layer(path, "Trot", fox, times, rotations, translations)


def look(path: Path, fox: Creature) -> None:
    """The fox stands and looks about, every other frame."""
    times = np.arange(FIRST, LAST + 1, 2)
    rest = Pose(fox)
    rotations = np.repeat(rest.rotations[None], len(times), axis=0)
    swing = np.sin(2 * np.pi * (times - FIRST) / LOOK_PERIOD)
    for joint, degrees in LOOKS:
        turns = Rotation.from_euler("y", (degrees * swing)[:, None], degrees=True).as_matrix()
        rotations[:, fox.names.index(joint)] = turns
    _layer(path, "Look", fox, times, rotations, rest.translations[None])


def _layer(
    path: Path, name: str, fox: Creature, times: np.ndarray, rotations: np.ndarray, translations: np.ndarray
) -> None:
    """An animation of local rotations (T, J, 3, 3) and translations (T, J, 3) or (1, J, 3), bound to the fox."""
    stage = Usd.Stage.CreateNew(str(path))
    describe(stage, Units(), RATE)
    stage.SetStartTimeCode(FIRST)
    stage.SetEndTimeCode(LAST)
    stage.SetDefaultPrim(stage.OverridePrim("/World"))
    animation = UsdSkel.Animation.Define(stage, f"/World/Fox/{name}")
    animation.CreateJointsAttr(fox.paths)
    moved, turned = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    spots = (np.round(translations, 6) + 0.0).astype(np.float32)
    if len(spots) == 1:
        moved.Set(Vt.Vec3fArray.FromNumpy(spots[0]))
    quaternions = _continuous(rotations)
    for place, time in enumerate(times.tolist()):
        turned.Set(Vt.QuatfArray.FromNumpy(quaternions[place]), time)
        if len(spots) > 1:
            moved.Set(Vt.Vec3fArray.FromNumpy(spots[place]), time)
    animation.CreateScalesAttr([Gf.Vec3h(1, 1, 1)] * len(fox.joints))
    skeleton = stage.OverridePrim("/World/Fox/Skel")
    UsdSkel.BindingAPI.Apply(skeleton).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    stage.GetRootLayer().Save()


def _continuous(rotations: np.ndarray) -> np.ndarray:
    """(T, J, 4) quaternions x, y, z, w without a change of sign from frame to frame."""
    found = Rotation.from_matrix(rotations.reshape(-1, 3, 3)).as_quat().reshape(*rotations.shape[:2], 4)
    found *= np.where(found[:1, :, 3:] < 0, -1.0, 1.0)
    for before, after in pairwise(found):
        after *= np.where((before * after).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    return (np.round(found, 7) + 0.0).astype(np.float32)
