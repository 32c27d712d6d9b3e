"""A creature by its seed: a canonical rig and what it does, with captions that are exact."""

from __future__ import annotations

import zlib

import numpy as np

from unimate_dcc.model.train.cache import SYNTHETIC, TrainingClip, TrainingRig
from unimate_dcc.model.train.captions import wordings
from unimate_dcc.model.train.curate import MOST_JOINTS
from unimate_dcc.model.train.synthetic.actions.repertoire import CORE, repertoire
from unimate_dcc.model.train.synthetic.bodies.limbless import WHALES
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.naming import STYLES, names
from unimate_dcc.model.train.synthetic.plans import PLANS, fitted
from unimate_dcc.model.train.synthetic.take import Action, Take
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.category import NOUNS
from unimate_dcc.rig.motion import RigMotion, aligned
from unimate_dcc.rig.overrides import RigOverrides
from unimate_dcc.rig.rig import Rig

CATEGORIES = tuple(PLANS)
FEWEST_CLIPS, MOST_CLIPS = 5, 8
"""Actions drawn for a creature; gaits give two clips each, travelling and in place."""
FEWEST_CORE = 3
"""Of these at least so many are of ``CORE``."""
FASTEST = np.radians(60.0)
"""A joint that turns further in a frame pops; real runs stay below."""
DEEPEST = 0.02
"""Share of the body's size that may be below the ground."""
NUMBERED = "numbered"


def creature(seed: int, category: str | None = None) -> tuple[TrainingRig, list[TrainingClip]]:
    """A rig that no studio made, and its clips.

    Args:
        seed: The same seed and category give the same numbers.
        category: One of ``CATEGORIES``; drawn by the seed when None.

    Returns:
        The rig, and clips at 30 fps in its canonical frame whose ``rig`` is 0.

    Raises:
        KeyError: a category that is not of ``CATEGORIES``.
    """
    category = category or CATEGORIES[seed % len(CATEGORIES)]
    random = np.random.default_rng([seed, zlib.crc32(category.encode())])
    body, rig = cast(random, category)
    takes = [act(body, random) for act in _chosen(random, repertoire(body))]
    clips = [clip for take in takes if calm(take) for clip in _clips(body, rig, take)]
    return _training_rig(rig, f"{SYNTHETIC}{category}/{seed}"), clips


def cast(random: np.random.Generator, category: str) -> tuple[Body, Rig]:
    """A body and the rig that ``build_rig`` makes of it, as it does of a user's.

    Nameless joints that the rig misreads (a wing needs its name) are named after all.
    """
    plans = PLANS[category]
    body = plans[int(random.integers(len(plans)))](random)
    style = str(random.choice(tuple(STYLES)))
    rig = _rig(body, style)
    if style == NUMBERED and not _as_meant(body, rig):
        rig = _rig(body, str(random.choice([other for other in STYLES if other != NUMBERED])))
    return fitted(body, rig), rig


def calm(take: Take) -> bool:
    """Whether no joint of a take whips and nothing sinks into the ground; a few in a hundred do, and are dropped."""
    local = take.script.local
    traces = np.einsum("tjik,tjik->tj", local[:-1], local[1:])
    return bool(traces.min() > 1.0 + 2.0 * np.cos(FASTEST)) and bool(
        take.script.lowest().min() > -DEEPEST * take.script.body.size
    )


def _rig(body: Body, style: str) -> Rig:
    return build_rig(body.skeleton(names(body.joints, style)), RigOverrides(max_joints=MOST_JOINTS), prim=body.kind)


def _as_meant(body: Body, rig: Rig) -> bool:
    ahead = bool(np.allclose(rig.frame.turn, np.eye(3), atol=1e-6))
    return ahead and rig.category == body.category and len(rig.contacts) == len(body.legs)


def _chosen(random: np.random.Generator, known: dict[str, Action]) -> list[Action]:
    """Some of the core actions first, then a mixture."""
    core = [name for name in known if name in CORE]
    names = [str(name) for name in random.choice(core, size=min(FEWEST_CORE, len(core)), replace=False)] if core else []
    others = [name for name in known if name not in names]
    count = min(int(random.integers(FEWEST_CLIPS, MOST_CLIPS + 1)) - len(names), len(others))
    names += [str(name) for name in random.choice(others, size=count, replace=False)]
    return [known[name] for name in names]


def _clips(body: Body, rig: Rig, take: Take) -> list[TrainingClip]:
    """The clip; a gait that closes comes in place too."""
    motion = take.script.motion(rig)
    found = [_clip(body, rig, take, motion, take.path is not None)]
    if take.path is not None and take.loop:
        still = RigMotion(motion.rotations, motion.root - take.path @ rig.frame.turn.T * rig.frame.scale)
        found.append(_clip(body, rig, take, still, False))
    return found


def _clip(body: Body, rig: Rig, take: Take, motion: RigMotion, travels: bool) -> TrainingClip:
    article = "an" if body.kind[0] in "aeiou" else "a"
    noun = "a sea animal" if body.kind in WHALES else NOUNS[body.category]
    verb = take.verb if take.path is None or travels else f"{take.verb} in place"
    texts = wordings(f"{article} {body.kind} {verb}", f"{noun} {verb}", False)
    return TrainingClip(0, verb, aligned(rig, motion), texts, take.loop, travels)


def _training_rig(rig: Rig, file: str) -> TrainingRig:
    contacts = tuple(contact.joint for contact in rig.contacts)
    return TrainingRig(rig.positions, rig.parents, rig.labels, rig.facing, contacts, rig.category, file, False)
