"""``completion``: shell completion."""

from __future__ import annotations

import click


@click.command("completion", short_help="Shell completion.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print completion for SHELL; put `eval "$(unimate-dcc completion bash)"` into its start-up file."""
    from click.shell_completion import get_completion_class

    from unimate_dcc.cli.main import cli

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(found(cli, {}, "unimate-dcc", "_UNIMATE_DCC_COMPLETE").source())
