"""Wordings of what a clip does, from the manifest's captions; never more than the clip does."""

from __future__ import annotations

import re

GAITS = re.compile(r"\b(walk|run|trot|gallop|sprint|jog|hop|crawl|canter|charge|sneak|strut|swim|flies|fly)\w*\b")
IN_PLACE = "in place"
SIDES = (("left", "\0"), ("right", "left"), ("\0", "right"))


def wordings(caption: str, generic: str, in_place: bool) -> tuple[str, ...]:
    """Several captions of one clip: specific, generic, bare verb, in the style of the later releases.

    Args:
        caption: Such as ``a fox trots forward``.
        generic: Such as ``a quadruped trots forward``.
        in_place: The clip does not travel; a gait says so.
    """
    verb = verb_phrase(generic)
    texts = [caption, generic, verb, f"An object {verb}.", f"An object {verb}"]
    if in_place and is_gait(caption):
        texts = [_marked(text) for text in texts]
    return tuple(dict.fromkeys(texts))


def is_gait(caption: str) -> bool:
    """Whether the caption's verb moves the body along."""
    return bool(GAITS.search(verb_phrase(caption)))


def verb_phrase(caption: str) -> str:
    """``a quadruped trots forward`` without its subject."""
    words = caption.split(" ")
    start = 2 if words[0].lower() in ("a", "an", "the") and len(words) > 2 else 0
    while start < len(words) - 1 and not words[start].endswith("s"):
        start += 1
    return " ".join(words[start:])


def mirrored(caption: str) -> str:
    """The caption of the mirrored clip: left and right change places."""
    for word, other in SIDES:
        caption = re.sub(rf"\b{word}\b" if word != "\0" else "\0", other, caption)
    return caption


def _marked(text: str) -> str:
    if IN_PLACE in text:
        return text
    stop = "." if text.endswith(".") else ""
    return f"{text.removesuffix('.')} {IN_PLACE}{stop}"
