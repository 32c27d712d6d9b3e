"""What a TD says about a rig, against what was guessed: a ``*.rig.toml`` sidecar or flags."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from unimate_dcc.errors import ConfigError, UnknownJointError, closest
from unimate_dcc.rig.category import CATEGORIES


@dataclass(frozen=True)
class RigOverrides:
    """Answers that stand above every guess. Joints are full paths, or last elements that are unique.

    Attributes:
        labels: Joint to label.
        facing: Right joint, left joint; empty to guess.
        body_axis: ``facing`` runs from head to tail instead.
        contacts: Joints that stand on the ground; None to guess, empty for none.
        category: Kind of body; empty to guess.
        hold: Joints that keep their animation.
        drive: Joints that are driven though their name says helper, twist or face.
        max_joints: Drive at most this many, fingers and small chains are held first; None for the weights' limit.
    """

    labels: dict[str, str] = field(default_factory=dict)
    facing: tuple[str, ...] = ()
    body_axis: bool = False
    contacts: tuple[str, ...] | None = None
    category: str = ""
    hold: tuple[str, ...] = ()
    drive: tuple[str, ...] = ()
    max_joints: int | None = None

    def resolved(self, prim: str, joints: Sequence[str]) -> Self:
        """With every joint as its full path.

        Raises:
            UnknownJointError: a joint the skeleton lacks, or a last element that is not unique.
        """
        return replace(
            self,
            labels={_full(prim, joint, joints): label for joint, label in self.labels.items()},
            facing=tuple(_full(prim, joint, joints) for joint in self.facing),
            contacts=None if self.contacts is None else tuple(_full(prim, joint, joints) for joint in self.contacts),
            hold=tuple(_full(prim, joint, joints) for joint in self.hold),
            drive=tuple(_full(prim, joint, joints) for joint in self.drive),
        )


def read_overrides(path: Path) -> RigOverrides:
    """Read a ``*.rig.toml``.

    Raises:
        ConfigError: the file is missing, is no TOML, or holds an unknown key or a wrong type.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(str(path), f"is no TOML: {error}") from error
    return parse_overrides(values, str(path))


def parse_overrides(values: dict[str, Any], place: str) -> RigOverrides:
    """Overrides from plain values; ``place`` names them in errors."""
    known = {entry.name for entry in fields(RigOverrides)}
    for name in values:
        if name not in known:
            raise ConfigError(place, f"unknown key {name!r}; closest: {closest(name, sorted(known))}")
    clean = {name: _checked(name, value, place) for name, value in values.items()}
    return RigOverrides(**clean)


def _checked(name: str, value: Any, place: str) -> Any:
    if name == "labels":
        if not isinstance(value, dict) or not all(isinstance(label, str) for label in value.values()):
            raise ConfigError(place, "labels must be a table of joint = 'Label'")
        return value
    if name == "max_joints":
        if not isinstance(value, int) or value < 2:
            raise ConfigError(place, f"max_joints must be 2 or more, is {value!r}")
        return value
    if name == "body_axis":
        if not isinstance(value, bool):
            raise ConfigError(place, f"body_axis must be true or false, is {value!r}")
        return value
    if name == "category":
        if value not in CATEGORIES:
            raise ConfigError(place, f"category {value!r} is not one of {', '.join(CATEGORIES)}")
        return value
    if not isinstance(value, list | tuple) or not all(isinstance(joint, str) for joint in value):
        raise ConfigError(place, f"{name} must be a list of joints")
    if name == "facing" and len(value) not in (0, 2):
        raise ConfigError(place, "facing must be two joints: right, left")
    return tuple(value)


def _full(prim: str, joint: str, joints: Sequence[str]) -> str:
    if joint in joints:
        return joint
    same = [known for known in joints if known.rsplit("/", 1)[-1] == joint]
    if len(same) != 1:
        raise UnknownJointError(prim, joint, same or joints)
    return same[0]
