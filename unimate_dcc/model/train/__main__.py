"""``python -m unimate_dcc.model.train``: build the cache, train, export the weights that ship."""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
import torch

from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.text import open_encoder, pooled
from unimate_dcc.model.train import cache
from unimate_dcc.model.train.batches import Batches, measure
from unimate_dcc.model.train.ema import MovingAverage
from unimate_dcc.model.train.loop import Trainer, TrainOptions, start_from
from unimate_dcc.model.weights import save_weights
from unimate_dcc.skeleton import FloatArray

SMALL = ModelConfig(
    layers=4, width=128, heads=4, feed_forward=512, text_width=384, max_joints=71, max_depth=19, max_frames=60,
    frames_per_token=2, output_convolution=3, text_encoder="all-minilm-l6-v2", smoothing_sigma_frames=1.0,
)  # fmt: skip
TINY = ModelConfig(
    layers=1, width=32, heads=2, feed_forward=64, text_width=384, max_frames=60, frames_per_token=2,
    text_encoder="all-minilm-l6-v2",
)  # fmt: skip
CONFIGS = {"small": SMALL, "tiny": TINY}
LENGTHS = (40, 40, 60)


@click.group()
def main() -> None:
    """Train the small model."""


@main.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
def build(source: Path, out: Path) -> None:
    """Curate a manifest folder into one cache file."""
    for line in cache.build(source, out):
        click.echo(line)


@main.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--config", "name", type=click.Choice(sorted(CONFIGS)), default="small")
@click.option("--steps", type=int, required=True, help="Length of the schedule.")
@click.option("--minutes", type=float, default=0.0, help="Stop after this time.")
@click.option("--threads", type=int, default=1)
@click.option("--slots", type=int, default=256, help="Joint slots of a batch.")
@click.option("--rate", type=float, default=1e-3)
@click.option("--warm-up", type=int, default=300)
@click.option("--early", type=float, default=2.0, help="Flow times are u^EARLY; 1 is uniform.")
@click.option("--compile/--no-compile", "compiled", default=False)
@click.option("--resume", is_flag=True, help="Go on from FOLDER/checkpoint.pt.")
@click.option("--init", type=click.Path(exists=True, path_type=Path), help="Start from another run's checkpoint.")
def run(
    data: Path, folder: Path, name: str, steps: int, minutes: float, threads: int, slots: int, rate: float,
    warm_up: int, early: float, compiled: bool, resume: bool, init: Path | None,
) -> None:  # fmt: skip
    """Train on a cache; held-out rigs are never seen."""
    torch.set_num_threads(threads)
    folder.mkdir(parents=True, exist_ok=True)
    rigs, clips, digest = cache.load(data)
    clips = [clip for clip in clips if not rigs[clip.rig].held_out]
    options = TrainOptions(steps=steps, minutes=minutes, rate=rate, warm_up=warm_up, early=early, compiled=compiled)
    batches = Batches(rigs, clips, measure(rigs, clips), embedder(CONFIGS[name].text_encoder), slots, LENGTHS)
    trainer = Trainer(CONFIGS[name], batches, options, digest)
    if resume:
        trainer.resume(folder)
    elif init:
        start_from(trainer, init)
    trainer.run(folder, click.echo)


@main.command()
@click.argument("checkpoint", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--name", default="unimate-small")
def export(checkpoint: Path, out: Path, name: str) -> None:
    """Write the moving average as weights that ship."""
    state = torch.load(checkpoint, weights_only=True)
    config = ModelConfig.from_json(state["config"])
    model = Denoiser(config)
    model.load_state_dict(state["model"])
    average = MovingAverage(model, 0.0)
    average.values = state["average"]
    average.copy_to(model)
    training = {
        "steps": state["step"],
        "cpu_hours": round(state["cpu_seconds"] / 3600, 2),
        "data_sha256": state["data"],
        "options": json.loads(state["options"]),
    }
    save_weights(
        out, model, name=name, statistics=Statistics.from_json(state["statistics"]), licence="Apache-2.0",
        commercial=True, licence_text="Trained on open clips (CC0, MIT, CC-BY, WTFPL); credits in THIRD_PARTY.md.",
        source="trained by the unimate-dcc project on the training part of its open motion set", training=training,
    )  # fmt: skip
    click.echo(f"{out}: {training['steps']} steps, {training['cpu_hours']} CPU hours")


def embedder(name: str) -> Embedder:
    """Vectors of captions and labels, remembered."""
    return Embedder(name)


class Embedder:
    """Encodes each text once."""

    def __init__(self, name: str) -> None:
        self._encoder = open_encoder(name)
        self._known: dict[str, FloatArray] = {}

    def __call__(self, text: str) -> FloatArray:
        """(W,) mean vector of a text."""
        if text not in self._known:
            self._known[text] = np.asarray(pooled(self._encoder.encode([text])[0]), np.float64)
        return self._known[text]


if __name__ == "__main__":
    main()
