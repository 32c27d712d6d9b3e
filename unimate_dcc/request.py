"""Requests: what the user asked for, checked once, the same from every door.

The command line, Python, the farm and the review UI all build these; the
writer stores them in the layer, so a take can be made again from itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self

from unimate_dcc.errors import BadPromptError, BadRequestError

PROMPT_LIMIT = 1000
"""Characters; FLAN-T5 reads 512 tokens at most (SPEC b8) and no trained caption is near it."""

Solver = Literal["euler", "midpoint", "dopri5"]
RootMode = Literal["world", "parent"]
FootLock = Literal["auto", "on", "off"]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What every verb shares: one character of one shot, and how its take is made and written.

    Attributes:
        shot: Path of the stage.
        prim: Skeleton prim path; None where the stage has exactly one.
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

    verb: ClassVar[str] = ""

    shot: str
    prim: str | None = None
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
        check_prompt(self.wording)
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

    @property
    def wording(self) -> str:
        """What the character does, in one line."""
        raise NotImplementedError

    @property
    def span(self) -> Span:
        """Which frames are asked for."""
        raise NotImplementedError

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
        return cls(**{name: _tuples(value) for name, value in values.items()})


@dataclass(frozen=True)
class Span:
    """Asked frames: a range in the grammar of ``frames.py``, or a length from the first frame, or neither."""

    frames: str | None = None
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class PromptRequest(Request):
    """A request with one prompt and a range.

    Attributes:
        prompt: What the character does, one motion, in English.
        frames: Range in the grammar of ``frames.py``, in stage time codes; None for the shot's own range.
        seconds: Length from the first frame instead of ``frames``.
    """

    prompt: str
    frames: str | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frames is not None and self.seconds is not None:
            raise BadRequestError("seconds", self.seconds, "give either frames or seconds, not both")
        if self.seconds is not None and not self.seconds > 0:
            raise BadRequestError("seconds", self.seconds, "must be above 0")

    @property
    def wording(self) -> str:
        """The prompt."""
        return self.prompt

    @property
    def span(self) -> Span:
        """The frames."""
        return Span(self.frames, self.seconds)


Heading = Literal["path", "free"]


@dataclass(frozen=True, kw_only=True)
class GenerateRequest(PromptRequest):
    """Generate motion from a prompt for one character of a shot.

    Attributes:
        path: BasisCurves prim that the root follows, from its first point, as fast as the motion steps.
        waypoints: Frame, and x, y, z in stage units and axes where the root is then; heights are not used.
        speed: Stage units a second along the path instead.
        heading: ``path`` turns the body along the path, ``free`` leaves that to the motion.
        targets: Joint, prim or ``X Y Z``, first and last frame: the joint is there during these.
        look_at: Prim or ``X Y Z``, first and last frame: the head looks there during these.
    """

    verb: ClassVar[str] = "animate"

    path: str | None = None
    waypoints: tuple[tuple[float, float, float, float], ...] = ()
    speed: float | None = None
    heading: Heading = "path"
    targets: tuple[tuple[str, str, float, float], ...] = ()
    look_at: tuple[tuple[str, float, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        _one_of("heading", self.heading, ("path", "free"))
        if self.path is not None and self.waypoints:
            raise BadRequestError("path", self.path, "give a path or waypoints, not both")
        if len(self.waypoints) == 1:
            raise BadRequestError("waypoint", self.waypoints[0][0], "is alone; give two or more")
        for (before, *_), (after, *_) in pairwise(self.waypoints):
            if not after > before:
                raise BadRequestError("waypoint", f"{after:g}", f"comes at or before {before:g}; give rising frames")
        if self.speed is not None and self.path is None:
            raise BadRequestError("speed", self.speed, "needs a path")
        if self.speed is not None and not self.speed > 0:
            raise BadRequestError("speed", self.speed, "must be above 0")
        for name, _, first, last in self.targets:
            if last < first:
                raise BadRequestError("target", name, f"frames {first:g}-{last:g} run backwards")

    @property
    def steers(self) -> bool:
        """Whether anything is asked of where the body goes or what it reaches."""
        return bool(self.path or self.waypoints or self.targets or self.look_at)


@dataclass(frozen=True, kw_only=True)
class EditRequest(PromptRequest):
    """Generate some joints anew; everything else stays as it is in the shot, bit for bit.

    Attributes:
        joints: Names, globs, labels such as ``left arm``, or ``NAME//`` for a joint and everything below it.
        channels: ``rotations`` and, for the root, ``translations``; what is not named stays.
    """

    verb: ClassVar[str] = "edit"

    joints: tuple[str, ...]
    channels: tuple[str, ...] = ("translations", "rotations")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.joints:
            raise BadRequestError("joints", (), "name at least one joint, glob or label, such as 'left arm'")
        for channel in self.channels or ("",):
            _one_of("channels", channel, ("translations", "rotations"))


@dataclass(frozen=True, kw_only=True)
class InbetweenRequest(Request):
    """Keep the poses at some frames and generate what lies between them.

    Attributes:
        prompt: What the character does between the keys.
        keys: Frames whose poses are kept, rising, two or more.
        poses: Frame and SkelAnimation prim, or ``FILE:PRIM``, whose first sample is the pose there instead of the
            bound animation's.
    """

    verb: ClassVar[str] = "inbetween"

    prompt: str
    keys: tuple[float, ...]
    poses: tuple[tuple[float, str], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.keys) < 2:
            raise BadRequestError("keys", list(self.keys), "give two or more frames, such as 1001,1024,1040")
        for before, after in pairwise(self.keys):
            if not after > before:
                problem = f"is there twice or after {after:g}; give rising frames, each once"
                raise BadRequestError("keys", f"{before:g}", problem)
        frames = [frame for frame, _ in self.poses]
        for frame in frames:
            if frame not in self.keys:
                raise BadRequestError("pose", f"{frame:g}", f"is no key; keys: {_listed(self.keys)}")
            if frames.count(frame) > 1:
                raise BadRequestError("pose", f"{frame:g}", "is given twice")

    @property
    def wording(self) -> str:
        """The prompt."""
        return self.prompt

    @property
    def span(self) -> Span:
        """From the first key to the last."""
        return Span(f"{self.keys[0]:.10g}-{self.keys[-1]:.10g}")


@dataclass(frozen=True, kw_only=True)
class ExpandRequest(Request):
    """Go on after the bound animation, lead up to it, or begin from nothing, with one prompt after the other.

    Attributes:
        segments: Prompt and length of each part in frames of the shot.
        start: Frame at which the first segment begins, or with ``before`` the last ends; None for the end of the bound
            animation, or with ``before`` its beginning.
        before: The segments lead up to the bound animation instead of following it.
        overlap: Model frames that each window repeats of the one before.
        loop: The last frame is the first one again, travel aside, with its velocity.
    """

    verb: ClassVar[str] = "expand"

    segments: tuple[tuple[str, float], ...]
    start: float | None = None
    before: bool = False
    overlap: int = 20
    loop: bool = False

    def __post_init__(self) -> None:
        if not self.segments:
            raise BadRequestError("segments", (), "give at least one, such as 'walks forward:60'")
        for prompt, frames in self.segments:
            check_prompt(prompt)
            _at_least(f"frames of {prompt!r}", frames, 1)
        if self.loop and (self.before or len(self.segments) > 1):
            raise BadRequestError("loop", True, "closes one segment from nothing; leave out --before and more segments")
        _at_least("overlap", self.overlap, 1)
        super().__post_init__()

    @property
    def prompt(self) -> str:
        """All prompts in order, for people."""
        return self.wording

    @property
    def wording(self) -> str:
        """All prompts in order, cut where a long list would say no more."""
        text = "; ".join(prompt for prompt, _ in self.segments)
        return text if len(text) <= PROMPT_LIMIT else text[: PROMPT_LIMIT - 4] + " ..."

    @property
    def length(self) -> float:
        """Frames of all segments."""
        return sum(frames for _, frames in self.segments)

    @property
    def span(self) -> Span:
        """From ``start`` on, or up to it; only where ``start`` is known."""
        if self.start is None:
            return Span()
        first = self.start - self.length if self.before else self.start
        return Span(f"{first:.10g}-{first + self.length:.10g}")


@dataclass(frozen=True, kw_only=True)
class TransferRequest(PromptRequest):
    """Generate from the words for another character's motion, as long as it and, in body lengths, as fast.

    Attributes:
        source: Path of the stage with that character; None for the same stage.
        source_prim: Its skeleton; None where there is one.
        keeps_path: The root travels the source's path at its times, in body lengths.
        style_from: SkelAnimation prim of this character, some of whose poses are held.
        style_share: Share of the frames that are held.
    """

    verb: ClassVar[str] = "transfer"

    source: str | None = None
    source_prim: str | None = None
    keeps_path: bool = True
    style_from: str | None = None
    style_share: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.style_share <= 1:
            raise BadRequestError("style_share", self.style_share, "must be above 0 and at most 1")


REQUESTS: dict[str, type[Request]] = {
    kind.verb: kind for kind in (GenerateRequest, EditRequest, InbetweenRequest, ExpandRequest, TransferRequest)
}
"""By verb."""


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


def _tuples(value: Any) -> Any:
    """Lists of JSON as the tuples they were."""
    return tuple(_tuples(part) for part in value) if isinstance(value, list | tuple) else value


def _listed(frames: Sequence[float]) -> str:
    return ", ".join(f"{frame:g}" for frame in frames)
