"""Sample the animations of a glTF file: its joints, parents first, and where each is in the world over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from unimate_dcc.model.train.gltf import Animation, Channel, Gltf, read_gltf
from unimate_dcc.model.train.source import FPS, Source, SourceClip
from unimate_dcc.motion.resample import slerp
from unimate_dcc.skeleton import FloatArray, forward_kinematics, local_matrices

LONGEST_SECONDS = 600.0


def read_gltf_source(path: Path, wanted: Sequence[int] | None = None) -> Source:
    """The joints of all skins of a file, or without a skin all that moves, and its motions.

    Args:
        path: A ``.gltf`` or ``.glb`` file.
        wanted: Indices of the animations to keep; None for all.

    Raises:
        SourceError: damaged, or sparse and compressed accessors.
    """
    gltf = read_gltf(path)
    nodes, parents = _joints(gltf)
    indices = range(len(gltf.animations)) if wanted is None else wanted
    return Source(
        place=str(path),
        names=tuple(gltf.names[node] for node in nodes),
        parents=parents,
        rest=sample_world(gltf, None)[0, nodes],
        weights=None if gltf.weights is None else gltf.weights[nodes],
        clips=tuple(
            SourceClip(gltf.animations[index].name, index, sample_world(gltf, gltf.animations[index])[:, nodes])
            for index in indices
        ),
    )


def _joints(gltf: Gltf) -> tuple[list[int], tuple[int, ...]]:
    """Joint nodes, parents first, and the slot of each one's nearest joint above."""
    animated = {channel.node for animation in gltf.animations for channel in animation.channels}
    chosen = {joint for skin in gltf.skins for joint in skin} or set(animated)
    for node in list(chosen if not gltf.skins else ()):
        while gltf.parents[node] >= 0:
            node = gltf.parents[node]
            chosen.add(node)
    order = [node for node in node_order(gltf) if node in chosen]
    place = {node: slot for slot, node in enumerate(order)}
    return order, tuple(place.get(_chosen_above(gltf, node, chosen), -1) for node in order)


def _chosen_above(gltf: Gltf, node: int, chosen: set[int]) -> int:
    above = gltf.parents[node]
    while above >= 0 and above not in chosen:
        above = gltf.parents[above]
    return above


def node_order(gltf: Gltf) -> list[int]:
    """All nodes, parents before children."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(gltf.parents):
        children.setdefault(parent, []).append(node)
    order = list(children.get(-1, []))
    for node in order:
        order.extend(children.get(node, []))
    return order


def sample_world(gltf: Gltf, animation: Animation | None) -> FloatArray:
    """(T, N, 4, 4) world matrices of all nodes at 30 fps; one rest frame without an animation."""
    seconds = _times(animation)
    frames = len(seconds)
    tracks = {
        "translation": np.repeat(gltf.translations[None], frames, 0),
        "rotation": np.repeat(gltf.rotations[None], frames, 0),
        "scale": np.repeat(gltf.scales[None], frames, 0),
    }
    for channel in animation.channels if animation else ():
        tracks[channel.path][:, channel.node] = _evaluate(channel, seconds)
    order = node_order(gltf)
    place = {node: slot for slot, node in enumerate(order)}
    parents = np.array([place.get(gltf.parents[node], -1) for node in order])
    local = local_matrices(tracks["translation"], tracks["rotation"], tracks["scale"])
    world = np.empty_like(local)
    world[:, order] = forward_kinematics(parents, local[:, order])
    return world


def _times(animation: Animation | None) -> FloatArray:
    if animation is None or not animation.channels:
        return np.zeros(1)
    start = min(channel.seconds[0] for channel in animation.channels)
    end = max(channel.seconds[-1] for channel in animation.channels)
    length = min(float(end - start), LONGEST_SECONDS)
    return np.asarray(np.minimum(start + np.arange(round(length * FPS) + 1) / FPS, end))


def _evaluate(channel: Channel, seconds: FloatArray) -> FloatArray:
    keys, values = channel.seconds, channel.values
    if len(keys) == 1:
        single = values[0, 1] if channel.interpolation == "CUBICSPLINE" else values[0]
        return np.repeat(single[None], len(seconds), 0)
    high = np.clip(np.searchsorted(keys, seconds, side="right"), 1, len(keys) - 1)
    low = high - 1
    span = np.maximum(keys[high] - keys[low], 1e-9)
    weight = np.clip((seconds - keys[low]) / span, 0.0, 1.0)[:, None]
    if channel.interpolation == "CUBICSPLINE":
        return _hermite(values[low], values[high], weight, span[:, None])
    if channel.interpolation == "STEP":
        return np.asarray(values[np.where(weight[:, 0] >= 1.0, high, low)])
    if channel.path == "rotation":
        return slerp(values[low], values[high], weight)
    return np.asarray(values[low] + (values[high] - values[low]) * weight)


def _hermite(first: FloatArray, second: FloatArray, u: FloatArray, span: FloatArray) -> FloatArray:
    """glTF 2.0 appendix C: cubic spline from value and out-tangent to in-tangent and value."""
    start, out, into, end = first[:, 1], first[:, 2] * span, second[:, 0] * span, second[:, 1]
    cubic, square = u**3, u**2
    value = (2 * cubic - 3 * square + 1) * start + (cubic - 2 * square + u) * out
    return np.asarray(value + (3 * square - 2 * cubic) * end + (cubic - square) * into)
