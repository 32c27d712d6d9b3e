"""The hero: 180 joints named as Unreal does: body, twists, face, hair, cloak, sockets and IK targets."""

from __future__ import annotations

import numpy as np
from biped import BODY, FINGERS, body_parts, renamed
from creature import SIDES, Creature, Joint, Part, part, table

_PLAIN = {
    "Hips": "pelvis", "Spine": "spine_01", "Spine1": "spine_02", "Spine2": "spine_03", "Neck": "neck_01",
    "Head": "head", "HeadTop_End": "head_end", "{S}Shoulder": "clavicle_{s}", "{S}Arm": "upperarm_{s}",
    "{S}ForeArm": "lowerarm_{s}", "{S}Hand": "hand_{s}", "{S}UpLeg": "thigh_{s}", "{S}Leg": "calf_{s}",
    "{S}Foot": "foot_{s}", "{S}ToeBase": "ball_{s}", "{S}Toe_End": "ball_end_{s}",
}  # fmt: skip
NAMES = _PLAIN | {
    f"{{S}}Hand{finger}{number}": f"{finger.lower()}_0{number}_{{s}}" for finger in FINGERS for number in (1, 2, 3)
}
TWISTS = (("upperarm", "lowerarm"), ("lowerarm", "hand"), ("thigh", "calf"), ("calf", "foot"))
LIPS = 12
"""Joints of a side, upper and lower lip together."""
CLOAK = (4, 11)
"""Strips, and joints of a strip."""
LOOKS = {
    "Skin": (0.36, 0.19, 0.12),
    "Shirt": (0.30, 0.045, 0.05),
    "Trousers": (0.16, 0.13, 0.10),
    "Shoes": (0.06, 0.035, 0.025),
    "Hair": (0.30, 0.12, 0.03),
    "Leather": (0.10, 0.055, 0.03),
    "Steel": (0.42, 0.44, 0.48),
    "Eyes": (0.02, 0.02, 0.02),
}


def hero() -> Creature:
    """The biped's body under other names, with all that a film rig adds."""
    joints = [Joint("root", "", (0.0, 0.0, 0.0)), *_body()]
    place = {joint.name: np.array(joint.place) for joint in joints}
    for sign, _, side in SIDES:
        joints += _twists(place, side)
        joints.append(
            _joint(f"weapon_socket_{side}", f"hand_{side}", place[f"hand_{side}"] + [0.08 * sign, -0.03, 0.01])
        )
        joints += _face(sign, side) + _hair(sign, side)
    joints += [
        Joint("jaw", "head", (0.0, 1.585, 0.035)),
        Joint("tongue_01", "jaw", (0.0, 1.58, 0.065)),
        Joint("tongue_02", "tongue_01", (0.0, 1.578, 0.085)),
        Joint("nose", "head", (0.0, 1.60, 0.115)),
        Joint("ik_foot_root", "root", (0.0, 0.0, 0.0)),
        Joint("ik_hand_root", "root", (0.0, 0.0, 0.0)),
    ]
    for _, _, side in SIDES:
        joints.append(_joint(f"ik_foot_{side}", "ik_foot_root", place[f"foot_{side}"]))
        joints.append(_joint(f"ik_hand_{side}", "ik_hand_root", place[f"hand_{side}"]))
    return Creature("Hero", joints + _cloak(), LOOKS, [*renamed(body_parts(), NAMES), *_kit()])


def _joint(name: str, parent: str, spot: np.ndarray) -> Joint:
    x, y, z = np.round(spot, 5).tolist()
    return Joint(name, parent, (x, y, z))


def _body() -> list[Joint]:
    lines = [line.split() for line in BODY.splitlines() if line.strip()]
    rows = (f"{NAMES[name]} {NAMES.get(parent, 'root')} {' '.join(spot)}" for name, parent, *spot in lines)
    return table("\n".join(rows))


def _twists(place: dict[str, np.ndarray], side: str) -> list[Joint]:
    found = []
    for bone, child in TWISTS:
        start, end = place[f"{bone}_{side}"], place[f"{child}_{side}"]
        for number in (1, 2):
            found.append(
                _joint(f"{bone}_twist_{number:02d}_{side}", f"{bone}_{side}", start + (end - start) * number / 3)
            )
    return found


def _face(sign: float, side: str) -> list[Joint]:
    spots = {
        "eye": (0.030, 1.635, 0.085),
        "eyelid_upper": (0.030, 1.645, 0.095),
        "eyelid_lower": (0.030, 1.625, 0.095),
        "eyebrow_inner": (0.018, 1.658, 0.102),
        "eyebrow_outer": (0.046, 1.656, 0.090),
        "cheek": (0.046, 1.600, 0.080),
        "nostril": (0.011, 1.595, 0.105),
        "ear": (0.074, 1.625, 0.010),
    }
    joints = [Joint(f"{name}_{side}", "head", (x * sign, y, z)) for name, (x, y, z) in spots.items()]
    for number in range(LIPS):
        across, lower = divmod(number, 2)
        bow = 1 - (across / (LIPS / 2)) ** 2
        spot = np.array(
            [sign * (0.002 + 0.005 * across), 1.570 + (-0.008 if lower else 0.006) * bow, 0.098 - 0.002 * across]
        )
        joints.append(_joint(f"lip_{number + 1:02d}_{side}", "head", spot))
    return joints


def _hair(sign: float, side: str) -> list[Joint]:
    joints, parent = [], "head"
    for number in range(1, 7):
        joints.append(
            _joint(f"hair_{number:02d}_{side}", parent, np.array([0.04 * sign, 1.73 - 0.04 * number, -0.075]))
        )
        parent = joints[-1].name
    return joints


def _cloak() -> list[Joint]:
    strips, length = CLOAK
    joints = []
    for strip in range(strips):
        parent, across = "spine_03", strip / (strips - 1) * 2 - 1
        for step in range(length):
            spot = np.array([across * (0.10 + 0.012 * step), 1.38 - 0.085 * step, -0.14 - 0.008 * step])
            joints.append(_joint(f"cloth_{strip * length + step + 1:02d}", parent, spot))
            parent = joints[-1].name
    return joints


def _kit() -> list[Part]:
    """Eyes and jaw on their own joints, belt, shoulder plates, boots and a knot of hair."""
    return [
        part("Eyes", "eye_{s} eye_{s}@.001,0,.013", "0 0 .011 .007\n0 1 .009 .005", corners=6),
        part("Skin", "jaw jaw@0,-.026,.062", "0 .4 .044 .020\n0 .8 .036 .020\n0 1.1 .022 .013", corners=6),
        part(
            "Leather",
            "pelvis spine_01",
            "0 .55 .158 .112 -.003\n0 .62 .164 .117 -.003\n0 1.0 .156 .110\n0 1.1 .148 .104",
            corners=10,
            upright=False,
        ),
        part("Steel", "pelvis@0,.085,.098 pelvis@0,.085,.118", "0 0 .032 .026\n0 1 .026 .020"),
        part(
            "Steel",
            "clavicle_{s} upperarm_{s} upperarm_{s}@.10,-.01,0",
            "0 .72 .060 .050 .020\n0 .95 .082 .066 .016\n1 .3 .086 .062 .014\n1 .8 .080 .052 .008",
        ),
        part("Leather", "lowerarm_{s} hand_{s}", "0 .38 .043 .040\n0 .46 .047 .043\n0 .80 .041 .035\n0 .90 .036 .030"),
        part(
            "Shoes",
            "calf_{s} foot_{s}",
            "0 .42 .056 .062 -.010\n0 .50 .062 .068 -.010\n0 .80 .054 .058 -.002\n1 .0 .050 .056\n1 .08 .048 .054",
            upright=False,
        ),
        part(
            "Hair",
            "head@0,.12,-.09 head@0,.10,-.15",
            "0 -.2 .020 .020\n0 .3 .040 .038\n0 .8 .034 .032\n0 1.1 0 0",
            corners=6,
        ),
    ]
