"""Is the nameless EMA list really in parameter order? The named raw weights beside it tell.

Many neighbours have one shape, so a wrong order would load without a word. An averaged
matrix lies near its own raw matrix and far from every other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from unimate_dcc.errors import WeightsError

if TYPE_CHECKING:
    from torch import Tensor

SAMPLE = 4096
"""Entries compared of each matrix; random matrices are told apart by far fewer."""
ALIAS = re.compile(r"transformer_blocks\.\d+\.(s_attn|attn)\.rope\.(spectral_encoder\..+)")
"""Blocks repeat the shared spectral encoder in a state dict (SPEC b1)."""


def check_order(place: str, names: Sequence[str], shadow: Sequence[Tensor], raw: Mapping[str, Tensor]) -> None:
    """Compare the EMA list with the named raw weights.

    Args:
        place: For the error.
        names: Of the parameters, in order.
        shadow: EMA tensors, as many, of the right shapes.
        raw: ``model_state_dict``, aliases included.

    Raises:
        WeightsError: Names the first tensor that is missing, foreign, of another shape or out of order.
    """
    _check_names(place, names, shadow, raw)
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for index, tensor in enumerate(shadow):
        if tensor.dim() >= 2:
            alike[tuple(tensor.shape)].append(index)
    wrong: list[tuple[int, int]] = []
    for group in alike.values():
        wrong += _out_of_order(group, names, shadow, raw)
    if wrong:
        index, other = min(wrong)
        problem = (
            f"EMA tensor {index} ({names[index]}) is nearest to the raw {names[other]}: the list has another order"
        )
        raise WeightsError(place, problem)


def _check_names(place: str, names: Sequence[str], shadow: Sequence[Tensor], raw: Mapping[str, Tensor]) -> None:
    import torch

    for name, tensor in zip(names, shadow, strict=True):
        if name not in raw:
            raise WeightsError(place, f"does not fit: model_state_dict lacks tensor {name}")
        if raw[name].shape != tensor.shape:
            shapes = f"{tuple(raw[name].shape)}, expected {tuple(tensor.shape)}"
            raise WeightsError(place, f"does not fit: tensor {name} of model_state_dict is {shapes}")
    known, shared = set(names), "rope_j." if any(name.startswith("rope_j.") for name in names) else "rope."
    for name, tensor in raw.items():
        match = ALIAS.fullmatch(name)
        if name not in known and match is None:
            raise WeightsError(
                place, f"does not fit: tensor {name} of model_state_dict belongs to no part of the model"
            )
        if match is not None and not torch.equal(tensor, raw[shared + match[2]]):
            raise WeightsError(place, f"does not fit: tensor {name} differs from the shared {shared}{match[2]}")


def _out_of_order(
    group: Sequence[int], names: Sequence[str], shadow: Sequence[Tensor], raw: Mapping[str, Tensor]
) -> list[tuple[int, int]]:
    """Pairs of an index and the one whose raw matrix lies nearer to it than its own."""
    import torch

    averaged = torch.stack([_sample(shadow[index]) for index in group])
    named = torch.stack([_sample(raw[names[index]]) for index in group])
    distance = torch.cdist(averaged, named)
    nearest = distance.argmin(dim=1)
    own = distance.diagonal()
    closer = distance.gather(1, nearest[:, None])[:, 0] < own * 0.99  # matrices never trained may be equal
    return [(group[row], group[int(nearest[row])]) for row in torch.nonzero(closer)[:, 0].tolist()]


def _sample(tensor: Tensor) -> Tensor:
    flat = tensor.detach().reshape(-1)
    return flat[:: max(1, flat.numel() // SAMPLE)][:SAMPLE].double()
