"""How waypoints and targets are written on the command line."""

from __future__ import annotations

from unimate_dcc.errors import BadRequestError
from unimate_dcc.frames import parse_frames


def waypoint(text: str) -> tuple[float, float, float, float]:
    """``FRAME:X,Y,Z``."""
    frame, _, place = text.partition(":")
    try:
        x, y, z = (float(part) for part in place.split(","))
        return float(frame), x, y, z
    except ValueError:
        raise BadRequestError("waypoint", text, "write FRAME:X,Y,Z in stage units, such as 1001:0,0,2.5") from None


def target(text: str) -> tuple[str, str, float, float]:
    """``JOINT=PLACE@FRAMES``."""
    joint, equals, rest = text.partition("=")
    if not equals or not joint:
        raise BadRequestError("target", text, "write JOINT=PLACE@FRAMES, such as 'left hand=/Set/Cup@1020-1030'")
    return joint, *place_and_frames("target", rest)


def place_and_frames(field: str, text: str) -> tuple[str, float, float]:
    """``PLACE@FRAMES``; the place is a prim, or X,Y,Z."""
    place, at, frames = text.rpartition("@")
    if not at or not place:
        raise BadRequestError(field, text, "write PLACE@FRAMES, such as /Set/Cup@1020-1030")
    span = parse_frames(frames)
    return " ".join(place.split(",")) if "," in place else place, span.first, span.last
