"""Words of joint names and the parts they stand for, after the paper's vocabulary (appendix A.2)."""

# ruff: noqa: E501

from __future__ import annotations

PHRASES: dict[str, str] = {
    # core
    "pelvis": "Pelvis", "hips": "Hips", "hip": "Pelvis", "spine": "Spine", "spline": "Spine", "back": "Spine", "lower back": "Spine",
    "torso": "Spine", "ribcage": "Ribcage", "ribs": "Ribcage", "neck": "Neck", "nek": "Neck", "head": "Head",
    "skull": "Skull", "scull": "Skull", "skull base": "Skull Base", "head top": "Head", "top head": "Head",
    "body": "Body", "torso part": "Body", "body part": "Body", "segment": "Body", "upper body": "Upper Body",
    "lower body": "Lower Body", "chest": "Chest", "upper chest": "Chest", "chest upper": "Chest",
    "chest lower": "Chest", "thorax": "Chest", "breast": "Chest", "abdomen": "Abdomen",
    "abdomen lower": "Abdomen", "abdomen upper": "Abdomen", "stomach": "Abdomen", "waist": "Waist",
    "collar": "Collar", "belly": "Belly", "root": "Root", "reference": "Root", "bip": "Root", "armature": "Root", "cog": "Root",
    "locator": "Root", "trajectory": "Root", "base": "Root", "world": "Root", "master": "Root", "center": "Center",
    "head or neck": "Neck", "neck lower": "Neck", "neck upper": "Neck",
    # arm
    "shoulder": "Shoulder", "shoulders": "Chest", "clavicle": "Shoulder", "collarbone": "Shoulder",
    "scapula": "Scapula", "arm": "Arm", "upper arm": "Upper Arm", "up arm": "Upper Arm", "shldr": "Upper Arm",
    "shldr bend": "Upper Arm", "lower arm": "Forearm", "low arm": "Forearm", "forearm": "Forearm",
    "fore arm": "Forearm", "forearm bend": "Forearm", "elbow": "Elbow", "wrist": "Wrist", "hand": "Hand",
    "palm": "Palm", "carpal": "Palm", "fist": "Hand",
    # leg
    "thigh": "Thigh", "thigh bend": "Thigh", "tigh": "Thigh", "up leg": "Thigh", "upper leg": "Thigh",
    "leg upper": "Thigh", "leg up": "Thigh", "femur": "Thigh", "shin": "Shin", "calf": "Shin", "low leg": "Shin",
    "lower leg": "Shin", "leg lower": "Shin", "leg low": "Shin", "tibia": "Shin", "leg": "Leg",
    "knee": "Knee", "ankle": "Ankle", "ankle leg": "Ankle", "leg ankle": "Ankle", "foot": "Foot", "leg foot": "Foot",
    "feet": "Foot", "leg tip": "Toe End", "heel": "Heel", "toe": "Toe", "toes": "Toe", "toe base": "Toe",
    "big toe": "Toe", "ball": "Toe", "paw": "Paw", "hoof": "Hoof", "fetlock": "Fetlock", "horse link": "Fetlock",
    "cannon": "Cannon", "large cannon": "Cannon", "metacarpus": "Metacarpus", "metatarsus": "Metacarpus",
    "phalanges": "Phalanges", "phalanges manus": "Phalanges", "pastern": "Pastern", "phalanx prima": "Pastern",
    "leg shoulder": "Shoulder", "leg pelvis": "Hip", "foreleg": "Front Leg", "hindleg": "Hind Leg",
    # fingers
    "finger": "Finger", "fingers": "Finger", "digit": "Finger", "finger base": "Finger", "thumb": "Thumb Finger",
    "index": "Index Finger", "middle": "Middle Finger", "middle finger": "Middle Finger",
    "middle hand": "Hand", "ring": "Ring Finger", "pinky": "Pinky Finger", "pinky finger": "Pinky Finger",
    "pinkie": "Pinky Finger", "little": "Pinky Finger", "hand thumb": "Thumb Finger", "hand index": "Index Finger",
    "hand middle": "Middle Finger", "hand ring": "Ring Finger", "hand pinky": "Pinky Finger",
    "thumb finger": "Thumb Finger", "index finger": "Index Finger", "ring finger": "Ring Finger",
    # head
    "jaw": "Jaw", "upper jaw": "Upper Jaw", "lower jaw": "Lower Jaw", "tongue": "Tongue", "tone": "Tongue",
    "tunge": "Tongue", "thouge": "Tongue", "ear": "Ear", "ears": "Ear", "eye": "Eye", "face eye": "Eye",
    "eyes": "Eye", "eyeball": "Eyeball", "eye ball": "Eyeball", "brow": "Eyebrow", "eyebrow": "Eyebrow",
    "eye brow": "Eyebrow", "lid": "Eyelid", "eyelid": "Eyelid", "eyelids": "Eyelid", "eyeleds": "Eyelid",
    "eye lid": "Eyelid", "mouth": "Mouth", "mouth upper": "Upper Mouth", "mouth lower": "Lower Mouth",
    "lip": "Lip", "lips": "Lip", "nose": "Nose", "nostril": "Nose", "muzzle": "Muzzle", "snout": "Muzzle",
    "beak": "Mouth", "chin": "Chin", "cheek": "Cheek", "face": "Head", "teeth": "Mouth",
    # appendages
    "tail": "Tail", "tai": "Tail", "wing": "Wing", "wings": "Wing", "wing feather": "Feather", "feather": "Feather",
    "limb or wing": "Wing", "limb": "Leg", "antenna": "Antenna", "antennae": "Antenna", "feeler": "Antenna", "feelers": "Antenna",
    "barbel": "Barbel", "tentacle": "Tentacle", "claw": "Claw", "hand claw": "Hand Claw", "fang": "Fang",
    "mandible": "Mandible", "clip": "Mandible", "pincer": "Pincer", "pliers": "Pincer", "stinger": "Stinger",
    "sting": "Stinger", "appendage": "Appendage", "ponytail": "Appendage", "cape": "Appendage",
    "cloth": "Appendage", "skirt": "Appendage", "fin": "Fin", "flipper": "Fin", "pectoral fin": "Pectoral Fin",
    "pelvic fin": "Pelvic Fin", "dorsal fin": "Dorsal Fin", "caudal fin": "Caudal Fin", "anal fin": "Anal Fin",
    "gill": "Gill", "gills": "Gill", "mane": "Mane", "hair": "Mane", "fur": "Fur", "whisker": "Whisker",
    "whiskers": "Whisker", "shell": "Shell", "crest": "Crest", "horn": "Horn", "horns": "Horn", "antler": "Horn",
    "reins": "Reins", "halter": "Halter", "jiggle": "Jiggle",
    # helpers
    "handle": "Handle", "weapon": "Handle", "prop": "Handle", "socket": "Handle", "weapon socket": "Handle",
    "hand slot": "Handle", "handslot": "Handle", "attach": "Handle", "grip": "Handle", "ik": "IK Chain",
    "pole": "IK Chain", "pole target": "IK Chain", "target": "IK Chain", "ctrl": "IK Chain", "roll": "IK Chain",
    # japanese, romaji and kana (paper A.2 rule 9, and the roots of MMD rigs)
    "momo": "Thigh", "hiza": "Knee", "ashi": "Foot", "hiji": "Elbow", "te": "Hand", "kata": "Shoulder",
    "mune": "Chest", "hara": "Abdomen", "koshi": "Hips", "kosi": "Hips", "kubi": "Neck", "atama": "Head",
    "kao": "Head", "ago": "Jaw", "sippo": "Tail", "shippo": "Tail", "o": "Tail", "munabire": "Pectoral Fin",
    "harabire": "Pelvic Fin", "sebire": "Dorsal Fin", "obire": "Caudal Fin", "shiribire": "Anal Fin", "era": "Gill",
    "センター": "Center", "グルーブ": "Center", "全ての親": "Root", "上半身": "Upper Body", "下半身": "Lower Body",
    "首": "Neck", "頭": "Head", "肩": "Shoulder", "腕": "Arm", "ひじ": "Elbow", "手首": "Wrist", "足": "Leg",
    "ひざ": "Knee", "足首": "Ankle", "つま先": "Toe", "目": "Eye", "親指": "Thumb Finger", "人指": "Index Finger",
    "人差指": "Index Finger", "中指": "Middle Finger", "薬指": "Ring Finger", "小指": "Pinky Finger",
    "足ik": "IK Chain", "つま先ik": "IK Chain", "腰": "Waist", "胸": "Chest", "尻尾": "Tail", "耳": "Ear",
}  # fmt: skip
"""Lower-case words of a name, side and counters removed, to the part."""

QUALIFIERS: dict[str, str] = {
    "front": "Front", "fore": "Front", "back": "Back", "rear": "Rear", "hind": "Hind", "mid": "Middle",
    "middle": "Middle", "upper": "Upper", "top": "Upper", "lower": "Lower", "low": "Lower", "bottom": "Lower",
    "inner": "Inner", "outer": "Outer", "large": "Large",
}  # fmt: skip

NOISE = frozenset(
    [
        "mixamorig",
        "mixamo",
        "character",
        "rig",
        "quickrigcharacter",
        "quick",
        "armature",
        "skeleton",
        "def",
        "bind",
        "bip",
        "bipped",
        "valve",
        "valvebiped",
        "bn",
        "npc",
        "jt",
        "jnt",
        "joint",
        "jbip",
        "j",
        "bone",
        "nub",
        "end",
        "tip",
        "leaf",
        "gp",
        "adj",
        "c",
        "x",
        "b",
        "org",
        "mch",
        "elk",
        "sabrecat",
        "metacarpal",
        "proximal",
        "medial",
        "intermediate",
        "distal",
        "gltf",
        "created",
        "mirrored",
    ]
)
"""Words that name the tool or the chain, not the body."""

END_WORDS = frozenset(("end", "nub", "tip", "leaf", "endsite", "site"))
SEGMENT_WORDS = frozenset(("metacarpal", "proximal", "medial", "intermediate", "distal", "tip"))

FINGER_CODES = {"0": "Thumb", "1": "Index", "2": "Middle", "3": "Ring", "4": "Pinky"}
"""3ds Max Biped: ``Finger21`` is the middle finger's second joint; segment words count from 1 instead (A.2 6b, 6c)."""

FACE = frozenset(("Eye", "Eyeball", "Eyebrow", "Eyelid", "Lip", "Nose", "Chin", "Cheek", "Tongue", "Whisker"))
"""Parts of a face that a body motion does not need."""
HELPERS = frozenset(("IK Chain", "Twist", "Jiggle"))
"""Parts that follow others."""
