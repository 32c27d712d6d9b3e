"""Runs of several prompts, with parts that are known and constraints that pull."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model.toy_model import CONFIGS, ToyEncoder, save_toy_weights, toy_rig

from unimate_dcc.errors import BadRequestError
from unimate_dcc.model.features import ROTATION, from_six_d, root_path, six_d
from unimate_dcc.model.generate import Generator, Segment
from unimate_dcc.model.known import Known, Place, kept_channels
from unimate_dcc.skeleton import BoolArray, FloatArray

WINDOW, OVERLAP = 24, 6
OPTIONS = {"seeds": [4], "steps": 5, "guidance": 2.0, "overlap": OVERLAP}


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Generator:
    weights = save_toy_weights(tmp_path_factory.mktemp("weights"), replace(CONFIGS["graph"], max_frames=WINDOW))
    return Generator(weights, device="cpu", dtype="float32", encoder=ToyEncoder())


def some_features(frames: int) -> FloatArray:
    """Random features whose facing is the first frame's throughout."""
    features = np.random.default_rng(frames).normal(size=(frames, 6, 12)) * 0.2
    features[..., ROTATION] = six_d(from_six_d(features[..., ROTATION] + [1.0, 0, 0, 0, 1.0, 0]))
    features[:, 0, ROTATION] = [1.0, 0, 0, 0, 1.0, 0]
    return features


@given(data=st.data(), frames=st.sampled_from((9, WINDOW, 31, 60)))
@settings(max_examples=12, deadline=None)
def test_kept_entries_of_any_mask_come_out_as_they_went_in(
    generator: Generator, data: st.DataObject, frames: int
) -> None:
    kept = np.random.default_rng(data.draw(st.integers(0, 10**6))).random((frames, 6)) < data.draw(
        st.sampled_from((0.1, 0.5, 0.9))
    )
    keep = kept_channels(toy_rig().parents, kept)
    keep[..., 0, ROTATION] = False  # the facing of later windows is noise here
    keep[..., 1:3, ROTATION] = False  # children of the root are seen from that facing
    known = Known(some_features(frames), keep)
    (motion,) = generator.direct(toy_rig(), [Segment("trots", frames)], known=known, **OPTIONS)
    constant = generator.weights.statistics.constant(6)
    keep &= ~constant
    np.testing.assert_allclose(motion.features[keep], known.features[keep], atol=1e-6)


def test_segments_have_exactly_the_frames_that_were_asked_for(generator: Generator) -> None:
    segments = [Segment("trots", 3), Segment("jumps", 50), Segment("sits", 1), Segment("runs", 19)]
    (motion,) = generator.direct(toy_rig(), segments, **OPTIONS)
    assert len(motion.features) == len(motion.root) == 73
    assert motion.prompt == "trots; jumps; sits; runs"


def test_a_later_segment_leaves_the_frames_before_it_alone(generator: Generator) -> None:
    (alone,) = generator.direct(toy_rig(), [Segment("trots", 30)], **OPTIONS)
    (longer,) = generator.direct(toy_rig(), [Segment("trots", 30), Segment("jumps", 30)], **OPTIONS)
    (other,) = generator.direct(toy_rig(), [Segment("trots", 30), Segment("sits", 30)], **OPTIONS)
    np.testing.assert_allclose(longer.features[:30], alone.features, atol=1e-9)
    assert np.abs(longer.features[30:] - other.features[30:]).max() > 1e-2


def test_a_projection_has_the_last_word_and_knows_where_its_window_lies(generator: Generator) -> None:
    places: list[Place] = []
    goal = np.zeros(70)

    def hold_height(features: FloatArray, place: Place) -> FloatArray:
        if not places or places[-1].first != place.first:
            places.append(place)
        out = features.copy()
        out[:, 0, 1] = 0.8 + 0.001 * (place.first + np.arange(len(features)))
        return out

    (motion,) = generator.direct(toy_rig(), [Segment("trots", 70)], project=hold_height, **OPTIONS)
    goal = 0.8 + 0.001 * np.arange(70)
    np.testing.assert_allclose(motion.root[:, 1], goal, atol=1e-6)
    assert [place.first for place in places] == [0, 18, 36, 54]
    path = root_path(motion.features)
    for place in places:
        np.testing.assert_allclose(place.origin, path[place.first] * [1.0, 0.0, 1.0], atol=1e-9)


def test_what_holds_frames_refuses_dopri5_and_guidance_of_one(generator: Generator) -> None:
    known = Known(some_features(9), np.ones((9, 6, 12), dtype=bool))
    with pytest.raises(BadRequestError, match="dopri5.*known frames"):
        generator.direct(toy_rig(), [Segment("trots", 9)], known=known, solver="dopri5")
    with pytest.raises(BadRequestError, match="guidance 1.*known frames"):
        generator.direct(toy_rig(), [Segment("trots", 9)], project=lambda features, place: features, guidance=1.0)


@pytest.mark.parametrize("joint", range(1, 6))
def test_a_slot_keeps_its_rotation_when_its_parent_is_kept(joint: int) -> None:
    parents = toy_rig().parents
    kept: BoolArray = np.zeros((1, 6), dtype=bool)
    kept[0, parents[joint]] = True
    channels = kept_channels(parents, kept)[0]
    assert channels[joint, ROTATION].all()
    assert channels[joint, :3].all() == (parents[joint] == 0), "its place hangs on everything above"
