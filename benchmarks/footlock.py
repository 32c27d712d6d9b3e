"""Feet before and after the lock, on generated walks, runs and idles of held-out legged rigs; and its seconds.

    python benchmarks/footlock.py SET [--weights default] [--rigs 20] [--steps 16]

SET is what ``unimate-dcc dataset build`` makes. Measures are those of paper E.5 and unimate_dcc/motion/quality.py;
every clip that got worse is listed. Bars (issue 4): skate 4.6 times and slide 2.8 times less, no acceleration peak
above 1.5 times the clip's own, bones unchanged to 1e-6, 60 frames of four legs in 60 ms.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from unimate_dcc.model.eval.bodies import inputs, posed, root_height
from unimate_dcc.model.eval.samples import motion_of
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.train import cache
from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.model.weights import load_weights
from unimate_dcc.motion.foot_lock import LOCKED_KINDS, Locked, lock_feet
from unimate_dcc.motion.quality import Quality, measure
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.skeleton import FloatArray

PROMPTS = ("walks forward", "runs forward", "stands idle")
FRAMES, FPS = 60, 30.0


def stands(rig: TrainingRig) -> bool:
    """Whether the body stands on two feet or more, its root above them."""
    return rig.category in LOCKED_KINDS and len(rig.contacts) >= 2 and root_height(rig) > 0


def measured(rig: TrainingRig, motion: RigMotion) -> Quality:
    """The quality of a motion of a rig of the set."""
    return measure(posed(rig, motion), FPS, contacts=rig.contacts, root_height=root_height(rig))


def peak(moved: FloatArray) -> float:
    """Largest acceleration of any joint."""
    return float(np.linalg.norm(np.diff(moved, 2, axis=0), axis=-1).max())


def stretch(rig: TrainingRig, moved: FloatArray) -> float:
    """Largest change of a bone's length."""
    bones = np.linalg.norm(moved[:, 1:] - moved[:, rig.parents[1:]], axis=-1)
    return float(np.abs(bones - np.linalg.norm(rig.offsets[1:], axis=-1)).max())


def locked(rig: TrainingRig, motion: RigMotion) -> tuple[Locked, float]:
    """The lock and its seconds."""
    start = time.perf_counter()
    done = lock_feet(rig.offsets, rig.parents, rig.positions, rig.contacts, motion, FPS)
    return done, time.perf_counter() - start


def main() -> None:
    """Generate, lock, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--rigs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=16)
    options = parser.parse_args()
    rigs, _, _ = cache.load(options.set)
    legged = [rig for rig in rigs if rig.held_out and stands(rig)]
    generator = Generator(load_weights(options.weights))
    rows: list[tuple[str, str, Quality, Quality, float, float, float]] = []
    for rig in legged[: options.rigs]:
        for prompt in PROMPTS:
            text = f"a {rig.category} {prompt}"
            (take,) = generator.generate(inputs(rig), text, FRAMES, seeds=[10], steps=options.steps)
            raw = motion_of(take)
            raw = raw.moved(np.array([0.0, -posed(rig, raw)[..., 1].min(), 0.0]))
            done, seconds = locked(rig, raw)
            after = posed(rig, done.motion)
            ratio = peak(after) / peak(posed(rig, raw))
            row = (measured(rig, raw), measured(rig, done.motion), ratio, stretch(rig, after), seconds)
            rows.append((Path(rig.file).stem, prompt, *row))
    for prompt in PROMPTS:
        report(prompt, [row for row in rows if row[1] == prompt])
    worse = [row for row in rows if (row[3].slide or 0.0) > (row[2].slide or 0.0) + 0.05 or row[4] > 1.5]
    print(f"{len(worse)} of {len(rows)} clips got worse:")
    for name, prompt, before, after, ratio, _, _ in worse:
        print(f"  {name} {prompt}: slide {before.slide} -> {after.slide}, acceleration peak x {ratio:.2f}")
    print(f"bones change by {max(row[5] for row in rows):.1e}; longest lock {1e3 * max(row[6] for row in rows):.0f} ms")


def report(prompt: str, rows: list[tuple[str, str, Quality, Quality, float, float, float]]) -> None:
    """One line."""
    cells = []
    for name in ("skate", "slide", "penetration_share"):
        pairs = [(getattr(row[2], name), getattr(row[3], name)) for row in rows]
        both = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
        if len(both):
            before, after = both.mean(0)
            cells.append(f"{name} {before:.3f} -> {after:.3f}")
    print(f"{prompt:14} {len(rows)} rigs: {', '.join(cells)}, worst acceleration x {max(row[4] for row in rows):.2f}")


if __name__ == "__main__":
    main()
