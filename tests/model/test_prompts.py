"""Near and far prompts, by what is done rather than by who does it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from unimate_dcc.model.prompts import FAR, known_prompts, nearest
from unimate_dcc.model.text import open_encoder
from unimate_dcc.model.weights import load_weights

KNOWN = {"quadruped": ["a quadruped walks forward in place", "a quadruped dies and falls"], "biped": ["a biped waves"]}


class Letters:
    """Counts letters; near texts share them."""

    name, sha256 = "letters", "0" * 64

    def encode(self, texts: Sequence[str]) -> list[np.ndarray]:
        rows = [[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return [np.array([row], dtype=np.float32) for row in rows]


def test_who_does_it_does_not_count() -> None:
    (best,) = nearest("a wolf walks forward", KNOWN, Letters(), 1)
    assert best.caption == "a quadruped walks forward in place"
    assert best.similarity == pytest.approx(1.0)


def test_the_nearest_come_first_and_weights_that_know_nothing_have_none() -> None:
    found = nearest("a fox waves its paw", KNOWN, Letters(), 3)
    assert found[0].caption == "a biped waves"
    assert [one.similarity for one in found] == sorted((one.similarity for one in found), reverse=True)
    assert nearest("a fox waves", {}, Letters()) == []


@pytest.mark.parametrize("prompt", ["a fox trots forward", "the fox is trotting ahead", "a man waves hello"])
def test_the_shipped_weights_know_paraphrases(prompt: str) -> None:
    weights = load_weights("default")
    known = known_prompts(weights)
    assert nearest(prompt, known, open_encoder(weights.config.text_encoder), 1)[0].similarity > FAR


@pytest.mark.parametrize("prompt", ["a knight plays the violin", "a wolf rides a bicycle"])
def test_the_shipped_weights_know_what_they_do_not_know(prompt: str) -> None:
    weights = load_weights("default")
    known = known_prompts(weights)
    assert nearest(prompt, known, open_encoder(weights.config.text_encoder), 1)[0].similarity < FAR
