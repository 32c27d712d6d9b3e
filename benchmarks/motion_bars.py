"""Is the shipped model alive? Held-out walkers, four prompts, against the speed of real clips.

    python benchmarks/motion_bars.py CACHE [--weights default] [--seeds 3] [--steps 16] [--sheets DIR]

CACHE is what ``unimate-dcc dataset build`` makes. For every prompt and kind of body the
table gives the mean joint speed of generated motion over that of all real clips of that action and kind
(bar: 0.4 to 2.5), the share of static clips, and how far the prompts' motions lie apart.
Speeds are canonical units (tree diameter 2) a frame at 30 fps.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from unimate_dcc.model.eval.bodies import inputs, posed
from unimate_dcc.model.eval.samples import motion_of
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.train import cache
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.weights import load_weights
from unimate_dcc.motion.quality import STILL, excursions, speed
from unimate_dcc.render.picture import MotionPicture
from unimate_dcc.render.sheet import contact_sheet
from unimate_dcc.rig.labels import side_of
from unimate_dcc.skeleton import FloatArray

ACTIONS = {"walks forward": "walk", "runs forward": "run", "stands idle": "idle", "jumps": "jump"}
KINDS = ("biped", "quadruped", "bird")
FRAMES = 60
LOW, HIGH = 0.4, 2.5


def per_frame(positions: FloatArray) -> float:
    """Mean joint speed of (T, K, 3) positions, travel aside, units a frame."""
    return speed(positions, fps=1.0)


def real_speeds(rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip]) -> dict[tuple[str, str], list[float]]:
    """Speeds of all real clips by kind and action."""
    found: dict[tuple[str, str], list[float]] = {}
    for clip in clips:
        rig = rigs[clip.rig]
        action = next((word for word in ACTIONS.values() if f" {word}" in f" {clip.captions[0]}"), None)
        if action and not clip.travels and not rig.synthetic:
            found.setdefault((rig.category, action), []).append(per_frame(posed(rig, clip.motion)))
    return found


def walkers(rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip]) -> list[TrainingRig]:
    """Held-out bipeds, quadrupeds and birds that have a walking clip."""
    walking = {clip.rig for clip in clips if "walk" in clip.captions[0]}
    return [
        rig
        for index, rig in enumerate(rigs)
        if rig.held_out and not rig.synthetic and rig.category in KINDS and index in walking
    ]


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache", type=Path)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--sheets", type=Path)
    options = parser.parse_args()
    rigs, clips, _ = cache.load(options.cache)
    real = real_speeds(rigs, clips)
    generator = Generator(load_weights(options.weights))
    chosen = walkers(rigs, clips)
    ratios: dict[tuple[str, str], list[float]] = {}
    static: dict[str, list[bool]] = {prompt: [] for prompt in ACTIONS}
    apart: list[float] = []
    for rig in chosen:
        means = []
        for prompt, action in ACTIONS.items():
            takes = generator.generate(
                inputs(rig),
                f"a {rig.category} {prompt}",
                FRAMES,
                seeds=range(10, 10 + options.seeds),
                steps=options.steps,
            )
            moved = [posed(rig, motion_of(take)) for take in takes]
            for positions in moved:
                static[prompt].append(bool(excursions(positions).max() < STILL))
                ratios.setdefault((rig.category, action), []).append(per_frame(positions))
            means.append(np.mean([per_frame(positions) for positions in moved]))
            if options.sheets:
                options.sheets.mkdir(parents=True, exist_ok=True)
                draw(rig, moved[0], prompt).save(options.sheets / f"{Path(rig.file).stem}_{action}.png")
        apart.append(float(max(means) / max(min(means), 1e-9)))
    report(ratios, real, static, apart, len(chosen))


def draw(rig: TrainingRig, positions: FloatArray, prompt: str) -> Image.Image:
    """A contact sheet of one clip."""
    sides = [side_of(label) for label in rig.labels]
    frames = [str(frame) for frame in range(len(positions))]
    seconds = np.arange(len(positions)) / 30.0
    title = f"{Path(rig.file).stem} ({rig.category}, held out): {prompt}"
    return contact_sheet(MotionPicture(positions, rig.parents, sides, [], frames, seconds, title), 10, (200, 160))


def report(
    ratios: dict[tuple[str, str], list[float]],
    real: dict[tuple[str, str], list[float]],
    static: dict[str, list[bool]],
    apart: list[float],
    rigs: int,
) -> None:
    """Print the table."""
    print(f"{rigs} held-out rigs; speed in diameters/2 a frame, travel aside")
    print(f"{'kind':12} {'action':8} {'generated':>10} {'real':>8} {'ratio':>6}  bar {LOW}-{HIGH}")
    for (kind, action), speeds in sorted(ratios.items()):
        known = real.get((kind, action))
        if not known:
            print(f"{kind:12} {action:8} {np.mean(speeds):10.4f} {'none':>8}")
            continue
        ratio = float(np.mean(speeds) / np.mean(known))
        verdict = "ok" if LOW <= ratio <= HIGH else "MISSED"
        numbers = f"{np.mean(speeds):10.4f} {np.mean(known):8.4f} {ratio:6.2f}"
        print(f"{kind:12} {action:8} {numbers}  {verdict} ({len(known)} real)")
    for prompt, flags in static.items():
        print(f"static share, {prompt!r}: {np.mean(flags):.2f}")
    print(f"fastest prompt over slowest, median over rigs: {np.median(apart):.1f}")


if __name__ == "__main__":
    main()
