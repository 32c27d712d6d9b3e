"""A skeleton as found on a stage: what it is, what moves it, and whether a take could play on it."""

from __future__ import annotations

from dataclasses import dataclass

from unimate_dcc.skeleton import BoolArray, FloatArray, IntArray
from unimate_dcc.usd_io.finding import Finding


@dataclass(frozen=True, eq=False)
class LocalRest:
    """Rest pose in joint units, joint to parent, in the file's joint order.

    Attributes:
        translations: (J, 3).
        rotations: (J, 4) wxyz.
        scales: (J, 3).
        source: ``restTransforms`` or ``bindTransforms``.
    """

    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    source: str


@dataclass(frozen=True, eq=False)
class Character:
    """One skeleton of a shot.

    Attributes:
        prim: Path of the Skeleton prim.
        joints: J joint paths in the file's order.
        parents: (J,) parent indices; in a broken file a parent may come after its child.
        rest: Local rest pose; None where neither rest nor bind can be used.
        weighted: (J,) joints that move mesh points; None where no mesh is bound.
        animation: Path of the bound SkelAnimation that plays; nothing when at rest.
        available: SkelAnimations of the stage with joints of this skeleton, bound or not.
        instance_root: Where a take has to be bound when the skeleton lies inside an instance; else nothing.
        skel_root: Path of the enclosing SkelRoot, or nothing.
        findings: What was noticed.
    """

    prim: str
    joints: tuple[str, ...]
    parents: IntArray
    rest: LocalRest | None
    weighted: BoolArray | None
    animation: str
    available: tuple[str, ...]
    instance_root: str
    skel_root: str
    findings: tuple[Finding, ...]

    @property
    def animatable(self) -> bool:
        """Whether a take over this skeleton would play."""
        return self.rest is not None and not self.problem

    @property
    def problem(self) -> str:
        """The first reason why not, in one line."""
        return next((finding.message for finding in self.findings if finding.severity == "error"), "")
