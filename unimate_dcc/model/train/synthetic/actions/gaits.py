"""Manners of going on two, four and many legs: speeds, footfalls, directions and the words for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unimate_dcc.model.train.synthetic.body import Body

Offsets = Callable[[Body], Sequence[float]]


@dataclass(frozen=True)
class Style:
    """A manner of going.

    Attributes:
        verb: Words for it, ahead or on the spot.
        froude: Range of the Froude number; a walk breaks into a run at about 0.5 (Alexander 1989).
        duty: Range of the share of a cycle that feet stand.
        offsets: Place in the cycle of every leg.
        lift: Height of a swinging foot against the height of the hips.
        bounce: Rise of the body against the height of the hips; negative is lowest at mid-stance, as in a run.
        beats: Rises in a cycle.
        crouch: How much lower the hips are than at rest, against their height.
        lean: Forward lean of the trunk, radians.
        way: (left, ahead) direction of travel.
        turns: Sign of the turning; 1 is left.
    """

    verb: str
    froude: tuple[float, float]
    duty: tuple[float, float]
    offsets: Offsets
    lift: float = 0.12
    bounce: float = 0.02
    beats: int = 2
    crouch: float = 0.02
    lean: float = 0.0
    way: tuple[float, float] = (0.0, 1.0)
    turns: int = 0


def alternating(body: Body) -> list[float]:
    """Left and right by turns; with more rows than two, each row against the next."""
    return [0.25 * (1 - leg.side) + 0.5 * (leg.row % 2) for leg in body.legs]


def together(body: Body) -> list[float]:
    """Both sides at once, hind legs first."""
    return [0.4 * leg.row for leg in body.legs]


def lateral_walk(body: Body) -> list[float]:
    """Left hind, left fore, right hind, right fore, a quarter apart (Hildebrand 1965)."""
    return [0.25 * (1 - leg.side) + 0.25 * leg.row for leg in body.legs]


def gallop(body: Body) -> list[float]:
    """Hind pair, then fore pair, each a little staggered."""
    return [0.06 * (1 - leg.side) + 0.45 * leg.row for leg in body.legs]


def metachronal(body: Body) -> list[float]:
    """A wave from the last pair to the first, sides half a cycle apart."""
    rows = max(leg.row for leg in body.legs) + 1
    return [0.25 * (1 - leg.side) + leg.row / rows for leg in body.legs]


def _ways(walk: Style, word: str, slow: Style) -> dict[str, Style]:
    """A walk that turns to either side, and backward."""
    return {
        "left": replace(walk, verb=f"{word} forward and turns to the left", turns=1),
        "right": replace(walk, verb=f"{word} forward and turns to the right", turns=-1),
        "backward": replace(slow, verb=f"{word} backward", way=(0.0, -1.0), lean=-slow.lean),
    }


def _sideways(step: Style, word: str) -> dict[str, Style]:
    return {
        "side left": replace(step, verb=f"{word} sideways to the left", way=(1.0, 0.0)),
        "side right": replace(step, verb=f"{word} sideways to the right", way=(-1.0, 0.0)),
    }


_WALK_2 = Style("walks forward", (0.08, 0.3), (0.58, 0.68), alternating, 0.1, 0.025, 2, 0.02, 0.04)
_WALK_4 = Style("walks forward", (0.008, 0.09), (0.62, 0.72), lateral_walk, 0.1, 0.012, 2, 0.03)
_CRAWL = Style("crawls forward", (0.03, 0.15), (0.52, 0.6), alternating, 0.25, 0.02, 2, 0.0)

TWO_LEGS = {
    "walk": _WALK_2,
    "run": Style("runs forward", (0.9, 2.2), (0.28, 0.38), alternating, 0.25, -0.06, 2, 0.06, 0.22),
    "sneak": Style("sneaks forward", (0.03, 0.08), (0.64, 0.72), alternating, 0.14, 0.01, 2, 0.16, 0.35),
    "hop": Style("hops forward", (0.2, 0.6), (0.4, 0.5), together, 0.22, -0.12, 1, 0.1, 0.12),
    **_ways(replace(_WALK_2, froude=(0.08, 0.2)), "walks", replace(_WALK_2, froude=(0.05, 0.15))),
    **_sideways(Style("", (0.01, 0.03), (0.55, 0.62), alternating, 0.1, 0.02, 2, 0.04), "steps"),
}
FOUR_LEGS = {
    "walk": _WALK_4,
    "trot": Style("trots forward", (0.4, 0.9), (0.42, 0.52), alternating, 0.18, -0.03, 2, 0.04),
    "run": Style("runs forward", (0.9, 2.0), (0.3, 0.38), gallop, 0.2, -0.06, 1, 0.06),
    "gallop": Style("gallops forward", (1.4, 2.4), (0.26, 0.33), gallop, 0.22, -0.08, 1, 0.06),
    "sneak": Style("sneaks forward", (0.03, 0.08), (0.7, 0.78), lateral_walk, 0.12, 0.008, 2, 0.2),
    "hop": Style("hops forward", (0.3, 0.8), (0.35, 0.45), together, 0.22, -0.1, 1, 0.08),
    **_ways(replace(_WALK_4, froude=(0.01, 0.09)), "walks", replace(_WALK_4, froude=(0.008, 0.05))),
}
MANY_LEGS = {
    "walk": _CRAWL,
    "wave": Style("crawls forward slowly", (0.01, 0.03), (0.68, 0.78), metachronal, 0.25, 0.01, 2, 0.0),
    "run": Style("runs forward", (0.4, 0.9), (0.45, 0.52), alternating, 0.3, 0.03, 2, 0.0),
    **_ways(replace(_CRAWL, froude=(0.03, 0.1)), "crawls", replace(_CRAWL, froude=(0.02, 0.08))),
    **_sideways(replace(_CRAWL, froude=(0.02, 0.1)), "crawls"),
}
"""By number of legs."""
