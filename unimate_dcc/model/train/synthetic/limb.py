"""A limb and how it reaches: any number of bones, by folding the rest pose more or less."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.train.synthetic.turns import about, arcs, toward
from unimate_dcc.skeleton import FloatArray

SAMPLES = 96
"""Folds of the table; the distance between two samples is read off a straight line, well under 1e-3 of the limb."""
TIGHTEST = 2.5
"""Radians by which any joint of a folded limb bends at most."""

SOFT = 0.03
"""Share of its length over which a limb comes to its end; a foot planted there misses by a tenth of it."""


@dataclass(frozen=True)
class Limb:
    """A chain of joints off the body.

    Attributes:
        joints: From the hip, shoulder or wing root to the tip.
        side: 1 left, -1 right, 0 in the middle.
        row: Counts limbs of one side from the back.
        ankle: Place in ``joints`` that reaching brings to its target; what follows is the foot. The number of
            joints stands for the virtual end of the last one.
        contact: Place in ``joints`` that stands on the ground, or the virtual end likewise.
        level: Whether the foot keeps its own direction in the world when it stands.
    """

    joints: tuple[int, ...]
    side: int
    row: int = 0
    ankle: int = 0
    contact: int = 0
    level: bool = True


class Reach:
    """Where a chain of bones can put its end: one number folds all its bends in proportion.

    Bends keep their sense, so a knee never turns into a hock and nothing pops.
    """

    def __init__(self, bones: FloatArray) -> None:
        """Measure the chain.

        Args:
            bones: (N, 3) bones in the rest pose, hip first.
        """
        self.bones = bones
        units = bones / np.linalg.norm(bones, axis=1, keepdims=True)
        self.axes = [toward(units[i], units[i + 1]) for i in range(len(bones) - 1)]
        self.bends = np.array([np.arccos(np.clip(units[i] @ units[i + 1], -1.0, 1.0)) for i in range(len(bones) - 1)])
        folds = np.linspace(0.0, TIGHTEST / self.bends.max(), SAMPLES) if len(bones) > 1 else np.ones(1)
        lengths = np.linalg.norm(self.ends(self.inner(folds)), axis=-1)
        shortest = int(lengths.argmin()) + 1
        self.folds, self.lengths = folds[:shortest][::-1], lengths[:shortest][::-1]
        self.longest = float(lengths[0])

    def inner(self, folds: FloatArray) -> FloatArray:
        """(T, N - 1, 3, 3) local rotations of the joints below the hip for (T,) folds; 1 is the rest pose."""
        turns = [about(axis, (folds - 1.0) * bend) for axis, bend in zip(self.axes, self.bends, strict=True)]
        return np.stack(turns, axis=1) if turns else np.zeros((len(folds), 0, 3, 3))

    def ends(self, inner: FloatArray) -> FloatArray:
        """(T, 3) from hip to end under an unturned hip."""
        turned = np.broadcast_to(np.eye(3), (len(inner), 3, 3))
        end = np.zeros((len(inner), 3)) + self.bones[0]
        for place, bone in enumerate(self.bones[1:]):
            turned = turned @ inner[:, place]
            end = end + turned @ bone
        return np.asarray(end)

    def solve(self, wanted: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Hip (T, 3, 3) and inner (T, N - 1, 3, 3) rotations that put the end at (T, 3); too far is stretched."""
        if len(self.bones) == 1:
            return arcs(np.broadcast_to(self.bones[0], wanted.shape), self._below(wanted)), self.inner(wanted[:, 0])
        folds = np.interp(self._softened(np.linalg.norm(wanted, axis=-1)), self.lengths, self.folds)
        inner = self.inner(folds)
        return arcs(self.ends(inner), wanted), inner

    def _softened(self, distances: FloatArray) -> FloatArray:
        """(T,) distances that never quite reach the full length: a limb that snaps straight whips its knee."""
        room = SOFT * self.longest
        beyond = np.maximum(distances - (self.longest - room), 0.0)
        return np.asarray(np.where(beyond > 0.0, self.longest - room * np.exp(-beyond / room), distances))

    def _below(self, wanted: FloatArray) -> FloatArray:
        """A single bone keeps the place on the ground and gives up the height."""
        flat = np.hypot(wanted[:, 0], wanted[:, 2])
        most = 0.95 * self.longest
        scale = np.minimum(1.0, most / np.maximum(flat, 1e-9))
        down = -np.sqrt(self.longest**2 - (flat * scale) ** 2)
        return np.stack([wanted[:, 0] * scale, down, wanted[:, 2] * scale], axis=-1)
