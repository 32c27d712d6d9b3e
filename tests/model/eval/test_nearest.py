"""The nearest clip and its way onto another rig."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from model.eval.toy_set import MOTIONS, toy_set, walker_with_tail
from model.toy_model import ToyEncoder
from model.train.walker import training_rig, walk
from rig.rigs import Rows, body, legs_of

from unimate_dcc.model.eval.bodies import posed
from unimate_dcc.model.eval.nearest import Bank, likeness
from unimate_dcc.model.eval.transfer import mapped, partners
from unimate_dcc.model.train.cache import TrainingRig
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.labels import side_of

SPOTS = [(0.5, 0.4), (-0.5, 0.4), (0.5, 0.0), (-0.5, 0.0), (0.5, -0.4), (-0.5, -0.4)]


def _insect(names: list[str]) -> TrainingRig:
    rows: Rows = [("body", "", (0.0, 0.3, 0.0)), ("head", "body", (0.0, 0.3, 0.5)), ("tail", "body", (0.0, 0.3, -0.6))]
    rig = build_rig(body(rows + legs_of(names, SPOTS, 0.3)))
    return replace(training_rig(rig), category="arthropod")


def test_a_rig_is_its_own_partner_joint_by_joint() -> None:
    for links in (0, 3):
        rig = training_rig(walker_with_tail(links))
        assert partners(rig, rig).tolist() == list(range(len(rig.labels)))


def test_a_left_leg_moves_like_a_left_leg() -> None:
    source, target = training_rig(walker_with_tail(0)), training_rig(walker_with_tail(4))
    found = partners(source, target)
    legs = [joint for joint, label in enumerate(target.labels) if side_of(label)]
    assert len(legs) >= 6
    assert all(source.labels[found[joint]] == target.labels[joint] for joint in legs)


def test_a_limb_without_a_namesake_takes_one_of_its_own_side() -> None:
    source, target = training_rig(walker_with_tail(0)), training_rig(walker_with_tail(0))
    renamed = replace(target, labels=tuple(label.replace("Shin", "Tibia") for label in target.labels))
    for joint, label in enumerate(renamed.labels):
        if "Tibia" in label:
            assert side_of(source.labels[partners(source, renamed)[joint]]) == side_of(label)


def test_legs_that_share_a_label_stay_apart() -> None:
    names = ["LeftLegA", "RightLegA", "LeftLegB", "RightLegB", "LeftLegC", "RightLegC"]
    source = _insect(names)
    shared = tuple(f"{side_of(label)} Leg" if side_of(label) else label for label in source.labels)
    rig = replace(source, labels=shared)
    assert partners(rig, rig).tolist() == list(range(len(shared)))


def test_nameless_legs_find_the_leg_of_their_place_and_side() -> None:
    named = _insect(["LeftFrontLeg", "RightFrontLeg", "LeftMiddleLeg", "RightMiddleLeg", "LeftHindLeg", "RightHindLeg"])
    nameless = replace(named, labels=("Bone",) * len(named.labels))
    away = named.positions[partners(named, nameless)] - nameless.positions
    sided = np.abs(named.positions[:, 0]) > 0.05
    assert sided.sum() >= 18
    assert np.abs(away[sided]).max() < 0.1


@pytest.mark.parametrize("text", list(MOTIONS))
def test_a_motion_copied_onto_its_own_rig_is_the_same_motion(text: str) -> None:
    body_rig = walker_with_tail(2)
    rig, motion = training_rig(body_rig), MOTIONS[text](body_rig, 1)
    copied, original = posed(rig, mapped(rig, rig, motion)), posed(rig, motion)
    original[..., 1] -= original[..., 1].min()
    np.testing.assert_allclose(copied, original, atol=1e-9)


def test_a_walk_copied_onto_a_longer_tailed_body_swings_the_same_leg_at_the_same_time() -> None:
    source, target = walker_with_tail(0), walker_with_tail(4)
    motion = walk(source)
    copied = posed(training_rig(target), mapped(training_rig(source), training_rig(target), motion))
    original = posed(training_rig(source), motion)
    for label in ("Left Foot", "Right Foot"):
        own = copied[:, target.labels.index(label), 2]
        assert np.corrcoef(own, original[:, source.labels.index(label), 2])[0, 1] > 0.99
    assert copied[..., 1].min() == pytest.approx(0.0, abs=1e-12)


def test_the_action_and_the_kind_of_body_come_before_the_wording() -> None:
    rigs, clips = toy_set()
    rigs[0] = replace(rigs[0], category="bird")
    bank = Bank(rigs, clips, ToyEncoder())
    for text, action in (("a biped sprints away", "runs forward"), ("a biped collapses", "dies and falls")):
        found = bank.nearest(rigs[-1], text, 4)
        assert {clip.name for clip in found} == {action}
        assert all(rigs[clip.rig].category == "biped" for clip in found)


def test_of_equal_captions_the_most_alike_body_comes_first() -> None:
    rigs, clips = toy_set()
    found = Bank(rigs, clips, ToyEncoder()).nearest(rigs[-1], "a biped walks forward", 3)
    assert {clip.rig for clip in found} == {5}


def test_a_held_out_clip_is_never_copied() -> None:
    rigs, clips = toy_set()
    bank = Bank(rigs, clips, ToyEncoder())
    assert bank.clips
    assert all(not rigs[clip.rig].held_out for clip in bank.nearest(rigs[-1], "a biped walks forward", 1000))


def test_likeness_is_the_share_of_joints_with_a_namesake() -> None:
    assert likeness(["A", "B"], ["B", "A"]) == 1.0
    assert likeness(["A", "A"], ["A", "B"]) == 0.5
    assert likeness(["A"], ["B"]) == 0.0
