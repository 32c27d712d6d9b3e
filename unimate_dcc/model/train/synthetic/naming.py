"""How different studios and tools spell the same joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unimate_dcc.model.train.synthetic.body import Joint

MIXAMO = {
    "thigh": "UpLeg", "shin": "Leg", "toe": "ToeBase", "upper_arm": "Arm", "forearm": "ForeArm",
}  # fmt: skip
BIPED = {
    "hips": "Pelvis", "shoulder": "Clavicle", "upper_arm": "UpperArm", "shin": "Calf", "ankle": "HorseLink",
    "toe": "Toe0",
}  # fmt: skip
UNREAL = {
    "hips": "pelvis", "shoulder": "clavicle", "upper_arm": "upperarm", "forearm": "lowerarm", "shin": "calf",
    "toe": "ball",
}  # fmt: skip
ENGLISH = {"thigh": "leg_upper", "shin": "leg_lower", "ankle": "leg_ankle"}
"""Words that differ from ours, by style."""


def names(joints: Sequence[Joint], style: str) -> tuple[str, ...]:
    """A name for each joint, in one of ``STYLES``."""
    spell = STYLES[style]
    return tuple(spell(joint, index) for index, joint in enumerate(joints))


def _camel(words: str) -> str:
    return "".join(word.capitalize() for word in words.split("_"))


def _side(joint: Joint, left: str, right: str) -> str:
    return left if joint.side > 0 else right if joint.side < 0 else ""


def _joined(mark: str, *words: str) -> str:
    return mark.join(word for word in words if word)


def _number(joint: Joint, digits: int) -> str:
    return f"{joint.number:0{digits}d}" if joint.number else ""


def _english(joint: Joint, index: int) -> str:
    part = ENGLISH.get(joint.part, joint.part)
    return _joined("_", joint.place, part, _number(joint, 1), _side(joint, "l", "r"))


def _mixamo(joint: Joint, index: int) -> str:
    part = MIXAMO.get(joint.part, _camel(joint.part))
    return f"mixamorig:{_side(joint, 'Left', 'Right')}{_camel(joint.place)}{part}{_number(joint, 1)}"


def _biped(joint: Joint, index: int) -> str:
    part = BIPED.get(joint.part, _camel(joint.part))
    return _joined(" ", "Bip001", _side(joint, "L", "R"), _camel(joint.place), part + _number(joint, 1))


def _unreal(joint: Joint, index: int) -> str:
    part = UNREAL.get(joint.part, joint.part)
    return _joined("_", joint.place, part, _number(joint, 2), _side(joint, "l", "r"))


def _blender(joint: Joint, index: int) -> str:
    return _joined(".", _joined("_", joint.place, joint.part), _number(joint, 3), _side(joint, "L", "R"))


def _maya(joint: Joint, index: int) -> str:
    return _joined("_", _side(joint, "L", "R"), joint.place, joint.part + _number(joint, 1), "jnt")


def _numbered(joint: Joint, index: int) -> str:
    return f"Bone_{index:03d}"


STYLES: dict[str, Callable[[Joint, int], str]] = {
    "english": _english, "mixamo": _mixamo, "biped": _biped, "unreal": _unreal, "blender": _blender, "maya": _maya,
    "numbered": _numbered,
}  # fmt: skip
"""Ways to spell a joint."""
