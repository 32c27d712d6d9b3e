"""``unimate-dcc``: finds the verb, and turns errors into one line and an exit code, here and nowhere else."""

from __future__ import annotations

import json
import os
import signal
import sys
from difflib import get_close_matches
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from unimate_dcc.errors import UnimateError

VERBS: dict[str, str] = {
    "animate": "Generate motion from a prompt and publish it as a new layer.",
    "inbetween": "Keep key poses and generate what lies between them.",
    "expand": "Go on after a clip, lead up to it, or begin from nothing.",
    "edit": "Generate some joints anew and keep everything else.",
    "transfer": "Put the motion of one character, in words, onto another.",
    "inspect": "Show the skeletons of a stage and how they are understood.",
    "check": "Validate skeletons and animations, every sample.",
    "preview": "Draw a contact sheet or an animation of a skeleton's motion.",
    "weights": "List, import, export, verify and show weights.",
    "prompts": "List what the model was trained to do.",
    "dataset": "Make a training set of your own clips.",
    "train": "Train or fine-tune a model on a training set.",
    "eval": "Measure weights on the held-out rigs of a training set.",
    "examples": "Write the example assets and shots to a folder.",
    "doctor": "Check this installation.",
    "config": "Show settings and where they come from.",
    "completion": "Print shell completion for bash, zsh or fish.",
    "help": "Show the help of a verb, or the exit codes.",
}
EXIT_CODES = """\
 0    success
 1    unexpected failure: a bug
 2    usage, configuration or weights
 3    input refused: stage, skeleton, frame range, target
 4    checks failed
 8    partial: some files were skipped
 9    version or lock conflict
75    temporary: disk full, storage away; try again
130   interrupted (Ctrl-C)
141   whoever read the output went away
143   terminated"""


class Verbs(click.Group):
    """Imports a verb only when it is called, so that ``--help`` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"unimate_dcc.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Name the closest verb where there is none."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            near = get_close_matches(args[0], list(VERBS), n=1)
            hint = f"; closest: {near[0]}" if near else f"; there are {', '.join(VERBS)}"
            raise click.UsageError(f"no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from unimate_dcc.cli.versions import installed

    facts = installed()
    if ctx.find_root().obj:
        click.echo(json.dumps({"schema": "unimate-version", "schemaVersion": 1, **facts}))
    else:
        click.echo("\n".join(f"{name} {version}" for name, version in facts.items()))
    ctx.exit()


@click.group(
    cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, epilog="\b\nExit codes:\n" + EXIT_CODES
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show versions.")
@click.option("--json", "-j", is_flag=True, expose_value=False, hidden=True)
def cli() -> None:
    """Text-driven motion for any UsdSkel skeleton, written as new USD layers that touch nobody's work."""


class Terminated(SystemExit):
    """SIGTERM, raised as an exception so that everything half-written is cleaned up on the way out."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run and exit with the documented code."""
    given = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in given or "-j" in given
    signal.signal(signal.SIGTERM, _terminate)
    try:
        cli.main(args=given, prog_name="unimate-dcc", standalone_mode=False, obj=as_json)
        code = 0
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        code = _no_verb(error, as_json)
    except click.ClickException as error:
        code = _complain(error.format_message(), type(error).__name__, error.exit_code, False, as_json)
    except UnimateError as error:
        code = _complain(str(error), type(error).__name__, error.exit_code, error.retryable, as_json)
    except (KeyboardInterrupt, click.Abort):
        code = _complain("interrupted", "KeyboardInterrupt", 130, False, as_json)
    except Terminated:
        code = _complain("terminated", "Terminated", 143, True, as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    sys.exit(code)


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    raise Terminated(143)


def _no_verb(error: click.exceptions.NoArgsIsHelpError, as_json: bool) -> int:
    """Nothing was asked for: show what there is, laid out as the help is."""
    if as_json:
        return _complain("no command given; see unimate-dcc --help", "UsageError", error.exit_code, False, as_json)
    click.echo(error.format_message(), err=True)
    return error.exit_code


def _complain(message: str, name: str, code: int, retryable: bool, as_json: bool) -> int:
    line = " ".join(message.split())
    if as_json:
        error = {"code": code, "class": name, "message": line, "retryable": retryable}
        click.echo(json.dumps({"error": error}), err=True)
    else:
        from unimate_dcc.settings import plain_text

        click.echo(click.style("error: ", fg="red") + line, err=True, color=False if plain_text() else None)
    return code


if __name__ == "__main__":
    main()
