"""Seconds for one 60-frame clip: by model, solver, steps and dtype, and where they go.

    python benchmarks/generate.py [--quick] [--threads 2] [--device cpu]

``bare`` is the time of the network evaluations alone; ``ratio`` is the network's share of the
run over it; ``write`` includes putting the motion onto the skeleton, verification by UsdSkel and publishing, without
pictures. Without shipped weights random ones of the same size are used, and it says so.
Process start and loading are not counted. Bars (issue 2, 2 cores): the shipped model takes under
10 s at 50 Euler steps, the full size a ratio under 1.3.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from unimate_dcc.examples import write_examples
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.flow import Solver, guided
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.rig_inputs import RigInputs
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.text_models import MINILM
from unimate_dcc.model.weights import SHIPPED, Weights, load_weights, save_weights
from unimate_dcc.pipeline.inputs import rig_inputs
from unimate_dcc.pipeline.job import AnimateOptions, Job, prepare
from unimate_dcc.pipeline.publish import Kept, publish
from unimate_dcc.request import GenerateRequest
from unimate_dcc.rig.motion import RigMotion

FRAMES, GUIDANCE = 60, 3.0
PROMPT = "a quadruped trots forward"
EVALUATIONS = {"euler": 1, "midpoint": 2}
CASES: tuple[tuple[Solver, int], ...] = (("euler", 50), ("euler", 12), ("midpoint", 6), ("dopri5", 50))
SMALL = ModelConfig(
    layers=4,
    width=128,
    heads=4,
    feed_forward=512,
    text_width=MINILM.width,
    frames_per_token=2,
    output_convolution=3,
    text_encoder=MINILM.name,
)
FULL = ModelConfig(text_width=MINILM.width, text_encoder=MINILM.name)
"""Ten layers of 512 as released, with the small text encoder, since only the cost matters here."""


def fox_job(folder: Path) -> Job:
    """The shipped fox, 60 poses at 30 frames a second: 48 frames of its shot."""
    write_examples(folder / "examples")
    shot = folder / "examples/shots/fox_meadow.usda"
    request = GenerateRequest(shot=str(shot), prompt=PROMPT, frames="1001-1048")
    return prepare(request, AnimateOptions(out=folder / "takes"), 71)


def random_weights(config: ModelConfig, name: str, folder: Path) -> Weights:
    """Weights that cost as much as trained ones."""
    torch.manual_seed(0)
    unit = Statistics(np.zeros(12), np.ones(12), np.zeros(12), np.ones(12))
    return save_weights(
        folder / f"{name}.safetensors",
        Denoiser(config),
        name=name,
        statistics=unit,
        licence="CC0-1.0",
        commercial=True,
        licence_text="",
        source="random",
        training={},
    )


def bare_evaluation(generator: Generator, rig: RigInputs) -> float:
    """Best of five guided evaluations, in seconds."""
    window = generator.weights.config.max_frames
    with torch.inference_mode():
        given = rig.conditions(generator.weights.statistics, generator.encoder, [PROMPT]).guided()
        velocity = guided(generator.denoiser, generator.denoiser.prepare(given.to(generator.device)), GUIDANCE)
        x = torch.randn(1, len(rig.parents), 12, window, device=generator.device)
        at = torch.full((1,), 0.5, device=generator.device)
        return min(_timed(lambda: velocity(x, at).sum().item()) for _ in range(5))


def _timed(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def row(name: str, generator: Generator, job: Job, solver: Solver, steps: int, bare: float) -> str:
    """One line of the table."""
    began = time.perf_counter()
    rig = rig_inputs(job.rig)
    motion = generator.generate(rig, PROMPT, FRAMES, steps=steps, solver=solver, guidance=GUIDANCE)[0]
    write = _timed(
        lambda: publish(
            job, job.sampled(RigMotion(motion.rotations, motion.root)), Kept(), {}, AnimateOptions(pictures=False)
        )
    )
    total = time.perf_counter() - began
    share = {part: 100 * seconds / total for part, seconds in {**motion.seconds, "write": write}.items()}
    evaluations = steps * EVALUATIONS[solver] if solver in EVALUATIONS else None
    needed = f"{evaluations * bare:8.2f} {motion.seconds['network'] / (evaluations * bare):6.2f}" if evaluations else ""
    return (
        f"{name:<22} {str(generator.dtype)[6:]:<9} {solver:<9} {steps:>5} {total:8.2f} "
        f"{share['text']:6.1f} {share['network']:8.1f} {share['decode']:7.1f} {share['write']:6.1f} {needed}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--quick", action="store_true", help="only 50 Euler steps, the full size with 4")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    print(
        f"{'model':<22} {'dtype':<9} {'solver':<9} {'steps':>5} {'s':>8} {'text%':>6} {'network%':>8} {'decode%':>7}",
        end="",
    )
    print(f" {'write%':>6} {'bare s':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        job = fox_job(Path(folder))
        rig = rig_inputs(job.rig)
        print(f"{len(rig.parents)} joints, {FRAMES} frames, guidance {GUIDANCE}, {arguments.threads} threads")
        shipped = any(SHIPPED.glob("*.safetensors"))
        small = load_weights() if shipped else random_weights(SMALL, "small (random)", Path(folder))
        for weights in (small, random_weights(FULL, "full (random)", Path(folder))):
            for dtype in ("bfloat16", "float32"):
                generator = Generator(weights, device=arguments.device, dtype=dtype)
                bare = bare_evaluation(generator, rig)
                cases = CASES if not arguments.quick else (("euler", 50 if weights is small else 4),)
                for solver, steps in cases:
                    print(row(weights.name, generator, job, solver, steps, bare), flush=True)


if __name__ == "__main__":
    main()
