"""Settings, the only reader of environment variables and configuration files.

Weakest first: built-in, site (files of ``UNIMATE_CONFIG_FILE``), show (``unimate.toml`` found upwards from the shot),
user, environment ``UNIMATE_*``, flags. Every value knows where it came from.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unimate_dcc.errors import ConfigError, closest

SHOW_FILE = "unimate.toml"
PREFIX = "UNIMATE_"
SITE_VARIABLE = "UNIMATE_CONFIG_FILE"


@dataclass(frozen=True)
class Key:
    """One setting: its type, built-in value and meaning."""

    kind: type
    default: Any
    meaning: str
    secret: bool = False


KEYS: dict[str, Key] = {
    "weights": Key(str, "default", "name or path of the weights"),
    "out": Key(str, "publish/anim/unimate", "folder of the takes, relative to the shot"),
    "device": Key(str, "auto", "auto, cpu, cuda or mps"),
    "dtype": Key(str, "auto", "auto, float32 or bfloat16"),
    "steps": Key(int, 50, "solver steps"),
    "solver": Key(str, "euler", "euler, midpoint or dopri5"),
    "guidance": Key(float, 3.0, "classifier-free guidance, 1 or more"),
    "pictures": Key(bool, True, "draw a contact sheet and an animation beside each take"),
    "cache_folder": Key(str, "", "folder for encoded texts; empty for the user's cache"),
    "flan_t5_folder": Key(str, "", "local folder of google/flan-t5-base, for the released weights"),
    "log_level": Key(str, "WARNING", "DEBUG, INFO, WARNING or ERROR"),
}


@dataclass(frozen=True)
class Value:
    """A value and where it came from, such as ``unimate.toml:3``."""

    value: Any
    place: str


@dataclass(frozen=True)
class Settings:
    """Every key with its winning value and the ones it beat, strongest first."""

    values: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.explain(key)[0].value

    def explain(self, key: str) -> tuple[Value, ...]:
        """The winner and the losers of a key.

        Raises:
            ConfigError: no such key.
        """
        if key not in self.values:
            raise ConfigError("settings", f"no key {key!r}; closest: {closest(key, sorted(self.values))}")
        return self.values[key]


def load_settings(start: Path | None = None, flags: Mapping[str, Any] | None = None) -> Settings:
    """Read all layers.

    Args:
        start: The shot; its folder and those above are searched for ``unimate.toml``. None for the current folder.
        flags: Values given on the command line; None values count as not given.

    Raises:
        ConfigError: a file that is no TOML, an unknown key, a value of the wrong type.
    """
    found: dict[str, list[Value]] = {key: [Value(entry.default, "built-in")] for key, entry in KEYS.items()}
    for path in _files(start):
        for key, value in _read(path).items():
            found[key].insert(0, value)
    for key in KEYS:
        name = PREFIX + key.upper()
        if name in os.environ:
            found[key].insert(0, Value(_from_text(key, os.environ[name], name), name))
    for key, given in (flags or {}).items():
        if given is not None:
            found[key].insert(0, Value(given, "flag"))
    return Settings({key: tuple(values) for key, values in found.items()})


def shown(key: str, value: Any) -> str:
    """A value for people; secrets are redacted."""
    return "(hidden)" if KEYS[key].secret and value else repr(value)


def plain_text() -> bool:
    """Whether the user wants no colours: ``NO_COLOR`` is set to anything (no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))


def user_file() -> Path:
    """The user's own configuration file."""
    from platformdirs import user_config_path

    return user_config_path("unimate-dcc") / "config.toml"


def cache_folder(settings: Settings) -> Path:
    """Where encoded texts are remembered."""
    if settings["cache_folder"]:
        return Path(settings["cache_folder"])
    from platformdirs import user_cache_path

    return user_cache_path("unimate-dcc")


def _files(start: Path | None) -> list[Path]:
    """Existing files, weakest first."""
    site = [Path(part) for part in os.environ.get(SITE_VARIABLE, "").split(os.pathsep) if part]
    for path in site:
        if not _there(path):
            raise ConfigError(str(path), f"named by {SITE_VARIABLE} but not there")
    folder = (start or Path.cwd()).resolve()
    above = [folder, *folder.parents]
    show = next((place / SHOW_FILE for place in above if _there(place / SHOW_FILE)), None)
    user = user_file()
    return [*site, *([show] if show else []), *([user] if _there(user) else [])]


def _there(path: Path) -> bool:
    try:
        return path.is_file()
    except PermissionError as error:
        raise ConfigError(str(path), "its folder may not be read by this user; check HOME and permissions") from error


def _read(path: Path) -> dict[str, Value]:
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(str(path), f"is no TOML: {error}") from error
    found = {}
    for key, value in values.items():
        place = f"{path}:{_line(text, key)}"
        if key not in KEYS:
            raise ConfigError(place, f"unknown key {key!r}; closest: {closest(key, sorted(KEYS))}")
        found[key] = Value(_checked(key, value, place), place)
    return found


def _line(text: str, key: str) -> int:
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if line.split("=")[0].strip().strip('"') == key), 1)


def _checked(key: str, value: Any, place: str) -> Any:
    kind = KEYS[key].kind
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ConfigError(place, f"{key} must be {kind.__name__}, is {value!r}")
    return value


def _from_text(key: str, text: str, place: str) -> Any:
    kind = KEYS[key].kind
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off"):
            return False
        raise ConfigError(place, f"{key} must be true or false, is {text!r}")
    try:
        return kind(text)
    except ValueError as error:
        raise ConfigError(place, f"{key} must be {kind.__name__}, is {text!r}") from error
