"""Which actions each kind of body knows."""

from __future__ import annotations

from unimate_dcc.model.train.synthetic.actions.locomotion import FOUR_LEGS, MANY_LEGS, TWO_LEGS, gait_of
from unimate_dcc.model.train.synthetic.take import Action

GAITS = ("walk", "run")
ACTIONS: dict[str, dict[str, Action]] = {
    "biped": {name: gait_of(style) for name, style in TWO_LEGS.items()},
    "quadruped": {name: gait_of(style) for name, style in FOUR_LEGS.items()},
    "bird": {name: gait_of(style) for name, style in TWO_LEGS.items()},
    "arthropod": {name: gait_of(style) for name, style in MANY_LEGS.items()},
    "flying_other": {}, "fish_marine": {}, "snake_limbless": {}, "articulated_object": {},
}
