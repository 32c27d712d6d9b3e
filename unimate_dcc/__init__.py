"""Text-driven motion for any UsdSkel skeleton, written as new USD layers that touch nobody's work.

    import unimate_dcc

    takes = unimate_dcc.animate(unimate_dcc.GenerateRequest(shot="shot.usd", prompt="a fox trots forward"))

Names are loaded when they are first used; importing the package does no work.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from unimate_dcc.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from unimate_dcc.clip import Clip
    from unimate_dcc.errors import UnimateError
    from unimate_dcc.pipeline.animate import animate
    from unimate_dcc.pipeline.inspect import inspect
    from unimate_dcc.request import GenerateRequest
    from unimate_dcc.skeleton import Skeleton
    from unimate_dcc.usd_io.find import find_characters
    from unimate_dcc.usd_io.stage import open_shot

_HOMES = {
    "Clip": "clip",
    "GenerateRequest": "request",
    "Skeleton": "skeleton",
    "UnimateError": "errors",
    "animate": "pipeline.animate",
    "find_characters": "usd_io.find",
    "inspect": "pipeline.inspect",
    "open_shot": "usd_io.stage",
}

__all__ = [
    "Clip",
    "GenerateRequest",
    "Skeleton",
    "UnimateError",
    "__version__",
    "animate",
    "find_characters",
    "inspect",
    "open_shot",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unimate_dcc' has no attribute {name!r}")
    return getattr(import_module(f"unimate_dcc.{_HOMES[name]}"), name)
