"""How good a motion is as motion, whatever it was meant to be: sliding, jerk, ground, stillness, drift.

Positions are (T, K, 3), Y up, the ground at y = 0, sampled at ``fps``, joint 0 the root. Lengths come out in
the unit of the positions; ``measure`` divides them by ``size``, so that every rig and every unit compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unimate_dcc.skeleton import BoolArray, FloatArray

PAPER_FPS = 30.0
"""Paper E.5 counts steps between frames at this rate; other rates are brought to it."""
NEAR_GROUND = 0.05
"""Paper E.5: a contact joint below this share of the rest root height is near the ground."""
SKATES = 0.025
"""Paper E.5: near the ground, a step longer than this share of the rest root height is skating."""
STILL = 0.05
"""A clip none of whose joints leaves its mean place by this share of the size shows nothing (training notes)."""
BELOW = 0.01
"""Share of the size by which a joint may sink without being counted as below the ground: a sole's thickness."""
SLOW = 0.02
"""Sizes a second; below this a clip rests, and jerk over speed would only blow up its rounding."""


@dataclass(frozen=True)
class Quality:
    """One clip in numbers; lengths in sizes (half the tree diameter), times in seconds.

    Attributes:
        skate: Share of near-ground steps of contact joints that skate; None where no contact joint comes down.
        slide: Height-weighted sliding of these steps, in 1/100 of the rest root height a 1/30 s; None as above.
        jerk: Mean over joints and frames, sizes / s^3.
        speed: Mean over joints and frames, travel aside, sizes / s.
        excursion: Farthest that any joint gets from its mean place, travel aside, sizes.
        penetration_share: Share of frames in which some joint is below the ground.
        penetration_depth: Deepest of all joints and frames, sizes; 0 where none is below.
        drift: Way on the ground from the first root to the last, sizes.
    """

    skate: float | None
    slide: float | None
    jerk: float
    speed: float
    excursion: float
    penetration_share: float
    penetration_depth: float
    drift: float

    @property
    def static(self) -> bool:
        """Whether nothing is to be seen."""
        return self.excursion < STILL

    @property
    def roughness(self) -> float:
        """Jerk for the speed there is, 1 / s^2: what tells shaking from moving."""
        return self.jerk / max(self.speed, SLOW)


def measure(
    positions: FloatArray,
    fps: float,
    *,
    contacts: Sequence[int] = (),
    root_height: float = 0.0,
    size: float = 1.0,
) -> Quality:
    """All measures of one clip.

    Args:
        positions: (T, K, 3), T at least 2, ground at y = 0.
        fps: Frames per second.
        contacts: Joints that stand on the ground; without any there is neither skate nor slide.
        root_height: Rest height of the root above the lowest rest joint, in the unit of the positions.
        size: Half the tree diameter in the unit of the positions; 1 for canonical positions.

    Raises:
        ValueError: Contacts are given and the root is not above the ground, which leaves E.5 without its unit.
    """
    steps = contact_steps(positions, fps, contacts, root_height) if len(contacts) else None
    share, depth = penetration(positions, BELOW * size)
    return Quality(
        skate=skate(*steps) if steps else None,
        slide=slide(*steps) if steps else None,
        jerk=float(jerk(positions, fps).mean()) / size,
        speed=speed(positions, fps) / size,
        excursion=float(excursions(positions).max()) / size,
        penetration_share=share,
        penetration_depth=depth / size,
        drift=drift(positions) / size,
    )


def ranked(takes: Sequence[Quality], *, may_rest: bool = False) -> list[int]:
    """Indices of takes of one prompt, best first: static ones last, the others by the sum of their places.

    The places are those in skate, slide, depth below the ground and roughness; no measure outweighs another
    because of its unit. A take without skate counts as one that does not skate. Ties keep the order given.

    Args:
        takes: Of the same rig and prompt.
        may_rest: The prompt asks for rest, so that a static take is no fault.
    """
    columns = [
        np.array([take.skate or 0.0 for take in takes]),
        np.array([take.slide or 0.0 for take in takes]),
        np.array([take.penetration_depth for take in takes]),
        np.array([take.roughness for take in takes]),
    ]
    places = [sum(int((column < column[take]).sum()) for column in columns) for take in range(len(takes))]
    return sorted(range(len(takes)), key=lambda take: (takes[take].static and not may_rest, places[take]))


def root_height(rest: FloatArray) -> float:
    """Rest height of the root above the lowest rest joint, of (K, 3) rest positions: the unit L of paper E.5."""
    return float(rest[0, 1] - rest[:, 1].min())


def in_place(positions: FloatArray) -> FloatArray:
    """(T, K, 3) positions without the root's travel on the ground."""
    return np.asarray(positions - positions[:, :1] * [1.0, 0.0, 1.0])


def contact_steps(
    positions: FloatArray, fps: float, contacts: Sequence[int], root_height: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """What paper E.5 looks at, in rest root heights.

    Returns:
        (T - 1, C) heights h at the end of each step, (T - 1, C) horizontal steps d brought to 1/30 s, and
        (T - 1, C) True where the joint is near the ground.
    """
    if root_height <= 0.0:
        raise ValueError(f"root height is {root_height}; steps are measured in rest root heights")
    feet = positions[:, list(contacts)] / root_height
    heights = feet[1:, :, 1]
    steps = np.linalg.norm(np.diff(feet[..., [0, 2]], axis=0), axis=-1) * fps / PAPER_FPS
    return heights, steps, heights < NEAR_GROUND


def skate(heights: FloatArray, steps: FloatArray, near: BoolArray) -> float | None:
    """Share of near-ground steps longer than 0.025 (paper E.5), of ``contact_steps``; None where none is near."""
    return float((steps[near] > SKATES).mean()) if near.any() else None


def slide(heights: FloatArray, steps: FloatArray, near: BoolArray) -> float | None:
    """Mean of d (2 - 2^(h / 0.05)) over near-ground steps, in 1/100 (paper E.5); None where none is near."""
    if not near.any():
        return None
    return float(100.0 * (steps[near] * (2.0 - 2.0 ** (heights[near] / NEAR_GROUND))).mean())


def jerk(positions: FloatArray, fps: float) -> FloatArray:
    """(K,) mean length of the third derivative, units / s^3; zeros for fewer than 4 frames, which have none."""
    if len(positions) < 4:
        return np.zeros(positions.shape[1])
    return np.asarray(np.linalg.norm(np.diff(positions, 3, axis=0), axis=-1).mean(0) * fps**3)


def speed(positions: FloatArray, fps: float) -> float:
    """Mean joint speed, travel aside, units / s."""
    return float(np.linalg.norm(np.diff(in_place(positions), axis=0), axis=-1).mean() * fps)


def excursions(positions: FloatArray) -> FloatArray:
    """(K,) farthest distance of each joint from its mean place, travel aside, units."""
    local = in_place(positions)
    return np.asarray(np.linalg.norm(local - local.mean(0), axis=-1).max(0))


def penetration(positions: FloatArray, tolerance: float) -> tuple[float, float]:
    """Share of frames in which a joint is more than ``tolerance`` below y = 0, and the greatest depth in units."""
    lowest = positions[..., 1].min(-1)
    return float((lowest < -tolerance).mean()), max(0.0, -float(lowest.min()))


def drift(positions: FloatArray) -> float:
    """Way on the ground from the first root to the last, units."""
    return float(np.linalg.norm((positions[-1, 0] - positions[0, 0])[[0, 2]]))
