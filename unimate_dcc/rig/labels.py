"""Joint names to anatomical labels, by rules over the paper's vocabulary (appendix A.2).

A label reads ``[Left |Right ][qualifier ]Part[ Twist][ End]`` and carries no
digits. Rules only read names; the hierarchy decides what a bare ``Leg`` is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from unimate_dcc.rig.vocabulary import (
    END_WORDS,
    FACE,
    FINGER_CODES,
    HELPERS,
    NOISE,
    PHRASES,
    QUALIFIERS,
    SEGMENT_WORDS,
)
from unimate_dcc.skeleton import Skeleton

LABELS_VERSION = 2
"""Rises when a rule changes, so that takes made with other labels can be told apart."""

SIDES = {"l": "Left", "r": "Right", "lt": "Left", "rt": "Right", "left": "Left", "right": "Right"}
LONGEST_PHRASE = 3

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_BIPED = re.compile(r"^(?:BN_)?(?:ValveBiped\.)?Bip\d*[ _-]*(?=[A-Za-z])", re.IGNORECASE)
_NAMESPACE = re.compile(r"^.*:")
_SEPARATORS = re.compile(r"[\s_.\-|/()]+")
_TRAILING_SIDE = re.compile(r"[._\s-]([LRlr])(?:[._\s]*\d+)*(?:[._]C)?$")
_GLUED_SIDE = re.compile(r"^([a-z]{2,})\d*([LR])$")
_LOWER_SIDE = re.compile(r"^([lr])(?=[A-Z])")
_FINGER_CODE = re.compile(r"finger(\d)", re.IGNORECASE)
_JAPANESE_SIDE = {"左": "Left", "右": "Right"}


NAMELESS = "Bone"
"""Of a joint whose name says nothing."""


@dataclass(frozen=True)
class JointLabel:
    """What a joint is.

    Attributes:
        label: Such as ``Left Front Foot``; ``Bone`` when nothing is known.
        role: ``body``, ``face``, ``finger``, ``twist``, ``helper``, ``end`` or ``prop``.
        confidence: 0 to 1.
    """

    label: str
    role: str
    confidence: float


def label_joints(skeleton: Skeleton) -> tuple[JointLabel, ...]:
    """Labels of all joints of a skeleton, in its order."""
    names = skeleton.leaf_names
    labels: list[JointLabel] = []
    for joint, parent in enumerate(skeleton.parents):
        above = labels[parent] if parent >= 0 else None
        labels.append(label_name(names[joint], above.label if above else ""))
    return tuple(_face_of_a_rich_head(labels))


def label_name(name: str, parent_label: str = "") -> JointLabel:
    """The label of one name; the parent's label settles what a bare ``Leg`` or ``Hip`` is."""
    words, side = _words_and_side(name)
    part, confidence = _part(words, name)
    part = _in_context(part, parent_label, side, words)
    ends = any(word in END_WORDS for word in words) and not _is_segment(words, part)
    if ends and part != NAMELESS and not part.endswith("End"):
        part += " End"
    label = f"{side} {part}" if side and part != NAMELESS else part
    return JointLabel(label, _role(part, words), confidence)


def side_of(label: str) -> str:
    """``Left``, ``Right`` or nothing."""
    first = label.split(" ", 1)[0]
    return first if first in ("Left", "Right") else ""


def without_side(label: str) -> str:
    """The label without ``Left`` or ``Right``."""
    return label.split(" ", 1)[1] if side_of(label) and " " in label else label


def mirrored(label: str) -> str:
    """The label of the other side; unsided ones stay."""
    other = {"Left": "Right", "Right": "Left"}.get(side_of(label))
    return f"{other} {without_side(label)}" if other else label


def _words_and_side(name: str) -> tuple[list[str], str]:
    text = unicodedata.normalize("NFKC", name).strip()
    text = _NAMESPACE.sub("", text)
    side = _JAPANESE_SIDE.get(text[:1], "")
    text = text[1:] if side else text
    text = _BIPED.sub("", text) or text
    trailing = _TRAILING_SIDE.search(text)
    if trailing:
        side, text = SIDES[trailing[1].lower()], text[: trailing.start()]
    tokens = [token for piece in _SEPARATORS.split(text) for token in _CAMEL.split(_LOWER_SIDE.sub(r"\1_", piece))]
    tokens = [token for token in _SEPARATORS.split(" ".join(tokens)) if token and not token.isdigit()]
    words: list[str] = []
    for token in tokens:
        word = re.sub(r"\d+", "", token).lower()
        if word in SIDES:
            side = side or SIDES[word]
        elif word == "f" or (word == "b" and len(tokens) > 1 and _quadruped_mark(tokens)):
            words.append("front" if word == "f" else "back")
        elif word:
            glued = _GLUED_SIDE.match(token)
            if glued and glued[1] in PHRASES:
                word, side = glued[1], side or SIDES[glued[2].lower()]
            words.extend(_unglued(word))
    return words, side


def _unglued(word: str) -> list[str]:
    """``upperarm`` is two words; a word that is known, or holds none, stays whole."""
    if word in PHRASES or word in QUALIFIERS or word in NOISE:
        return [word]
    for cut in range(len(word) - 2, 2, -1):
        first, second = word[:cut], word[cut:]
        if (first in PHRASES or first in QUALIFIERS) and (second in PHRASES or second in END_WORDS):
            return [first, second]
    return [word]


def _quadruped_mark(tokens: list[str]) -> bool:
    return len(tokens) > 2 and tokens[0].lower() == "b" and tokens[1].lower() in ("l", "r")


def _part(words: list[str], name: str) -> tuple[str, float]:
    code = _FINGER_CODE.search(name.replace(" ", "").replace("_", ""))
    if code and not any(word in PHRASES and word != "finger" for word in words if word != "hand"):
        number = int(code[1]) - (1 if SEGMENT_WORDS & set(words) else 0)
        if str(number) in FINGER_CODES:
            return f"{FINGER_CODES[str(number)]} Finger", 0.95
    if "twist" in words:
        part, confidence = _longest([word for word in words if word != "twist"])
        return ("Twist" if part == NAMELESS else f"{part} Twist"), confidence
    for helper in ("ik", "pole", "ctrl", "control"):
        if helper in words:
            return "IK Chain", 0.9
    return _longest(words)


def _longest(words: list[str]) -> tuple[str, float]:
    """The part named by the longest run of words, with the qualifiers left and right of it."""
    useful = [word for word in words if word not in NOISE or word in PHRASES]
    if len(words) > 1:
        useful = [word for word in useful if word != "armature"]  # a container's name in front of the joint's
    if any(PHRASES.get(word, "Root") != "Root" for word in useful):
        useful = [word for word in useful if PHRASES.get(word) != "Root"]
    for length in range(min(LONGEST_PHRASE, len(useful)), 0, -1):
        for start in range(len(useful) - length, -1, -1):
            run = " ".join(useful[start : start + length])
            rest = useful[:start] + useful[start + length :]
            if run in PHRASES and not (length == 1 and run in QUALIFIERS and _names_a_part(rest)):
                return _qualified(PHRASES[run], rest), 0.9 if length > 1 or len(rest) < 2 else 0.7
    return NAMELESS, 0.2


def _names_a_part(words: list[str]) -> bool:
    return any(word in PHRASES for word in words)


def _qualified(part: str, rest: list[str]) -> str:
    found = [QUALIFIERS[word] for word in rest if word in QUALIFIERS]
    place = next((word for word in found if word in ("Front", "Back", "Rear", "Hind", "Middle")), "")
    if place and part in ("Thigh", "Shin"):
        part = {"Thigh": "Upper Leg", "Shin": "Lower Leg"}[part] if "hind" not in rest else part
    if part == "Leg" and place == "Rear":
        found = ["Hind"]
    if part.endswith("Finger"):
        found = [word for word in found if word not in ("Front", "Back")]
    prefix = " ".join(dict.fromkeys(word for word in found if not part.startswith(word)))
    return f"{prefix} {part}".strip()


def _in_context(part: str, parent_label: str, side: str, words: list[str]) -> str:
    above = without_side(parent_label)
    if part == "Leg" and above == "Thigh":
        return "Shin"
    if part.endswith("Pelvis") and side and "hip" in words:
        return part.replace("Pelvis", "Hip")
    return part


def _is_segment(words: list[str], part: str) -> bool:
    return "Finger" in part and not ({"end", "nub", "tip"} & set(words))


def _role(part: str, words: list[str]) -> str:
    core = part.removesuffix(" End")
    if core.endswith("Twist"):
        return "twist"
    if core.split(" ")[-1] in FACE or core in FACE:
        return "face"
    if core in HELPERS:
        return "helper"
    if core.endswith("Handle"):
        return "prop"
    if "Finger" in core or core == "Palm":
        return "finger"
    return "end" if part.endswith(" End") else "body"


def _face_of_a_rich_head(labels: list[JointLabel]) -> list[JointLabel]:
    """Jaws and ears belong to the face where a face is rigged; on a plain creature they are body."""
    rich = sum(label.role == "face" for label in labels) >= 6
    if not rich:
        return labels
    soft = ("Jaw", "Mouth", "Ear", "Muzzle")
    return [replace(label, role="face") if label.label.split(" ")[-1] in soft else label for label in labels]
