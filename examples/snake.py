"""The snake: 25 joints in a gentle S on the ground."""

from __future__ import annotations

import numpy as np
from creature import Creature, Joint, Part, part

TAILS = 18
STEP = 0.055
"""Metres of a segment."""
THICK = 0.033


def snake() -> Creature:
    """A body whose middle leads: 18 segments behind it, neck and head in front."""
    joints = [Joint("Root", "", (0.0, 0.0, 0.0)), Joint("Body", "Root", (0.0, 0.03, 0.0))]
    for number in range(1, TAILS + 1):
        spot = (round(0.05 * float(np.sin(np.pi * number / 6)), 4), round(0.9 * _thick(number), 4), -STEP * number)
        joints.append(Joint(f"Tail{number}", f"Tail{number - 1}" if number > 1 else "Body", spot))
    joints += [
        Joint("Neck1", "Body", (0.0, 0.032, 0.06)),
        Joint("Neck2", "Neck1", (0.0, 0.045, 0.12)),
        Joint("Head", "Neck2", (0.0, 0.055, 0.17)),
        Joint("Jaw", "Head", (0.0, 0.045, 0.19)),
        Joint("Muzzle", "Head", (0.0, 0.05, 0.235)),
    ]
    looks = {
        "Scales": (0.22, 0.26, 0.06),
        "Bands": (0.07, 0.06, 0.025),
        "Belly": (0.60, 0.52, 0.28),
        "Eyes": (0.01,) * 3,
    }
    return Creature("Snake", joints, looks, [_body(), *_head()])


def _thick(number: int) -> float:
    return THICK * (1 - (number / (TAILS + 3)) ** 2)


def _body() -> Part:
    names = [f"Tail{number}" for number in range(TAILS, 0, -1)]
    rows = ["0 -.8 0 0"]
    for stop, number in enumerate(range(TAILS, 0, -1)):
        size = _thick(number)
        band = "Bands" if number % 3 == 0 else "Scales"
        rows.append(f"{stop} 0 {size} {size * 0.9} 0 0 {band}")
        if number % 3 == 0:
            rows.append(f"{stop} .45 {size * 1.01} {size * 0.91} 0 0 Scales")
    rows += [
        f"{TAILS} 0 {THICK} {THICK * 0.9} 0 0 Bands",
        f"{TAILS} .4 {THICK} {THICK * 0.9} 0 0 Scales",
        f"{TAILS + 1} 0 .030 .028",
        f"{TAILS + 2} 0 .024 .023",
        f"{TAILS + 3} .1 .024 .022",
    ]
    return part("Scales", " ".join([*names, "Body", "Neck1", "Neck2", "Head"]), "\n".join(rows))


def _head() -> list[Part]:
    return [
        part(
            "Scales",
            "Neck2 Head Muzzle",
            """
            1 -.30 .020 .018
            1 -.05 .032 .022 .002
            1  .25 .038 .024 .002
            1  .55 .031 .020 .002
            2 -.10 .020 .013 .002
            2  .12 .012 .008 .001
            """,
        ),
        part(
            "Belly",
            "Jaw Jaw@0,-.004,.055",
            "0 -.5 .026 .009 -.006\n0 .0 .032 .010 -.006\n0 .5 .024 .009 -.005\n0 1 .012 .006 -.003",
        ),
        part(
            "Eyes", "Head@.028,.014,.028 Head@.036,.018,.030", "0 0 .006 .007\n0 1 .004 .004", corners=6, mirrored=True
        ),
    ]
