"""The action of a caption."""

from __future__ import annotations

import pytest

from unimate_dcc.model.eval.actions import BALANCED, action_of
from unimate_dcc.model.eval.prompts import NOUNS, balanced_prompts
from unimate_dcc.model.train.captions import wordings


@pytest.mark.parametrize(
    ("caption", "action"),
    [
        ("a tiger walks forward in place", "walk"),
        ("a spider crawls forward in place", "walk"),
        ("a quadruped runs forward", "run"),
        ("a rhinoceros stands idle, shifting slightly", "idle"),
        ("a wild boar attacks", "attack"),
        ("a biped slices with a one-handed weapon", "attack"),
        ("a spider dies in a second way and falls to the ground", "die"),
        ("a kitten jumps", "jump"),
        ("an owl flies forward in place", "fly"),
        ("a fish swims forward in place", "swim"),
        ("a fox turns to the left", "turn"),
        ("An object walks forward.", "walk"),
        ("a biped falls through the air", None),
        ("a shotgun fires without ejecting a cartridge", None),
        ("a biped jumps while running in place", None),
        ("a biped waves a hand in greeting", None),
        ("a hare hops forward in place", None),
        ("a biped lands after a jump", None),
    ],
)
def test_the_verb_tells_the_action(caption: str, action: str | None) -> None:
    assert action_of(caption) == action


def test_every_wording_of_a_caption_names_the_same_action() -> None:
    for caption, generic in (("a fox trots forward", "a quadruped trots forward"), ("a cow dies", "a quadruped dies")):
        assert len({action_of(text) for text in wordings(caption, generic, in_place=True)}) == 1


def test_every_balanced_prompt_asks_for_the_action_it_counts_for() -> None:
    from model.eval.toy_set import toy_set

    rigs, _ = toy_set(1, held_out=1)
    kinds = [type(rigs[0])(**{**vars(rigs[0]), "category": kind}) for kind in (*NOUNS, "fish_marine")]
    prompts = balanced_prompts(kinds, range(len(kinds)), BALANCED)
    assert len(prompts) == len(NOUNS) * len(BALANCED)
    assert all(action_of(prompt.text) == prompt.action for prompt in prompts)
