"""A body: joints with a rest pose, and which of them are spine, legs, wings and tails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from unimate_dcc.model.train.synthetic.limb import Limb, Reach
from unimate_dcc.rig.pose import rest_offsets
from unimate_dcc.skeleton import FloatArray, IntArray, Skeleton, joint_paths


@dataclass(frozen=True)
class Joint:
    """What a joint is, before a naming style spells it.

    Attributes:
        part: Such as ``thigh``; the words of ``naming.PARTS``.
        side: 1 left, -1 right, 0 in the middle.
        place: ``front``, ``back`` or a counter of limbs; may be empty.
        number: Counts joints of a chain from 1; 0 where there is but one.
    """

    part: str
    side: int = 0
    place: str = ""
    number: int = 0


@dataclass(frozen=True, eq=False)
class Body:
    """A creature or a machine that faces +Z, Y up, its lowest joint on the ground.

    Attributes:
        kind: What it is called, such as ``fox``.
        category: Of ``rig.category.CATEGORIES``.
        joints: J joints, parents first, the root at 0.
        parents: (J,) parent indices.
        positions: (J, 3) rest positions, metres.
        spine: Joints from the hips to the chest, without the root.
        neck: Joints of the neck, the head last.
        tails: Chains that hang or trail.
        legs: Limbs that stand.
        arms: Limbs that do not.
        wings: Wings, left and right.
        fins: Fins, antennae, ears and leaves: they follow and flutter.
        jaw: The jaw, or -1.
        tip_parents: (E,) joints that carry virtual ends.
        tip_offsets: (E, 3) from those joints to the ends, metres.
    """

    kind: str
    category: str
    joints: tuple[Joint, ...]
    parents: IntArray
    positions: FloatArray
    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    tails: tuple[tuple[int, ...], ...] = ()
    legs: tuple[Limb, ...] = ()
    arms: tuple[Limb, ...] = ()
    wings: tuple[Limb, ...] = ()
    fins: tuple[Limb, ...] = ()
    jaw: int = -1
    tip_parents: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    tip_offsets: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))

    @cached_property
    def offsets(self) -> FloatArray:
        """(J, 3) joint minus parent, metres; the root's is its position."""
        return rest_offsets(self.positions, self.parents)

    @cached_property
    def size(self) -> float:
        """Diagonal of the box around the rest pose, metres."""
        return float(np.linalg.norm(np.ptp(self.positions, axis=0)))

    @cached_property
    def leg_height(self) -> float:
        """Mean height of the hips, metres."""
        return float(np.mean([self.positions[leg.joints[0], 1] for leg in self.legs]))

    @cached_property
    def reaches(self) -> tuple[Reach, ...]:
        """How each leg reaches, hip to ankle."""
        return tuple(Reach(self.bones(leg)) for leg in self.legs)

    def bones(self, limb: Limb) -> FloatArray:
        """(N, 3) bones from the hip to the ankle, metres."""
        bones = self.offsets[list(limb.joints[1 : limb.ankle + 1])]
        return np.concatenate([bones, self._tip(limb)]) if limb.ankle == len(limb.joints) else bones

    def standing(self, limb: Limb) -> FloatArray:
        """(3,) where the limb's contact is in the rest pose, metres."""
        if limb.contact < len(limb.joints):
            return np.asarray(self.positions[limb.joints[limb.contact]])
        return np.asarray(self.positions[limb.joints[-1]] + self._tip(limb)[0])

    def _tip(self, limb: Limb) -> FloatArray:
        return np.asarray(self.tip_offsets[self.tip_parents == limb.joints[-1]])

    def skeleton(self, names: Sequence[str]) -> Skeleton:
        """The rest pose as a skeleton with unturned joints.

        Args:
            names: J names, unique among siblings; they become paths here.
        """
        count = len(self.joints)
        rotations = np.zeros((count, 4))
        rotations[:, 0] = 1.0
        return Skeleton(joint_paths(names, self.parents), self.parents, self.offsets, rotations, np.ones((count, 3)))
