"""Sizes that can be trained by name."""

from __future__ import annotations

from dataclasses import replace

from unimate_dcc.model.config import ModelConfig

SMALL = ModelConfig(
    layers=4, width=128, heads=4, feed_forward=512, text_width=384, max_joints=71, max_depth=19, max_frames=60,
    frames_per_token=2, output_convolution=3, text_encoder="all-minilm-l6-v2", smoothing_sigma_frames=1.0,
)  # fmt: skip
"""2.3 million parameters: what ships, and what two cores can train."""
MEDIUM = replace(SMALL, layers=6, width=256, heads=4, feed_forward=1024)
"""13 million parameters: for one big card."""
TINY = ModelConfig(
    layers=1, width=32, heads=2, feed_forward=64, text_width=384, max_frames=60, frames_per_token=2,
    text_encoder="all-minilm-l6-v2",
)  # fmt: skip
"""For trying a set or a machine."""
CONFIGS = {"small": SMALL, "medium": MEDIUM, "tiny": TINY}
