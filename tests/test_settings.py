"""Settings: six layers, each value knows where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from unimate_dcc import settings
from unimate_dcc.errors import ConfigError
from unimate_dcc.settings import KEYS, load_settings


@pytest.fixture(autouse=True)
def _no_user_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings, "user_file", lambda: tmp_path / "user" / "config.toml")
    for key in KEYS:
        monkeypatch.delenv(f"UNIMATE_{key.upper()}", raising=False)
    monkeypatch.delenv("UNIMATE_CONFIG_FILE", raising=False)


def test_stronger_layers_win_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shot = tmp_path / "show" / "shot"
    shot.mkdir(parents=True)
    files = {
        "site": tmp_path / "site.toml",
        "show": tmp_path / "show/unimate.toml",
        "user": tmp_path / "user/config.toml",
    }
    wanted = [50]
    assert load_settings(shot)["steps"] == wanted[-1]
    for value, (name, path) in enumerate(files.items(), start=1):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"steps = {value}\n", encoding="utf-8")
        if name == "site":
            monkeypatch.setenv("UNIMATE_CONFIG_FILE", str(path))
        assert load_settings(shot)["steps"] == value
    monkeypatch.setenv("UNIMATE_STEPS", "4")
    assert load_settings(shot)["steps"] == 4
    found = load_settings(shot, {"steps": 5}).explain("steps")
    assert [value.value for value in found] == [5, 4, 3, 2, 1, 50]
    assert [value.place for value in found][0::5] == ["flag", "built-in"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("steps = 'many'\n", "must be int"),
        ("pictures = 1\n", "must be bool"),
        ("stepps = 3\n", "closest: steps"),
        ("steps = = 3\n", "no TOML"),
    ],
)
def test_a_wrong_file_is_refused_by_place(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "unimate.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=says) as caught:
        load_settings(tmp_path)
    assert "unimate.toml" in str(caught.value)


def test_a_wrong_variable_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIMATE_PICTURES", "maybe")
    with pytest.raises(ConfigError, match="UNIMATE_PICTURES"):
        load_settings()


def test_a_folder_that_may_not_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(ConfigError, match=r"unimate\.toml: its folder may not be read"):
        load_settings(tmp_path)


def test_a_whole_number_is_a_fine_float(tmp_path: Path) -> None:
    (tmp_path / "unimate.toml").write_text("guidance = 4\n", encoding="utf-8")
    assert load_settings(tmp_path)["guidance"] == 4.0


def test_an_unknown_key_is_refused_with_the_closest() -> None:
    with pytest.raises(ConfigError, match="closest: guidance"):
        load_settings().explain("guidence")
