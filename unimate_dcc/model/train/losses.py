"""What training minimises: the flow's velocity, rotations as angles, calm velocities (SPEC f)."""

from __future__ import annotations

import torch
from torch import Tensor

GEODESIC = 0.5
SMOOTHNESS = 0.1
ROOT = 4.0
"""The root is one of many joints but carries the body."""


def flow_loss(predicted: Tensor, target: Tensor, joint_mask: Tensor) -> Tensor:
    """Mean squared velocity error per clip over real joints, the root weighted.

    Args:
        predicted: (B, J, 12, T) velocity.
        target: (B, J, 12, T) motion minus noise.
        joint_mask: (B, J) True for a real joint.
    """
    weight = joint_weights(joint_mask)
    error = (predicted - target).square().mean(dim=(2, 3))
    return ((error * weight).sum(1) / weight.sum(1)).mean()


def joint_weights(joint_mask: Tensor) -> Tensor:
    """(B, J) float weights: 0 for padding, ``ROOT`` for the root, 1 for the rest."""
    weight = joint_mask.float()
    return torch.cat((weight[:, :1] * ROOT, weight[:, 1:]), dim=1)


def geodesic_loss(predicted: Tensor, wanted: Tensor, joint_mask: Tensor) -> Tensor:
    """Mean angle in radians between rotations given as denormalised 6D (B, J, 6, T)."""
    first, second = rotation_columns(predicted), rotation_columns(wanted)
    columns = torch.stack([(a * b).sum(2) for a, b in zip(first, second, strict=True)])
    cosine = ((columns.sum(0) - 1.0) / 2.0).clamp(-1 + 1e-5, 1 - 1e-5)
    angle = torch.acos(cosine).mean(-1)
    weight = joint_mask.float()
    return ((angle * weight).sum(1) / weight.sum(1)).mean()


def rotation_columns(six: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Orthonormal columns, each (B, J, 3, T), of 6D rotations (B, J, 6, T)."""
    first = torch.nn.functional.normalize(six[:, :, :3], dim=2, eps=1e-6)
    third = torch.nn.functional.normalize(torch.linalg.cross(first, six[:, :, 3:], dim=2), dim=2, eps=1e-6)
    return first, torch.linalg.cross(third, first, dim=2), third


def smoothness_loss(features: Tensor, joint_mask: Tensor) -> Tensor:
    """Mean squared frame difference of the velocity channels of denormalised features (B, J, 12, T)."""
    change = features[:, :, 9:].diff(dim=-1).square().mean(dim=(2, 3))
    weight = joint_mask.float()
    return ((change * weight).sum(1) / weight.sum(1)).mean()
