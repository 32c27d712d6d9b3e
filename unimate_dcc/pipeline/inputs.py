"""A canonical rig as the model wants it."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.rig.rig import Rig


def rig_inputs(rig: Rig) -> RigInputs:
    """Plain arrays of a rig, in its own joint order."""
    topology = rig.topology
    return RigInputs(
        offsets=rig.offsets,
        parents=rig.parents,
        labels=rig.labels,
        rest_positions=rig.positions,
        relations=topology.relations,
        distances=topology.distances,
        depths=topology.depths,
        spectral=np.asarray(topology.spectral, dtype=np.float64),
    )
