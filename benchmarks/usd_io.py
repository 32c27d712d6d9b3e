"""Seconds to write and read 100 joints x 10,000 frames, against bare USD, in one run.

    python benchmarks/usd_io.py [--joints 100] [--frames 10000]

Bars (issue 2): writing within 3 times of ``Sdf.Layer.SetTimeSample`` in a ChangeBlock on ready arrays and at least
20 times faster than per-frame lists of Gf values; reading a whole clip within 3 times of bare ``Usd.AttributeQuery``.
Gf lists are measured on a twentieth of the frames and scaled.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt

from unimate_dcc.usd_io.author import AnimationData, author_animation
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.read import read_clip
from unimate_dcc.usd_io.stage import open_shot

REPEATS = 5
GF_SHARE = 20


def data(joints: int, frames: int) -> AnimationData:
    """Random motion of a chain."""
    random = np.random.default_rng(0)
    rotations = random.normal(size=(frames, joints, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    names = ["j0"]
    for index in range(1, joints):
        names.append(f"{names[-1] if index % 10 else 'j0'}/j{index}")
    return AnimationData(
        tuple(names),
        np.arange(frames, dtype=np.float64),
        random.normal(size=(frames, joints, 3)),
        rotations,
        np.ones((frames, joints, 3)),
    )


def best(work: Callable[[], object]) -> float:
    """Least of a few runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def write_ours(motion: AnimationData) -> None:
    """What the product does."""
    author_animation(Sdf.Layer.CreateAnonymous(".usdc"), "/Anim", motion)


def write_bare(translations: list[Vt.Vec3fArray], rotations: list[Vt.QuatfArray]) -> None:
    """SetTimeSample on ready arrays."""
    layer = Sdf.Layer.CreateAnonymous(".usdc")
    with Sdf.ChangeBlock():
        spec = Sdf.CreatePrimInLayer(layer, "/Anim")
        one = Sdf.AttributeSpec(spec, "translations", Sdf.ValueTypeNames.Float3Array).path
        two = Sdf.AttributeSpec(spec, "rotations", Sdf.ValueTypeNames.QuatfArray).path
        for frame, (moved, turned) in enumerate(zip(translations, rotations, strict=True)):
            layer.SetTimeSample(one, float(frame), moved)
            layer.SetTimeSample(two, float(frame), turned)


def write_gf(motion: AnimationData, frames: int) -> None:
    """Per-frame lists of Gf values."""
    stage = Usd.Stage.CreateInMemory()
    animation = UsdSkel.Animation.Define(stage, "/Anim")
    moved, turned = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    for frame in range(frames):
        moved.Set([Gf.Vec3f(*row.tolist()) for row in motion.translations[frame]], frame)
        turned.Set([Gf.Quatf(row[0], *row[1:].tolist()) for row in motion.rotations[frame]], frame)


def stage_with(motion: AnimationData, folder: Path) -> Path:
    """A stage whose skeleton plays the motion."""
    path = folder / "long.usdc"
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Y")
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    UsdSkel.Root.Define(stage, "/Root")
    skeleton = UsdSkel.Skeleton.Define(stage, "/Root/Skel")
    skeleton.CreateJointsAttr(list(motion.joints))
    identity = [Gf.Matrix4d(1.0)] * len(motion.joints)
    skeleton.CreateRestTransformsAttr(identity)
    skeleton.CreateBindTransformsAttr(identity)
    author_animation(stage.GetRootLayer(), "/Root/Anim", motion)
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(["/Root/Anim"])
    stage.GetRootLayer().Save()
    return path


def read_bare(stage: Usd.Stage, frames: int) -> None:
    """AttributeQuery into arrays."""
    prim = stage.GetPrimAtPath("/Root/Anim")
    for name in ("translations", "rotations"):
        query = Usd.AttributeQuery(prim.GetAttribute(name))
        for frame in range(frames):
            np.asarray(query.Get(Usd.TimeCode(float(frame))))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--joints", type=int, default=100)
    parser.add_argument("--frames", type=int, default=10_000)
    options = parser.parse_args()
    motion = data(options.joints, options.frames)
    translations = [Vt.Vec3fArray.FromNumpy(row) for row in motion.translations.astype(np.float32)]
    rotations = [Vt.QuatfArray.FromNumpy(row) for row in motion.rotations.astype(np.float32)]
    ours, bare = best(lambda: write_ours(motion)), best(lambda: write_bare(translations, rotations))
    lists = best(lambda: write_gf(motion, options.frames // GF_SHARE)) * GF_SHARE
    with tempfile.TemporaryDirectory() as folder:
        path = stage_with(motion, Path(folder))
        shot = open_shot(path)
        character = choose_character(shot, None)
        whole = best(lambda: read_clip(shot, character, motion.time_codes))
        query = best(lambda: read_bare(shot.stage, options.frames))
    print(f"{options.joints} joints x {options.frames} frames, best of {REPEATS}")
    line("write, ours", ours, ours / bare, "<= 3 x bare", ours / bare <= 3)
    line("write, bare SetTimeSample", bare, 1.0, "", True)
    line("write, lists of Gf", lists, lists / ours, ">= 20 x ours", lists / ours >= 20)
    line("read a whole clip, ours", whole, whole / query, "<= 3 x bare", whole / query <= 3)
    line("read, bare AttributeQuery", query, 1.0, "", True)


def line(name: str, seconds: float, ratio: float, bar: str, met: bool) -> None:
    """One row of the table."""
    print(f"{name:28} {seconds:8.3f} s  {ratio:7.2f}  {bar:14} {'' if met else 'MISSED'}")


if __name__ == "__main__":
    main()
