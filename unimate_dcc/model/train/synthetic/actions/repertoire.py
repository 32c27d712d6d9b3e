"""Which actions each kind of body knows."""

from __future__ import annotations

from unimate_dcc.model.train.synthetic.actions import air, fall, fight, jump, standing, things, undulation
from unimate_dcc.model.train.synthetic.actions.locomotion import FOUR_LEGS, MANY_LEGS, TWO_LEGS, Style, gait_of
from unimate_dcc.model.train.synthetic.bodies.biped import RAPTORS
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.take import Action

CORE = ("walk", "run", "idle", "attack", "die", "jump", "fly", "swim", "slither")
"""Every creature shows at least three of these, as far as it knows them."""


def _gaits(styles: dict[str, Style]) -> dict[str, Action]:
    return {name: gait_of(style) for name, style in styles.items()}


STANDING: dict[str, Action] = {
    "idle": standing.idle, "look": standing.look, "jump": jump.jump, "leap": jump.leap, "flinch": standing.flinch,
    "die": fall.sideways,
}  # fmt: skip
HANDS: dict[str, Action] = {
    "attack": fight.punch, "slash": fight.slash, "kick": fight.kick, "greet": standing.greet,
    "pick up": standing.pick_up, "back": fall.backward, "face": fall.forward,
}  # fmt: skip
FLYING: dict[str, Action] = {"fly": air.fly, "hover": air.hover, "glide": air.glide}
ACTIONS: dict[str, dict[str, Action]] = {
    "biped": {
        **_gaits(TWO_LEGS), **STANDING, **HANDS, "nod": standing.nod, "refuse": standing.refuse, "sit": standing.sit,
        "roar": standing.call, "bite": fight.bite,
    },
    "quadruped": {
        **_gaits(FOUR_LEGS), **STANDING, "attack": fight.bite, "swipe": fight.swipe, "eat": standing.eat,
        "howl": standing.call, "shake": standing.shake, "sit": standing.sit, "lie": standing.lie,
    },
    "bird": {
        **_gaits(TWO_LEGS), **STANDING, **FLYING, "attack": fight.peck, "eat": standing.eat, "shake": standing.shake,
    },
    "arthropod": {**_gaits(MANY_LEGS), **STANDING, "attack": fight.threaten, "die": fall.curl_up},
    "fish_marine": {
        "swim": undulation.swim, "fast": undulation.swim_fast, "left": undulation.swim_left,
        "right": undulation.swim_right, "idle": undulation.drift, "attack": undulation.dart,
        "die": undulation.belly_up, "flop": undulation.flop,
    },
    "snake_limbless": {
        "slither": undulation.slither, "fast": undulation.slither_fast, "idle": undulation.rest,
        "attack": undulation.snap, "die": undulation.writhe, "look": undulation.look_up,
    },
    "flying_other": {
        **_gaits(FOUR_LEGS), **STANDING, **FLYING, "attack": fight.bite, "roar": standing.call, "strike": air.strike,
        "plummet": air.plummet,
    },
    "articulated_object": {name: action for known in things.THINGS.values() for name, action in known.items()},
}  # fmt: skip
"""By category; a body of it may know fewer."""


def repertoire(body: Body) -> dict[str, Action]:
    """What one body can do."""
    if body.category == "articulated_object":
        return things.THINGS[body.kind]
    known = ACTIONS[body.category]
    if body.category == "flying_other" and not body.legs:
        return {name: known[name] for name in (*FLYING, "strike", "plummet")}
    if body.category == "biped":
        beast = body.kind in RAPTORS
        unfit = {*HANDS, "nod", "refuse", "sit"} if beast else {"bite", "roar"}
        own = {name: action for name, action in known.items() if name not in unfit}
        return {**own, "attack": fight.bite} if beast else own
    return known
