"""What motions are compared with: the real clips, and a judge that has seen only those of the training set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.eval.actions import BALANCED
from unimate_dcc.model.eval.bodies import LEGGED
from unimate_dcc.model.eval.classifier import Classifier, balanced_accuracy, cross_judged, fit
from unimate_dcc.model.eval.kinematics import DISTANCE, standardised
from unimate_dcc.model.eval.samples import Sample, real_samples
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.skeleton import FloatArray

CLASSES = (*BALANCED, "fly", "swim")
"""What the judge knows; only 2 training clips turn, too few to learn from."""
PHASES = 2
"""Windows of each training clip that the judge learns from: loops are generated at any phase."""
FEWEST = 3
"""Fewer real clips of an action and a kind of body give no typical value; then that action of all bodies counts."""

Judged = dict[int, str]
"""What a sample, by its place in a list, was taken for."""


@dataclass(frozen=True, eq=False)
class Typical:
    """Medians of a measure over real training clips, by kind of body and action."""

    by_kind: dict[tuple[str, str], float]
    by_action: dict[str, float]

    def of(self, sample: Sample) -> float | None:
        """What real clips of this body and action have; None for an action without real clips."""
        action = sample.prompt.action or ""
        return self.by_kind.get((sample.category, action), self.by_action.get(action))


@dataclass(frozen=True, eq=False)
class Reference:
    """The real side of the table.

    Attributes:
        judge: Fitted on training clips.
        ceiling: Its balanced accuracy over six actions of legged bodies of topologies that it did not see.
        train: A window of each training clip.
        train_judged: What a judge that saw no clip of the topology takes each of ``train`` for; "" where unnamed.
        held_out: A window of each clip of the chosen held-out rigs.
        mean: (32,) of the distance statistics of ``train``.
        deviation: (32,) of them.
        speed: Typical joint speed.
        jerk: Typical jerk.
        slow: Fifth percentile of the joint speed of clips that do not rest, by kind of body.
    """

    judge: Classifier
    ceiling: float
    train: list[Sample]
    train_judged: list[str]
    held_out: list[Sample]
    mean: FloatArray
    deviation: FloatArray
    speed: Typical
    jerk: Typical
    slow: dict[str, float]

    def rows(self, samples: Sequence[Sample]) -> FloatArray:
        """(N, 32) statistics for a distance, in deviations of real training clips."""
        rows = np.stack([one.statistics[: len(DISTANCE)] for one in samples])
        return standardised(rows, self.mean, self.deviation)


def build_reference(
    rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip], chosen: Sequence[int], random: np.random.Generator
) -> Reference:
    """Measure the real clips and fit the judge.

    Args:
        rigs: All rigs.
        clips: All clips; those of held-out rigs and scripted ones are kept from the judge.
        chosen: Held-out rigs to compare with.
        random: Chooses the windows.
    """
    learned = [clip for clip in clips if not rigs[clip.rig].held_out and not rigs[clip.rig].synthetic]
    passes = [real_samples(rigs, learned, random) for _ in range(PHASES)]
    train = passes[0]
    known = [one for samples in passes for one in samples if one.prompt.action in CLASSES]
    judge, judged = _judges(rigs, known)
    first = iter(judged)
    train_judged = [next(first) if one.prompt.action in CLASSES else "" for one in train]
    statistics = np.stack([one.statistics[: len(DISTANCE)] for one in train])
    moving = [one for one in train if one.prompt.action not in (None, "idle")]
    return Reference(
        judge=judge,
        ceiling=_six(known, judged),
        train=train,
        train_judged=train_judged,
        held_out=real_samples(rigs, [clip for clip in clips if clip.rig in set(chosen)], random),
        mean=statistics.mean(0),
        deviation=statistics.std(0),
        speed=_typical(train, lambda one: one.quality.speed),
        jerk=_typical(train, lambda one: one.quality.jerk),
        slow={kind: float(np.percentile(speeds, 5)) for kind, speeds in _speeds(moving).items()},
    )


def _judges(rigs: Sequence[TrainingRig], known: Sequence[Sample]) -> tuple[Classifier, list[str]]:
    """The judge of all, and what each is taken for by one that saw no clip of its topology."""
    rows = np.stack([one.statistics for one in known])
    kinds, actions = [one.category for one in known], [str(one.prompt.action) for one in known]
    groups = [rigs[one.prompt.rig].tree for one in known]
    six = np.array([one.category in LEGGED and one.prompt.action in BALANCED for one in known])
    free = cross_judged(rows, kinds, actions, groups)
    among = cross_judged(rows, kinds, actions, groups, among=BALANCED)
    return fit(rows, kinds, actions), [
        narrow if use else wide for use, narrow, wide in zip(six, among, free, strict=True)
    ]


def _six(known: Sequence[Sample], judged: Sequence[str]) -> float:
    pairs = [
        (str(one.prompt.action), found)
        for one, found in zip(known, judged, strict=True)
        if one.category in LEGGED and one.prompt.action in BALANCED
    ]
    return balanced_accuracy([true for true, _ in pairs], [found for _, found in pairs])


def _typical(samples: Iterable[Sample], value: Callable[[Sample], float]) -> Typical:
    by_kind: dict[tuple[str, str], list[float]] = {}
    by_action: dict[str, list[float]] = {}
    for one in samples:
        if one.prompt.action is not None:
            by_kind.setdefault((one.category, one.prompt.action), []).append(value(one))
            by_action.setdefault(one.prompt.action, []).append(value(one))
    return Typical(
        {key: float(np.median(values)) for key, values in by_kind.items() if len(values) >= FEWEST},
        {key: float(np.median(values)) for key, values in by_action.items()},
    )


def _speeds(samples: Iterable[Sample]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for one in samples:
        found.setdefault(one.category, []).append(one.quality.speed)
    return found
