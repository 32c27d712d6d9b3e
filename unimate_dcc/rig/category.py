"""What kind of body a rig is, from its contacts, its labels and its shape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unimate_dcc.rig.labels import side_of, without_side
from unimate_dcc.rig.rig import Contact
from unimate_dcc.rig.topology import diameter
from unimate_dcc.skeleton import FloatArray, IntArray

CATEGORIES = (
    "biped", "quadruped", "bird", "arthropod", "snake_limbless", "fish_marine", "flying_other",
    "articulated_object", "blob_other",
)  # fmt: skip

NOUNS = {
    "biped": "a biped", "quadruped": "a quadruped", "bird": "a bird", "arthropod": "an arthropod",
    "fish_marine": "a fish", "snake_limbless": "a limbless animal", "flying_other": "a flying creature",
    "articulated_object": "an articulated object", "blob_other": "an object",
}  # fmt: skip
"""What a body is called in prompts, as the captions of real clips have it."""
FEWEST_SEGMENTS = 9
"""A chain with fewer joints is a lamp or an arm rather than a snake."""


def find_category(
    parents: Sequence[int] | IntArray, labels: Sequence[str], positions: FloatArray, contacts: Sequence[Contact]
) -> tuple[str, float]:
    """One of ``CATEGORIES`` and a confidence.

    Args:
        parents: K parent indices, parents first.
        labels: K labels.
        positions: (K, 3) rest positions, Y up.
        contacts: Contact joints of the rig.
    """
    words = {word for label in labels for word in label.split(" ")}
    feet = len(contacts)
    legs = _above(contacts, parents)
    winged = [joint for joint, label in enumerate(labels) if "Wing" in label and side_of(label) and joint not in legs]
    wings = bool(winged) or "Feather" in words
    fins = "Fin" in words
    arms = any(without_side(label) in ("Forearm", "Hand", "Upper Arm", "Arm") for label in labels)
    if feet >= 5 or words & {"Mandible", "Pincer", "Stinger"}:
        return "arthropod", 0.9
    if wings and feet == 2 and not arms:
        return "bird", 0.85
    if wings and feet != 2:
        return "flying_other", 0.6
    if fins and feet < 4:
        return "fish_marine", 0.85
    if feet in (3, 4):
        return "quadruped", 0.9
    if feet == 2:
        return "biped", 0.85
    if _is_a_chain(parents, positions):
        return "snake_limbless", 0.7
    known = bool(words & {"Tail", "Spine", "Body", "Chest", "Abdomen"})
    return ("blob_other", 0.4) if known else ("articulated_object", 0.5)


def _above(contacts: Sequence[Contact], parents: Sequence[int] | IntArray) -> set[int]:
    """Joints on the way from the body to a contact."""
    found: set[int] = set()
    for contact in contacts:
        joint = contact.joint
        while joint >= 0:
            found.add(joint)
            joint = int(parents[joint])
    return found


def _is_a_chain(parents: Sequence[int] | IntArray, positions: FloatArray) -> bool:
    """Whether nearly all bones lie on the longest path, and there are many."""
    index = np.asarray(parents)
    lengths = np.linalg.norm(positions - positions[np.where(index < 0, 0, index)], axis=-1)
    lengths[index < 0] = 0.0
    return len(index) >= FEWEST_SEGMENTS and diameter(index, lengths) > 0.85 * float(lengths.sum())
