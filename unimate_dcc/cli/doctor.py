"""``doctor``: check this installation."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import click

from unimate_dcc.cli.options import json_flag
from unimate_dcc.cli.versions import installed
from unimate_dcc.errors import CheckFailedError, UnimateError


@click.command("doctor", short_help="Check this installation.")
@json_flag
def command(as_json: bool) -> None:
    """Check packages, weights, text encoder, settings and the cache folder. Exit code 4 when something is broken."""
    rows = [_packages(), _settings(), _weights(), _text(), _device()]
    if as_json:
        click.echo(json.dumps({"schema": "unimate-doctor", "schemaVersion": 1, "checks": rows}, indent=1))
    else:
        for row in rows:
            mark = "ok  " if row["ok"] else "FAIL"
            click.echo(f"{mark} {row['check']:12} {row['message']}")
    broken = [row for row in rows if not row["ok"]]
    if broken:
        raise CheckFailedError("doctor", f"{broken[0]['check']}: {broken[0]['message']}")


def _row(check: str, ok: bool, message: str) -> dict[str, Any]:
    return {"check": check, "ok": ok, "message": message}


def _packages() -> dict[str, Any]:
    facts = installed()
    return _row("packages", facts["usd-core"] != "not installed", ", ".join(f"{k} {v}" for k, v in facts.items()))


def _settings() -> dict[str, Any]:
    from unimate_dcc.settings import cache_folder, load_settings
    from unimate_dcc.usd_io.versions import probe

    try:
        settings = load_settings()
        probe(cache_folder(settings))
    except UnimateError as error:
        return _row("settings", False, str(error))
    return _row("settings", True, f"cache in {cache_folder(settings)}")


def _weights() -> dict[str, Any]:
    from unimate_dcc.model.weights import load_weights

    try:
        weights = load_weights()
    except UnimateError as error:
        return _row("weights", False, str(error))
    return _row("weights", True, f"{weights.name}, {weights.licence}")


def _text() -> dict[str, Any]:
    from unimate_dcc.model.text import open_encoder

    try:
        encoder = open_encoder("all-minilm-l6-v2")
    except UnimateError as error:
        return _row("text", False, str(error))
    return _row("text", True, f"{encoder.name}, sha256 {encoder.sha256[:12]}")


def _device() -> dict[str, Any]:
    if find_spec("torch") is None:
        return _row("device", False, "torch is not installed: pip install 'unimate-dcc[model]'")
    from unimate_dcc.model.device import choose_device, choose_dtype

    device = choose_device("auto")
    return _row("device", True, f"{device}, {choose_dtype('auto', device)}")
