"""A canonical rig: the joints to drive, in the model's order and frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unimate_dcc.rig.facing import FacingPair
from unimate_dcc.rig.pose import rest_offsets
from unimate_dcc.rig.topology import Topology, describe
from unimate_dcc.skeleton import FloatArray, IntArray


@dataclass(frozen=True)
class Contact:
    """A joint that stands on the ground; ``joint`` counts in the rig's order."""

    joint: int
    confidence: float
    source: str


@dataclass(frozen=True)
class Held:
    """A joint of the skeleton that is not driven, and why."""

    joint: str
    reason: str


@dataclass(frozen=True, eq=False)
class Frame:
    """How the canonical frame comes from world metres.

    canonical = scale * turn @ (world - (origin_x, 0, origin_z)) - (0, ground, 0)

    Attributes:
        turn: (3, 3) rotation about Y that brings the rest pose to face +Z.
        scale: Canonical units per metre; makes the tree diameter 2.
        origin: (3,) metres; the rest root, of which x and z are used.
        ground: Lowest rest joint, canonical units.
    """

    turn: FloatArray
    scale: float
    origin: FloatArray
    ground: float

    def to_canonical(self, points: FloatArray) -> FloatArray:
        """(..., 3) world metres to canonical units."""
        moved = (points - self.origin * [1.0, 0.0, 1.0]) @ self.turn.T * self.scale
        return np.asarray(moved - [0.0, self.ground, 0.0])

    def to_world(self, points: FloatArray) -> FloatArray:
        """(..., 3) canonical units to world metres."""
        moved = (points + [0.0, self.ground, 0.0]) / self.scale @ self.turn
        return np.asarray(moved + self.origin * [1.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Rig:
    """K driven joints, breadth first, parents before children.

    Attributes:
        joints: K full joint paths; a virtual end is ``<leaf path>/virtual_end``.
        source: (K,) index into ``Skeleton.joints``, -1 for a virtual end.
        parents: (K,) parent among the driven joints, -1 for the root.
        labels: K names in the paper's vocabulary.
        positions: (K, 3) canonical rest positions: facing +Z, tree diameter 2, lowest joint at y = 0.
        rest_linear: (K, 3, 3) world linear parts of the rest pose, scales included; a virtual end has its leaf's.
        frame: How the canonical frame comes from the world.
        facing: Which joints tell the facing; None for a body without one.
        contacts: Joints that stand on the ground.
        category: Morphology, such as ``quadruped``.
        category_confidence: 0 to 1.
        held: Joints that are not driven.
        repairs: One line per thing that was mended or is doubtful.
        total: Joints of the skeleton.
    """

    joints: tuple[str, ...]
    source: IntArray
    parents: IntArray
    labels: tuple[str, ...]
    positions: FloatArray
    rest_linear: FloatArray
    frame: Frame
    facing: FacingPair | None
    contacts: tuple[Contact, ...]
    category: str
    category_confidence: float
    held: tuple[Held, ...]
    repairs: tuple[str, ...]
    total: int

    @cached_property
    def offsets(self) -> FloatArray:
        """(K, 3) canonical rest offsets to the parent; the root's is its position."""
        return rest_offsets(self.positions, self.parents)

    @cached_property
    def topology(self) -> Topology:
        """Graph descriptors in the rig's order."""
        return describe(self.parents)

    @property
    def driven(self) -> int:
        """Joints of the skeleton that are driven; virtual ends do not count."""
        return int(np.sum(self.source >= 0))

    def summary(self) -> str:
        """Such as ``412 joints: 58 driven, 354 held``."""
        return f"{self.total} joints: {self.driven} driven, {self.total - self.driven} held"
