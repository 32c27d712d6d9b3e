"""Wordings of what a clip does, from the manifest's captions; never more than the clip does."""

from __future__ import annotations

import re

from unimate_dcc.motion.measured import TURNS, WAYS, Measured

GAITS = re.compile(r"\b(walk|run|trot|gallop|sprint|jog|hop|crawl|canter|charge|sneak|strut|swim|flies|fly)\w*\b")
IN_PLACE = "in place"
STRAIGHT = re.compile(
    r"\b(walk|run|trot|gallop|sprint|jog|crawl|canter|sneak)\w* (forward|backward|to the left|to the right)"
)
"""Gaits whose direction is measured; a hop or a swim wanders."""
NAMES = (
    (r"death|die|dead", "dies and falls"),
    (r"idle|stand|rest|breath", "stands idle"),
    (r"sneak|stalk", "sneaks forward"),
    (r"walk|stroll", "walks forward"),
    (r"run|sprint|dash", "runs forward"),
    (r"trot", "trots forward"),
    (r"gallop|canter", "gallops forward"),
    (r"crawl|creep", "crawls forward"),
    (r"slither", "slithers forward"),
    (r"swim", "swims forward"),
    (r"hover", "hovers in place"),
    (r"glide|soar", "glides with its wings spread"),
    (r"fly|flap", "flies forward"),
    (r"jump|leap", "jumps"),
    (r"hop", "hops forward"),
    (r"bite", "bites"),
    (r"punch", "punches"),
    (r"kick", "kicks"),
    (r"attack|strike|slash|claw", "attacks"),
    (r"hit|hurt|flinch|damage", "flinches from a hit"),
    (r"eat|graze|feed", "lowers its head and eats"),
    (r"drink", "lowers its head and drinks"),
    (r"sit", "sits down"),
    (r"sleep|lie|lay", "lies down"),
    (r"wave", "waves a hand in greeting"),
    (r"dance", "dances"),
    (r"roar|howl|bark", "raises its head and calls"),
    (r"look", "looks around"),
    (r"roll", "rolls forward"),
    (r"open", "opens"),
    (r"close|shut", "closes"),
    (r"turn|rotate|spin", "turns"),
)
"""What a clip's name says, in the order of trust."""
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


def from_name(name: str, subject: str) -> str:
    """``a wolf walks forward`` of a clip named ``Wolf|Walk_01``; an unknown name is quoted as it is."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+", " ", name.rsplit("|", 1)[-1]).lower().split()
    article = "an" if subject[:1] in "aeiou" else "a"
    for pattern, verb in NAMES:
        if any(re.match(pattern, word) for word in words):
            side = next((f" to the {word}" for word in words if word in ("left", "right")), "")
            return f"{article} {subject} {verb}{side if verb == 'turns' else ''}"
    return f"{article} {subject} does {' '.join(words) or 'something'}"


def truthful(caption: str, facts: Measured) -> str:
    """The caption with the direction that a gait really takes, and its turn."""
    found = STRAIGHT.search(caption)
    if not found or "turn" in caption:
        return caption
    if facts.way and facts.way != found[2]:
        caption = caption[: found.start(2)] + facts.way + caption[found.end(2) :]
    if abs(facts.turn) >= TURNS and facts.way in ("", WAYS[0]):
        caption = f"{caption}, turning {'left' if facts.turn > 0 else 'right'}"
    return caption


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
