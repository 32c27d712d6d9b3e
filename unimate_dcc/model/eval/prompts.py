"""What the rigs are asked for: what held-out clips do, and the same six actions of every body that has legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unimate_dcc.model.eval.actions import action_of
from unimate_dcc.model.eval.bodies import LEGGED
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.rig import category

NOUNS = {kind: category.NOUNS[kind] for kind in LEGGED}
PHRASES = {
    "walk": "walks forward",
    "run": "runs forward",
    "idle": "stands idle",
    "attack": "attacks",
    "die": "dies and falls",
    "jump": "jumps",
}


@dataclass(frozen=True)
class Prompt:
    """A wish for one rig.

    Attributes:
        rig: Its index.
        text: The prompt.
        action: What it names; None for anything but the named actions.
        balanced: One of the six that every legged rig is asked, not a caption of its own clips.
    """

    rig: int
    text: str
    action: str | None
    balanced: bool


def caption_prompts(clips: Sequence[TrainingClip], chosen: Sequence[int]) -> list[Prompt]:
    """The different captions of the clips of the rigs ``chosen``."""
    texts = [(clip.rig, clip.captions[0]) for index in chosen for clip in clips if clip.rig == index]
    return [Prompt(rig, text, action_of(text), False) for rig, text in dict.fromkeys(texts)]


def balanced_prompts(rigs: Sequence[TrainingRig], chosen: Sequence[int], actions: Sequence[str]) -> list[Prompt]:
    """Each action once for every legged rig of ``chosen``, by the generic noun of its kind."""
    legged = [index for index in chosen if rigs[index].category in LEGGED]
    return [Prompt(index, _asked(rigs[index].category, action), action, True) for index in legged for action in actions]


def _asked(category: str, action: str) -> str:
    """Arthropods crawl in all captions; to ask one to walk would measure the wording."""
    crawls = category == "arthropod" and action == "walk"
    return f"{NOUNS[category]} {'crawls forward' if crawls else PHRASES[action]}"
