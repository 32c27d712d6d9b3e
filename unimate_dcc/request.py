"""Requests: what the user asked for, checked once, the same from every door.

The command line, Python, the farm and the review UI all build these; the
writer stores them in the layer, so a take can be made again from itself.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Self

from unimate_dcc.errors import BadPromptError, BadRequestError

PROMPT_LIMIT = 1000
"""Characters; FLAN-T5 reads 512 tokens at most (SPEC b8) and no trained caption is near it."""

Solver = Literal["euler", "midpoint", "dopri5"]
RootMode = Literal["world", "parent"]
FootLock = Literal["auto", "on", "off"]


@dataclass(frozen=True, kw_only=True)
class GenerateRequest:
    """Generate motion from a prompt for one character of a shot.

    Attributes:
        shot: Path of the stage.
        prompt: What the character does, one motion, in English.
        prim: Skeleton prim path; None where the stage has exactly one.
        frames: Range in the grammar of ``frames.py``, in stage time codes; None for the shot's own range.
        seconds: Length from the first frame instead of ``frames``.
        seed: Same seed, same result.
        steps: Solver steps; of dopri5 the number is chosen by its error control.
        solver: ``euler``, ``midpoint`` or ``dopri5``.
        guidance: Classifier-free guidance scale, at least 1.
        root: ``world`` cancels an ancestor's own motion, ``parent`` rides on it.
        handles: Frames added before and after the range.
        subframes: Samples per frame, 1 for whole frames.
        extend: Allow frames outside the authored range of the shot.
        uninstance: Write ``instanceable = false`` where an instance hides the take.
        weights: Name or path of the weights; None for the configured default.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        dtype: ``auto``, ``float32`` or ``bfloat16``.
        foot_lock: Pin standing feet: ``auto`` on bodies that stand on feet, unless the prompt lets them fly.
        takes: Number of takes, seeds ``seed``, ``seed + 1``, ...
    """

    shot: str
    prompt: str
    prim: str | None = None
    frames: str | None = None
    seconds: float | None = None
    seed: int = 0
    steps: int = 50
    solver: Solver = "euler"
    guidance: float = 3.0
    root: RootMode = "world"
    handles: int = 0
    subframes: int = 1
    extend: bool = False
    uninstance: bool = False
    weights: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    foot_lock: FootLock = "auto"
    takes: int = 1

    def __post_init__(self) -> None:
        check_prompt(self.prompt)
        if self.frames is not None and self.seconds is not None:
            raise BadRequestError("seconds", self.seconds, "give either frames or seconds, not both")
        if self.seconds is not None and not self.seconds > 0:
            raise BadRequestError("seconds", self.seconds, "must be above 0")
        _at_least("seed", self.seed, 0)
        _at_least("steps", self.steps, 1)
        _at_least("guidance", self.guidance, 1)
        _at_least("handles", self.handles, 0)
        _at_least("subframes", self.subframes, 1)
        _at_least("takes", self.takes, 1)
        _one_of("solver", self.solver, ("euler", "midpoint", "dopri5"))
        _one_of("root", self.root, ("world", "parent"))
        _one_of("foot_lock", self.foot_lock, ("auto", "on", "off"))
        _one_of("device", self.device, ("auto", "cpu", "cuda", "mps"))
        _one_of("dtype", self.dtype, ("auto", "float32", "bfloat16"))

    def to_json(self) -> dict[str, Any]:
        """Plain values, every field, for provenance and the farm."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """The request again; an unknown field is refused by name."""
        known = {field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                raise BadRequestError(name, values[name], f"no such field; known: {', '.join(sorted(known))}")
        return cls(**values)


def check_prompt(prompt: str) -> None:
    """Refuse an empty or over-long prompt."""
    if not prompt.strip():
        raise BadPromptError("is empty; say what the character does, for example 'a fox trots forward'")
    if len(prompt) > PROMPT_LIMIT:
        raise BadPromptError(f"has {len(prompt)} characters, at most {PROMPT_LIMIT} are read; describe one motion")


def _at_least(field: str, value: float, low: float) -> None:
    if not low <= value < float("inf"):
        raise BadRequestError(field, value, f"must be {low} or more")


def _one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise BadRequestError(field, value, f"choose one of {', '.join(allowed)}")
