"""Run the command in this process, as a user would from a shell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from unimate_dcc.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """``unimate-dcc ARGUMENTS``."""
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    captured = capsys.readouterr()
    code = stopped.value.code
    return Ran(code if isinstance(code, int) else 1, captured.out, captured.err)


@contextmanager
def nothing_written(folder: Path) -> Iterator[None]:
    """Fail when a file or folder below a folder appeared, vanished or changed."""
    before = _listing(folder)
    yield
    assert _listing(folder) == before


def _listing(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}
