"""``check``: validate skeletons and animations."""

from __future__ import annotations

import json

import click

from unimate_dcc.cli.options import json_flag, split, stage_flags
from unimate_dcc.errors import CheckFailedError


@click.command("check", short_help="Validate skeletons and animations.")
@click.argument("shot", type=click.Path())
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--commercial", is_flag=True, help="Fail on takes made with non-commercial weights.")
@stage_flags
@json_flag
def command(
    shot: str, strict: bool, commercial: bool, session_layer: str | None, mute: tuple[str, ...], mask: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Validate SHOT by USD's own validators, and by ours on every sample. Exit code 4 on errors."""
    from unimate_dcc.pipeline.stage import StageOptions, open_stage
    from unimate_dcc.usd_io.validators import check_stage, failed

    findings = check_stage(
        open_stage(shot, StageOptions(session_layer, mute, split(mask))), strict=strict, commercial=commercial
    )
    if as_json:
        document = {"schema": "unimate-check", "schemaVersion": 1, "passed": not failed(findings)}
        click.echo(json.dumps({**document, "findings": [finding.to_json() for finding in findings]}, indent=1))
    else:
        for finding in findings:
            click.echo(str(finding))
    if failed(findings):
        errors = [finding for finding in findings if finding.severity == "error"]
        raise CheckFailedError(shot, f"{len(errors)} errors, first: {errors[0].prim}: {errors[0].message}")
    if not as_json:
        click.echo(f"{shot}: passed, {len(findings)} remarks")
