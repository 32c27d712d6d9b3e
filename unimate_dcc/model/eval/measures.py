"""One row of the table: what a set of motions scores against the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unimate_dcc.model.eval.actions import BALANCED
from unimate_dcc.model.eval.bodies import LEGGED
from unimate_dcc.model.eval.classifier import recalls
from unimate_dcc.model.eval.fid import Distance, distance, diversity
from unimate_dcc.model.eval.reference import CLASSES, Reference
from unimate_dcc.model.eval.samples import Sample
from unimate_dcc.model.train.captions import IN_PLACE

GROUND = 0.05
"""Sizes; a fall or jump that rests farther from the ground floats or sinks (issue 3: 5 % of size)."""
RESTS = {"die": slice(-5, None), "jump": slice(None, 3)}
"""Frames of rest: where a fall ends and where a jump begins."""
GAITS, STANDING = ("walk", "run"), ("idle", "attack")


@dataclass(frozen=True)
class Row:
    """A set of motions in numbers; None or a missing action where the set has nothing to measure.

    Attributes:
        name: Whose motions.
        clips: How many.
        agreement: Mean recall of six actions of legged bodies, judged among these six.
        agreement_error: Its standard error over rigs.
        recall: By action.
        named: Share of all named captions judged right among all classes, any body.
        fid: Frechet distance to real held-out clips, of the motions made for their captions.
        fid_train: The same to real training clips.
        diversity: Mean joint distance of two takes of a caption, canonical units.
        static: Share of prompts that do not ask for rest in which no joint leaves its place.
        slow: Share of them under the fifth percentile of the speed of real moving clips of that kind of body.
        speed: Median ratio to the typical real speed, by action, legged bodies.
        jerk: The same of jerk.
        skate: Paper E.5, gaits that are not said to be in place, bodies that stand on legs.
        slide: The same.
        skate_standing: Skate of idle and attack.
        below_share: Mean share of frames with a joint under the ground.
        below_depth: Median of the deepest point of those clips that sink, sizes.
        grounded: Share of falls whose end, and of jumps whose begin, rests on the ground.
        disagreement: Median distance of position and rotation decode by action, canonical units.
    """

    name: str
    clips: int
    agreement: float | None
    agreement_error: float | None
    recall: dict[str, float]
    named: float | None
    fid: Distance | None
    fid_train: Distance | None
    diversity: float | None
    static: float | None
    slow: float | None
    speed: dict[str, float]
    jerk: dict[str, float]
    skate: float | None
    slide: float | None
    skate_standing: float | None
    below_share: float | None
    below_depth: float | None
    grounded: dict[str, float]
    disagreement: dict[str, float]


def row(name: str, samples: Sequence[Sample], reference: Reference, random: np.random.Generator) -> Row:
    """Measure motions made for the prompts of held-out rigs; real clips count as made for their captions."""
    asked = [one for one in samples if one.prompt.balanced] or [one for one in samples if _is_six(one)]
    captioned = [one for one in samples if not one.prompt.balanced]
    made = _row(name, samples, reference)
    judged = reference.judge.judge(*_inputs(asked), among=BALANCED) if asked else []
    named = [one for one in captioned if one.prompt.action in CLASSES]
    right = reference.judge.judge(*_inputs(named)) if named else []
    return replace(
        _agreed(made, asked, judged),
        named=_share(one.prompt.action == found for one, found in zip(named, right, strict=True)),
        fid=None if samples is reference.held_out else _distance(captioned, reference.held_out, reference, random),
        fid_train=_distance(captioned, reference.train, reference, random),
    )


def train_row(reference: Reference, random: np.random.Generator) -> Row:
    """The real training clips, each judged without its topology; distances between halves that share no clip."""
    train, size = reference.train, len(reference.held_out)
    made = _row("real training", train, reference)
    pairs = [(one, found) for one, found in zip(train, reference.train_judged, strict=True) if _is_six(one)]
    named = [one.prompt.action == found for one, found in zip(train, reference.train_judged, strict=True) if found]
    order = random.permutation(len(train))
    halves = [[train[index] for index in order[start : start + size]] for start in (0, size)]
    return replace(
        _agreed(made, [one for one, _ in pairs], [found for _, found in pairs]),
        named=_share(named),
        fid_train=_distance(halves[0], halves[1], reference, random),
    )


def _row(name: str, samples: Sequence[Sample], reference: Reference) -> Row:
    """All but agreement and distances."""
    captioned = [one for one in samples if not one.prompt.balanced]
    moving = [one for one in samples if one.prompt.action not in (None, "idle")]
    six = [one for one in samples if _is_six(one)]
    gaits = [one for one in six if one.prompt.action in GAITS and IN_PLACE not in one.prompt.text]
    standing = [one for one in six if one.prompt.action in STANDING]
    sunk = [one.quality.penetration_depth for one in samples if one.quality.penetration_share]
    return Row(
        name=name,
        clips=len(samples),
        agreement=None,
        agreement_error=None,
        recall={},
        named=None,
        fid=None,
        fid_train=None,
        diversity=_diversity(captioned),
        static=_share(one.quality.static for one in moving),
        slow=_share(one.quality.speed < reference.slow.get(one.category, 0.0) for one in moving),
        speed=_ratios(six, lambda one: one.quality.speed, reference.speed.of),
        jerk=_ratios(six, lambda one: one.quality.jerk, reference.jerk.of),
        skate=_mean(one.quality.skate for one in gaits),
        slide=_mean(one.quality.slide for one in gaits),
        skate_standing=_mean(one.quality.skate for one in standing),
        below_share=_mean(one.quality.penetration_share for one in samples),
        below_depth=float(np.median(sunk)) if sunk else None,
        grounded=_grounded(six),
        disagreement=_ratios(six, lambda one: one.disagreement, lambda one: 1.0),
    )


def _grounded(samples: Sequence[Sample]) -> dict[str, float]:
    """Share of samples by action whose lowest joint is on the ground, on the mean of the frames of rest."""
    found: dict[str, list[bool]] = {action: [] for action in RESTS}
    for one in samples:
        if one.prompt.action in RESTS:
            lowest = one.positions[RESTS[one.prompt.action], :, 1].min(-1)
            found[one.prompt.action].append(bool(np.abs(lowest).mean() <= GROUND))
    return {action: float(np.mean(flags)) for action, flags in found.items() if flags}


def _agreed(made: Row, asked: Sequence[Sample], judged: Sequence[str]) -> Row:
    """The row with how often ``asked`` were judged as what they should be."""
    if not asked:
        return made
    recall = recalls([str(one.prompt.action) for one in asked], judged)
    by_rig: dict[int, list[bool]] = {}
    for one, found in zip(asked, judged, strict=True):
        by_rig.setdefault(one.prompt.rig, []).append(one.prompt.action == found)
    rigs = [float(np.mean(hits)) for hits in by_rig.values()]
    error = float(np.std(rigs, ddof=1) / np.sqrt(len(rigs))) if len(rigs) > 1 else None
    return replace(made, agreement=float(np.mean(list(recall.values()))), agreement_error=error, recall=recall)


def _is_six(one: Sample) -> bool:
    return one.category in LEGGED and one.prompt.action in BALANCED


def _inputs(samples: Sequence[Sample]) -> tuple[np.ndarray, list[str]]:
    return np.stack([one.statistics for one in samples]), [one.category for one in samples]


def _distance(
    made: Sequence[Sample], real: Sequence[Sample], reference: Reference, random: np.random.Generator
) -> Distance | None:
    """None for less than two clips."""
    if min(len(made), len(real)) < 2:
        return None
    return distance(reference.rows(made), reference.rows(real), random)


def _diversity(samples: Sequence[Sample]) -> float | None:
    takes: dict[tuple[int, str], list[np.ndarray]] = {}
    for one in samples:
        takes.setdefault((one.prompt.rig, one.prompt.text), []).append(one.positions)
    return _mean(diversity(several) for several in takes.values() if len(several) > 1)


def _ratios(
    samples: Sequence[Sample], value: Callable[[Sample], float | None], typical: Callable[[Sample], float | None]
) -> dict[str, float]:
    """Median of value over typical by action, in the order of the six."""
    found: dict[str, list[float]] = {action: [] for action in BALANCED}
    for one in samples:
        measured, real = value(one), typical(one)
        if measured is not None and real:
            found[str(one.prompt.action)].append(measured / real)
    return {action: float(np.median(ratios)) for action, ratios in found.items() if ratios}


def _share(flags: Iterable[bool]) -> float | None:
    return _mean(float(flag) for flag in flags)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
