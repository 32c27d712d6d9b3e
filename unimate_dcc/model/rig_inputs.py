"""What the model needs to know of a rig, as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch

from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.features import rest_features
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.text import TextEncoder, Tokens, pooled
from unimate_dcc.rig.pose import rest_offsets
from unimate_dcc.rig.topology import Topology
from unimate_dcc.skeleton import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class RigInputs:
    """A canonical rig: facing +Z, diameter 2, on the ground, joints in breadth-first order.

    Attributes:
        offsets: (J, 3) joint minus parent in the rest pose.
        parents: (J,) parent indices, -1 for the root, parents first.
        labels: J joint labels of the paper's vocabulary.
        rest_positions: (J, 3) canonical rest positions.
        relations: (J, J) joint relations 0..5.
        distances: (J, J) tree distances 0..5.
        depths: (J,) depths, root 0.
        spectral: (J, 8) Laplacian eigenvector entries.
    """

    offsets: FloatArray
    parents: IntArray
    labels: tuple[str, ...]
    rest_positions: FloatArray
    relations: IntArray
    distances: IntArray
    depths: IntArray
    spectral: FloatArray

    @classmethod
    def of(cls, positions: FloatArray, parents: IntArray, labels: tuple[str, ...], topology: Topology) -> Self:
        """Of (J, 3) canonical rest positions, their tree and labels, and the tree's descriptors."""
        return cls(
            offsets=rest_offsets(positions, parents),
            parents=parents,
            labels=labels,
            rest_positions=positions,
            relations=topology.relations,
            distances=topology.distances,
            depths=topology.depths,
            spectral=np.asarray(topology.spectral, dtype=np.float64),
        )

    def conditions(self, statistics: Statistics, encoder: TextEncoder, prompts: Sequence[str]) -> Conditions:
        """Conditions of ``len(prompts)`` clips of this rig; the skeleton is given once."""
        rest = statistics.normalise(rest_features(self.rest_positions))
        above = rest[np.maximum(self.parents, 0)]
        names = {label: pooled(encoder.encode([label])[0]) for label in dict.fromkeys(self.labels)}
        text, mask, means = _padded(encoder.encode(prompts))
        return Conditions(
            text=torch.from_numpy(text),
            text_mask=torch.from_numpy(mask),
            pooled=torch.from_numpy(means),
            text_dropped=torch.zeros(len(prompts), dtype=torch.bool),
            names=torch.from_numpy(np.stack([names[label] for label in self.labels]))[None],
            rest=_float(rest),
            parent_rest=_float(above),
            relations=_whole(self.relations),
            distances=_whole(self.distances),
            depths=_whole(self.depths),
            spectral=_float(self.spectral),
        )


def _padded(texts: list[Tokens]) -> tuple[Tokens, np.ndarray[tuple[int, int], np.dtype[np.bool_]], Tokens]:
    """(B, L, W) tokens, (B, L) mask and (B, W) means of ragged texts."""
    longest = max(len(tokens) for tokens in texts)
    out = np.zeros((len(texts), longest, texts[0].shape[1]), np.float32)
    mask = np.zeros((len(texts), longest), np.bool_)
    for row, tokens in enumerate(texts):
        out[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = True
    return out, mask, np.stack([pooled(tokens) for tokens in texts])


def _float(values: FloatArray) -> torch.Tensor:
    return torch.from_numpy(np.asarray(values, np.float32))[None]


def _whole(values: IntArray) -> torch.Tensor:
    return torch.from_numpy(np.asarray(values, np.int64))[None]
