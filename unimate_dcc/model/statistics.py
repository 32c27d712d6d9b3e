"""Mean and deviation of the features a model was trained on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Self

import numpy as np

from unimate_dcc.errors import WeightsError
from unimate_dcc.skeleton import BoolArray, FloatArray

FEATURES = 12
NAMES = ("mean_root", "std_root", "mean_local", "std_local")
STD_FLOOR = 1e-8
"""Constant channels have this deviation (SPEC c), so normalise in float64."""
CONSTANT_BELOW = 1e-6
"""A channel with less deviation never moves; its rounding would be blown up (SPEC e)."""


@dataclass(frozen=True, eq=False)
class Statistics:
    """What normalises features: joint 0 uses ``root``, every other joint ``local``.

    Attributes:
        mean_root: (12,) float64.
        std_root: (12,) float64, at least 1e-8.
        mean_local: (12,) float64.
        std_local: (12,) float64, at least 1e-8.
    """

    mean_root: FloatArray
    std_root: FloatArray
    mean_local: FloatArray
    std_local: FloatArray

    def __post_init__(self) -> None:
        for name in NAMES:
            values = np.asarray(getattr(self, name), np.float64)
            if values.shape != (FEATURES,) or not np.isfinite(values).all():
                raise WeightsError("statistics", f"{name} must be {FEATURES} finite numbers, has shape {values.shape}")
            if name.startswith("std") and values.min() < STD_FLOOR:
                values = np.maximum(values, STD_FLOOR)
            object.__setattr__(self, name, values)

    def per_joint(self, joints: int) -> tuple[FloatArray, FloatArray]:
        """Mean and deviation, both (J, 12)."""
        mean = np.repeat(self.mean_local[None], joints, axis=0)
        std = np.repeat(self.std_local[None], joints, axis=0)
        mean[0], std[0] = self.mean_root, self.std_root
        return mean, std

    def normalise(self, features: FloatArray) -> FloatArray:
        """(..., J, 12) features in units of deviation; a constant channel is exactly 0."""
        mean, std = self.per_joint(features.shape[-2])
        return np.where(std < CONSTANT_BELOW, 0.0, (features - mean) / std)

    def denormalise(self, features: FloatArray) -> FloatArray:
        """(..., J, 12) features from units of deviation."""
        mean, std = self.per_joint(features.shape[-2])
        return features * std + mean

    def constant(self, joints: int) -> BoolArray:
        """(J, 12) True for a channel that never moves."""
        return self.per_joint(joints)[1] < CONSTANT_BELOW

    def to_json(self) -> str:
        """Every number to its last digit."""
        return json.dumps({name: values.tolist() for name, values in asdict(self).items()})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The statistics again."""
        values = json.loads(text)
        missing = [name for name in NAMES if name not in values]
        if missing:
            raise WeightsError("statistics", f"lacks {', '.join(missing)}")
        return cls(**{name: np.asarray(values[name], np.float64) for name in NAMES})
