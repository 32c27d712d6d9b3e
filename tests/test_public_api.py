"""The package's own face: lazy, complete, documented."""

from __future__ import annotations

import subprocess
import sys

import pytest

import unimate_dcc


@pytest.mark.parametrize("name", unimate_dcc.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(unimate_dcc, name)
    assert name == "__version__" or value.__doc__


def test_importing_the_package_does_no_work() -> None:
    code = "import sys, unimate_dcc; print(*[n for n in ('torch', 'pxr', 'numpy', 'PIL') if n in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="anmate"):
        _ = unimate_dcc.anmate
