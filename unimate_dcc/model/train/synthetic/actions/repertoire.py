"""Which actions each kind of body knows."""

from __future__ import annotations

from unimate_dcc.model.train.synthetic.actions import (
    air,
    down,
    fall,
    fight,
    gestures,
    jump,
    slithering,
    standing,
    swimming,
    things,
)
from unimate_dcc.model.train.synthetic.actions.gaits import FOUR_LEGS, MANY_LEGS, TWO_LEGS, Style
from unimate_dcc.model.train.synthetic.actions.locomotion import gait_of
from unimate_dcc.model.train.synthetic.bodies.biped import RAPTORS
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.take import Action

CORE = ("walk", "run", "idle", "attack", "die", "jump", "fly", "swim", "slither")
"""Every creature shows at least three of these, as far as it knows them."""


def _gaits(styles: dict[str, Style]) -> dict[str, Action]:
    return {name: gait_of(style) for name, style in styles.items()}


STANDING: dict[str, Action] = {
    "idle": standing.idle, "look": standing.look, "jump": jump.jump, "leap": jump.leap, "flinch": gestures.flinch,
    "die": fall.sideways,
}  # fmt: skip
HANDS: dict[str, Action] = {
    "attack": fight.punch, "slash": fight.slash, "kick": fight.kick, "greet": gestures.greet,
    "pick up": standing.pick_up, "back": fall.backward, "face": fall.forward,
}  # fmt: skip
FLYING: dict[str, Action] = {"fly": air.fly, "hover": air.hover, "glide": air.glide}
ACTIONS: dict[str, dict[str, Action]] = {
    "biped": {
        **_gaits(TWO_LEGS), **STANDING, **HANDS, "nod": gestures.nod, "refuse": gestures.refuse, "sit": down.sit,
        "roar": standing.call, "bite": fight.bite,
    },
    "quadruped": {
        **_gaits(FOUR_LEGS), **STANDING, "attack": fight.bite, "swipe": fight.swipe, "eat": standing.eat,
        "howl": standing.call, "slump": fall.slump, "shake": standing.shake, "sit": down.sit, "lie": down.lie,
    },
    "bird": {
        **_gaits(TWO_LEGS), **STANDING, **FLYING, "attack": fight.peck, "eat": standing.eat, "shake": standing.shake,
        "die": fall.slump, "face": fall.forward,
    },
    "arthropod": {**_gaits(MANY_LEGS), **STANDING, "attack": fight.threaten, "die": fall.curl_up},
    "fish_marine": {
        "swim": swimming.swim, "fast": swimming.swim_fast, "left": swimming.swim_left,
        "right": swimming.swim_right, "idle": swimming.drift, "attack": swimming.dart,
        "die": swimming.belly_up, "flop": swimming.flop,
    },
    "snake_limbless": {
        "slither": slithering.slither, "fast": slithering.slither_fast, "idle": slithering.rest,
        "attack": slithering.snap, "die": slithering.writhe, "look": slithering.look_up,
    },
    "flying_other": {
        **_gaits(FOUR_LEGS), **STANDING, **FLYING, "attack": fight.bite, "roar": standing.call, "strike": air.strike,
        "die": fall.slump, "plummet": air.plummet,
    },
    "articulated_object": {name: action for known in things.THINGS.values() for name, action in known.items()},
}  # fmt: skip
"""By category; a body of it may know fewer."""


def repertoire(body: Body) -> dict[str, Action]:
    """What one body can do."""
    if body.category == "articulated_object":
        return things.THINGS[body.kind]
    unfit = _unfit(body)
    return {name: action for name, action in ACTIONS[body.category].items() if name not in unfit}


def _unfit(body: Body) -> set[str]:
    """What a body of its category cannot do after all."""
    if body.category == "flying_other":
        return {"plummet"} if body.legs else set(ACTIONS["flying_other"]) - {*FLYING, "strike", "plummet"}
    unfit: set[str] = set()
    if body.category == "biped":
        unfit |= {*HANDS, "nod", "refuse", "sit"} if body.kind in RAPTORS else {"bite", "roar"}
        unfit |= {"back"} if body.tails else set()
    if body.category == "bird":
        unfit |= {*FLYING, "die"} if body.kind == "penguin" else {"face"}
    if any(leg.ankle == 1 for leg in body.legs):
        unfit |= {"sit", "lie"}  # legs of one bone do not fold
    return unfit
