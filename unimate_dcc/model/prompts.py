"""What weights were trained to do: their captions by kind of body, and how near a prompt is to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unimate_dcc.model.text import TextEncoder, pooled
from unimate_dcc.model.train.captions import IN_PLACE, verb_phrase
from unimate_dcc.skeleton import FloatArray

if TYPE_CHECKING:
    from unimate_dcc.model.weights import Weights

FAR = 0.4
"""Cosine of two verb phrases' vectors. Of 28 phrases tried, those that some clip shows in other words (scuttles ahead,
pounces, gallops at full speed) lie at 0.42 and above, those that none shows (plays the violin, rides a bicycle,
knits a sweater) at 0.34 and below; mopping the floor is taken for sitting down on it, at 0.56."""


@dataclass(frozen=True)
class Known:
    """A trained caption near a prompt.

    Attributes:
        caption: As trained, such as ``a quadruped trots forward``.
        similarity: Cosine of the two texts' vectors, at most 1.
    """

    caption: str
    similarity: float


def known_prompts(weights: Weights) -> dict[str, list[str]]:
    """Trained captions by kind of body, most frequent first; empty for weights that do not say."""
    said = weights.training.get("prompts", {})
    return {kind: list(captions) for kind, captions in said.items()}


def nearest(prompt: str, prompts: Mapping[str, Sequence[str]], encoder: TextEncoder, count: int = 3) -> list[Known]:
    """The trained captions nearest in what is done, best first; nothing where none are known."""
    verbs = {_verb(caption): caption for kind in prompts.values() for caption in reversed(kind)}
    asked = _verb(prompt)
    if asked in verbs:
        verbs = {asked: verbs[asked]}
    if not verbs:
        return []
    similarities = _vectors(encoder, list(verbs)) @ _vectors(encoder, [asked])[0]
    order = np.argsort(-similarities)[:count]
    captions = list(verbs.values())
    return [Known(captions[index], float(similarities[index])) for index in order]


def _verb(text: str) -> str:
    """What is done, whoever does it: names of animals would outweigh it."""
    return verb_phrase(text).removesuffix(".").removesuffix(f" {IN_PLACE}")


def _vectors(encoder: TextEncoder, texts: Sequence[str]) -> FloatArray:
    """(N, W) unit vectors."""
    raw = np.stack([pooled(tokens) for tokens in encoder.encode(texts)]).astype(np.float64)
    return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True))
