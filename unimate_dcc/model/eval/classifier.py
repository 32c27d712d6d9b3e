"""An independent judge of what a motion is: a multinomial logistic regression over kinematic statistics.

Trained on real training clips only. Its own ceiling, how well it judges real clips of topologies that it has
not seen, is what a model's agreement is divided by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from unimate_dcc.model.eval.kinematics import standardised
from unimate_dcc.skeleton import FloatArray, IntArray

PENALTY = 1e-3
"""Ridge on the weights for each clip; a third or three times as much lost 0.01 of the ceiling on real clips."""


@dataclass(frozen=True, eq=False)
class Classifier:
    """A fitted judge.

    Attributes:
        classes: C actions it knows.
        categories: Kinds of body it knows; an unknown kind is none of them.
        mean: (F,) of the statistics it was fitted on.
        deviation: (F,) of them.
        weights: (F + categories + 1, C).
    """

    classes: tuple[str, ...]
    categories: tuple[str, ...]
    mean: FloatArray
    deviation: FloatArray
    weights: FloatArray

    def probabilities(self, rows: FloatArray, categories: Sequence[str]) -> FloatArray:
        """(N, C) of (N, F) statistics and N kinds of body."""
        scores = self._inputs(rows, categories) @ self.weights
        scores = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(scores / scores.sum(1, keepdims=True))

    def judge(self, rows: FloatArray, categories: Sequence[str], among: Sequence[str] | None = None) -> list[str]:
        """The likeliest action of each of (N, F) rows, out of those of ``among`` that it knows; None for all."""
        allowed = [place for place, action in enumerate(self.classes) if among is None or action in among]
        best = self.probabilities(rows, categories)[:, allowed].argmax(1)
        return [self.classes[allowed[index]] for index in best]

    def _inputs(self, rows: FloatArray, categories: Sequence[str]) -> FloatArray:
        values = standardised(rows, self.mean, self.deviation)
        kinds = np.array([[float(kind == known) for known in self.categories] for kind in categories])
        return np.concatenate((values, kinds, np.ones((len(rows), 1))), axis=1)


def fit(rows: FloatArray, categories: Sequence[str], actions: Sequence[str]) -> Classifier:
    """Fit to (N, F) statistics of N clips; every action weighs the same in all, however many clips it has."""
    classes, target = np.unique(list(actions), return_inverse=True)
    draft = Classifier(
        tuple(classes.tolist()),
        tuple(sorted(set(categories))),
        rows.mean(0),
        rows.std(0),
        np.zeros((0, 0)),
    )
    weight = (len(rows) / len(classes) / np.bincount(target))[target]
    inputs = draft._inputs(rows, categories)
    weights = _solved(inputs, target, weight, len(classes), PENALTY * len(rows))
    return Classifier(draft.classes, draft.categories, draft.mean, draft.deviation, weights)


def _solved(inputs: FloatArray, target: IntArray, weight: FloatArray, classes: int, penalty: float) -> FloatArray:
    """(F, C) weights of least penalised cross-entropy; the last input, the constant, is free of the penalty."""
    wanted = np.eye(classes)[target]
    free = np.ones((inputs.shape[1], 1))
    free[-1] = 0.0

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        weights = flat.reshape(-1, classes)
        scores = inputs @ weights
        scores = scores - scores.max(1, keepdims=True)
        total = np.log(np.exp(scores).sum(1))
        miss = weight @ (total - (scores * wanted).sum(1))
        slope = inputs.T @ (weight[:, None] * (np.exp(scores - total[:, None]) - wanted))
        return miss + 0.5 * penalty * float((free * weights**2).sum()), (slope + penalty * free * weights).ravel()

    found = minimize(loss, np.zeros(inputs.shape[1] * classes), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x.reshape(-1, classes))


def cross_judged(
    rows: FloatArray,
    categories: Sequence[str],
    actions: Sequence[str],
    groups: Sequence[str],
    *,
    among: Sequence[str] | None = None,
    folds: int = 10,
) -> list[str]:
    """What each of N clips is judged to be by a classifier that saw no clip of its group.

    Args:
        rows: (N, F) statistics.
        categories: N kinds of body.
        actions: N true actions.
        groups: N names, such as of topologies; groups are dealt to the folds in sorted order.
        among: As for ``Classifier.judge``.
        folds: How many classifiers.
    """
    order = {group: place % folds for place, group in enumerate(sorted(set(groups)))}
    fold = np.array([order[group] for group in groups])
    judged = [""] * len(rows)
    for number in sorted(set(fold.tolist())):
        train, test = np.flatnonzero(fold != number).tolist(), np.flatnonzero(fold == number).tolist()
        model = fit(rows[train], [categories[row] for row in train], [actions[row] for row in train])
        for row, action in zip(test, model.judge(rows[test], [categories[row] for row in test], among), strict=True):
            judged[row] = action
    return judged


def recalls(actions: Sequence[str], judged: Sequence[str]) -> dict[str, float]:
    """Share of each true action that was judged right."""
    true, found = np.array(actions), np.array(judged)
    return {action: float((found[true == action] == action).mean()) for action in sorted(set(actions))}


def balanced_accuracy(actions: Sequence[str], judged: Sequence[str]) -> float:
    """Mean of the recalls."""
    return float(np.mean(list(recalls(actions, judged).values())))
