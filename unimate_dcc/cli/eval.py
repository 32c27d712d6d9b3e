"""``eval``: how good weights are on rigs they have never seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from unimate_dcc.cli.options import json_flag


@click.command("eval", short_help="Measure weights on the held-out rigs of a training set.")
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder that 'dataset build' made.")
@click.option("--weights", default="default", show_default=True, help="Name or file.")
@click.option("--no-weights", is_flag=True, help="Only the real and the nearest clips.")
@click.option("--samples", type=click.IntRange(1), default=5, show_default=True, help="Takes of each prompt.")
@click.option("--seed", type=click.IntRange(0), default=10, show_default=True, help="Of the first take.")
@click.option("--rigs", type=click.IntRange(1), help="So many held-out rigs, spread over all.")
@click.option("--steps", type=click.IntRange(1), default=50, show_default=True, help="Euler steps.")
@click.option("--guidance", type=float, default=3.0, show_default=True)
@click.option("--no-nearest", is_flag=True, help="Leave the nearest clips out.")
@json_flag
def command(
    data: Path, weights: str, no_weights: bool, samples: int, seed: int, rigs: int | None, steps: int, guidance: float,
    no_nearest: bool, as_json: bool,
) -> None:  # fmt: skip
    """Compare weights with real clips and with the nearest training clip, in one table.

    Prompts are the captions of the held-out clips, and six actions for each held-out body with legs or wings.
    --samples 1 --steps 16 --rigs 6 takes minutes, everything an hour. The measures are defined in
    unimate_dcc/model/eval/measures.py and unimate_dcc/motion/quality.py.
    """
    from unimate_dcc.model.eval.report import EvalOptions, evaluate
    from unimate_dcc.model.generate import Generator
    from unimate_dcc.model.text import open_encoder
    from unimate_dcc.model.text_models import MINILM
    from unimate_dcc.model.train import cache
    from unimate_dcc.model.weights import load_weights

    found, clips, digest = cache.load(data)
    generator = None if no_weights else Generator(load_weights(weights))
    options = EvalOptions(
        samples=samples, seed=seed, rigs=rigs, steps=steps, guidance=guidance, nearest=not no_nearest
    )  # fmt: skip
    encoder = generator.encoder if generator else open_encoder(MINILM.name)
    report = evaluate(
        found, clips, generator, options, encoder=encoder, progress=lambda line: click.echo(line, err=True)
    )
    if as_json:
        facts = json.loads(replace(report, facts={**report.facts, "data": digest}).to_json())
        click.echo(json.dumps({"schema": "unimate-eval", "schemaVersion": 1, **facts}, indent=1))
    else:
        click.echo(f"data {digest[:16]}, {report.facts['rigs']} held-out rigs, {report.facts['prompts']} prompts")
        click.echo(report.table())
