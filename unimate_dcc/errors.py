"""Every error that unimate-dcc raises on purpose.

    UnimateError                    1   a bug, unless a subclass says otherwise
    ├── UsageError                  2   flags, prompts, frames, configuration, weights
    │   ├── BadFramesError
    │   ├── BadPromptError
    │   ├── BadRequestError
    │   ├── AmbiguousPrimError
    │   ├── ConfigError
    │   ├── WeightsError
    │   └── MissingExtraError
    ├── InputError                  3   the stage, the skeleton, the range, the target
    │   ├── StageOpenError
    │   ├── NoSkeletonError
    │   ├── UnknownPrimError
    │   ├── PrimRefusedError
    │   ├── UnknownJointError
    │   ├── SkeletonRefusedError
    │   ├── NonFiniteError
    │   ├── FrameRangeError
    │   ├── TargetError
    │   └── JointLimitError
    ├── CheckFailedError            4   a check or the quality gate said no
    ├── ConflictError               9   somebody else holds that version or lock
    └── TemporaryError             75   disk full, storage or broker away: try again

An error passes its raw fields to ``Exception.__init__`` so that it survives
pickling on its way through the farm, and words itself in ``__str__``: one line
that names the thing, the place and the fix.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import ClassVar


class UnimateError(Exception):
    """Base of the tree; ``exit_code`` and ``retryable`` are facts of the class."""

    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False


class UsageError(UnimateError):
    """The request itself is wrong: nothing was opened yet."""

    exit_code = 2


class InputError(UnimateError):
    """The stage or what it holds was refused."""

    exit_code = 3


class CheckFailedError(UnimateError):
    """A check failed; the fields are the place and what was found there."""

    exit_code = 4

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem

    def __str__(self) -> str:
        return f"{self.place}: check failed: {self.problem}"


class ConflictError(UnimateError):
    """Somebody else claimed the version or holds the lock."""

    exit_code = 9
    retryable = True

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class TemporaryError(UnimateError):
    """The machine, not the request, is in the way; the same call may go through later."""

    exit_code = 75
    retryable = True

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; try again when that is mended"


class BadFramesError(UsageError):
    """A frame range that the grammar refuses."""

    def __init__(self, text: str, problem: str) -> None:
        super().__init__(text, problem)
        self.text, self.problem = text, problem

    def __str__(self) -> str:
        return f"frames {self.text!r}: {self.problem}"


class BadPromptError(UsageError):
    """A prompt that is empty or far too long."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"prompt: {self.problem}"


class BadRequestError(UsageError):
    """A field of a request that is out of its bounds, or two that exclude each other."""

    def __init__(self, field: str, value: object, problem: str) -> None:
        super().__init__(field, value, problem)
        self.field, self.value, self.problem = field, value, problem

    def __str__(self) -> str:
        return f"{self.field} {self.value!r}: {self.problem}"


class AmbiguousPrimError(UsageError):
    """Several skeletons where one was meant."""

    def __init__(self, place: str, prims: Sequence[str]) -> None:
        super().__init__(place, list(prims))
        self.place, self.prims = place, list(prims)

    def __str__(self) -> str:
        return f"{self.place}: {len(self.prims)} skeletons, choose with --prim: {', '.join(self.prims)}"


class ConfigError(UsageError):
    """A setting that is unknown or has the wrong type."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class WeightsError(UsageError):
    """Weights that are missing, do not fit, or may not be read."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem

    def __str__(self) -> str:
        return f"weights {self.place}: {self.problem}"


class MissingExtraError(UsageError):
    """A part of the package that was not installed."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(module, extra)
        self.module, self.extra = module, extra

    def __str__(self) -> str:
        return f"{self.module} is not installed: pip install 'unimate-dcc[{self.extra}]'"


class StageOpenError(InputError):
    """A stage or layer that does not open or compose."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class NoSkeletonError(InputError):
    """A stage on which nothing can be animated; ``reasons`` says why, prim by prim."""

    def __init__(self, path: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(path, list(reasons))
        self.path, self.reasons = path, list(reasons)

    def __str__(self) -> str:
        why = "; ".join(self.reasons) or "no UsdSkelSkeleton with joints is on the stage"
        return f"{self.path}: no skeleton to animate: {why}"


class UnknownPrimError(InputError):
    """A prim path that is not on this stage, or not of the kind that was asked for."""

    def __init__(self, place: str, prim: str, known: Sequence[str], kind: str = "skeleton") -> None:
        super().__init__(place, prim, list(known), kind)
        self.place, self.prim, self.known, self.kind = place, prim, list(known), kind

    def __str__(self) -> str:
        return f"{self.place}: no {self.kind} at {self.prim!r}; closest: {closest(self.prim, self.known)}"


class PrimRefusedError(InputError):
    """A prim that is there and cannot be used for what was asked."""

    def __init__(self, place: str, prim: str, problem: str) -> None:
        super().__init__(place, prim, problem)
        self.place, self.prim, self.problem = place, prim, problem

    def __str__(self) -> str:
        return f"{self.place}: {self.prim} {self.problem}"


class UnknownJointError(InputError):
    """A joint name that the skeleton lacks."""

    def __init__(self, prim: str, joint: str, known: Sequence[str]) -> None:
        super().__init__(prim, joint, list(known))
        self.prim, self.joint, self.known = prim, joint, list(known)

    def __str__(self) -> str:
        return f"{self.prim}: no joint {self.joint!r}; closest: {closest(self.joint, self.known)}"


class SkeletonRefusedError(InputError):
    """A skeleton that no take could play on, or that cannot be repaired."""

    def __init__(self, prim: str, problem: str) -> None:
        super().__init__(prim, problem)
        self.prim, self.problem = prim, problem

    def __str__(self) -> str:
        return f"{self.prim}: {self.problem}"


class NonFiniteError(InputError):
    """NaN or infinite values in a transform."""

    def __init__(self, prim: str, joint: str, frames: Sequence[float]) -> None:
        super().__init__(prim, joint, list(frames))
        self.prim, self.joint, self.frames = prim, joint, list(frames)

    def __str__(self) -> str:
        where = f"frame {', '.join(f'{f:g}' for f in self.frames)}" if self.frames else "rest or bind pose"
        return f"{self.prim}: joint {self.joint!r} has NaN or infinite values at {where}; re-export it without them"


class FrameRangeError(InputError):
    """Frames that the shot does not have."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place, problem)
        self.place, self.problem = place, problem

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class TargetError(InputError):
    """A file or folder that cannot be written to."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class JointLimitError(InputError):
    """A rig with more driven joints than the weights take."""

    def __init__(self, prim: str, driven: int, limit: int, suggestion: str) -> None:
        super().__init__(prim, driven, limit, suggestion)
        self.prim, self.driven, self.limit, self.suggestion = prim, driven, limit, suggestion

    def __str__(self) -> str:
        return f"{self.prim}: {self.driven} joints to drive, the weights take {self.limit}; {self.suggestion}"


def closest(word: str, known: Sequence[str]) -> str:
    """The nearest known words, or the shortest few, for the end of an error line."""
    near = get_close_matches(word, known, n=3, cutoff=0.4)
    if not near:
        leaf = word.rsplit("/", 1)[-1].lower()
        near = [name for name in known if leaf and leaf in name.lower()][:3]
    return ", ".join(near or list(known)[:3]) or "none"
