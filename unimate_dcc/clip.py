"""A clip as plain numpy: what the joints of a skeleton do over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unimate_dcc.skeleton import FloatArray, IntArray, Skeleton, forward_kinematics, local_matrices


@dataclass(frozen=True, eq=False)
class Clip:
    """Samples of all J joints of a skeleton, in the skeleton's order.

    Attributes:
        skeleton: Whose motion this is.
        seconds: (T,) sample times, seconds from stage time code 0, strictly rising.
        translations: (T, J, 3) metres, joint to parent; roots are in the world.
        rotations: (T, J, 4) unit quaternions wxyz, joint to parent; roots are in the world.
        scales: (T, J, 3) factors.
    """

    skeleton: Skeleton
    seconds: FloatArray
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray

    def __post_init__(self) -> None:
        frames, joints = len(self.seconds), len(self.skeleton.joints)
        for name, width in (("translations", 3), ("rotations", 4), ("scales", 3)):
            array = getattr(self, name)
            if array.shape != (frames, joints, width):
                raise ValueError(f"{name} has shape {array.shape}, expected {(frames, joints, width)}")
        if np.any(np.diff(self.seconds) <= 0):
            raise ValueError("sample times must rise")

    @cached_property
    def world(self) -> FloatArray:
        """(T, J, 4, 4) joint-to-world matrices, metres."""
        local = local_matrices(self.translations, self.rotations, self.scales)
        return forward_kinematics(self.skeleton.parents, local)

    @property
    def positions(self) -> FloatArray:
        """(T, J, 3) joint positions in the world, metres."""
        return self.world[..., :3, 3]

    def at(self, samples: IntArray) -> Clip:
        """Only some of the samples, by rising index."""
        return Clip(
            self.skeleton,
            self.seconds[samples],
            self.translations[samples],
            self.rotations[samples],
            self.scales[samples],
        )

    @classmethod
    def rest(cls, skeleton: Skeleton, seconds: FloatArray) -> Clip:
        """The rest pose, held at the given times."""
        frames = len(seconds)

        def hold(array: FloatArray) -> FloatArray:
            return np.repeat(array[None], frames, axis=0)

        return cls(
            skeleton,
            seconds,
            hold(skeleton.rest_translations),
            hold(skeleton.rest_rotations),
            hold(skeleton.rest_scales),
        )
