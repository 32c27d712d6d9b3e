"""Counts the reference files that were really read."""

from __future__ import annotations

from typing import Any

import pytest

READ: dict[str, set[str]] = {"cases": set(), "corpus": set()}


@pytest.fixture
def reference_files() -> dict[str, set[str]]:
    """Tests add the names of the files they covered."""
    return READ


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if any(READ.values()):
        cases, corpus = len(READ["cases"]), len(READ["corpus"])
        terminalreporter.write_line(f"usd: {cases} case files and {corpus} corpus files with a skeleton were read")
