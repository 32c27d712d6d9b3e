"""``weights``: list, import, verify and show weights."""

from __future__ import annotations

import json
from pathlib import Path

import click

from unimate_dcc.cli.options import json_flag


@click.group("weights", short_help="Weights: list, import, verify, show.")
def command() -> None:
    """List, import, verify and show weights."""


@command.command("list")
@json_flag
def list_command(as_json: bool) -> None:
    """The shipped and the imported weights."""
    from unimate_dcc.model.weights import list_weights

    found, complaints = list_weights()
    if as_json:
        rows = [{"name": item.name, "path": str(item.path), "sha256": item.sha256, "licence": item.licence,
                 "commercial": item.commercial} for item in found]  # fmt: skip
        click.echo(json.dumps({"schema": "unimate-weights", "schemaVersion": 1, "weights": rows}, indent=1))
    else:
        for item in found:
            use = "commercial use allowed" if item.commercial else "non-commercial"
            click.echo(f"{item.name}  {item.licence} ({use})  {item.path}")
    for complaint in complaints:
        click.echo(str(complaint), err=True)


@command.command("show")
@click.argument("name", default="default")
def show_command(name: str) -> None:
    """Everything a file of weights says of itself."""
    from unimate_dcc.model.weights import load_weights, show_weights

    click.echo(json.dumps(show_weights(load_weights(name)), indent=1))


@command.command("verify")
@click.argument("name", default="default")
def verify_command(name: str) -> None:
    """Check that every tensor is the one written, fits and is finite."""
    from unimate_dcc.model.weights import load_weights, verify_weights

    weights = load_weights(name)
    verify_weights(weights)
    click.echo(f"{weights.name}: fits, sha256 {weights.sha256}")


@command.command("import")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="File to write; the user's registry by default.")
@click.option("--step", type=int, help="Which checkpoint of the folder.")
@click.option("--statistics", help="Which entry of dataset_stats.npy.")
@click.option("--max-joints", type=int, help="Where config.json does not say.")
@click.option("--max-frames", type=int, help="Where config.json does not say.")
@click.option("--licence", help="What the model card says, after a person read it.")
def import_command(
    folder: Path, out: Path | None, step: int | None, statistics: str | None, max_joints: int | None,
    max_frames: int | None, licence: str | None,
) -> None:  # fmt: skip
    """Convert a released checkpoint FOLDER (config.json, dataset_stats.npy, checkpoints/*.pt) once."""
    from unimate_dcc.model.official import import_official

    weights = import_official(
        folder, out, step=step, statistics=statistics, max_joints=max_joints, max_frames=max_frames, licence=licence
    )
    click.echo(f"{weights.name}: {weights.path}, sha256 {weights.sha256}, {weights.licence}")


@command.command("export")
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--data", required=True, type=click.Path(path_type=Path), help="The training set, for its captions.")
@click.option("--name", help="Name of the weights; the file's by default.")
@click.option("--licence", help="Of the weights: what the training data allow; not stated by default.")
@click.option("--commercial", is_flag=True, help="The licence allows commercial use.")
@click.option("--source", help="Where the numbers come from, in a sentence.")
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help="Also write what 'train --init' needs.")
def export_command(
    run: Path, out: Path, data: Path, name: str | None, licence: str | None, commercial: bool, source: str | None,
    state: Path | None,
) -> None:  # fmt: skip
    """Make weights OUT (.safetensors) of a training RUN.

    Nothing is claimed of their licence that is not said here; without it they count as non-commercial.
    """
    from unimate_dcc.model.train.run import export

    said = {key: value for key, value in (("licence", licence), ("source", source)) if value}
    weights = export(run, data, out, name or out.stem, commercial=commercial, state_file=state, **said)
    click.echo(f"{weights.name}: {weights.path}, {weights.training['steps']} steps, sha256 {weights.sha256}")
