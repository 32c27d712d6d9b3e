"""Puts a body together joint by joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body, Joint
from unimate_dcc.model.train.synthetic.limb import Limb
from unimate_dcc.skeleton import FloatArray

Chain = tuple[int, ...]


class Builder:
    """Collects joints, parents before children."""

    def __init__(self) -> None:
        self.joints: list[Joint] = []
        self.parents: list[int] = []
        self.positions: list[FloatArray] = []

    def add(self, part: str, parent: int, place: Sequence[float] | FloatArray, joint: Joint | None = None) -> int:
        """A joint at (3,) metres; ``joint`` says more than the part."""
        self.joints.append(joint or Joint(part))
        self.parents.append(parent)
        self.positions.append(np.asarray(place, dtype=np.float64))
        return len(self.joints) - 1

    def chain(
        self, part: str, parent: int, steps: Sequence[Sequence[float]] | FloatArray, side: int = 0, place: str = ""
    ) -> tuple[int, ...]:
        """Joints of one part, each one step (3,) metres after the last, numbered from 1 where there are several."""
        found: list[int] = []
        for number, step in enumerate(steps, start=1):
            joint = Joint(part, side, place, number if len(steps) > 1 else 0)
            parent = self.add(part, parent, self.positions[parent] + np.asarray(step), joint)
            found.append(parent)
        return tuple(found)

    def limb(
        self, parts: Sequence[str], parent: int, points: Sequence[FloatArray] | FloatArray, side: int, place: str = ""
    ) -> tuple[int, ...]:
        """Joints of several parts at (3,) metres, given for the left side."""
        found: list[int] = []
        for number, (part, point) in enumerate(zip(parts, points, strict=True), start=1):
            several = parts.count(part) > 1
            joint = Joint(part, side, place, number if several else 0)
            parent = self.add(part, parent, np.asarray(point) * [side or 1, 1.0, 1.0], joint)
            found.append(parent)
        return tuple(found)

    def mirrored(
        self, parts: Sequence[str], parent: int, points: FloatArray, place: str = "", row: int = 0
    ) -> list[Limb]:
        """The same limb left and right."""
        return [Limb(self.limb(parts, parent, points, side, place), side, row) for side in (1, -1)]

    def body(
        self,
        kind: str,
        category: str,
        *,
        spine: Chain = (),
        neck: Chain = (),
        tails: Sequence[Chain] = (),
        legs: Sequence[Limb] = (),
        arms: Sequence[Limb] = (),
        wings: Sequence[Limb] = (),
        fins: Sequence[Limb] = (),
        jaw: int = -1,
    ) -> Body:
        """The finished body, its lowest joint on the ground; what the groups are, ``Body`` tells."""
        positions = np.array(self.positions)
        positions[:, 1] -= positions[:, 1].min()
        return Body(
            kind, category, tuple(self.joints), np.array(self.parents), positions, spine, neck, tuple(tails),
            tuple(legs), tuple(arms), tuple(wings), tuple(fins), jaw,
        )  # fmt: skip


def sagittal(start: FloatArray, height: float, shares: Sequence[float], leans: Sequence[float]) -> FloatArray:
    """(N + 1, 3) joints of a leg in its own plane, hip first.

    Args:
        start: (3,) the hip, metres.
        height: From the hip down to the last joint, metres.
        shares: Lengths of the N bones against each other.
        leans: How far each bone leans ahead of straight down, radians.
    """
    steps = np.array([[0.0, -np.cos(lean), np.sin(lean)] for lean in leans]) * np.array(shares)[:, None]
    steps *= height / -steps[:, 1].sum()
    return np.asarray(start + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)]))


def sweep(count: int, length: float, first: float, last: float) -> FloatArray:
    """(N, 3) steps of a chain in the plane of symmetry, together ``length`` metres long.

    Args:
        count: N.
        length: Metres.
        first: Elevation of the first step over straight ahead, radians; more than a quarter turn points back.
        last: Elevation of the last one.
    """
    angles = np.linspace(first, last, count)
    steps = np.stack([np.zeros(count), np.sin(angles), np.cos(angles)], axis=1)
    return np.asarray(steps * (length / max(count, 1)))
