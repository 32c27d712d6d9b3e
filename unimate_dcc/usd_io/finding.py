"""One thing noticed about a stage or a skeleton."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class Finding:
    """What, where, how bad.

    Attributes:
        code: Short fixed name, such as ``rest-from-bind``.
        severity: ``error`` means that the thing cannot be used.
        prim: Prim path, or the layer's identifier.
        message: One line for people, with the fix where there is one.
        joints: Joints it is about.
        frames: Stage time codes it is about.
    """

    code: str
    severity: Severity
    prim: str
    message: str
    joints: tuple[str, ...] = ()
    frames: tuple[float, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.severity}: {self.prim}: {self.message}"
