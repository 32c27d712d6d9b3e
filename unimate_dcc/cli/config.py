"""``config``: settings and where they come from."""

from __future__ import annotations

import json
from pathlib import Path

import click

from unimate_dcc.cli.options import json_flag
from unimate_dcc.settings import KEYS, load_settings, shown

shot_option = click.option(
    "--shot", type=click.Path(path_type=Path), help="Read the show's unimate.toml above this shot."
)


@click.group("config", short_help="Settings.")
def command() -> None:
    """Show settings and where they come from."""


@command.command("show")
@shot_option
@json_flag
def show_command(shot: Path | None, as_json: bool) -> None:
    """Every setting with its winning value."""
    settings = load_settings(shot.parent if shot else None)
    rows = {key: settings.explain(key)[0] for key in KEYS}
    if as_json:
        values = {
            key: {"value": None if KEYS[key].secret else row.value, "from": row.place} for key, row in rows.items()
        }
        click.echo(json.dumps({"schema": "unimate-config", "schemaVersion": 1, "settings": values}, indent=1))
        return
    for key, row in rows.items():
        click.echo(f"{key:15} {shown(key, row.value):24} {row.place}")


@command.command("explain")
@click.argument("key")
@shot_option
def explain_command(key: str, shot: Path | None) -> None:
    """Which file and line won for KEY, and what it beat."""
    settings = load_settings(shot.parent if shot else None)
    winner, *beaten = settings.explain(key)
    click.echo(f"{key} = {shown(key, winner.value)}  from {winner.place}: {KEYS[key].meaning}")
    for value in beaten:
        click.echo(f"  over {shown(key, value.value)} from {value.place}")
