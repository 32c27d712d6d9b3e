"""The spider: 28 joints, eight legs of three bones around a thorax."""

from __future__ import annotations

import numpy as np
from creature import SIDES, Creature, Joint, Part, part

ANGLES = (35.0, 70.0, 110.0, 145.0)
"""Degrees of the four legs of a side, from straight ahead."""
MIDDLE = np.array([0.0, 0.10, 0.03])


def spider() -> Creature:
    """Legs that rise to the knee and come down to the ground."""
    joints = [
        Joint("Root", "", (0.0, 0.0, 0.0)),
        Joint("Thorax", "Root", (0.0, 0.10, 0.03)),
        Joint("Abdomen", "Thorax", (0.0, 0.12, -0.09)),
        Joint("Head", "Thorax", (0.0, 0.10, 0.09)),
    ]
    for number, angle in enumerate(ANGLES, start=1):
        for sign, side, _ in SIDES:
            joints += _leg(f"{side}Leg{number}", np.radians(angle), sign)
    looks = {
        "Shell": (0.05, 0.035, 0.03),
        "Hair": (0.16, 0.09, 0.05),
        "Marks": (0.45, 0.10, 0.03),
        "Eyes": (0.30, 0.02, 0.02),
    }
    legs = [_limb(number) for number in range(1, len(ANGLES) + 1)]
    return Creature("Spider", joints, looks, [*_body(), *legs])


def _leg(name: str, angle: float, sign: float) -> list[Joint]:
    out = np.array([np.sin(angle) * sign, 0.0, np.cos(angle)])
    spots = [MIDDLE + out * 0.04, MIDDLE + out * 0.16 + [0, 0.07, 0], MIDDLE + out * 0.27]
    spots[2][1] = 0.008
    joints, parent = [], "Thorax"
    for part_name, spot in zip(("Upper", "Lower", "Foot"), spots, strict=True):
        joints.append(Joint(name + part_name, parent, tuple(np.round(spot, 5).tolist())))
        parent = name + part_name
    return joints


def _limb(number: int) -> Part:
    upper, lower, foot = (f"{{S}}Leg{number}{name}" for name in ("Upper", "Lower", "Foot"))
    return part(
        "Shell",
        f"Thorax {upper} {lower} {foot}",
        """
        1 -.40 .013 .013
        1  .15 .017 .017
        1  .60 .015 .016
        1  .90 .012 .012 Marks
        2  .08 .012 .012 Hair
        2  .25 .014 .014
        2  .60 .010 .010
        2  .95 .006 .006
        3  .06 0 0
        """,
        corners=6,
    )


def _body() -> list[Part]:
    return [
        part(
            "Shell",
            "Thorax Head",
            """
            0 -.95 .022 .018
            0 -.50 .050 .032
            0  .10 .058 .038
            0  .60 .046 .034
            1  .00 .032 .028
            1  .45 .018 .018
            """,
            corners=10,
        ),
        part(
            "Hair",
            "Thorax Abdomen Abdomen@0,.006,-.12",
            """
            0  .42 .014 .014
            1 -.40 .050 .044 .006
            1  .00 .074 .064 .012
            1  .40 .080 .070 .014
            1  .75 .062 .056 .010
            2  .00 .032 .030 .004
            2  .10 .012 .012 .002
            """,
            corners=10,
        ),
        part(
            "Marks",
            "Abdomen Abdomen@0,.006,-.12",
            """
            0  .00 .020 .014 .068
            0  .30 .034 .014 .076
            0  .60 .020 .014 .066
            """,
            corners=6,
        ),
        part(
            "Eyes", "Head@.012,.020,.018 Head@.014,.023,.028", "0 0 .007 .007\n0 1 .004 .004", corners=6, mirrored=True
        ),
        part(
            "Eyes", "Head@.027,.018,.008 Head@.032,.021,.016", "0 0 .005 .005\n0 1 .003 .003", corners=6, mirrored=True
        ),
        part(
            "Marks",
            "Head@.012,-.012,.016 Head@.010,-.050,.032",
            "0 0 .009 .009\n0 .6 .007 .008\n0 1 0 0",
            corners=6,
            upright=False,
            mirrored=True,
        ),
    ]
