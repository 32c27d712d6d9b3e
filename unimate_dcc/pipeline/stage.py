"""How a stage is composed for a job: what is seen is what is animated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unimate_dcc.usd_io.stage import Shot, open_shot


@dataclass(frozen=True)
class StageOptions:
    """Laid over, left out, not populated.

    Attributes:
        session_layer: A layer over everything.
        mute: Regular expressions of layer identifiers.
        mask: Prim paths outside which nothing is populated.
    """

    session_layer: str | None = None
    mute: Sequence[str] = ()
    mask: Sequence[str] = ()


def open_stage(path: str, options: StageOptions) -> Shot:
    """The shot as the options compose it."""
    return open_shot(path, session_layer=options.session_layer, mute=options.mute, mask=options.mask)


def rate_of(path: str, options: StageOptions) -> float:
    """Time codes per second of a shot."""
    return open_stage(path, options).info.time_codes_per_second
