"""A motion under construction: turns of joints, feet that stand, a root that carries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.turns import LEFT, about, blended
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose, rest_relative
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import FloatArray


class Script:
    """T frames of a body at 30 a second, from its rest pose.

    Attributes:
        body: Who moves.
        frames: T.
        local: (T, J, 3, 3) rest-relative local rotations.
        root: (T, 3) root positions, metres.
    """

    def __init__(self, body: Body, frames: int) -> None:
        self.body, self.frames = body, frames
        self.local = np.broadcast_to(np.eye(3), (frames, len(body.joints), 3, 3)).copy()
        self.root = np.repeat(body.positions[:1], frames, axis=0)

    @property
    def cycles(self) -> FloatArray:
        """(T,) from 0 at the first frame to 1 at the last."""
        return np.linspace(0.0, 1.0, self.frames)

    def turn(self, joints: int | Sequence[int], axis: FloatArray, angles: FloatArray | float) -> None:
        """Turn joints about an axis (3,) of the rest pose by (T,) radians, shared evenly among them."""
        joints = [joints] if isinstance(joints, int) else list(joints)
        if joints:
            turns = about(axis, np.asarray(angles) / len(joints))
            self.local[:, joints] = self.local[:, joints] @ (turns[:, None] if turns.ndim == 3 else turns)

    def carry(self, joint: int, axis: FloatArray, angles: FloatArray | float) -> None:
        """Turn a joint by (T,) radians about an axis (3,) of its parent, after all that it does itself."""
        self.local[:, joint] = about(axis, angles) @ self.local[:, joint]

    def follow(self, chain: Sequence[int], axis: FloatArray, values: Sequence[FloatArray]) -> None:
        """Turn each joint of a chain by its own (T,) radians."""
        for joint, angles in zip(chain, values, strict=True):
            self.turn(joint, axis, angles)

    def kinematics(self) -> tuple[FloatArray, FloatArray]:
        """(T, J, 3, 3) rotations away from rest and (T, J, 3) positions, metres."""
        return pose(self.body.offsets, self.body.parents, self.local, self.root)

    def plant(
        self,
        targets: Sequence[FloatArray],
        pitches: Sequence[FloatArray | float] | None = None,
        heading: FloatArray | None = None,
        weight: FloatArray | None = None,
        legs: Sequence[int] | None = None,
    ) -> None:
        """Bend legs until their contacts are at targets.

        Args:
            targets: One (T, 3) or (3,) per leg, metres.
            pitches: How far each foot's toes point down, radians; the contact stays.
            heading: (T, 3, 3) which way feet point.
            weight: (T,) 1 to follow the targets, 0 to keep what the leg does already.
            legs: Which legs; all by default.
        """
        turned, positions = self.kinematics()
        chosen = range(len(self.body.legs)) if legs is None else legs
        for place, number in enumerate(chosen):
            leg = self.body.legs[number]
            pitch = np.zeros(self.frames) + (0.0 if pitches is None else pitches[place])
            foot = about(LEFT, pitch) if heading is None else heading @ about(LEFT, pitch)
            before = self.local[:, list(leg.joints)].copy()
            self._reach(number, np.zeros((self.frames, 3)) + targets[place], foot, pitch, turned, positions)
            if weight is not None:
                for slot, joint in enumerate(leg.joints):
                    self.local[:, joint] = blended(before[:, slot], self.local[:, joint], weight)

    def _reach(
        self, number: int, target: FloatArray, foot: FloatArray, pitch: FloatArray, turned: FloatArray, at: FloatArray
    ) -> None:
        body, leg = self.body, self.body.legs[number]
        hip, ankle = leg.joints[0], leg.joints[leg.ankle if leg.level else 0]
        above = turned[:, body.parents[hip]]
        if leg.level:
            target = target - foot @ (body.standing(leg) - body.positions[ankle])
        wanted = np.einsum("tji,tj->ti", above, target - at[:, hip])
        first, inner = body.reaches[number].solve(wanted)
        self.local[:, hip] = first
        above = above @ first
        for slot, joint in enumerate(leg.joints[1 : leg.ankle]):
            self.local[:, joint] = inner[:, slot]
            above = above @ inner[:, slot]
        if leg.level:
            self.local[:, ankle] = np.swapaxes(above, -1, -2) @ foot
            if leg.ankle < leg.contact < len(leg.joints):
                self.local[:, leg.joints[leg.contact]] = about(LEFT, -pitch)

    def stand(self, weight: FloatArray | None = None, legs: Sequence[int] | None = None) -> None:
        """Keep feet where they are in the rest pose."""
        chosen = range(len(self.body.legs)) if legs is None else legs
        self.plant([self.body.standing(self.body.legs[leg]) for leg in chosen], weight=weight, legs=legs)

    def lowest(self) -> FloatArray:
        """(T,) height of the lowest joint or virtual end, metres."""
        turned, positions = self.kinematics()
        tips = (
            positions[:, self.body.tip_parents, 1]
            + np.einsum("teij,ej->tei", turned[:, self.body.tip_parents], self.body.tip_offsets)[..., 1]
        )
        return np.asarray(np.minimum(positions[..., 1].min(1), tips.min(1, initial=np.inf)))

    def rest_on_ground(self) -> None:
        """Lift the body in every frame in which it would sink into the ground."""
        self.root[:, 1] -= np.minimum(self.lowest(), 0.0)

    def motion(self, rig: Rig) -> RigMotion:
        """The motion in the rig's canonical frame: what ``canonicalise`` would read, without the detour of a clip."""
        turned, positions = self.kinematics()
        source = np.where(rig.source >= 0, rig.source, rig.source[rig.parents])
        away = rig.frame.turn @ turned[:, source] @ rig.frame.turn.T
        return RigMotion(rest_relative(rig.parents, away), rig.frame.to_canonical(positions[:, rig.source[0]]))
