"""What a clip does, in numbers that know no joint order: for telling actions apart and for distances.

The paper measures FID over "kinematic features" and does not define them (SPEC g); these are ours and frozen:
another list is another measure, so a change renames ``VERSION``. Motions are low-passed first and no statistic
looks at jerk: a classifier that sees jitter measures jitter (training notes, "Text agreement").
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from unimate_dcc.motion.quality import in_place
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.pose import pose, rest_offsets
from unimate_dcc.skeleton import BoolArray, FloatArray, IntArray

VERSION = 1
SIGMA = 2.0
"""Frames of the Gaussian (training notes); at 30 fps it halves what swings at 2.8 Hz."""
FPS = 30.0
LAGS = range(6, 31)
"""Frames of the periods looked for: 0.2 to 1 s, a shrew's to an elephant's step."""
TOO_SLOW = 0.01
"""Canonical units a second under which speeds are all rest; keeps the logarithm from magnifying rounding."""
FARTHEST = 4.0
"""Standardised statistics are cut here, so that one odd clip can neither outvote nor outweigh the rest."""
OFF_CENTRE = 0.02
"""Canonical units; a joint nearer to the middle plane belongs to neither side."""

DISTANCE = (
    "speed_mean", "speed_joint_max", "speed_joint_std", "speed_peak", "speed_least", "speed_first", "speed_middle",
    "speed_last", "excursion_mean", "excursion_max", "share_up", "share_ahead", "away_most", "away_last",
    "low_speed", "high_speed", "front_speed", "wide_speed", "root_speed", "root_way", "root_up_std", "root_up_range",
    "root_up_last", "tilt_most", "tilt_last", "height_least", "height_most", "height_last", "clearance_most",
    "rhythm", "period", "sides",
)  # fmt: skip
"""The 32 that the Frechet distance is taken over."""
MORE = (
    "speed_quarter", "speed_most_still", "excursion_std", "root_forward", "root_sideways", "root_fastest_up",
    "root_fastest_down", "root_turn", "root_swing", "tilt_mean", "clearance_mean", "top_least", "sides_up",
    "low_share_up", "busy", "root_up_first",
)  # fmt: skip
NAMES = DISTANCE + MORE
"""The 48 that the classifier sees."""


def kinematics(rest: FloatArray, parents: IntArray, motion: RigMotion) -> FloatArray:
    """(48,) statistics of a clip, in the order of ``NAMES``; the first 32 are those of ``DISTANCE``.

    Args:
        rest: (K, 3) canonical rest positions.
        parents: (K,) parent indices.
        motion: T frames at 30 fps on its own ground, the first facing +Z; compare clips of equal length only.
    """
    turned, positions = pose(rest_offsets(rest, parents), parents, motion.rotations, motion.root)
    smooth = gaussian_filter1d(positions, SIGMA, axis=0, mode="nearest")
    heading = gaussian_filter1d(turned[:, 0], SIGMA, axis=0, mode="nearest")
    found = {
        **_speeds(smooth),
        **_parts(rest, smooth),
        **_root(smooth[:, 0]),
        **_turns(heading),
        **_heights(rest, smooth),
        **_rhythm(rest, smooth),
    }
    return np.array([found[name] for name in NAMES])


def standardised(rows: FloatArray, mean: FloatArray, deviation: FloatArray) -> FloatArray:
    """(N, F) statistics in deviations (F,) from the mean (F,), cut at 4; one that never varies is left as it is."""
    return np.asarray(np.clip((rows - mean) / np.where(deviation > 1e-9, deviation, 1.0), -FARTHEST, FARTHEST))


def _log(speeds: float) -> float:
    return float(np.log(speeds + TOO_SLOW))


def _speeds(positions: FloatArray) -> dict[str, float]:
    """How fast, how unevenly over joints and time, and how far."""
    local = in_place(positions)
    steps = np.diff(local, axis=0) * FPS
    speeds = np.linalg.norm(steps, axis=-1)
    by_joint, by_frame = speeds.mean(0), speeds.mean(1)
    thirds = [float(part.mean()) for part in np.array_split(by_frame, 3)]
    spread = np.linalg.norm(local - local.mean(0), axis=-1)
    away = np.linalg.norm(local - local[0], axis=-1).mean(1)
    energy = (steps**2).sum((0, 1)) + TOO_SLOW**2
    return {
        "speed_mean": _log(by_joint.mean()), "speed_joint_max": _log(by_joint.max()),
        "speed_joint_std": _log(by_joint.std()), "speed_quarter": _log(np.percentile(by_joint, 25)),
        "speed_peak": _log(by_frame.max()), "speed_least": _log(by_frame.min()),
        "speed_most_still": _log(np.percentile(by_frame, 20)),
        "speed_first": _log(thirds[0]), "speed_middle": _log(thirds[1]), "speed_last": _log(thirds[2]),
        "excursion_mean": _log(spread.mean()), "excursion_max": _log(spread.max()),
        "excursion_std": _log(spread.max(0).std()),
        "share_up": float(energy[1] / energy.sum()), "share_ahead": float(energy[2] / energy.sum()),
        "away_most": _log(away.max()), "away_last": _log(away[-1]),
        "busy": float((by_frame > 0.5 * by_frame.max()).mean()),
    }  # fmt: skip


def _parts(rest: FloatArray, positions: FloatArray) -> dict[str, float]:
    """How fast the lower, upper, front and widest joints of the rest pose move."""
    steps = np.diff(in_place(positions), axis=0) * FPS
    speeds = np.linalg.norm(steps, axis=-1).mean(0)
    middle = np.median(rest, axis=0)
    low = rest[:, 1] <= middle[1]
    energy = (steps[:, low] ** 2).sum((0, 1)) + TOO_SLOW**2
    width = np.abs(rest[:, 0])
    return {
        "low_speed": _log(speeds[low].mean()), "high_speed": _log(_mean(speeds, ~low)),
        "front_speed": _log(speeds[rest[:, 2] >= middle[2]].mean()),
        "wide_speed": _log(speeds[width >= np.percentile(width, 75)].mean()),
        "low_share_up": float(energy[1] / energy.sum()),
    }  # fmt: skip


def _root(root: FloatArray) -> dict[str, float]:
    """Where the root (T, 3) goes."""
    steps = np.diff(root, axis=0) * FPS
    way = root[-1] - root[0]
    up = root[:, 1]
    return {
        "root_speed": _log(float(np.linalg.norm(steps[:, [0, 2]], axis=-1).mean())),
        "root_way": float(np.hypot(way[0], way[2])), "root_forward": float(way[2]), "root_sideways": float(abs(way[0])),
        "root_up_std": _log(up.std()), "root_up_range": float(np.ptp(up)),
        "root_up_last": float(up[-1] - up[0]), "root_up_first": float(up[0] - up.mean()),
        "root_fastest_up": float(steps[:, 1].max()), "root_fastest_down": float(steps[:, 1].min()),
    }  # fmt: skip


def _turns(turned: FloatArray) -> dict[str, float]:
    """How the root (T, 3, 3), away from rest, tilts and heads; angles by cosine, so that no angle wraps."""
    tilt = 1.0 - turned[:, 1, 1]
    ahead = turned[:, [0, 2], 2]
    ahead = ahead / np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-9)
    cosine = ahead @ ahead[0]
    return {
        "tilt_most": float(tilt.max()), "tilt_last": float(tilt[-1] - tilt[0]), "tilt_mean": float(tilt.mean()),
        "root_turn": float(1.0 - cosine[-1]), "root_swing": float(1.0 - cosine.min()),
    }  # fmt: skip


def _heights(rest: FloatArray, positions: FloatArray) -> dict[str, float]:
    """How high the body stands over the ground, against its rest pose; not as a share of it, for a snake has none."""
    mean = positions[..., 1].mean(1) - rest[:, 1].mean()
    lowest, top = positions[..., 1].min(1), positions[..., 1].max(1) - rest[:, 1].max()
    return {
        "height_least": float(mean.min()), "height_most": float(mean.max()), "height_last": float(mean[-1] - mean[0]),
        "clearance_most": float(lowest.max()), "clearance_mean": float(lowest.mean()), "top_least": float(top.min()),
    }  # fmt: skip


def _rhythm(rest: FloatArray, positions: FloatArray) -> dict[str, float]:
    """Whether the pose comes back, after how long, and whether the sides take turns."""
    local = in_place(positions)
    local = local - local.mean(0)
    likeness = [_cosine(local[:-lag], local[lag:]) for lag in LAGS if lag < len(local) - 1]
    best = int(np.argmax(likeness))
    low = rest[:, 1] <= np.median(rest[:, 1])
    left, right = low & (rest[:, 0] > OFF_CENTRE), low & (rest[:, 0] < -OFF_CENTRE)
    both = bool(left.any() and right.any())
    ahead = [local[:, side, 2].mean(1) if both else np.zeros(len(local)) for side in (left, right)]
    up = [local[:, side, 1].mean(1) if both else np.zeros(len(local)) for side in (left, right)]
    return {
        "rhythm": likeness[best], "period": LAGS[best] / FPS, "sides": _cosine(*ahead), "sides_up": _cosine(*up),
    }  # fmt: skip


def _cosine(one: FloatArray, other: FloatArray) -> float:
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum()) / lengths if lengths > 1e-9 else 0.0


def _mean(values: FloatArray, chosen: BoolArray) -> float:
    return float(values[chosen].mean()) if chosen.any() else 0.0
