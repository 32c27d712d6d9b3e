"""The baseline to beat: the training clip nearest to the prompt, copied onto the rig."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from unimate_dcc.model.eval.actions import action_of
from unimate_dcc.model.eval.prompts import Prompt
from unimate_dcc.model.eval.samples import Sample, sample, window
from unimate_dcc.model.eval.transfer import mapped
from unimate_dcc.model.text import TextEncoder, pooled
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.skeleton import FloatArray


class Bank:
    """Training clips that can be asked for by text."""

    def __init__(self, rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip], encoder: TextEncoder) -> None:
        """Encode the captions.

        Args:
            rigs: All rigs.
            clips: Training clips; those of held-out and of scripted rigs are left out.
            encoder: Of captions and prompts.
        """
        self.rigs, self._encoder = rigs, encoder
        self.clips = [clip for clip in clips if not rigs[clip.rig].held_out and not rigs[clip.rig].synthetic]
        self._vectors = np.stack([self._vector(clip.captions[0]) for clip in self.clips])
        self._actions = np.array([action_of(clip.captions[0]) or "" for clip in self.clips])
        self._categories = np.array([rigs[clip.rig].category for clip in self.clips])

    def nearest(self, rig: TrainingRig, text: str, count: int = 1) -> list[TrainingClip]:
        """The nearest clips, best first.

        Of the rig's category where the bank has any, of the action that the text names where those have any;
        among these by the likeness of caption and of joint labels, each 0 to 1, added.
        """
        fits = np.ones(len(self.clips), np.bool_)
        for wish in (self._categories == rig.category, self._actions == (action_of(text) or "")):
            fits = fits & wish if (fits & wish).any() else fits
        candidates = np.flatnonzero(fits)
        score = self._vectors[candidates] @ self._vector(text)
        score = score + [likeness(rig.labels, self.rigs[self.clips[index].rig].labels) for index in candidates]
        return [self.clips[candidates[place]] for place in np.argsort(-score, kind="stable")[:count]]

    def _vector(self, text: str) -> FloatArray:
        mean = np.asarray(pooled(self._encoder.encode([text])[0]), np.float64)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12))


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Share of joints that have a partner of the same label, 0 to 1."""
    shared = sum((Counter(one) & Counter(other)).values())
    return 2.0 * shared / (len(one) + len(other))


def nearest_samples(
    bank: Bank,
    rigs: Sequence[TrainingRig],
    prompts: Sequence[Prompt],
    count: int,
    random: np.random.Generator,
) -> list[Sample]:
    """The ``count`` nearest clips of each prompt, on its rig."""
    return [
        sample(rigs[prompt.rig], prompt, mapped(source, rigs[prompt.rig], window(source, clip, random)))
        for prompt in prompts
        for clip in bank.nearest(rigs[prompt.rig], prompt.text, count)
        for source in (rigs[clip.rig],)
    ]
