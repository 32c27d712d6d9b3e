"""The biped: 55 joints named as Mixamo does (made legal for USD), in a T-pose."""

from __future__ import annotations

from creature import Creature, Part, part, table

_FINGERS = """
    Thumb1 {S}Hand .755 1.385 .038
    Thumb2 {S}HandThumb1 .782 1.372 .062
    Thumb3 {S}HandThumb2 .806 1.364 .080
    Index1 {S}Hand .806 1.398 .032
    Index2 {S}HandIndex1 .845 1.395 .034
    Index3 {S}HandIndex2 .870 1.392 .035
    Middle1 {S}Hand .810 1.400 .010
    Middle2 {S}HandMiddle1 .853 1.397 .010
    Middle3 {S}HandMiddle2 .881 1.394 .010
    Ring1 {S}Hand .806 1.398 -.012
    Ring2 {S}HandRing1 .845 1.395 -.014
    Ring3 {S}HandRing2 .870 1.392 -.015
    Pinky1 {S}Hand .798 1.394 -.032
    Pinky2 {S}HandPinky1 .828 1.391 -.035
    Pinky3 {S}HandPinky2 .849 1.388 -.037
"""
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")
_WIDTHS = {"Thumb": 0.0125, "Index": 0.0105, "Middle": 0.011, "Ring": 0.0105, "Pinky": 0.0095}

BODY = f"""
    Hips - 0 .96 0
    Spine Hips 0 1.06 -.01
    Spine1 Spine 0 1.18 -.015
    Spine2 Spine1 0 1.30 -.015
    Neck Spine2 0 1.46 -.01
    Head Neck 0 1.56 .01
    HeadTop_End Head 0 1.75 .02
    {{S}}Shoulder Spine2 .05 1.42 -.01
    {{S}}Arm {{S}}Shoulder .17 1.42 -.015
    {{S}}ForeArm {{S}}Arm .44 1.41 -.02
    {{S}}Hand {{S}}ForeArm .69 1.40 0
    {"".join(f"{{S}}Hand{line.strip()}{chr(10)}" for line in _FINGERS.strip().splitlines())}
    {{S}}UpLeg Hips .10 .92 0
    {{S}}Leg {{S}}UpLeg .105 .51 .015
    {{S}}Foot {{S}}Leg .105 .09 -.02
    {{S}}ToeBase {{S}}Foot .11 .025 .11
    {{S}}Toe_End {{S}}ToeBase .112 .02 .18
"""
LOOKS = {
    "Skin": (0.52, 0.30, 0.20),
    "Shirt": (0.13, 0.24, 0.42),
    "Trousers": (0.09, 0.09, 0.11),
    "Shoes": (0.36, 0.09, 0.05),
    "Hair": (0.05, 0.03, 0.02),
}


def body_parts() -> list[Part]:
    """The clothed body, by the plain joint names of ``BODY``."""
    return [*_torso(), *_head(), *_arm(), *_leg()]


def _torso() -> list[Part]:
    return [
        part(
            "Trousers",
            "Hips Spine",
            """
            0 -1.15 .060 .060 -.005
            0 -.85 .125 .092 -.006
            0 -.30 .160 .112 -.010
            0  .30 .152 .105 -.004
            0  .90 .138 .096
            """,
            upright=False,
        ),
        part(
            "Shirt",
            "Hips Spine Spine1 Spine2 Neck",
            """
            0  .45 .154 .108
            1  .00 .142 .100
            1  .50 .136 .096 .004
            2  .10 .146 .102 .008
            2  .80 .164 .114 .012
            3  .25 .176 .116 .008
            3  .55 .164 .104 -.002
            3  .78 .120 .080 -.008
            3  .95 .066 .062 -.004
            """,
            corners=10,
            upright=False,
        ),
    ]


def _head() -> list[Part]:
    return [
        part(
            "Skin",
            "Spine2 Neck Head",
            """
            0  .80 .056 .058 -.006
            1  .00 .052 .054 -.004
            1  .60 .050 .054
            2  .20 .048 .050
            """,
            upright=False,
        ),
        part(
            "Skin",
            "Head HeadTop_End",
            """
            0 -.26 .026 .024 .062
            0 -.18 .044 .048 .036
            0  .05 .062 .072 .020
            0  .30 .072 .086 .010
            0  .60 .076 .094 .004
            0  .88 .066 .082 .000
            1  .06 .034 .044 -.004
            1  .10 0 0 -.004
            """,
            upright=False,
        ),
        part(
            "Hair",
            "Head HeadTop_End",
            """
            0  .10 .056 .034 -.058
            0  .35 .076 .056 -.044
            0  .62 .082 .084 -.016
            0  .72 .083 .098 -.002
            0  .92 .074 .090 -.002
            1  .12 .040 .052 -.006
            1  .17 0 0 -.006
            """,
            upright=False,
        ),
        part(
            "Skin",
            "Head@0,.025,.092 Head@0,.075,.092",
            "0 0 .016 .022 .006\n0 .35 .014 .016 .004\n0 1 .008 .008",
            corners=4,
            upright=False,
        ),
        part(
            "Skin", "Head@.066,.06,.005 Head@.088,.066,-.006", "0 0 .016 .024\n0 1 .012 .020", corners=6, mirrored=True
        ),
    ]


def _eyes() -> Part:
    rows = "0 0 .010 .006\n0 1 .008 .005"
    return part("Hair", "Head@.030,.075,.086 Head@.031,.075,.098", rows, corners=6, mirrored=True)


def _arm() -> list[Part]:
    return [
        part(
            "Shirt",
            "Spine2 {S}Shoulder {S}Arm {S}ForeArm {S}Hand",
            """
            1  .20 .050 .058 -.014
            1  .70 .066 .066 -.010
            2  .00 .066 .064 -.006
            2  .20 .060 .058 -.004
            2  .60 .051 .050
            3 -.05 .045 .045
            3  .12 .046 .045 .0 .0 Skin
            3  .14 .040 .038
            3  .35 .041 .038
            3  .75 .033 .028
            4  .00 .027 .021
            """,
        ),
        part(
            "Skin",
            "{S}ForeArm {S}Hand {S}HandMiddle1",
            """
            1 -.06 .027 .020
            1  .25 .034 .021
            1  .65 .043 .019
            2  .00 .044 .015
            2  .14 .040 .012
            """,
        ),
        *(_finger(finger) for finger in FINGERS),
    ]


def _finger(finger: str) -> Part:
    joints = [f"{{S}}Hand{finger}{number}" for number in (1, 2, 3)]
    width = _WIDTHS[finger]
    tip = f"{joints[2]}@.024,-.003,{'.016' if finger == 'Thumb' else '.001'}"
    rows = [(0, -0.15, 1.05), (1, 0.0, 1.0), (2, 0.0, 0.92), (2, 0.6, 0.85), (2, 1.0, 0.5)]
    text = "\n".join(f"{1 + stop} {share} {width * size} {width * size}" for stop, share, size in rows)
    return part("Skin", " ".join(["{S}Hand", *joints, tip]), text, corners=6)


def _leg() -> list[Part]:
    return [
        part(
            "Trousers",
            "Hips {S}UpLeg {S}Leg {S}Foot",
            """
            1 -.20 .060 .080 -.01
            1  .04 .084 .098 -.006
            1  .30 .080 .090
            1  .70 .064 .070
            2  .00 .056 .060
            2  .25 .055 .062 -.010
            2  .65 .046 .050 -.006
            2  .95 .048 .054
            """,
            upright=False,
        ),
        part(
            "Shoes",
            "{S}Foot@0,-.045,-.062 {S}Foot@0,-.046,.045 {S}ToeBase {S}Toe_End",
            """
            0  .00 .032 .038 -.004
            0  .35 .042 .048 .004
            0  .75 .043 .050 .008
            1  .40 .044 .040 .006
            2  .00 .048 .031 .006
            2  .60 .044 .025 .004
            3  .10 .036 .018 -.002
            3  .50 .020 .011 -.008
            """,
        ),
    ]


def renamed(parts: list[Part], names: dict[str, str]) -> list[Part]:
    """The parts on joints of other names; a sided name keeps its ``{S}``."""
    found = []
    for item in parts:
        stops = [stop.partition("@") for stop in item.chain]
        chain = tuple(names[name] + at + offset for name, at, offset in stops)
        found.append(Part(item.look, chain, item.rows, item.corners, item.upright, item.mirrored))
    return found


PREFIX = "mixamorig_"
"""What USD's joint names leave of Mixamo's ``mixamorig:``."""


def _mixamo() -> Creature:
    lines = [line.split() for line in BODY.splitlines() if line.strip()]
    text = "\n".join(
        f"{PREFIX}{name} {parent if parent == '-' else PREFIX + parent} {' '.join(place)}"
        for name, parent, *place in lines
    )
    names = {name: PREFIX + name for name, *_ in lines}
    return Creature("Biped", table(text), LOOKS, renamed([*body_parts(), _eyes()], names))


BIPED = _mixamo()
