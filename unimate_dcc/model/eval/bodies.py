"""Rigs of the training set as evaluation looks at them."""

from __future__ import annotations

from collections.abc import Sequence

from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.motion import quality
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose
from unimate_dcc.rig.topology import describe
from unimate_dcc.skeleton import FloatArray

LEGGED = ("biped", "quadruped", "bird", "arthropod", "flying_other")
"""Bodies with legs or wings: those that can walk, run, stand, strike, fall and jump."""
LOW_ROOT = 0.05
"""Canonical units; a root nearer to the ground gives paper E.5 no unit to measure sliding in."""


def inputs(rig: TrainingRig) -> RigInputs:
    """A rig of the cache as the model wants it."""
    return RigInputs.of(rig.positions, rig.parents, rig.labels, describe(rig.parents))


def posed(rig: TrainingRig, motion: RigMotion) -> FloatArray:
    """(T, K, 3) joint positions, canonical units."""
    return pose(rig.offsets, rig.parents, motion.rotations, motion.root)[1]


def feet(rig: TrainingRig) -> tuple[int, ...]:
    """Contact joints whose sliding can be measured: of bodies that stand on legs with the root above them."""
    stands = rig.category in LEGGED and root_height(rig) > LOW_ROOT
    return rig.contacts if stands else ()


def root_height(rig: TrainingRig) -> float:
    """Rest height of the root above the lowest rest joint, canonical units."""
    return quality.root_height(rig.positions)


def chosen(rigs: Sequence[TrainingRig], count: int | None) -> list[int]:
    """Indices of the held-out rigs, or of ``count`` of them spread over all."""
    held_out = [index for index, rig in enumerate(rigs) if rig.held_out]
    return held_out if count is None else spread(held_out, count)


def spread(indices: Sequence[int], count: int) -> list[int]:
    """``count`` of the indices at even distances; all of them where there are no more."""
    count = min(count, len(indices))
    return [indices[place * len(indices) // count] for place in range(count)]
