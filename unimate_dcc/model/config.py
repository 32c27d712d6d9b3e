"""The sizes of one TADiT, frozen and stored with its weights."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Self

from unimate_dcc.errors import BadRequestError

Variant = Literal["graph/adaln", "full/cross_attn"]
Part = Literal["graph", "spectral", "topology"]
PARTS: tuple[Part, ...] = ("graph", "spectral", "topology")

FEATURES = 12
"""Position 3, rotation 6D, velocity 3 (SPEC c)."""
SPECTRAL_WIDTH = 8
"""Laplacian eigenvectors a joint is described by (SPEC b7)."""
GRAPH_CLASSES = 6
"""Joint relations 0..5 and tree distances clamped at 5 (SPEC b7)."""


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Everything that decides the shapes and the arithmetic of a denoiser.

    The defaults are the released 10-layer model (SPEC a).

    Attributes:
        variant: ``graph/adaln`` factorises space and time; ``full/cross_attn`` attends over all tokens.
        layers: Transformer blocks.
        width: Channels D of a token.
        heads: Attention heads H of the blocks; pool and root attention always have 4 (SPEC b1).
        feed_forward: Nominal feed-forward size; the SwiGLU hidden width is two thirds of it (SPEC b1).
        text_width: Channels of the text encoder.
        max_joints: Most joints a rig may have, virtual ends included.
        max_depth: Deeper joints share the embedding of this depth.
        max_frames: Window length T_max; also fixes the base of the temporal rotation (SPEC b4).
        frames_per_token: Frames that share one token; 1 is the paper.
        output_convolution: Odd kernel of the convolution that smooths token seams; 0 for none (the paper).
        output_hidden: Hidden channels of that convolution.
        fps: Frames per second of the motion.
        text_encoder: Name of the encoder the weights were trained with, see ``text.py``.
        smoothing_sigma_frames: Gaussian over the features before decoding; 0 for none.
        without: What the network is not told, for ablations: the ``graph`` bias, the ``spectral`` rotation, the pooled
            ``topology``.
    """

    variant: Variant = "graph/adaln"
    layers: int = 10
    width: int = 512
    heads: int = 8
    feed_forward: int = 2048
    text_width: int = 768
    max_joints: int = 71
    max_depth: int = 19
    max_frames: int = 60
    frames_per_token: int = 1
    output_convolution: int = 0
    output_hidden: int = 64
    fps: float = 30.0
    text_encoder: str = "flan-t5-base"
    smoothing_sigma_frames: float = 0.0
    without: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if self.variant not in ("graph/adaln", "full/cross_attn"):
            raise BadRequestError("variant", self.variant, "choose graph/adaln or full/cross_attn")
        for name in ("layers", "width", "heads", "feed_forward", "text_width", "max_joints", "max_frames", "fps"):
            if not getattr(self, name) > 0:
                raise BadRequestError(name, getattr(self, name), "must be above 0")
        for part in self.without:
            if part not in PARTS:
                raise BadRequestError("without", part, f"choose of {', '.join(PARTS)}")
        if self.width % (4 * self.heads):
            raise BadRequestError("width", self.width, f"must be a multiple of 4 x {self.heads} heads")
        if self.frames_per_token < 1 or self.max_frames % self.frames_per_token:
            raise BadRequestError("frames_per_token", self.frames_per_token, f"must divide {self.max_frames} frames")
        if self.output_convolution and self.output_convolution % 2 == 0:
            raise BadRequestError("output_convolution", self.output_convolution, "must be odd, or 0 for none")
        if self.max_depth < 0 or self.smoothing_sigma_frames < 0 or self.output_convolution < 0:
            raise BadRequestError("max_depth", self.max_depth, "depths, sigmas and kernels cannot be negative")

    @property
    def head_width(self) -> int:
        """Channels of one head."""
        return self.width // self.heads

    @property
    def factorised(self) -> bool:
        """Whether space and time are attended one after the other."""
        return self.variant == "graph/adaln"

    def to_json(self) -> str:
        """One line of JSON with every field."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The config again; an unknown key is refused by name."""
        values: dict[str, Any] = json.loads(text)
        known = {field.name for field in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise BadRequestError(name, value, f"no such model size; known: {', '.join(sorted(known))}")
        if "without" in values:
            values["without"] = tuple(values["without"])
        return cls(**values)
