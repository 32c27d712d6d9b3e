"""``train``: train a model on a set that ``dataset build`` made."""

from __future__ import annotations

import csv
from pathlib import Path

import click


@click.command("train", short_help="Train or fine-tune a model on a training set.")
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder that 'dataset build' made.")
@click.option("-o", "--out", type=click.Path(path_type=Path), default=Path("unimate-run"), show_default=True,
              help="Folder of the run.")  # fmt: skip
@click.option(
    "--config", type=click.Choice(["small", "medium", "tiny"]), default="small", show_default=True, help="Size."
)
@click.option("--steps", type=click.IntRange(1), help="Length of the schedule; 20000, or open with --minutes.")
@click.option("--minutes", type=click.FloatRange(min=0.0, min_open=True), help="Stop after this time.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--slots", type=click.IntRange(56), default=256, show_default=True, help="Joint slots of a batch.")
@click.option("--rate", type=float, default=1e-3, show_default=True, help="Highest learning rate.")
@click.option("--warm-up", type=int, default=300, show_default=True, help="Steps until it is reached.")
@click.option("--early", type=float, default=2.0, show_default=True, help="Flow times are u^EARLY; 1 is uniform.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--dtype", default="auto", show_default=True, help="auto, float32 or bfloat16.")
@click.option("--workers", type=click.IntRange(0), default=0, show_default=True, help="Processes that draw batches.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--compile/--no-compile", "compiled", default=False, show_default=True, help="Takes minutes at first.")
@click.option("--without", multiple=True, type=click.Choice(["graph", "spectral", "topology", "augmentation"]),
              help="Leave a part out, to see what it is worth.")  # fmt: skip
@click.option("--save-minutes", type=click.FloatRange(min=0.0), default=5.0, show_default=True,
              help="Between checkpoints, and between looks at the validation rigs.")  # fmt: skip
@click.option("--patience", type=click.IntRange(0), default=0, show_default=True,
              help="Stop after so many looks without a better one; 0 is never.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on from the run's checkpoint.")
@click.option("--init", type=click.Path(exists=True, path_type=Path), help="Fine-tune a checkpoint or weights.")
def command(
    data: Path, out: Path, config: str, steps: int | None, minutes: float | None, threads: int, slots: int,
    rate: float, warm_up: int, early: float, device: str, dtype: str, workers: int, seed: int, compiled: bool,
    without: tuple[str, ...], save_minutes: float, patience: int, resume: bool, init: Path | None,
) -> None:  # fmt: skip
    """Train; 'weights export' makes weights of the result.

    The log has one line for 50 steps: step, seconds, CPU seconds, clips a second, and the three losses.
    """
    from unimate_dcc.model.train.loop import TrainOptions
    from unimate_dcc.model.train.run import RunOptions, train

    options = TrainOptions(
        steps=steps or (1_000_000 if minutes else 20_000), minutes=minutes or 0.0, rate=rate, warm_up=warm_up,
        early=early, device=device, dtype=dtype, workers=workers, seed=seed, compiled=compiled,
        save_minutes=save_minutes, patience=patience,
    )  # fmt: skip
    run = RunOptions(config=config, threads=threads, slots=slots, without=without, resume=resume, init=init)
    try:
        train(data, out, run, options, click.echo)
    finally:
        _plot(out)
    click.echo(f"next: unimate-dcc weights export {out} FILE.safetensors --data {data}")


def _plot(folder: Path) -> None:
    """``log.png``: the losses over the steps; drawn also when a run is stopped."""
    from unimate_dcc.render.chart import chart

    curves = {
        name: ([row[0] for row in rows], [row[column] for row in rows])
        for name, file, column in (
            ("flow", "log.csv", 4),
            ("rotation, radians", "log.csv", 5),
            ("flow, validation", "validation.csv", 2),
        )
        if (rows := _rows(folder / file))
    }
    if curves:
        chart(f"{folder.name}: losses", curves, "steps").save(folder / "log.png")


def _rows(path: Path) -> list[list[float]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [[float(value) for value in row] for row in csv.reader(file)]
