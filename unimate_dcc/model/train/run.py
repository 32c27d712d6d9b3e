"""Train on a set and export what came out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from unimate_dcc.errors import BadRequestError, WeightsError
from unimate_dcc.model.config import PARTS, ModelConfig
from unimate_dcc.model.denoiser import Denoiser
from unimate_dcc.model.text import TextEncoder, open_encoder, pooled
from unimate_dcc.model.train import cache
from unimate_dcc.model.train.batches import Batches, measure
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.captions import mirrored
from unimate_dcc.model.train.ema import MovingAverage
from unimate_dcc.model.train.loop import CHECKPOINT, Trainer, TrainOptions, start_from
from unimate_dcc.model.train.presets import CONFIGS
from unimate_dcc.model.train.state import read_any, state_of, write_state
from unimate_dcc.model.train.validation import Validation, split
from unimate_dcc.model.weights import Weights, save_weights
from unimate_dcc.rig.labels import NAMELESS
from unimate_dcc.rig.labels import mirrored as mirrored_label
from unimate_dcc.skeleton import FloatArray

LENGTHS = (40, 40, 60)
"""Frames of the windows trained on, one drawn for each batch."""
AUGMENTATION = "augmentation"


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What to train, and from where.

    Attributes:
        config: Name of a size, see ``presets``.
        threads: Of torch.
        slots: Joint slots of a batch.
        without: Left out for an ablation: ``graph``, ``spectral``, ``topology`` or ``augmentation``.
        resume: Go on from the folder's checkpoint, where there is one.
        init: Start from a checkpoint or from weights.
    """

    config: str = "small"
    threads: int = 1
    slots: int = 256
    without: tuple[str, ...] = ()
    resume: bool = False
    init: Path | None = None


def train(data: Path, folder: Path, run: RunOptions, options: TrainOptions, log: Callable[[str], None]) -> None:
    """Train on a set; held-out rigs are never seen. ``folder`` gets ``checkpoint.pt`` and ``log.csv``.

    Raises:
        BadRequestError: ``folder`` holds a run already and ``resume`` is off, or there is nothing to train on.
        WeightsError: the checkpoint to resume was made of another set or size.
    """
    if not run.resume and (folder / CHECKPOINT).exists():
        raise BadRequestError("out", str(folder), "holds a run already; go on with --resume or name a new folder")
    torch.set_num_threads(run.threads)
    folder.mkdir(parents=True, exist_ok=True)
    rigs, clips, digest = cache.load(data)
    clips = [clip for clip in clips if not rigs[clip.rig].held_out]
    if not clips:
        raise BadRequestError("data", str(data), "holds no clip that may be trained on")
    parts = tuple(part for part in PARTS if part in run.without)
    config = replace(CONFIGS[run.config], without=parts)
    start = read_any(run.init) if run.init and not run.resume else None
    statistics, embed = start.statistics if start else measure(rigs, clips), Embedder(config.text_encoder)
    if options.workers:
        embed.prepare(texts_of(rigs, clips))
    training, validating = split(rigs, clips)
    batches = Batches(rigs, training, statistics, embed, run.slots, LENGTHS, AUGMENTATION not in run.without)
    validation = None
    if validating:
        validation = Validation(Batches(rigs, validating, statistics, embed, run.slots, LENGTHS), options.early)
    trainer = Trainer(config, batches, options, digest, validation)
    if run.resume and (folder / CHECKPOINT).exists():
        trainer.resume(folder)
    elif start and run.init:
        start_from(trainer, start, run.init)
    trainer.run(folder, log)


UNSTATED = "not stated"
"""A licence that nobody named; the weights then count as non-commercial."""


def export(
    folder: Path,
    data: Path,
    out: Path,
    name: str,
    *,
    licence: str = UNSTATED,
    commercial: bool = False,
    source: str = "trained with unimate-dcc",
    state_file: Path | None = None,
) -> Weights:
    """Write the moving average of a run's checkpoint as weights that know the captions of the set.

    Args:
        folder: Of the run.
        data: The training set.
        out: The weights.
        name: Of the weights.
        licence: Of the weights; what the training data allow, only a person can say.
        commercial: Whether it allows commercial use.
        source: Where the numbers come from.
        state_file: Also write what ``train`` can start from.

    Raises:
        WeightsError: the folder holds no checkpoint.
        CacheError: ``data`` is no training set.
    """
    path = folder / CHECKPOINT
    if not path.exists():
        raise WeightsError(str(path), "does not exist; name the folder that 'train --out' wrote to")
    held = torch.load(path, weights_only=True)
    state = state_of(held)
    model = Denoiser(ModelConfig.from_json(held["config"]))
    model.load_state_dict(state.model)
    average = MovingAverage(model, 0.0)
    average.values = state.average
    average.copy_to(model)
    training = {
        "steps": state.steps,
        "cpu_hours": round(state.cpu_seconds / 3600, 2),
        "data_sha256": held["data"],
        "options": json.loads(held["options"]),
        "prompts": generic_captions(*cache.load(data)[:2]),
    }
    if state_file is not None:
        write_state(state_file, state)
    return save_weights(
        out, model, name=name, statistics=state.statistics, licence=licence, commercial=commercial,
        licence_text=licence, source=source, training=training,
    )  # fmt: skip


def generic_captions(rigs: list[TrainingRig], clips: list[TrainingClip]) -> dict[str, list[str]]:
    """Captions with the kind of body as their subject, by kind, most frequent first; held-out rigs aside."""
    counts: dict[str, Counter[str]] = {}
    for clip in clips:
        rig = rigs[clip.rig]
        if not rig.held_out:
            generic = clip.captions[min(1, len(clip.captions) - 1)]
            counts.setdefault(rig.category, Counter())[generic] += 1
    return {kind: [caption for caption, _ in counts[kind].most_common()] for kind in sorted(counts)}


def texts_of(rigs: list[TrainingRig], clips: list[TrainingClip]) -> list[str]:
    """Every caption and label that a batch may hold, mirrored ones too."""
    captions = {text for clip in clips for caption in clip.captions for text in (caption, mirrored(caption))}
    labels = {text for rig in rigs for label in rig.labels for text in (label, mirrored_label(label))}
    return sorted(captions | labels | {NAMELESS})


class Embedder:
    """Vectors of captions and labels; each text is encoded once. A copy sent to another process knows those only."""

    def __init__(self, name: str) -> None:
        self._encoder: TextEncoder | None = open_encoder(name)
        self._known: dict[str, FloatArray] = {}

    def __call__(self, text: str) -> FloatArray:
        """(W,) mean vector of a text."""
        if text not in self._known and self._encoder is not None:
            self._known[text] = np.asarray(pooled(self._encoder.encode([text])[0]), np.float64)
        return self._known[text]

    def prepare(self, texts: Iterable[str]) -> None:
        """Encode now what copies will be asked for."""
        for text in texts:
            self(text)

    def __getstate__(self) -> dict[str, Any]:
        return {"_encoder": None, "_known": self._known}
