"""The evaluation as a whole: rows of real, copied and generated motions side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from unimate_dcc.model.eval import kinematics
from unimate_dcc.model.eval.actions import BALANCED
from unimate_dcc.model.eval.bodies import LEGGED, chosen, spread
from unimate_dcc.model.eval.fid import Distance
from unimate_dcc.model.eval.long_takes import LongTakes, long_takes
from unimate_dcc.model.eval.measures import Row, row, train_row
from unimate_dcc.model.eval.nearest import Bank, nearest_samples
from unimate_dcc.model.eval.prompts import balanced_prompts, caption_prompts
from unimate_dcc.model.eval.reference import build_reference
from unimate_dcc.model.eval.samples import generated_samples
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.text import TextEncoder
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig

WINDOWS = 0
"""Seed of the windows of real clips and of the resamplings: judge and ceiling are the same whatever is generated."""

Cell = float | Distance | None
NAMES: tuple[tuple[str, Callable[[Row], Cell]], ...] = (
    ("clips", lambda one: one.clips),
    ("text agreement, six actions", lambda one: one.agreement),
    ("  standard error over rigs", lambda one: one.agreement_error),
    *((f"  {action}", lambda one, action=action: one.recall.get(action)) for action in BALANCED),
    ("captions judged right, all classes", lambda one: one.named),
    ("FID to real held-out", lambda one: one.fid),
    ("FID to real training", lambda one: one.fid_train),
    ("diversity", lambda one: one.diversity),
    ("static share (excursion)", lambda one: one.static),
    ("slow share (under real 5th percentile)", lambda one: one.slow),
    *((f"speed / real, {action}", lambda one, action=action: one.speed.get(action)) for action in BALANCED),
    *((f"jerk / real, {action}", lambda one, action=action: one.jerk.get(action)) for action in BALANCED),
    ("skate, travelling gaits", lambda one: one.skate),
    ("slide, travelling gaits (1/100 L)", lambda one: one.slide),
    ("skate, idle and attack", lambda one: one.skate_standing),
    ("frames below ground", lambda one: one.below_share),
    ("depth of those that sink", lambda one: one.below_depth),
    ("falls that end on the ground", lambda one: one.grounded.get("die")),
    ("jumps that begin on the ground", lambda one: one.grounded.get("jump")),
    *((f"position - rotation, {action}", lambda one, action=action: one.disagreement.get(action))
      for action in BALANCED),
)  # fmt: skip
"""The lines of the table."""


@dataclass(frozen=True)
class EvalOptions:
    """What is evaluated.

    Attributes:
        samples: Takes of each prompt. One seed is one noise for all rigs and prompts, so that its luck is shared:
            a single take says less than its standard error over rigs.
        seed: Of the first take; the others count on from it.
        rigs: Held-out rigs, spread over all; None for all.
        steps: Euler steps.
        guidance: Of the flow.
        actions: Of the balanced prompts.
        nearest: Whether the copied clips get a row.
        long_rigs: Rigs of the 180-frame takes.
    """

    samples: int = 5
    seed: int = 10
    rigs: int | None = None
    steps: int = 50
    guidance: float = 3.0
    actions: tuple[str, ...] = BALANCED
    nearest: bool = True
    long_rigs: int = 3


@dataclass(frozen=True)
class Report:
    """The finished evaluation.

    Attributes:
        rows: Real training, real held-out, nearest clip, generated; those that were asked for.
        ceiling: Agreement that the judge reaches on real clips of topologies that it has not seen.
        long: The long takes; None without weights.
        facts: What was measured: data, rigs, options.
    """

    rows: tuple[Row, ...]
    ceiling: float
    long: LongTakes | None
    facts: dict[str, object]

    def to_json(self) -> str:
        """Every number."""
        return json.dumps(asdict(self), indent=1)

    def table(self) -> str:
        """For people: one measure a line, one set of motions a column."""
        width = [max(9, len(one.name)) for one in self.rows]
        lines = [f"{'':40}" + "".join(f"  {one.name:>{wide}}" for one, wide in zip(self.rows, width, strict=True))]
        for name, value in NAMES:
            cells = [_text(value(one)) for one in self.rows]
            lines.append(f"{name:40}" + "".join(f"  {cell:>{wide}}" for cell, wide in zip(cells, width, strict=True)))
            if name.startswith("text agreement"):
                shares = [one.agreement and one.agreement / self.ceiling for one in self.rows]
                cells = ["-" if share is None else f"{share:.0%}" for share in shares]
                line = "".join(f"  {cell:>{wide}}" for cell, wide in zip(cells, width, strict=True))
                lines.append(f"{f'  of the ceiling {self.ceiling:.3f}':40}{line}")
        return "\n".join([*lines, *self._notes()])

    def _notes(self) -> list[str]:
        notes = [f"{name}: {distance.low:.2f} to {distance.high:.2f} (95 %), {distance.size} clips a set"
                 for name, distance in ((f"FID of {one.name}", one.fid) for one in self.rows) if distance]  # fmt: skip
        if self.long:
            notes.append(
                f"180 frames, {self.long.rigs} rigs: idle root drifts {self.long.drift:.3f}, "
                f"walk goes on at {self.long.pace:.2f} of its first pace"
            )
        return notes


def evaluate(
    rigs: Sequence[TrainingRig],
    clips: Sequence[TrainingClip],
    generator: Generator | None,
    options: EvalOptions = EvalOptions(),
    *,
    encoder: TextEncoder | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Report:
    """Measure held-out rigs of a training set.

    Args:
        rigs: All rigs of the set.
        clips: All clips.
        generator: Makes the motions; None for the real and copied rows alone.
        options: How much.
        encoder: Of the captions for the nearest clips; None for the generator's.
        progress: Told what has been done, a line at a time.

    Raises:
        ValueError: Nearest clips are asked for, and there is neither an encoder nor a generator.
    """
    encoder = encoder or (generator.encoder if generator else None)
    if options.nearest and encoder is None:
        raise ValueError("nearest clips need a text encoder")
    held_out = chosen(rigs, options.rigs)
    random = np.random.default_rng(WINDOWS)
    reference = build_reference(rigs, clips, held_out, random)
    progress(f"judge fitted, ceiling {reference.ceiling:.3f}")
    prompts = caption_prompts(clips, held_out) + balanced_prompts(rigs, held_out, options.actions)
    rows = [train_row(reference, random), row("real held-out", reference.held_out, reference, random)]
    if options.nearest and encoder is not None:
        copied = nearest_samples(Bank(rigs, clips, encoder), rigs, prompts, options.samples, random)
        rows.append(row("nearest clip", copied, reference, random))
        progress(f"{len(copied)} nearest clips copied")
    long = None
    if generator:
        seeds = range(options.seed, options.seed + options.samples)
        made = generated_samples(
            generator, rigs, prompts, seeds, steps=options.steps, guidance=options.guidance, progress=progress
        )
        rows.append(row(generator.weights.name, made, reference, random))
        legged = spread([index for index in held_out if rigs[index].category in LEGGED], options.long_rigs)
        long = long_takes(generator, rigs, legged, options.seed, options.steps, options.guidance)
    facts: dict[str, object] = {
        **asdict(options), "rigs": len(held_out), "prompts": len(prompts), "kinematics": kinematics.VERSION,
        "weights": generator.weights.sha256 if generator else None,
    }  # fmt: skip
    return Report(tuple(rows), reference.ceiling, long, facts)


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, int):
        return str(cell)
    return f"{cell.value if isinstance(cell, Distance) else cell:.3f}"
