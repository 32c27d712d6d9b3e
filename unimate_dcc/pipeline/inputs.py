"""A canonical rig as the model wants it."""

from __future__ import annotations

from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.rig.rig import Rig


def rig_inputs(rig: Rig) -> RigInputs:
    """Plain arrays of a rig, in its own joint order."""
    return RigInputs.of(rig.positions, rig.parents, rig.labels, rig.topology)
