"""Attacks: bites, pecks, claws, punches, kicks, stings."""

from __future__ import annotations

import numpy as np

from unimate_dcc.model.train.synthetic.actions.posture import bend_elbow, drag, jaw_open
from unimate_dcc.model.train.synthetic.actions.standing import settled, stance
from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.curves import track
from unimate_dcc.model.train.synthetic.gait import stance_sweep
from unimate_dcc.model.train.synthetic.take import Take
from unimate_dcc.model.train.synthetic.turns import AHEAD, LEFT, UP

SHORT, LONG = 22, 40
"""Frames of a strike; real attacks last 22 to 60 with a median of 27 to 31."""


def bite(body: Body, random: np.random.Generator) -> Take:
    """Draw back, lunge with the head, come back."""
    script = stance(body, random, int(random.integers(SHORT, LONG)))
    lunge = track(script.frames, [(0.0, 0.0), (0.3, -0.5), (0.5, 1.0), (0.62, 0.9), (1.0, 0.0)])
    far, drop = stance_sweep(body, random.uniform(0.3, 0.5) * body.leg_height)
    script.root[:, 2] += 0.9 * far * lunge
    script.root[:, 1] -= drop * np.abs(lunge)
    script.turn(0, LEFT, 0.15 * np.maximum(lunge, 0.0))
    script.turn(body.spine, LEFT, 0.3 * random.uniform(0.6, 1.3) * np.maximum(lunge, -0.1))
    script.turn(body.neck, LEFT, random.uniform(0.3, 0.6) * lunge)
    jaw_open(script, 0.7 * track(script.frames, [(0.2, 0.0), (0.4, 1.0), (0.5, 0.0)]))
    drag(script, 0.4 * lunge, LEFT)
    verb = str(random.choice(("attacks", "bites"))) if body.category != "bird" else "attacks"
    return Take(verb, settled(script), loop=True)


def peck(body: Body, random: np.random.Generator) -> Take:
    """One to three quick pecks."""
    script = stance(body, random, int(random.integers(26, 44)))
    count = int(random.integers(1, 4))
    keys, step = [(0.0, 0.0)], 0.9 / count
    for number in range(count):
        keys += [
            (0.05 + step * (number + 0.35), -0.4),
            (0.05 + step * (number + 0.6), 1.0),
            (0.05 + step * (number + 1), 0.0),
        ]
    strike = track(script.frames, keys)
    script.turn(0, LEFT, 0.35 * strike)
    script.turn(body.spine, LEFT, 0.2 * strike)
    script.turn(body.neck, LEFT, random.uniform(0.7, 1.2) * strike)
    script.root[:, 2] += 0.1 * body.leg_height * strike
    return Take("attacks", settled(script), loop=True)


def swipe(body: Body, random: np.random.Generator) -> Take:
    """Rise on the hind legs a little and strike with a foreleg."""
    script = stance(body, random, int(random.integers(SHORT, LONG)))
    struck = int(random.choice([number for number, leg in enumerate(body.legs) if leg.row == 1]))
    up = track(script.frames, [(0.0, 0.0), (0.35, 1.0), (0.6, 0.8), (1.0, 0.0)])
    strike = track(script.frames, [(0.05, 0.0), (0.35, -1.5), (0.55, -0.2), (0.95, 0.0)])
    script.turn(0, LEFT, -random.uniform(0.1, 0.25) * up)
    script.turn(body.neck, LEFT, 0.3 * up)
    leg = body.legs[struck]
    script.turn(body.spine, UP, -0.25 * leg.side * strike)
    script.carry(leg.joints[0], LEFT, strike)
    drag(script, 0.3 * up, UP)
    others = [number for number in range(len(body.legs)) if number != struck]
    script.stand(legs=others)
    script.stand(track(script.frames, [(0.0, 1.0), (0.12, 0.0), (0.75, 0.0), (0.95, 1.0)]), [struck])
    script.rest_on_ground()
    return Take("attacks with a swipe", script, loop=True)


def punch(body: Body, random: np.random.Generator) -> Take:
    """A guard, a straight arm ahead, back to the sides."""
    script = stance(body, random, int(random.integers(SHORT, LONG)))
    hitting = int(random.integers(len(body.arms)))
    guard = track(script.frames, [(0.0, 0.0), (0.25, 1.0), (0.75, 1.0), (1.0, 0.0)])
    strike = track(script.frames, [(0.25, 0.0), (0.33, -0.2), (0.48, 1.0), (0.56, 1.0), (0.8, 0.0)])
    for number, arm in enumerate(body.arms):
        out = strike if number == hitting else np.zeros(script.frames)
        script.carry(arm.joints[0], LEFT, -0.5 * guard - 1.0 * out)
        bend_elbow(script, arm, 1.7 * guard - 1.6 * out * guard)
    side = body.arms[hitting].side
    script.turn((0, *body.spine), UP, -side * random.uniform(0.4, 0.7) * strike)
    script.turn(body.neck, UP, side * 0.4 * strike)
    script.root[:, 2] += 0.12 * body.leg_height * strike
    script.root[:, 1] -= 0.06 * body.leg_height * guard
    return Take(str(random.choice(("punches", "attacks"))), settled(script), loop=True)


def slash(body: Body, random: np.random.Generator) -> Take:
    """Both claws or a weapon from above."""
    script = stance(body, random, int(random.integers(SHORT, LONG)))
    up = track(script.frames, [(0.0, 0.0), (0.35, 1.0), (0.52, -0.15), (0.62, -0.2), (1.0, 0.0)])
    first = int(random.integers(2))
    for number, arm in enumerate(body.arms):
        if number == first or random.random() < 0.5:
            script.carry(
                arm.joints[0], LEFT, -random.uniform(2.2, 2.7) * np.maximum(up, 0.0) + 1.5 * np.minimum(up, 0.0)
            )
            bend_elbow(script, arm, 0.6 * np.abs(up))
    bend = track(script.frames, [(0.0, 0.0), (0.35, -1.0), (0.55, 1.0), (1.0, 0.0)])
    script.turn(body.spine, LEFT, 0.35 * bend)
    script.root[:, 2] += 0.1 * body.leg_height * bend
    script.root[:, 1] -= 0.06 * body.leg_height * np.abs(bend)
    return Take("attacks", settled(script), loop=True)


def kick(body: Body, random: np.random.Generator) -> Take:
    """One leg ahead while the other stands."""
    script = stance(body, random, int(random.integers(SHORT, LONG)))
    kicking = int(random.integers(2))
    leg = body.legs[kicking]
    out = track(script.frames, [(0.1, 0.0), (0.3, -0.3), (0.5, 1.0), (0.58, 1.0), (0.9, 0.0)])
    script.root[:, 0] -= (
        0.6 * body.positions[leg.joints[0], 0] * track(script.frames, [(0.0, 0.0), (0.3, 1.0), (0.7, 1.0), (1.0, 0.0)])
    )
    script.turn(body.spine, LEFT, -0.25 * out)
    script.turn(leg.joints[0], LEFT, -1.3 * out)
    for arm in body.arms:
        script.carry(arm.joints[0], LEFT, 0.5 * out * arm.side * leg.side)
    script.stand(legs=[1 - kicking])
    script.stand(track(script.frames, [(0.1, 1.0), (0.22, 0.0), (0.72, 0.0), (0.9, 1.0)]), [kicking])
    script.rest_on_ground()
    return Take("kicks", script, loop=True)


def threaten(body: Body, random: np.random.Generator) -> Take:
    """Rear up on the hind legs and strike down with the foremost; a scorpion stings."""
    script = stance(body, random, int(random.integers(SHORT, LONG)))
    up = track(script.frames, [(0.0, 0.0), (0.35, 1.0), (0.55, -0.2), (1.0, 0.0)])
    front = max(leg.row for leg in body.legs)
    raised = [number for number, leg in enumerate(body.legs) if leg.row == front]
    script.turn(0, LEFT, -random.uniform(0.2, 0.35) * up)
    script.root[:, 2] -= 0.3 * body.leg_height * up
    script.root[:, 1] += 0.25 * body.leg_height * np.maximum(up, 0.0)
    for number in raised:
        leg = body.legs[number]
        script.turn(leg.joints[0], AHEAD, 0.8 * leg.side * np.maximum(up, 0.0))
    for arm in body.arms:
        script.turn(arm.joints[0], UP, -0.5 * arm.side * up)
        script.turn(arm.joints[1:], UP, 0.6 * arm.side * up)
    stings = body.kind == "scorpion"
    if stings:
        sting = track(script.frames, [(0.0, 0.0), (0.3, -0.4), (0.5, 1.0), (0.6, 0.9), (1.0, 0.0)])
        script.turn(body.tails[0], LEFT, 1.3 * sting)
    others = [number for number in range(len(body.legs)) if number not in raised]
    script.stand(legs=others)
    script.stand(track(script.frames, [(0.0, 1.0), (0.15, 0.0), (0.6, 0.0), (0.9, 1.0)]), raised)
    script.rest_on_ground()
    return Take("attacks", script, loop=True)
