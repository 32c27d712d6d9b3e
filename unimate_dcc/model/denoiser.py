"""TADiT: predicts the velocity of the flow from noisy motion, a skeleton and a prompt.

``prepare`` does what depends on neither the noise nor the time, once per sampling run;
``velocity`` does the rest, once per evaluation; ``forward`` is both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, cast

import torch
from torch import Tensor, nn

from unimate_dcc.model.conditions import Conditions
from unimate_dcc.model.config import ModelConfig
from unimate_dcc.model.embedding import InputLayer, TimeEmbedder, TopologyPool
from unimate_dcc.model.full_block import FullBlock
from unimate_dcc.model.graph_block import GraphBlock
from unimate_dcc.model.layers import RMSNorm, weight_dtype
from unimate_dcc.model.output import FinalLayer, SeamConvolution
from unimate_dcc.model.rope import Rotation, SpectralRope, temporal_angles


@dataclass(frozen=True, eq=False)
class Prepared:
    """What stays the same at every evaluation; made by ``Denoiser.prepare``.

    Attributes:
        skeleton: (B, 1, J, D) tokens of the rest pose, depth and name added.
        identity: (B, 1, J, D) depth and name, added to every motion token.
        y: (B, D) conditioning vector without the time.
        angles: (B, J, d/2 or d/4) spectral angles of the joints.
        biases: Additive attention bias (B, H, J, J) of each block; empty in the full variant.
        memories: Text keys and values of each block; empty in the factorised variant.
        text_mask: (B, L) True for a text token that counts.
        joint_mask: (B, J) or None.
        frame_lengths: (B,) or None.
    """

    skeleton: Tensor
    identity: Tensor
    y: Tensor
    angles: Tensor
    biases: tuple[Tensor, ...]
    memories: tuple[tuple[Tensor, Tensor], ...]
    text_mask: Tensor
    joint_mask: Tensor | None
    frame_lengths: Tensor | None


class Denoiser(nn.Module):
    """The network; parameters are named and ordered like the released weights (SPEC b1)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        width, text = config.width, config.text_width
        if not config.factorised:
            self.null_caption = nn.Parameter(torch.randn(1, 1, text) * 0.02)
        self.cond_embedder = nn.Linear(text, width)
        self.time_embedder = TimeEmbedder(width)
        self.input_layer = InputLayer(config)
        self.tpos_pool = TopologyPool(width)
        self.joint_name_embedder = nn.Linear(text, width)
        self.depth_embedding = nn.Embedding(config.max_depth + 1, width)
        if config.factorised:
            self.rope_j = SpectralRope(config.head_width // 2)
            self.transformer_blocks = nn.ModuleList(GraphBlock(config) for _ in range(config.layers))
        else:
            self.rope = SpectralRope(config.head_width // 4)
            self.transformer_blocks = nn.ModuleList(FullBlock(config) for _ in range(config.layers))
        self.final_layer = FinalLayer(config)
        if config.output_convolution:
            self.seam_convolution = SeamConvolution(config)
        self._initialise()

    @property
    def dtype(self) -> torch.dtype:
        """What runs at every step computes in this."""
        return weight_dtype(self.final_layer.joint_out)

    def compute_in(self, dtype: torch.dtype) -> Self:
        """Cast what runs at every step; norms and what runs once per clip stay float32."""
        parts = [self.input_layer.root_x_embedder, self.input_layer.joint_x_embedder]
        for part in (*parts, self.transformer_blocks, self.final_layer):
            part.to(dtype)
        for module in self.modules():
            if isinstance(module, RMSNorm):
                module.float()
        return self

    def forward(self, x: Tensor, time: Tensor, conditions: Conditions) -> Tensor:
        """Predict the velocity of the flow.

        Args:
            x: (B, J, 12, T) noisy features, normalised, unitless; T a multiple of
                ``frames_per_token`` and at most ``max_frames``.
            time: (B,) flow time, 0 is noise and 1 is motion.
            conditions: Text and skeletons, batch B or 1.

        Returns:
            (B, J, 12, T) float32; what is returned for padded joints and frames means nothing,
            and what they hold never reaches a real one.
        """
        return self.velocity(x, time, self.prepare(conditions))

    def prepare(self, conditions: Conditions) -> Prepared:
        """Everything that depends on skeleton and text only."""
        c = self._told(conditions)
        dtype = self.cond_embedder.weight.dtype
        tokens = self.input_layer.skeleton(c.rest, c.parent_rest)
        depths = self.depth_embedding(c.depths.clamp(max=self.config.max_depth))
        identity = depths + self.joint_name_embedder(c.names.to(dtype))
        y = self.tpos_pool(tokens, c.joint_mask)
        if "topology" in self.config.without:
            y = torch.zeros_like(y)
        memories: tuple[tuple[Tensor, Tensor], ...] = ()
        biases: tuple[Tensor, ...] = ()
        text_mask = c.text_mask
        if self.config.factorised:
            pooled = c.pooled.masked_fill(c.text_dropped[:, None], 0.0)  # its bias stays (SPEC b2)
            y = y + self.cond_embedder(pooled.to(dtype))
            angles = self.rope_j(c.spectral)
            biases = tuple(b.s_attn.bias(c.distances, c.relations, c.joint_mask) for b in self._graph_blocks)
        else:
            text, text_mask = self._text_or_null(c)
            memory = self.cond_embedder(text.to(dtype)).to(self.dtype)
            angles = self.rope(c.spectral)
            memories = tuple(block.c_attn.memory(memory) for block in self._full_blocks)
        return Prepared(
            skeleton=(tokens + identity)[:, None].to(self.dtype),
            identity=identity[:, None].to(self.dtype),
            y=y,
            angles=angles,
            biases=biases,
            memories=memories,
            text_mask=text_mask,
            joint_mask=c.joint_mask,
            frame_lengths=c.frame_lengths,
        )

    def velocity(self, x: Tensor, time: Tensor, prepared: Prepared) -> Tensor:
        """Like ``forward``, from prepared conditions."""
        tokens = self.input_layer.motion(x) + prepared.identity
        skeleton = prepared.skeleton.expand(len(x), -1, -1, -1)
        tokens = torch.cat((skeleton, tokens), dim=1)  # (B, F, J, D)
        y = (self.time_embedder(time) + prepared.y).to(self.dtype)
        frame_mask = self._valid(prepared.frame_lengths, tokens.shape[1], x.device)
        if self.config.factorised:
            tokens = self._factorised(tokens, y, prepared, frame_mask)
        else:
            tokens = self._full(tokens, y, prepared, frame_mask)
        out: Tensor = self.final_layer(tokens[:, 1:], y, prepared.joint_mask)
        if self.config.output_convolution:
            valid = None if frame_mask is None else frame_mask[:, 1:]
            valid = None if valid is None else valid.repeat_interleave(self.config.frames_per_token, dim=1)
            out = self.seam_convolution(out, valid)
        return out

    def _told(self, conditions: Conditions) -> Conditions:
        """Without the parts that an ablation leaves out: attention ignores what is the same for all joints."""
        blank: dict[str, Tensor] = {}
        if "graph" in self.config.without:
            blank |= {name: torch.zeros_like(getattr(conditions, name)) for name in ("distances", "relations")}
        if "spectral" in self.config.without:
            blank["spectral"] = torch.zeros_like(conditions.spectral)
        return replace(conditions, **blank) if blank else conditions

    @property
    def _graph_blocks(self) -> list[GraphBlock]:
        return cast("list[GraphBlock]", list(self.transformer_blocks))

    @property
    def _full_blocks(self) -> list[FullBlock]:
        return cast("list[FullBlock]", list(self.transformer_blocks))

    def _factorised(self, tokens: Tensor, y: Tensor, prepared: Prepared, frame_mask: Tensor | None) -> Tensor:
        angles = temporal_angles(self.config, tokens.shape[1], self.config.head_width, tokens.device)
        frames, joints = Rotation.of(angles), Rotation.of(prepared.angles)
        for block, bias in zip(self.transformer_blocks, prepared.biases, strict=True):
            tokens = block(tokens, y, joints, bias, frames, frame_mask)
        return tokens

    def _full(self, tokens: Tensor, y: Tensor, prepared: Prepared, frame_mask: Tensor | None) -> Tensor:
        frames, joints = tokens.shape[1:3]
        in_time = temporal_angles(self.config, frames, self.config.head_width // 2, tokens.device)
        batch = len(prepared.angles)
        angles = torch.stack(
            (
                prepared.angles[:, None].expand(-1, frames, -1, -1),
                in_time[None, :, None].expand(batch, -1, joints, -1),
            ),
            dim=3,
        )  # (B, F, J, 2, d/4)
        rotation = Rotation.of(angles.flatten(1, 2))
        mask = _token_mask(frame_mask, prepared.joint_mask, frames, joints)
        flat = tokens.flatten(1, 2)
        for block, memory in zip(self.transformer_blocks, prepared.memories, strict=True):
            flat = block(flat, y, rotation, mask, memory, prepared.text_mask)
        return torch.unflatten(flat, 1, (frames, joints))

    def _text_or_null(self, c: Conditions) -> tuple[Tensor, Tensor]:
        """Text (B, L, W) and its mask; without a prompt token 0 is the learned null caption, alone."""
        dropped = c.text_dropped[:, None]
        first = torch.arange(c.text.shape[1], device=c.text.device)[None] == 0
        text = torch.where((dropped & first)[..., None], self.null_caption.to(c.text.dtype), c.text)
        return text, torch.where(dropped, first, c.text_mask)

    def _valid(self, lengths: Tensor | None, tokens: int, device: torch.device) -> Tensor | None:
        """(B, F) True for a token in time that holds a valid frame; the rest pose always does."""
        if lengths is None:
            return None
        starts = (torch.arange(tokens, device=device) - 1) * self.config.frames_per_token
        return starts[None] < lengths[:, None]

    def _initialise(self) -> None:
        """Zero what makes a fresh block the identity (SPEC f); depth embeddings at 0.02."""
        final = self.final_layer
        zeroed: list[nn.Module] = [self.tpos_pool.pool.out_proj, final.root_out[2], final.joint_out[2]]
        zeroed.append(final.adaLN_modulation[1])
        if self.config.factorised:
            zeroed += [self.cond_embedder, *(block.adaLN_modulation[1] for block in self._graph_blocks)]
        else:
            zeroed += [part for block in self._full_blocks for part in (block.c_attn.proj, block.adaLN_modulation[1])]
        for linear in zeroed:
            for parameter in linear.parameters():
                nn.init.zeros_(parameter)
        nn.init.normal_(self.depth_embedding.weight, std=0.02)


def _token_mask(frame_mask: Tensor | None, joint_mask: Tensor | None, frames: int, joints: int) -> Tensor | None:
    """(B or 1, 1, 1, F*J) True for a token of a valid frame and a real joint; None when all are."""
    if frame_mask is None and joint_mask is None:
        return None
    given = [mask for mask in (frame_mask, joint_mask) if mask is not None]
    every = torch.ones(1, 1, dtype=torch.bool, device=given[0].device)
    in_time = (every if frame_mask is None else frame_mask)[:, :, None].expand(-1, frames, joints)
    in_space = (every if joint_mask is None else joint_mask)[:, None, :].expand(-1, frames, joints)
    return (in_time & in_space).flatten(1)[:, None, None, :]
