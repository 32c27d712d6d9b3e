"""What a joint tree looks like to the model: relations, distances, depths, spectrum (SPEC b7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unimate_dcc.skeleton import FloatArray, IntArray

SELF, PARENT, CHILD, SIBLING, NONE, LEAF = range(6)
"""Relation ids: of joint i, joint j is its ...; LEAF stands on the diagonal of a leaf."""
FARTHEST = 5
"""Tree distances are clamped here."""
SPECTRAL_WIDTH = 8
"""Eigenvectors kept after the constant one."""


@dataclass(frozen=True, eq=False)
class Topology:
    """Graph descriptors of K joints.

    Attributes:
        relations: (K, K) relation ids 0..5.
        distances: (K, K) tree hops, at most 5.
        depths: (K,) hops from the root.
        spectral: (K, 8) eigenvector entries of the symmetric normalised Laplacian; signs carry no meaning.
    """

    relations: IntArray
    distances: IntArray
    depths: IntArray
    spectral: NDArray[np.float32]


def describe(parents: Sequence[int] | IntArray) -> Topology:
    """Descriptors of a tree given as K parent indices, parents first, one root at 0."""
    parents = np.asarray(parents, dtype=np.int64)
    hops = _hops(parents)
    return Topology(_relations(parents), np.minimum(hops, FARTHEST), hops[0].copy(), _spectral(parents))


def laplacian(parents: Sequence[int] | IntArray) -> NDArray[np.float32]:
    """(K, K) I - D^-1/2 A D^-1/2 of the undirected tree, float32 as upstream computes it."""
    count = len(parents)
    adjacency = np.zeros((count, count), dtype=np.float32)
    for joint in range(1, count):
        adjacency[joint, parents[joint]] = adjacency[parents[joint], joint] = 1.0
    degree = adjacency.sum(1)
    scale = np.where(degree > 0, 1.0 / np.sqrt(np.maximum(degree, 1.0)), 0.0).astype(np.float32)
    normalised = scale[:, None] * adjacency * scale[None, :]
    return np.eye(count, dtype=np.float32) - normalised


def _hops(parents: IntArray) -> IntArray:
    count = len(parents)
    hops = np.zeros((count, count), dtype=np.int64)
    for joint in range(1, count):
        hops[joint, :joint] = hops[:joint, joint] = hops[parents[joint], :joint] + 1
    return hops


def _relations(parents: IntArray) -> IntArray:
    count = len(parents)
    relations = np.full((count, count), NONE, dtype=np.int64)
    siblings = (parents[:, None] == parents[None, :]) & (parents >= 0)[:, None]
    relations[siblings] = SIBLING
    for joint in range(1, count):
        relations[joint, parents[joint]] = PARENT
        relations[parents[joint], joint] = CHILD
    leaves = ~np.isin(np.arange(count), parents)
    np.fill_diagonal(relations, np.where(leaves, LEAF, SELF))
    return relations


def _spectral(parents: IntArray) -> NDArray[np.float32]:
    count = len(parents)
    _, vectors = np.linalg.eigh(laplacian(parents))
    kept = vectors[:, 1 : SPECTRAL_WIDTH + 1]
    kept = kept / np.maximum(np.linalg.norm(kept, axis=0, keepdims=True), 1e-12)
    out = np.zeros((count, SPECTRAL_WIDTH), dtype=np.float32)
    out[:, : kept.shape[1]] = kept
    return out


def diameter(parents: Sequence[int] | IntArray, lengths: FloatArray) -> float:
    """Longest path between two joints along the bones, by two passes of farthest search.

    Args:
        parents: K parent indices, parents first.
        lengths: (K,) bone length of joint to parent; the root's is not a bone.
    """
    count = len(parents)
    paths = np.zeros((count, count))
    for joint in range(1, count):
        paths[joint, :joint] = paths[:joint, joint] = paths[parents[joint], :joint] + lengths[joint]
    return float(paths.max())
