"""How good are the weights on rigs they have never seen? Real clips, nearest clips and the weights in one table.

    python benchmarks/quality.py CACHE [--weights default] [--samples 5] [--seed 10] [--rigs N] [--steps 50]
        [--guidance 3] [--actions walk,run] [--no-nearest] [--no-weights] [--json FILE]

CACHE is what ``python -m unimate_dcc.model.train build`` makes. Prompts are the captions of the held-out clips,
and six actions for each held-out body with legs or wings. ``--samples 1 --steps 16 --rigs 6`` takes minutes.
The measures are defined in unimate_dcc/model/eval/measures.py and unimate_dcc/motion/quality.py.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from unimate_dcc.model.eval.actions import BALANCED
from unimate_dcc.model.eval.report import EvalOptions, evaluate
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.text import open_encoder
from unimate_dcc.model.text_models import MINILM
from unimate_dcc.model.train import cache
from unimate_dcc.model.weights import load_weights


def arguments() -> argparse.Namespace:
    """What was asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache", type=Path)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--no-weights", action="store_true", help="only the real and the nearest clips")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--rigs", type=int, help="held-out rigs, spread over all")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--guidance", type=float, default=3.0)
    parser.add_argument("--actions", default=",".join(BALANCED), help="of the balanced prompts")
    parser.add_argument("--no-nearest", action="store_true")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Evaluate, print, write."""
    asked = arguments()
    rigs, clips, digest = cache.load(asked.cache)
    generator = None if asked.no_weights else Generator(load_weights(asked.weights))
    options = EvalOptions(
        samples=asked.samples,
        seed=asked.seed,
        rigs=asked.rigs,
        steps=asked.steps,
        guidance=asked.guidance,
        actions=tuple(asked.actions.split(",")),
        nearest=not asked.no_nearest,
    )
    encoder = generator.encoder if generator else open_encoder(MINILM.name)
    report = evaluate(
        rigs, clips, generator, options, encoder=encoder, progress=lambda line: print(line, file=sys.stderr, flush=True)
    )
    print(f"data {digest[:16]}, {report.facts['rigs']} held-out rigs, {report.facts['prompts']} prompts")
    print(report.table())
    if asked.json:
        report = replace(report, facts={**report.facts, "data": digest})
        asked.json.write_text(report.to_json() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
