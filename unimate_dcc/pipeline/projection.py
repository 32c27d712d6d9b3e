"""Constraints on a motion, as the sampler wants them: on features, window by window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unimate_dcc.pipeline.source import features_of
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray

if TYPE_CHECKING:
    from unimate_dcc.model.known import Place

Constrain = Callable[[RigMotion, int], RigMotion]
"""Moves a motion onto constraints; the number is the frame of the run that its first frame is."""


@dataclass(frozen=True, eq=False)
class Pull:
    """A ``model.known.Projection``: adds to the features what a constraint changes in the motion they describe.

    Positions and rotations of an estimate need not agree yet; only the difference is added, so neither is lost.
    """

    rig: Rig
    constrain: Constrain

    def __call__(self, features: FloatArray, place: Place) -> FloatArray:
        """See ``Projection``."""
        from unimate_dcc.model.features import motion_from_features, turned

        ahead = turned(features, self.rig.parents, place.yaw.T)  # as the first frame of the run faces
        rotations, root = motion_from_features(self.rig.offsets, self.rig.parents, ahead)
        motion = RigMotion(rotations, root + place.origin)
        moved = self.constrain(motion, place.first)
        change = features_of(self.rig, moved) - features_of(self.rig, motion)
        return turned(ahead + change, self.rig.parents, place.yaw)
