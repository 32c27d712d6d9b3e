"""The tables of the example creatures."""

from __future__ import annotations

import numpy as np
from creature import SIDES, Creature, Joint, table

FOX = Creature(
    "Fox",
    table(
        """
        Root - 0 0 0 0
        Hips Root 0 .345 -.20 0
        Spine1 Hips 0 .365 -.10 .062
        Spine2 Spine1 0 .375 .02 .062
        Chest Spine2 0 .365 .14 .066
        Neck Chest 0 .41 .22 .052
        Head Neck 0 .475 .285 .045
        Jaw Head 0 .455 .315 0
        Nose Head 0 .445 .415 .034
        {S}Ear Head .038 .535 .275 .020
        {S}EarTip {S}Ear .052 .60 .265 .012
        Tail1 Hips 0 .345 -.27 .045
        Tail2 Tail1 0 .325 -.35 .040
        Tail3 Tail2 0 .295 -.43 .050
        Tail4 Tail3 0 .275 -.52 .046
        Tail5 Tail4 0 .275 -.60 .020
        {S}Scapula Chest .052 .335 .155 .040
        {S}FrontUpperLeg {S}Scapula .058 .255 .185 .036
        {S}FrontLowerLeg {S}FrontUpperLeg .058 .165 .145 .026
        {S}FrontPaw {S}FrontLowerLeg .058 .045 .16 .020
        {S}FrontToe {S}FrontPaw .058 .014 .20 .020
        {S}HindThigh Hips .052 .305 -.205 .046
        {S}HindShin {S}HindThigh .060 .205 -.145 .040
        {S}HindAnkle {S}HindShin .060 .125 -.245 .026
        {S}HindPaw {S}HindAnkle .060 .035 -.225 .020
        {S}HindToe {S}HindPaw .060 .013 -.180 .020
        """
    ),
    (0.72, 0.28, 0.07),
)

_HAND = """
        {P}{S}HandThumb1 {P}{S}Hand .76 1.385 .045 .012
        {P}{S}HandThumb2 {P}{S}HandThumb1 .785 1.37 .06 .011
        {P}{S}HandThumb3 {P}{S}HandThumb2 .81 1.36 .07 .010
        {P}{S}HandIndex1 {P}{S}Hand .815 1.40 .03 .012
        {P}{S}HandIndex2 {P}{S}HandIndex1 .85 1.395 .03 .010
        {P}{S}HandIndex3 {P}{S}HandIndex2 .875 1.39 .03 .009
        {P}{S}HandMiddle1 {P}{S}Hand .82 1.40 .01 .012
        {P}{S}HandMiddle2 {P}{S}HandMiddle1 .857 1.395 .01 .010
        {P}{S}HandMiddle3 {P}{S}HandMiddle2 .885 1.39 .01 .009
        {P}{S}HandRing1 {P}{S}Hand .815 1.40 -.01 .012
        {P}{S}HandRing2 {P}{S}HandRing1 .85 1.395 -.01 .010
        {P}{S}HandRing3 {P}{S}HandRing2 .875 1.39 -.01 .009
        {P}{S}HandPinky1 {P}{S}Hand .805 1.395 -.03 .010
        {P}{S}HandPinky2 {P}{S}HandPinky1 .835 1.39 -.03 .009
        {P}{S}HandPinky3 {P}{S}HandPinky2 .855 1.385 -.03 .008
"""
BIPED = Creature(
    "Biped",
    table(
        (
            """
        {P}Hips - 0 .96 0 0
        {P}Spine {P}Hips 0 1.06 -.01 .115
        {P}Spine1 {P}Spine 0 1.18 -.015 .115
        {P}Spine2 {P}Spine1 0 1.30 -.015 .125
        {P}Neck {P}Spine2 0 1.46 -.01 .075
        {P}Head {P}Neck 0 1.56 .01 .055
        {P}HeadTop_End {P}Head 0 1.75 .02 .085
        {P}{S}Shoulder {P}Spine2 .05 1.42 -.01 .060
        {P}{S}Arm {P}{S}Shoulder .17 1.42 -.015 .060
        {P}{S}ForeArm {P}{S}Arm .45 1.41 -.02 .045
        {P}{S}Hand {P}{S}ForeArm .71 1.40 0 .034
        """
            + _HAND
            + """
        {P}{S}UpLeg {P}Hips .10 .92 0 .090
        {P}{S}Leg {P}{S}UpLeg .105 .51 .015 .075
        {P}{S}Foot {P}{S}Leg .105 .09 -.02 .050
        {P}{S}ToeBase {P}{S}Foot .11 .025 .11 .042
        {P}{S}Toe_End {P}{S}ToeBase .112 .02 .18 .030
        """
        ).replace("{P}", "mixamorig_")
    ),
    (0.28, 0.38, 0.55),
)

BIRD = Creature(
    "Bird",
    table(
        """
        Root - 0 0 0 0
        Body Root 0 .26 -.02 0
        Chest Body 0 .29 .07 .075
        Neck Chest 0 .36 .12 .045
        Head Neck 0 .43 .15 .036
        Beak Head 0 .42 .22 .022
        Tail1 Body 0 .255 -.12 .050
        Tail2 Tail1 0 .25 -.22 .045
        {S}Wing1 Chest .055 .32 .05 .030
        {S}Wing2 {S}Wing1 .16 .33 .03 .030
        {S}Wing3 {S}Wing2 .28 .325 -.01 .026
        {S}WingTip {S}Wing3 .40 .315 -.07 .016
        {S}Thigh Body .045 .22 -.02 .036
        {S}Shin {S}Thigh .05 .14 .02 .026
        {S}Ankle {S}Shin .05 .06 -.02 .012
        {S}Foot {S}Ankle .05 .012 -.01 .010
        {S}Toe {S}Foot .05 .008 .04 .010
        """
    ),
    (0.25, 0.42, 0.30),
)


def snake() -> Creature:
    """A body of 22 segments in a gentle S on the ground."""
    joints = [Joint("Root", "", (0.0, 0.0, 0.0)), Joint("Body", "Root", (0.0, 0.03, 0.0), 0.0)]
    previous = "Body"
    for number in range(1, 19):
        z = -0.055 * number
        thick = 0.034 * (1 - number / 24)
        joints.append(Joint(f"Tail{number}", previous, (0.05 * np.sin(number * 0.5), 0.03, z), thick))
        previous = f"Tail{number}"
    joints += [
        Joint("Neck1", "Body", (0.0, 0.032, 0.06), 0.034),
        Joint("Neck2", "Neck1", (0.0, 0.045, 0.12), 0.030),
        Joint("Head", "Neck2", (0.0, 0.055, 0.17), 0.030),
        Joint("Jaw", "Head", (0.0, 0.045, 0.19), 0.0),
        Joint("Muzzle", "Head", (0.0, 0.05, 0.235), 0.026),
    ]
    return Creature("Snake", joints, (0.42, 0.48, 0.16))


def spider() -> Creature:
    """Eight legs of three bones around a thorax."""
    joints = [
        Joint("Root", "", (0.0, 0.0, 0.0)),
        Joint("Thorax", "Root", (0.0, 0.10, 0.03), 0.0),
        Joint("Abdomen", "Thorax", (0.0, 0.12, -0.09), 0.060),
        Joint("Head", "Thorax", (0.0, 0.10, 0.09), 0.045),
    ]
    for number, angle in enumerate((35.0, 70.0, 110.0, 145.0), start=1):
        for sign, side, _, _ in SIDES:
            turn = np.radians(angle)
            out = np.array([np.sin(turn) * sign, 0.0, np.cos(turn)])
            middle = np.array([0.0, 0.10, 0.03])
            names = [f"{side}Leg{number}{part}" for part in ("Upper", "Lower", "Foot")]
            spots = [middle + out * 0.04, middle + out * 0.16 + [0, 0.07, 0], middle + out * 0.27]
            spots[2][1] = 0.008
            for name, parent, spot, radius in zip(
                names, ["Thorax", *names], spots, (0.016, 0.014, 0.008), strict=False
            ):
                joints.append(Joint(name, parent, tuple(spot.tolist()), radius))
    return Creature("Spider", joints, (0.16, 0.14, 0.13))


LAMP = Creature(
    "Lamp",
    table(
        """
        Base - 0 .075 0 0
        LowerArm Base 0 .10 0 .075
        UpperArm LowerArm 0 .30 -.10 .016
        Neck UpperArm 0 .50 .06 .014
        LampHead Neck 0 .49 .11 .020
        Shade LampHead 0 .44 .18 .060
        """
    ),
    (0.75, 0.55, 0.15),
)


def hero() -> Creature:
    """180 joints: the biped's body in Unreal names, twists, face, hair, IK targets and sockets."""
    body = {
        "Hips": "pelvis", "Spine": "spine_01", "Spine1": "spine_02", "Spine2": "spine_03", "Neck": "neck_01",
        "Head": "head", "HeadTop_End": "head_end", "Shoulder": "clavicle", "Arm": "upperarm", "ForeArm": "lowerarm",
        "Hand": "hand", "UpLeg": "thigh", "Leg": "calf", "Foot": "foot", "ToeBase": "ball", "Toe_End": "ball_end",
    }  # fmt: skip
    joints = [Joint("root", "", (0.0, 0.0, 0.0))]
    for joint in BIPED.joints:
        joints.append(
            Joint(_hero_name(joint.name, body), _hero_name(joint.parent, body) or "root", joint.place, joint.radius)
        )
    place = {joint.name: np.array(joint.place) for joint in joints}
    for sign, _, _, side in SIDES:
        for bone, child in (("upperarm", "lowerarm"), ("lowerarm", "hand"), ("thigh", "calf"), ("calf", "foot")):
            for number in (1, 2):
                spot = place[f"{bone}_{side}"] + (place[f"{child}_{side}"] - place[f"{bone}_{side}"]) * number / 3
                joints.append(Joint(f"{bone}_twist_{number:02d}_{side}", f"{bone}_{side}", tuple(spot.tolist())))
        joints.append(Joint(f"weapon_socket_{side}", f"hand_{side}", tuple(place[f"hand_{side}"].tolist())))
        for part in (
            "eye",
            "eyelid_upper",
            "eyelid_lower",
            "eyebrow_inner",
            "eyebrow_outer",
            "cheek",
            "nostril",
            "ear",
        ):
            joints.append(Joint(f"{part}_{side}", "head", (0.035 * sign, 1.63, 0.09)))
        for number in range(1, 13):
            joints.append(Joint(f"lip_{number:02d}_{side}", "head", (0.003 * number * sign, 1.60, 0.10)))
        for number in range(1, 7):
            parent = "head" if number == 1 else f"hair_{number - 1:02d}_{side}"
            joints.append(Joint(f"hair_{number:02d}_{side}", parent, (0.05 * sign, 1.72 - 0.03 * number, -0.08)))
    joints += [
        Joint("jaw", "head", (0.0, 1.59, 0.04)), Joint("tongue_01", "jaw", (0.0, 1.59, 0.06)),
        Joint("tongue_02", "tongue_01", (0.0, 1.59, 0.08)), Joint("nose", "head", (0.0, 1.63, 0.11)),
        Joint("ik_foot_root", "root", (0.0, 0.0, 0.0)), Joint("ik_hand_root", "root", (0.0, 0.0, 0.0)),
    ]  # fmt: skip
    for sign, _, _, side in SIDES:
        joints.append(Joint(f"ik_foot_{side}", "ik_foot_root", (0.105 * sign, 0.09, -0.02)))
        joints.append(Joint(f"ik_hand_{side}", "ik_hand_root", (0.71 * sign, 1.40, 0.0)))
    number = 1
    while len(joints) < 180:
        parent = "spine_03" if number % 8 == 1 else f"cloth_{number - 1:02d}"
        depth = (number - 1) % 8
        joints.append(
            Joint(f"cloth_{number:02d}", parent, (0.02 * ((number - 1) // 8 - 1), 1.35 - 0.06 * depth, -0.14))
        )
        number += 1
    return Creature("Hero", joints, (0.50, 0.30, 0.34))


def _hero_name(name: str, body: dict[str, str]) -> str:
    plain = name.removeprefix("mixamorig_")
    side = ""
    for _, word, _, letter in SIDES:
        if plain.startswith(word):
            plain, side = plain.removeprefix(word), f"_{letter}"
    if plain.startswith("Hand") and plain != "Hand":
        return f"{plain[4:-1].lower()}_0{plain[-1]}{side}"
    return body.get(plain, plain) + side


def creatures() -> list[Creature]:
    """All of them."""
    return [FOX, BIPED, BIRD, snake(), spider(), LAMP, hero()]
