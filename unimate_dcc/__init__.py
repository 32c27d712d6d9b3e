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
    from unimate_dcc.pipeline.animate import animate, animate_from_clip
    from unimate_dcc.pipeline.inspect import inspect
    from unimate_dcc.pipeline.job import AnimateOptions
    from unimate_dcc.pipeline.preview import preview
    from unimate_dcc.pipeline.stage import StageOptions
    from unimate_dcc.request import GenerateRequest
    from unimate_dcc.rig.overrides import RigOverrides
    from unimate_dcc.skeleton import Skeleton
    from unimate_dcc.usd_io.find import find_characters
    from unimate_dcc.usd_io.stage import open_shot
    from unimate_dcc.usd_io.validators import check_stage

_HOMES = {
    "AnimateOptions": "pipeline.job",
    "Clip": "clip",
    "GenerateRequest": "request",
    "RigOverrides": "rig.overrides",
    "Skeleton": "skeleton",
    "StageOptions": "pipeline.stage",
    "UnimateError": "errors",
    "animate": "pipeline.animate",
    "animate_from_clip": "pipeline.animate",
    "check_stage": "usd_io.validators",
    "find_characters": "usd_io.find",
    "inspect": "pipeline.inspect",
    "open_shot": "usd_io.stage",
    "preview": "pipeline.preview",
}

__all__ = [
    "AnimateOptions",
    "Clip",
    "GenerateRequest",
    "RigOverrides",
    "Skeleton",
    "StageOptions",
    "UnimateError",
    "__version__",
    "animate",
    "animate_from_clip",
    "check_stage",
    "find_characters",
    "inspect",
    "open_shot",
    "preview",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unimate_dcc' has no attribute {name!r}")
    return getattr(import_module(f"unimate_dcc.{_HOMES[name]}"), name)
