"""``dataset``: make a training set of clips."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from unimate_dcc.cli.options import json_flag

PARTIAL = 8


@click.group("dataset", short_help="Make a training set of your own clips.")
def command() -> None:
    """Make a training set of your own clips."""


@command.command("build")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="New folder of the set.")
@click.option("--synthetic", type=click.IntRange(0), default=0, show_default=True, help="Scripted creatures to add.")
@click.option("--allow-unlicensed", is_flag=True, help="Take files that no manifest gives a licence.")
@json_flag
def build_command(sources: tuple[Path, ...], out: Path, synthetic: int, allow_unlicensed: bool, as_json: bool) -> None:
    """Curate glTF, BVH and UsdSkel files, and folders of them, into one training set.

    A folder may hold a MANIFEST.json with licences, kinds of bodies and captions, and a SPLIT.json with the topologies
    that are held out. A file that is of no use is skipped and named, and the exit code is then 8.
    """
    from unimate_dcc.pipeline.dataset import build_dataset

    report = build_dataset(sources, out, unlicensed=allow_unlicensed, synthetic=synthetic)
    (out / "report.txt").write_text("\n".join(report.lines()) + "\n", encoding="utf-8")
    if as_json:
        click.echo(json.dumps({"schema": "unimate-dataset-report", "schemaVersion": 1, **asdict(report)}, indent=1))
    else:
        click.echo("\n".join(report.lines()))
    if report.skipped:
        sys.exit(PARTIAL)
