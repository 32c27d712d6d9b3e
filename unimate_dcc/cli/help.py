"""``help``: the help of a verb, and the exit codes."""

from __future__ import annotations

import click

TOPIC = "exit-codes"


@click.command("help", short_help="Show the help of a verb, or the exit codes.")
@click.argument("topic", required=False)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> None:
    """Show the help of TOPIC: a verb, or `exit-codes`."""
    from unimate_dcc.cli.main import EXIT_CODES, VERBS, cli

    if topic == TOPIC:
        click.echo(EXIT_CODES)
        return
    root = ctx.find_root()
    if topic is None:
        click.echo(root.get_help())
        return
    verb = cli.get_command(ctx, topic)
    if verb is None:
        raise click.UsageError(f"no help on {topic!r}; there are {TOPIC}, {', '.join(VERBS)}")
    with click.Context(verb, info_name=topic, parent=root) as inner:
        click.echo(verb.get_help(inner))
