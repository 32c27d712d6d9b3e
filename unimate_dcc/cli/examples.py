"""``examples``: write the example assets and shots."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("examples", short_help="Write the examples.")
@click.argument("folder", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Write the example assets and shots to FOLDER, which must be empty or new."""
    from unimate_dcc.examples import write_examples

    for path in write_examples(folder):
        click.echo(str(path))
