"""Sample the animations of a glTF file into clips of one tree of joints, scales taken out.

What survives is where each joint is in the world and how it is turned there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.clip import Clip
from unimate_dcc.model.train.gltf import Animation, Channel, Gltf
from unimate_dcc.motion.resample import slerp
from unimate_dcc.rig.pose import nearest_rotations
from unimate_dcc.skeleton import FloatArray, Skeleton, forward_kinematics, local_matrices, matrix_quaternions

FPS = 30.0
LONGEST_SECONDS = 600.0


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


def tree_clip(
    names: Sequence[str], parents: Sequence[int], rest: FloatArray, world: FloatArray, weighted: Sequence[bool] | None
) -> tuple[Skeleton, Clip]:
    """A skeleton and a clip from world matrices.

    Args:
        names: J joint names.
        parents: J parent indices, parents first; need not be the file's.
        rest: (J, 4, 4) world matrices at rest.
        world: (T, J, 4, 4) world matrices.
        weighted: J flags, or None.
    """
    paths: list[str] = []
    for name, parent in zip(names, parents, strict=True):
        paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
    translations, rotations = _local(parents, rest[None])
    skeleton = Skeleton(
        tuple(paths),
        np.asarray(parents, dtype=np.int64),
        translations[0],
        rotations[0],
        np.ones((len(paths), 3)),
        None if weighted is None else np.asarray(weighted, dtype=bool),
    )
    translations, rotations = _local(parents, world)
    clip = Clip(skeleton, np.arange(len(world)) / FPS, translations, rotations, np.ones_like(translations))
    return skeleton, clip


def _local(parents: Sequence[int], world: FloatArray) -> tuple[FloatArray, FloatArray]:
    turned = nearest_rotations(world[..., :3, :3])
    positions = world[..., :3, 3]
    translations, local = positions.copy(), turned.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            back = np.swapaxes(turned[:, parent], -1, -2)
            local[:, joint] = back @ turned[:, joint]
            translations[:, joint] = np.einsum("tab,tb->ta", back, positions[:, joint] - positions[:, parent])
    return translations, matrix_quaternions(local)


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
