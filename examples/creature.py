"""A creature as tables: its joints, and the parts of its low-poly skin.

Everything here is metres, Y up, facing +Z, the creature's left at +X.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

SIDES = ((1.0, "Left", "l"), (-1.0, "Right", "r"))
"""Sign of X, and what {S} and {s} in a joint's name become."""
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Joint:
    """One joint: name, parent's name, place at rest."""

    name: str
    parent: str
    place: tuple[float, float, float]


@dataclass(frozen=True)
class Row:
    """One ring of a part.

    Attributes:
        along: Place on the chain: 1.5 is half-way between its second and third stop.
        width: Half the extent to the side.
        height: Half the extent at right angles to that; with ``width`` 0 the part ends in a point.
        lift: Shift along the height.
        shift: Shift to the side.
        look: The surface from here on, if it changes.
    """

    along: float
    width: float
    height: float
    lift: float = 0.0
    shift: float = 0.0
    look: str = ""


@dataclass(frozen=True)
class Part:
    """A closed tube along a chain of joints.

    Attributes:
        look: Which of the creature's surfaces it belongs to.
        chain: Joints, as ``Name`` or ``Name@x,y,z`` for a spot that far from the joint and moved by it.
        rows: Its rings, in the order of the chain.
        corners: Of a ring.
        upright: Height is measured along Y; else along Z, for what stands.
        mirrored: A second one at the other side.
    """

    look: str
    chain: tuple[str, ...]
    rows: tuple[Row, ...]
    corners: int
    upright: bool
    mirrored: bool


@dataclass(frozen=True)
class Creature:
    """A named table of joints, its parts, and the colours (linear) of its looks."""

    name: str
    joints: list[Joint]
    looks: dict[str, Colour]
    parts: list[Part] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Joint names, parents first."""
        return [joint.name for joint in self.joints]

    @property
    def parents(self) -> list[int]:
        """Parent indices, -1 for the root."""
        place = {name: index for index, name in enumerate(self.names)}
        return [place[joint.parent] if joint.parent else -1 for joint in self.joints]

    @property
    def paths(self) -> list[str]:
        """UsdSkel joint paths."""
        paths: list[str] = []
        for joint, parent in zip(self.joints, self.parents, strict=True):
            paths.append(f"{paths[parent]}/{joint.name}" if parent >= 0 else joint.name)
        return paths

    @property
    def positions(self) -> np.ndarray:
        """(J, 3) rest positions."""
        return np.array([joint.place for joint in self.joints], dtype=np.float64)


def table(text: str) -> list[Joint]:
    """Joints from lines ``name parent x y z``; ``{S}`` or ``{s}`` in a name makes a left and a right one."""
    joints: list[Joint] = []
    for line in _lines(text):
        name, parent, x, y, z = line.split()
        for sign, word, letter in SIDES if "{" in name else SIDES[:1]:
            names = [part.replace("{S}", word).replace("{s}", letter) for part in (name, parent.strip("-"))]
            joints.append(Joint(names[0], names[1], (float(x) * sign, float(y), float(z))))
    return joints


def part(
    look: str, chain: str, rows: str, *, corners: int = 8, upright: bool = True, mirrored: bool | None = None
) -> Part:
    """A part from lines ``stop fraction width height [lift [shift]] [look]``.

    ``stop`` counts the chain's stops from 0. A chain that names ``{S}`` or ``{s}`` is mirrored unless told otherwise.
    """
    mirrored = "{" in chain if mirrored is None else mirrored
    return Part(look, tuple(chain.split()), tuple(map(_row, _lines(rows))), corners, upright, mirrored)


def _row(line: str) -> Row:
    words = line.split()
    look = words.pop() if words[-1][0].isalpha() else ""
    stop, fraction, width, height, *shifts = map(float, words)
    return Row(stop + fraction, width, height, *shifts, look=look)


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.strip())
