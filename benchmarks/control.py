"""How exactly a take does what was asked: keys, path, targets, seams, long runs; and the seconds.

    python benchmarks/control.py [--weights default] [--steps 50] [--frames 1000]

Bars (issue 4): keys within 1e-4 of size; no step in velocity at a seam above the clip's own 99th percentile; the fox
within 2 % of its size of an S curve, skate below 0.05 after locking; targets within 1e-3 of size; 1,000 frames with
exact bones, mean height and joint speed of the last 100 within 10 % of the first 100.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from unimate_dcc.examples import write_examples
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.weights import load_weights
from unimate_dcc.motion.path import Path as Line
from unimate_dcc.pipeline.animate import animate
from unimate_dcc.pipeline.expand import expand
from unimate_dcc.pipeline.inbetween import inbetween
from unimate_dcc.pipeline.job import AnimateOptions, Job
from unimate_dcc.request import ExpandRequest, GenerateRequest, InbetweenRequest
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.locators import read_curve
from unimate_dcc.usd_io.read import read_clip, read_sample_times
from unimate_dcc.usd_io.stage import open_shot
from unimate_dcc.usd_io.write import Take

S_CURVE = """#usda 1.0
(
    subLayers = [@./{shot}@]
    upAxis = "Y"
    metersPerUnit = 1
    startTimeCode = 1001
    endTimeCode = {last}
    timeCodesPerSecond = 24
    framesPerSecond = 24
)
def BasisCurves "S"
{{
    uniform token type = "cubic"
    uniform token basis = "bspline"
    uniform token wrap = "pinned"
    int[] curveVertexCounts = [6]
    point3f[] points = [(0, 0, 0), (0, 0, 1.2), (1, 0, 2), (0, 0, 3), (-1, 0, 4), (0, 0, 5)]
}}
"""
Takes = list[tuple[Job, Take]]


def played(takes: Takes) -> tuple[FloatArray, FloatArray]:
    """(T,) samples and (T, J, 3) world joints of the first take, read back through its shot layer."""
    job, take = takes[0]
    shot = open_shot(str(take.shot_layer))
    character = choose_character(shot, job.character.prim)
    times = read_sample_times(shot, character)
    return times, read_clip(shot, character, times).positions


def bends(positions: FloatArray) -> FloatArray:
    """(T - 2,) largest step in velocity of any joint."""
    return np.asarray(np.linalg.norm(np.diff(positions, n=2, axis=0), axis=-1).max(-1))


def size_of(positions: FloatArray) -> float:
    """Diagonal of the first pose."""
    return float(np.linalg.norm(np.ptp(positions[0], axis=0)))


def timed(make: Callable[[], Takes]) -> tuple[Takes, float]:
    """What a verb made, and its seconds."""
    start = time.perf_counter()
    takes = make()
    return takes, time.perf_counter() - start


def seams(times: FloatArray, positions: FloatArray, frames: list[float], first: float, last: float) -> str:
    """The largest step in velocity at some frames against the 99th percentile of the clip's own."""
    found = bends(positions)
    inside = (times[1:-1] >= first) & (times[1:-1] <= last)
    at = [int(np.searchsorted(times, frame)) - 1 for frame in frames]
    worst = max(float(found[index]) for index in at if 0 <= index < len(found))
    return f"worst seam {worst / np.percentile(found[inside], 99):.2f} of the 99th percentile"


def keys(shots: Path, generator: Generator, steps: int) -> None:
    """The fox of the ensemble through three poses of its trot."""
    frames = (1001.0, 1024.0, 1050.0)
    shot = str(shots / "ensemble.usda")
    request = InbetweenRequest(
        shot=shot, prim="/World/Fox", prompt="a fox walks forward", keys=frames, steps=steps, weights=None
    )
    options = AnimateOptions(out=shots / "keys", pictures=False)
    takes, seconds = timed(lambda: inbetween(request, options, generator=generator))
    times, positions = played(takes)
    opened = open_shot(shot)
    real = read_clip(opened, choose_character(opened, "/World/Fox"), np.array(frames)).positions
    miss = np.abs(positions[np.searchsorted(times, frames)] - real).max() / size_of(real)
    print(
        f"inbetween  key error {miss:.1e} of size, {seams(times, positions, list(frames), 1001, 1050)}, {seconds:.1f} s"
    )


def path(shots: Path, generator: Generator, steps: int) -> None:
    """The fox of the meadow along an S curve."""
    layer = shots / "fox_s.usda"
    layer.write_text(S_CURVE.format(shot="fox_meadow.usda", last=1120), encoding="utf-8")
    request = GenerateRequest(shot=str(layer), prompt="a fox walks forward", path="/S", steps=steps)
    options = AnimateOptions(out=shots / "path", pictures=False)
    takes, seconds = timed(lambda: animate(request, options, generator=generator))
    _, positions = played(takes)
    job, take = takes[0]
    root = positions[:, job.rig.source[0]]
    off = Line.through(read_curve(open_shot(str(layer)), "/S", 1001)).distances(root).mean()
    quality = json.loads((take.layer.parent / "manifest.json").read_text(encoding="utf-8"))["quality"]
    travelled = np.linalg.norm(np.diff(root, axis=0), axis=-1).sum()
    print(
        f"path       mean distance {off / size_of(positions):.2%} of size, travelled {travelled:.2f} m, skate "
        f"{quality['before']['skate']:.3f} -> {quality['after']['skate']:.3f}, {seconds:.1f} s"
    )


def target(shots: Path, generator: Generator, steps: int) -> None:
    """The left hand of the biped at a place it can reach."""
    shot = str(shots / "biped_stage.usda")
    opened = open_shot(shot)
    character = choose_character(opened, None)
    rest = read_clip(opened, character, np.array([1001.0]))
    hand = next(slot for slot, joint in enumerate(character.joints) if joint.endswith("LeftHand"))
    at = rest.positions[0, hand] * [0.55, 0.85, 1.0] + [0.0, 0.0, 0.25]
    units = at / opened.info.metres_per_unit
    place = " ".join(f"{value:.4f}" for value in (units[0], -units[2], units[1]))  # the stage is Z up
    request = GenerateRequest(
        shot=shot, prompt="a man stands idle", targets=(("left hand", place, 1020.0, 1030.0),), steps=steps
    )
    options = AnimateOptions(out=shots / "target", pictures=False)
    takes, seconds = timed(lambda: animate(request, options, generator=generator))
    times, positions = played(takes)
    holds = (times >= 1020) & (times <= 1030)
    miss = np.linalg.norm(positions[holds, hand] - at, axis=-1).max() / size_of(positions)
    print(f"target     error {miss:.1e} of size, {seconds:.1f} s")


def long_run(shots: Path, generator: Generator, steps: int, frames: int) -> None:
    """Many frames of a walk, one window after the other."""
    shot = str(shots / "fox_meadow.usda")
    request = ExpandRequest(
        shot=shot, segments=(("a fox walks forward", float(frames)),), start=1001.0, extend=True, steps=steps
    )
    options = AnimateOptions(out=shots / "long", pictures=False)
    takes, seconds = timed(lambda: expand(request, options, generator=generator))
    _, positions = played(takes)
    job = takes[0][0]
    own = positions[:, job.rig.source[job.rig.source >= 0]]
    parents = job.character.parents
    inner = np.flatnonzero(parents >= 0)
    bones = np.linalg.norm(positions[:, inner] - positions[:, parents[inner]], axis=-1)
    local = own - own[:, :1] * [1.0, 0.0, 1.0]
    speeds = np.linalg.norm(np.diff(local, axis=0), axis=-1).mean(1)
    heights = own[..., 1].mean(1)
    print(
        f"expand     {frames} frames in {seconds:.1f} s, bones change by {np.ptp(bones, axis=0).max():.1e} m, last 100 "
        f"against first 100: height {heights[-100:].mean() / heights[:100].mean():.3f}, joint speed "
        f"{speeds[-100:].mean() / speeds[:100].mean():.3f}"
    )


def main() -> None:
    """Make the takes and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--frames", type=int, default=1000)
    options = parser.parse_args()
    generator = Generator(load_weights(options.weights))
    with tempfile.TemporaryDirectory() as folder:
        shots = Path(folder) / "shots"
        write_examples(Path(folder))
        keys(shots, generator, options.steps)
        path(shots, generator, options.steps)
        target(shots, generator, options.steps)
        long_run(shots, generator, options.steps, options.frames)


if __name__ == "__main__":
    main()
