"""Batches of windows: balanced over kinds of bodies, bucketed by joint count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.features import rest_features
from unimate_dcc.model.statistics import Statistics
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.model.train.windows import Window, cut
from unimate_dcc.rig.labels import NAMELESS
from unimate_dcc.skeleton import FloatArray

BUCKETS = (16, 24, 36, 56)
"""Joints of a batch; smaller rigs are padded."""
CLAMP = 6.0
"""Normalised features are cut here: one wild clip dominated whole epochs without it."""
SYNTHETIC_SHARE = 0.4
"""Scripted motion teaches bodies, feet and directions; real clips teach how motion looks."""
TEXT_DROPPED = 0.1
"""Captions left out, for guidance (SPEC f)."""


@dataclass(frozen=True, eq=False)
class Batch:
    """One step's worth of examples.

    Attributes:
        features: (B, J, 12, T) normalised and clamped.
        conditions: Text and skeletons.
        joint_mask: (B, J) True for a real joint.
    """

    features: Tensor
    conditions: Conditions
    joint_mask: Tensor


class Batches:
    """Draws batches; all randomness comes from the generator it is given."""

    def __init__(
        self,
        rigs: Sequence[TrainingRig],
        clips: Sequence[TrainingClip],
        statistics: Statistics,
        embed: Callable[[str], FloatArray],
        slots: int,
        lengths: Sequence[int],
        augmented: bool = True,
    ) -> None:
        """Prepare to draw from some clips.

        Args:
            rigs: All rigs.
            clips: The clips to draw from.
            statistics: Normalises features.
            embed: (W,) vector of a caption or a label.
            slots: Joint slots of a batch; decides how many clips it holds.
            lengths: Window lengths, one drawn per batch.
            augmented: Change rigs and motions, see ``augment``.
        """
        self.rigs, self.clips, self.statistics, self.embed = rigs, clips, statistics, embed
        self.slots, self.lengths, self.augmented = slots, lengths, augmented
        self.buckets = np.array([bucket_of(len(rigs[clip.rig].positions)) for clip in clips])
        self.weights = clip_weights(rigs, clips)

    def draw(self, random: np.random.Generator) -> Batch:
        """One batch of one bucket and one length."""
        mass = np.array([self.weights[self.buckets == bucket].sum() for bucket in range(len(BUCKETS))])
        share = mass * np.array(BUCKETS)
        bucket = int(random.choice(len(BUCKETS), p=share / share.sum()))
        frames = int(random.choice(self.lengths))
        inside = np.flatnonzero(self.buckets == bucket)
        chance = self.weights[inside] / self.weights[inside].sum()
        count = max(2, self.slots // BUCKETS[bucket])
        chosen = random.choice(inside, size=count, p=chance)
        windows = [
            cut(self.rigs[self.clips[i].rig], self.clips[i], frames, random, augmented=self.augmented) for i in chosen
        ]
        dropped = random.random(count) < TEXT_DROPPED
        return self.collate(windows, BUCKETS[bucket], dropped)

    def collate(self, windows: Sequence[Window], joints: int, dropped: np.ndarray) -> Batch:
        """Pad windows of one length to ``joints`` joints."""
        frames, count = len(windows[0].features), len(windows)
        features = np.zeros((count, frames, joints, 12), np.float32)
        rest = np.zeros((count, joints, 12), np.float32)
        above = np.zeros_like(rest)
        names = np.zeros((count, joints, len(self.embed(NAMELESS))), np.float32)
        relations, distances = np.zeros((2, count, joints, joints), np.int64)
        depths, spectral = np.zeros((count, joints), np.int64), np.zeros((count, joints, 8), np.float32)
        mask = np.zeros((count, joints), np.bool_)
        for row, window in enumerate(windows):
            own = len(window.parents)
            features[row, :, :own] = np.clip(self.statistics.normalise(window.features), -CLAMP, CLAMP)
            rest[row, :own] = self.statistics.normalise(rest_features(window.positions))
            above[row, :own] = rest[row, np.maximum(window.parents, 0)]
            names[row, :own] = [self.embed(label) for label in window.labels]
            relations[row, :own, :own] = window.topology.relations
            distances[row, :own, :own] = window.topology.distances
            depths[row, :own] = window.topology.depths
            spectral[row, :own] = window.topology.spectral
            mask[row, :own] = True
        pooled = np.stack([self.embed(window.caption) for window in windows]).astype(np.float32)
        conditions = Conditions(
            text=torch.from_numpy(pooled[:, None]),
            text_mask=torch.ones(count, 1, dtype=torch.bool),
            pooled=torch.from_numpy(pooled),
            text_dropped=torch.from_numpy(np.asarray(dropped)),
            names=torch.from_numpy(names),
            rest=torch.from_numpy(rest),
            parent_rest=torch.from_numpy(above),
            relations=torch.from_numpy(relations),
            distances=torch.from_numpy(distances),
            depths=torch.from_numpy(depths),
            spectral=torch.from_numpy(spectral),
            joint_mask=torch.from_numpy(mask),
        )
        return Batch(torch.from_numpy(features).permute(0, 2, 3, 1).contiguous(), conditions, torch.from_numpy(mask))


def bucket_of(joints: int) -> int:
    """The smallest bucket that takes a rig of so many joints."""
    return int(np.searchsorted(BUCKETS, joints))


def clip_weights(rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip]) -> FloatArray:
    """Chance of each clip: a kind of body with n clips gets n^0.5 (SPEC f), shared evenly; sums to 1.

    Scripted clips together get ``SYNTHETIC_SHARE``, however many there are.
    """
    kinds = [rigs[clip.rig].category for clip in clips]
    scripted = np.array([rigs[clip.rig].synthetic for clip in clips])
    groups = list(zip(kinds, scripted.tolist(), strict=True))
    counts = Counter(groups)
    weights = np.array([counts[group] ** -0.5 for group in groups])
    for part, share in ((scripted, SYNTHETIC_SHARE), (~scripted, 1.0 - SYNTHETIC_SHARE)):
        if part.any():
            weights[part] *= share / weights[part].sum()
    return np.asarray(weights / weights.sum())


def measure(rigs: Sequence[TrainingRig], clips: Sequence[TrainingClip]) -> Statistics:
    """Mean and deviation over all clips, kinds of bodies weighted alike; deviations have floors."""
    random = np.random.default_rng(0)
    kinds: dict[str, list[np.ndarray]] = {}
    for clip in clips:
        window = cut(rigs[clip.rig], clip, max(len(clip.motion.root) - 1, 8), random, change=False)
        moments = np.stack([_moments(window.features[:, :1]), _moments(window.features[:, 1:])])
        kinds.setdefault(rigs[clip.rig].category, []).append(moments)
    mean = np.mean([np.mean(rows, axis=0) for rows in kinds.values()], axis=0)
    first, second = mean[:, 0], mean[:, 1]
    std = np.sqrt(np.maximum(second - first**2, 0.0))
    std[0, 9:] = np.maximum(std[0, 9:], 0.02)  # travelling clips are outliers in a root that mostly stands
    std = np.where(std < 1e-6, 1e-8, std)
    return Statistics(first[0], std[0], first[1], std[1])


def _moments(features: FloatArray) -> FloatArray:
    flat = features.reshape(-1, 12)
    return np.stack([flat.mean(0), (flat**2).mean(0)])
