"""What a caption asks for, as one of a few named actions."""

from __future__ import annotations

import re

from unimate_dcc.model.train.captions import verb_phrase

BALANCED = ("walk", "run", "idle", "attack", "die", "jump")
"""The six actions that every body with legs or wings can be asked for."""

OTHERS = ("without ejecting", "while", "and chops", "and attacks", "behind a shield", "runs forward carrying",
          "wheelchair", "through the air", "on land", "lands", "takes off", "in the air", "crouches",
          "starts a")  # fmt: skip
"""Captions of two actions at once, or of a part of one, are none of the named ones."""

VERBS: tuple[tuple[str, str], ...] = (
    ("walk", r"walks|crawls|sneaks|strolls|trots|struts|marches|shuffles"),
    ("run", r"runs|sprints|gallops|dashes|jogs|charges|canters"),
    ("fly", r"flies|glides|hovers|flaps"),
    ("swim", r"swims"),
    ("turn", r"turns to the (left|right)"),
    ("jump", r"jumps|leaps|makes a (long|short) jump"),
    ("die", r"dies|falls|collapses"),
    ("attack", r"attacks|bites|punches|slashes|strikes|kicks|chops|slices|stabs|lunges|claws|pounces|slams"),
    ("idle", r"stands (idle|alert|ready|still)|rests|floats|idles|stands in an? \w+ ?\w* stance|perches|sits idle"),
)
"""By the verb that the phrase begins with; the order settles nothing, a phrase begins with one verb."""


def action_of(caption: str) -> str | None:
    """``walk``, ``run``, ``idle``, ``attack``, ``die``, ``jump``, ``fly``, ``swim`` or ``turn``; None for the rest."""
    phrase = verb_phrase(caption)
    if any(words in phrase for words in OTHERS):
        return None
    return next((action for action, verbs in VERBS if re.match(rf"(?:{verbs})\b", phrase)), None)
