"""The tiny upstream models of shared/tadit/parity, as our objects."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch

from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.denoiser import Denoiser

NAMES = ("tiny_graph_adaln", "tiny_full_cross_attn", "tiny_graph_adaln_heads8", "tiny_full_cross_attn_heads8")


class Fixture:
    """One npz: the model with its weights, the inputs and the expected arrays."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            self.arrays = {name: torch.from_numpy(file[name]) for name in file.files if name != "config"}
            sizes = json.loads(str(file["config"]))
        self.config = ModelConfig(
            variant="graph/adaln" if "graph_adaln" in path.name else "full/cross_attn",
            layers=sizes["num_layers"],
            width=sizes["latent_dim"],
            heads=sizes["num_heads"],
            feed_forward=sizes["ff_size"],
            text_width=sizes["text_dim"],
            max_joints=sizes["max_joints"],
            max_depth=sizes["max_depth"],
            max_frames=sizes["max_motion_length"],
        )
        self.model = Denoiser(self.config).eval()
        state = {name[4:]: value for name, value in self.arrays.items() if name.startswith("sd::")}
        self.model.load_state_dict({name: value for name, value in state.items() if ".rope.spectral" not in name})

    def __getitem__(self, name: str) -> torch.Tensor:
        return self.arrays[name]

    def conditions(self, *, dropped: bool = False) -> Conditions:
        """The fixture's inputs, with or without the caption."""
        joints = torch.arange(self.config.max_joints)
        return Conditions(
            text=self["in::caption_tokens"],
            text_mask=self["in::caption_mask"],
            pooled=self["in::caption_emb"],
            text_dropped=torch.full((2,), dropped),
            names=self["in::joint_names_emb"],
            rest=self["in::tpos_first_frame"],
            parent_rest=self["in::tpos_first_frame_parents"],
            relations=self["in::joint_relations"],
            distances=self["in::graph_dist"],
            depths=self["in::joint_depths"],
            spectral=self["in::spectral_feats"],
            joint_mask=joints[None] < self["in::n_joints"][:, None],
            frame_lengths=self["in::motion_length"],
        )


def largest_difference(ours: torch.Tensor, theirs: torch.Tensor) -> float:
    """Largest absolute difference; equal infinities count as equal."""
    if ours.shape != theirs.shape:
        raise AssertionError(f"shapes differ: {tuple(ours.shape)} and {tuple(theirs.shape)}")
    return float(torch.where(ours == theirs, torch.zeros(()), (ours - theirs).abs()).max())
