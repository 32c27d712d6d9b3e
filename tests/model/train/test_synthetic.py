"""Synthetic creatures: bodies the rig understands, motions that do what their captions say."""

import zlib

import numpy as np
import pytest

from unimate_dcc.clip import Clip
from unimate_dcc.model.train.batches import BUCKETS
from unimate_dcc.model.train.cycles import is_loop, travelling, unrolled
from unimate_dcc.model.train.synthetic.actions.repertoire import ACTIONS, repertoire
from unimate_dcc.model.train.synthetic.creature import CATEGORIES, cast, creature
from unimate_dcc.model.train.synthetic.limb import Reach
from unimate_dcc.model.train.synthetic.naming import STYLES, names
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.model.train.windows import cut
from unimate_dcc.rig.category import CATEGORIES as KNOWN
from unimate_dcc.rig.facing import facing_rotations
from unimate_dcc.rig.labels import side_of
from unimate_dcc.rig.motion import canonicalise
from unimate_dcc.rig.pose import pose
from unimate_dcc.skeleton import matrix_quaternions

SEEDS = range(30)
LEGGED = ("biped", "quadruped", "bird", "arthropod", "flying_other")
SIZE = 2.0


@pytest.fixture(scope="module")
def creatures():
    return {category: [creature(seed, category) for seed in SEEDS] for category in CATEGORIES}


def offsets(rig):
    away = rig.positions.copy()
    away[1:] -= rig.positions[rig.parents[1:]]
    return away


def positions(rig, clip):
    return pose(offsets(rig), rig.parents, clip.motion.rotations, clip.motion.root)[1]


def named(creatures, words, categories=CATEGORIES):
    """Rigs, clips and positions of all clips whose name begins like one of the words."""
    found = [
        (rig, clip, positions(rig, clip))
        for category in categories
        for rig, clips in creatures[category]
        for clip in clips
        if clip.name.startswith(words)
    ]
    assert found
    return found


def cast_of(seed, category):
    return cast(np.random.default_rng([seed, zlib.crc32(category.encode())]), category)


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_same_seed_gives_the_same_numbers(category):
    first, second = creature(7, category), creature(7, category)
    np.testing.assert_array_equal(first[0].positions, second[0].positions)
    assert [clip.captions for clip in first[1]] == [clip.captions for clip in second[1]]
    for one, other in zip(first[1], second[1], strict=True):
        np.testing.assert_array_equal(one.motion.rotations, other.motion.rotations)
        np.testing.assert_array_equal(one.motion.root, other.motion.root)


def test_no_two_seeds_give_one_skeleton(creatures):
    for category in CATEGORIES:
        shapes = [rig.positions.round(6).tobytes() for rig, _ in creatures[category]]
        assert len(set(shapes)) == len(shapes)


def test_an_unknown_category_is_an_error():
    with pytest.raises(KeyError):
        creature(0, "unicorn")


def test_without_a_category_seeds_walk_through_all_of_them():
    drawn = {creature(seed)[0].file.split("/")[1] for seed in range(len(CATEGORIES))}
    assert drawn == set(CATEGORIES) <= set(KNOWN)


def test_the_rig_finds_every_category_all_contacts_and_both_sides(creatures):
    for category in CATEGORIES:
        for seed, (rig, _) in zip(SEEDS, creatures[category], strict=True):
            body, found = cast_of(seed, category)
            assert rig.category == category
            assert len(rig.contacts) == len(body.legs)
            if category != "articulated_object":  # a gate looks the same from behind
                np.testing.assert_allclose(found.frame.turn, np.eye(3), atol=1e-6)


def test_every_rig_fits_the_largest_batch(creatures):
    sizes = [len(rig.positions) for made in creatures.values() for rig, _ in made]
    assert max(sizes) <= BUCKETS[-1]
    assert min(sizes) >= 5


def test_names_of_a_body_are_unique_among_siblings_in_every_style():
    for category in CATEGORIES:
        body, _ = cast_of(3, category)
        for style in STYLES:
            paths = body.skeleton(names(body.joints, style)).joints
            assert len(set(paths)) == len(paths)


def test_the_short_way_to_the_canonical_frame_is_that_of_a_users_clip():
    for category in ("quadruped", "biped", "articulated_object"):
        body, rig = cast_of(0, category)
        script = next(iter(repertoire(body).values()))(body, np.random.default_rng(0)).script
        skeleton = body.skeleton([str(number) for number in range(len(body.joints))])
        rest = Clip.rest(skeleton, np.arange(script.frames) / 30.0)
        moved = rest.translations.copy()
        moved[:, 0] = script.root
        read = canonicalise(rig, Clip(skeleton, rest.seconds, moved, matrix_quaternions(script.local), rest.scales))
        mine = script.motion(rig)
        np.testing.assert_allclose(mine.rotations, read.rotations, atol=1e-9)
        np.testing.assert_allclose(mine.root, read.root, atol=1e-9)


def test_rotations_are_proper_and_none_turns_more_than_sixty_degrees_a_frame(creatures):
    for made in creatures.values():
        for _, clips in made:
            for clip in clips:
                rotations = clip.motion.rotations
                gram = np.swapaxes(rotations, -1, -2) @ rotations
                np.testing.assert_allclose(gram, np.broadcast_to(np.eye(3), gram.shape), atol=1e-9)
                assert np.linalg.det(rotations).min() > 0.99
                traces = np.einsum("tjik,tjik->tj", rotations[:-1], rotations[1:])
                assert np.degrees(np.arccos(np.clip((traces.min() - 1.0) / 2.0, -1.0, 1.0))) <= 60.0 + 1e-6


def test_clips_last_as_long_as_real_ones(creatures):
    lengths = [len(clip.motion.root) for made in creatures.values() for _, clips in made for clip in clips]
    assert min(lengths) >= 10
    assert max(lengths) <= 120


def test_every_creature_shows_several_actions(creatures):
    for category in CATEGORIES:
        for _, clips in creatures[category]:
            assert len({clip.name for clip in clips}) >= (4 if category != "articulated_object" else 3)


def test_loops_close_and_others_are_not_called_loops(creatures):
    for made in creatures.values():
        for rig, clips in made:
            for clip in clips:
                at = positions(rig, clip)
                at = at - at[:, :1] * [1.0, 0.0, 1.0]
                seam = np.linalg.norm(at[-1] - at[0], axis=-1).max()
                if clip.loop:
                    assert seam < 0.01 * SIZE
                if "dies" in clip.name or "lies down" in clip.name:
                    assert not clip.loop


def test_a_gait_unrolls_into_a_walk_that_goes_on():
    for category in ("biped", "quadruped", "arthropod", "snake_limbless"):
        walks = [clip for seed in range(12) for clip in creature(seed, category)[1] if clip.loop and clip.travels]
        for clip in walks:
            laps = unrolled(clip.motion, 2 * len(clip.motion.root) - 1, 0)
            steps = np.linalg.norm(np.diff(laps.root, axis=0), axis=1)
            seam = steps[len(clip.motion.root) - 1]
            assert seam <= 1.3 * steps[: len(clip.motion.root) - 1].max() + 1e-9


def stiff(rig):
    """Whether legs have one bone: such a foot cannot be lifted, so that standing and swinging look alike."""
    _, category, seed = rig.file.split("/")
    return any(leg.ankle == 1 for leg in cast_of(int(seed), category)[0].legs)


def standing_steps(rig, at):
    """Steps on the ground of contacts that stand: those that are at their lowest in both frames."""
    feet = at[:, list(rig.contacts)]
    low = feet[..., 1] < feet[..., 1].min(0) + 1e-3 * SIZE
    steps = np.linalg.norm(np.diff(feet, axis=0)[..., [0, 2]], axis=-1)
    return steps[low[1:] & low[:-1]]


def test_standing_feet_of_a_travelling_body_stand_still_in_the_world(creatures):
    gaits = ("walks", "runs", "trots", "gallops", "sneaks", "steps", "crawls")
    for rig, clip, at in named(creatures, gaits, LEGGED):
        if clip.travels and not stiff(rig):
            steps = standing_steps(rig, at)
            assert len(steps) and np.percentile(steps, 90) < 0.01 * SIZE, (rig.file, clip.name)


def test_feet_of_an_idle_body_do_not_move(creatures):
    for rig, _, at in named(creatures, ("stands idle", "looks around"), LEGGED):
        feet = at[:, list(rig.contacts)]
        assert np.linalg.norm(feet - feet[:1], axis=-1).max() < 0.01 * SIZE


def test_nothing_is_below_the_ground(creatures):
    for made in creatures.values():
        for rig, clips in made:
            for clip in clips:
                assert positions(rig, clip)[..., 1].min() > -0.02 * SIZE


def test_the_recovery_of_travel_finds_the_speed_of_a_synthetic_walk():
    ratios = []
    for seed in range(40):
        body, rig = cast_of(seed, "quadruped")
        take = ACTIONS["quadruped"]["walk"](body, np.random.default_rng(seed))
        motion = take.script.motion(rig)
        still = type(motion)(motion.rotations, motion.root - take.path * rig.frame.scale)
        found = travelling(rig, still)
        if found is not None:
            ratios.append((found.root[-1, 2] - found.root[0, 2]) / (take.path[-1, 2] * rig.frame.scale))
    assert len(ratios) > 20
    assert abs(np.median(ratios) - 1.0) < 0.1


@pytest.mark.parametrize(
    ("words", "axis", "sign"),
    [
        (("walks forward", "runs", "trots", "gallops", "sneaks", "hops", "crawls forward", "jumps forward"), 2, 1.0),
        (("swims", "slithers", "flies", "glides"), 2, 1.0),
        (("walks backward", "crawls backward"), 2, -1.0),
        (("steps sideways to the left", "crawls sideways to the left"), 0, 1.0),
        (("steps sideways to the right", "crawls sideways to the right"), 0, -1.0),
    ],
)
def test_a_body_travels_where_its_caption_says(creatures, words, axis, sign):
    for _, clip, _ in named(creatures, words):
        shift = clip.motion.root[-1] - clip.motion.root[0]
        if not clip.travels:
            assert clip.name.endswith("in place")
            assert np.hypot(shift[0], shift[2]) < 0.01 * SIZE
        elif "turns" not in clip.name:
            assert sign * shift[axis] > 0.02
            assert sign * shift[axis] > 3.0 * abs(shift[2 - axis])


def test_a_body_turns_to_the_side_of_its_caption(creatures):
    for words, sign in ((" to the left", 1.0), (" to the right", -1.0)):
        turning = [
            (rig, clip)
            for category in ("biped", "quadruped", "bird", "arthropod", "fish_marine")
            for rig, clips in creatures[category]
            for clip in clips
            if "turns" in clip.name and words in clip.name
        ]
        assert len(turning) > 5
        for rig, clip in turning:
            back = facing_rotations(positions(rig, clip), rig.facing)
            headings = np.unwrap(-np.arctan2(back[:, 0, 2], back[:, 0, 0]))
            assert sign * (headings[-1] - headings[0]) > 0.3
            assert sign * (clip.motion.root[-1, 0] - clip.motion.root[0, 0]) > 0.0


def test_captions_are_of_several_wordings_and_only_gaits_that_stay_say_in_place(creatures):
    for made in creatures.values():
        for _, clips in made:
            for clip in clips:
                assert len(set(clip.captions)) >= 4
                assert any(caption.startswith("An object ") for caption in clip.captions)
                assert all(clip.name in caption for caption in clip.captions)
                if clip.travels:
                    assert not any("in place" in caption for caption in clip.captions)


def test_the_fallen_lie_low_and_stay(creatures):
    ends = []
    for rig, clip, at in named(creatures, ("dies and falls",), ("biped", "quadruped", "bird")):
        assert np.linalg.norm(at[-1] - at[-3], axis=-1).max() < 0.005 * SIZE, (rig.file, clip.name)
        ends.append(at[-1, :, 1].mean() / at[0, :, 1].mean())
    assert np.median(ends) < 0.5
    assert max(ends) < 0.95


def test_jumps_leave_the_ground_and_come_back(creatures):
    for rig, clip, at in named(creatures, ("jumps",), LEGGED):
        feet = at[:, list(rig.contacts), 1] - at[0, list(rig.contacts), 1]
        assert feet.min(1).max() > 0.02, (rig.file, clip.name)
        assert np.abs(feet[-1]).max() < 0.01 * SIZE


REAL_IDLES = {
    "biped": (0.0006, 0.0057),
    "quadruped": (0.0010, 0.0318),
    "bird": (0.0055, 0.0263),
    "arthropod": (0.0017, 0.0513),
    "flying_other": (0.0007, 0.0016),
}
"""Median and largest mean joint speed, canonical units a frame, of the 209 real clips captioned "stands idle"."""


@pytest.mark.parametrize("category", LEGGED)
def test_idles_are_as_calm_as_real_ones(creatures, category):
    usual, liveliest = REAL_IDLES[category]
    speeds = [
        np.linalg.norm(np.diff(at, axis=0), axis=-1).mean()
        for _, _, at in named(creatures, ("stands idle",), (category,))
    ]
    assert usual / 3 < np.median(speeds) < usual * 3
    assert max(speeds) < liveliest * 1.5


def test_knees_point_ahead_and_hocks_behind_in_every_frame_of_a_walk():
    for seed in SEEDS:
        body, _ = cast_of(seed, "quadruped")
        at = ACTIONS["quadruped"]["walk"](body, np.random.default_rng(seed)).script.kinematics()[1]
        for leg in body.legs:
            for place in range(1, leg.ankle):
                above, joint, below = (leg.joints[place + step] for step in (-1, 0, 1))
                line = body.positions[below] - body.positions[above]
                rest = np.cross(line, body.positions[joint] - body.positions[above])[0]
                now = np.cross(at[:, below] - at[:, above], at[:, joint] - at[:, above])[:, 0]
                assert (np.sign(rest) * now > -1e-4).all()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_limb_of_any_number_of_bones_ends_where_it_is_sent(count):
    random = np.random.default_rng(count)
    bones = np.array([[0.0, -1.0, (-1.0) ** bone * 0.3] for bone in range(count)]) / count
    reach = Reach(bones)
    wanted = random.normal(size=(50, 3)) * [0.2, 0.1, 0.3] + [0.0, -0.75, 0.0]
    wanted *= np.minimum(1.0, 0.9 * reach.longest / np.linalg.norm(wanted, axis=1))[:, None]
    first, inner = reach.solve(wanted)
    end = np.einsum("tij,tj->ti", first, reach.ends(inner))
    missed = end - wanted if count > 1 else (end - wanted)[:, [0, 2]]  # one bone keeps the place, not the height
    assert np.abs(missed).max() < 2e-3


def test_a_planted_foot_is_where_it_was_put():
    body, _ = cast_of(1, "quadruped")
    script = Script(body, 5)
    script.root[:, 1] -= 0.05 * body.leg_height
    script.stand()
    turned, at = script.kinematics()
    for leg in body.legs:
        if leg.contact < len(leg.joints):
            joint = leg.joints[leg.contact]
            assert np.linalg.norm(at[:, joint] - body.positions[joint], axis=1).max() < 0.005 * body.size
    assert np.isfinite(turned).all()


def test_left_labels_lie_on_the_left(creatures):
    for category in LEGGED:
        for rig, _ in creatures[category]:
            sides = {
                side: [n for n, label in enumerate(rig.labels) if side_of(label) == side] for side in ("Left", "Right")
            }
            if sides["Left"]:
                assert rig.positions[sides["Left"], 0].mean() > rig.positions[sides["Right"], 0].mean()


def test_loops_pass_for_loops_by_the_measure_of_real_clips():
    for category in ("biped", "quadruped", "bird"):
        for seed in range(8):
            body, rig = cast_of(seed, category)
            take = ACTIONS[category]["walk"](body, np.random.default_rng(seed))
            assert is_loop(rig, take.script.motion(rig))


def test_every_clip_can_be_cut_and_changed_for_training(creatures):
    random = np.random.default_rng(0)
    for category in CATEGORIES:
        rig, clips = creatures[category][0]
        for clip in clips:
            window = cut(rig, clip, 40, random)
            assert window.features.shape[0] == 40
            assert np.isfinite(window.features).all()
            assert np.abs(window.features[..., 6:9]).max() < 50.0
