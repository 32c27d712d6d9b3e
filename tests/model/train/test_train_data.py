"""Captions, and the training set on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model.train.walker import WALKER, sample, walker
from rig.rigs import body
from scipy.spatial.transform import Rotation

from unimate_dcc.clip import Clip
from unimate_dcc.model.train import cache
from unimate_dcc.model.train.cache import TrainingClip
from unimate_dcc.model.train.captions import IN_PLACE, from_name, mirrored, truthful, verb_phrase, wordings
from unimate_dcc.motion.measured import Measured, measured
from unimate_dcc.rig.motion import RigMotion, canonicalise


def test_captions_say_in_place_only_of_gaits() -> None:
    texts = wordings("a fox trots forward", "a quadruped trots forward", in_place=True)
    assert texts[0] == "a fox trots forward in place"
    assert "An object trots forward in place." in texts
    assert wordings("a fox trots forward", "a quadruped trots forward", in_place=False)[2] == "trots forward"
    assert wordings("a flying creature attacks", "a flying creature attacks", True)[0] == "a flying creature attacks"
    assert verb_phrase("a flying creature hovers") == "hovers"


def test_every_wording_of_a_gait_in_place_says_so_once() -> None:
    for caption in ("a fox trots forward", "a fox walks in place", "a bird flies"):
        texts = wordings(caption, caption, in_place=True)
        assert all(text.count(IN_PLACE) == 1 for text in texts)
        assert len(set(texts)) == len(texts)
    assert not any(IN_PLACE in text for text in wordings("a fox trots", "a fox trots", in_place=False))


def test_mirrored_captions_change_sides_once() -> None:
    assert mirrored("a dog turns left, then right") == "a dog turns right, then left"
    assert mirrored(mirrored("lifts the left paw")) == "lifts the left paw"


@given(words=st.lists(st.sampled_from(["left", "right", "leftover", "bright", "paw", "leg"]), min_size=1))
def test_mirroring_words_twice_changes_nothing_and_only_sides_change(words: list[str]) -> None:
    swapped = mirrored(" ".join(words)).split(" ")
    assert mirrored(" ".join(swapped)) == " ".join(words)
    other = {"left": "right", "right": "left"}
    assert swapped == [other.get(word, word) for word in words]


def test_a_set_reads_back_with_the_same_hash(tmp_path: Path) -> None:
    one = sample()
    clip = TrainingClip(0, "walk", one.motion, ("a biped walks",), True, False)
    hashes = []
    for name in ("a", "b"):
        cache.save(tmp_path / name, [one.rig], [clip])
        rigs, clips, digest = cache.load(tmp_path / name)
        hashes.append(digest)
        assert np.allclose(clips[0].motion.rotations, clip.motion.rotations, atol=1e-4)
        assert rigs[0].labels == one.rig.labels
    assert hashes[0] == hashes[1]


def test_another_number_in_the_set_gives_another_hash(tmp_path: Path) -> None:
    one = sample()
    digests = set()
    for number, caption in enumerate(("a biped walks", "a biped strolls")):
        cache.save(tmp_path / str(number), [one.rig], [TrainingClip(0, "w", one.motion, (caption,), True, False)])
        digests.add(cache.load(tmp_path / str(number))[2])
    assert len(digests) == 2


def test_the_rest_pose_reads_as_identity() -> None:
    motion = canonicalise(walker(), Clip.rest(body(WALKER), np.zeros(1)))
    assert np.allclose(motion.rotations, np.eye(3), atol=1e-12)


def test_a_set_that_was_changed_on_disk_is_refused(tmp_path: Path) -> None:
    one = sample()
    cache.save(tmp_path, [one.rig], [TrainingClip(0, "walk", one.motion, ("a biped walks",), True, False)])
    roots = np.load(tmp_path / "roots.npy")
    np.save(tmp_path / "roots.npy", roots + 1)
    with pytest.raises(cache.CacheError, match="hash"):
        cache.load(tmp_path)
    (tmp_path / "set.json").unlink()
    with pytest.raises(cache.CacheError, match="dataset build"):
        cache.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "caption"),
    [
        ("Wolf|Walk_01", "a wolf walks forward"),
        ("RunFast", "a wolf runs forward"),
        ("turn_left", "a wolf turns to the left"),
        ("Death2", "a wolf dies and falls"),
        ("zorbing 3", "a wolf does zorbing"),
    ],
)
def test_clip_names_become_captions(name: str, caption: str) -> None:
    assert from_name(name, "wolf") == caption


def test_a_caption_claims_the_direction_that_was_measured() -> None:
    assert truthful("a fox walks forward", Measured("backward", 0.0)) == "a fox walks backward"
    assert truthful("a fox walks forward", Measured("forward", 60.0)) == "a fox walks forward, turning left"
    assert truthful("a fox walks forward", Measured("", 0.0)) == "a fox walks forward"
    assert truthful("a fox attacks", Measured("backward", 90.0)) == "a fox attacks"


def test_direction_is_measured_against_the_facing() -> None:
    rig, motion = walker(), sample().motion
    speed = np.arange(len(motion.root))[:, None]
    for way, step in (("forward", (0, 0, 0.05)), ("backward", (0, 0, -0.05)), ("to the left", (0.05, 0, 0))):
        moved = RigMotion(motion.rotations, motion.root + speed * np.array(step))
        assert measured(rig, moved).way == way
        assert abs(measured(rig, moved).turn) < 1.0
    turns = Rotation.from_euler("y", np.linspace(0, 90, len(motion.root))[:, None], degrees=True).as_matrix()
    rotations = motion.rotations.copy()
    rotations[:, 0] = turns @ rotations[:, 0]
    assert 80 < measured(rig, RigMotion(rotations, motion.root)).turn < 100
