"""The evaluation from end to end on a toy set, without trained weights."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from model.eval.toy_set import toy_set
from model.toy_model import CONFIGS, ToyEncoder, save_toy_weights

from unimate_dcc.model.eval.bodies import chosen
from unimate_dcc.model.eval.measures import row
from unimate_dcc.model.eval.prompts import caption_prompts
from unimate_dcc.model.eval.reference import Reference, build_reference
from unimate_dcc.model.eval.report import EvalOptions, Report, evaluate
from unimate_dcc.model.eval.samples import FRAMES, real_samples
from unimate_dcc.model.generate import Generator
from unimate_dcc.model.train.cache import TrainingClip, TrainingRig

ACTIONS = ("walk", "run", "idle", "die")
OPTIONS = EvalOptions(samples=2, steps=2, actions=ACTIONS, long_rigs=1)
Set = tuple[list[TrainingRig], list[TrainingClip]]


@pytest.fixture(scope="module")
def toys() -> Set:
    return toy_set()


@pytest.fixture(scope="module")
def reference(toys: Set) -> Reference:
    return build_reference(*toys, chosen(toys[0], None), np.random.default_rng(0))


@pytest.fixture(scope="module")
def report(toys: Set, tmp_path_factory: pytest.TempPathFactory) -> Report:
    config = replace(CONFIGS["patched"], max_frames=FRAMES, max_joints=24)
    weights = save_toy_weights(tmp_path_factory.mktemp("weights"), config)
    generator = Generator(weights, device="cpu", dtype="float32", encoder=ToyEncoder())
    return evaluate(*toys, generator, OPTIONS)


def test_actions_of_bodies_it_has_not_seen_are_judged_right(reference: Reference) -> None:
    assert reference.ceiling > 0.95
    held_out = [str(one.prompt.action) for one in reference.held_out]
    rows = np.stack([one.statistics for one in reference.held_out])
    assert reference.judge.judge(rows, ["biped"] * len(rows)) == held_out


def test_the_judge_never_sees_a_scripted_clip(toys: Set, reference: Reference) -> None:
    rigs, clips = toys
    source = next(number for number, rig in enumerate(rigs) if not rig.held_out)
    scripted = replace(rigs[source], file="synthetic/biped/1")
    lie = replace(next(clip for clip in clips if clip.rig == source), rig=len(rigs), captions=("a biped flies",))
    misled = build_reference([*rigs, scripted], [*clips, lie], chosen(rigs, None), np.random.default_rng(0))
    np.testing.assert_array_equal(misled.judge.weights, reference.judge.weights)


def test_the_judge_never_sees_a_held_out_clip(toys: Set, reference: Reference) -> None:
    rigs, clips = toys
    lies = [replace(clip, captions=("a biped flies forward",)) if rigs[clip.rig].held_out else clip for clip in clips]
    misled = build_reference(rigs, lies, chosen(rigs, None), np.random.default_rng(0))
    assert "fly" not in misled.judge.classes
    np.testing.assert_array_equal(misled.judge.weights, reference.judge.weights)
    assert misled.ceiling == reference.ceiling


def test_real_clips_have_the_typical_speed_and_jerk_of_real_clips(reference: Reference) -> None:
    real = row("real", reference.train, reference, np.random.default_rng(0))
    assert real.speed == {action: pytest.approx(1.0) for action in ACTIONS}
    assert real.jerk == {action: pytest.approx(1.0) for action in ACTIONS}
    assert real.static == 0.0
    assert real.below_share == 0.0


def test_a_frozen_motion_is_static_slow_and_not_what_was_asked(toys: Set, reference: Reference) -> None:
    rigs, clips = toys
    frozen = [replace(clip, stored=replace(clip.motion, rotations=np.repeat(clip.motion.rotations[:1], 30, axis=0),
              root=np.repeat(clip.motion.root[:1], 30, axis=0)), loop=False)
              for clip in clips if rigs[clip.rig].held_out]  # fmt: skip
    found = row("frozen", real_samples(rigs, frozen, np.random.default_rng(0)), reference, np.random.default_rng(0))
    assert (found.static, found.slow) == (1.0, 1.0)
    assert found.recall["idle"] == 1.0
    assert found.agreement is not None
    assert found.agreement <= 0.5
    assert found.fid is not None
    assert found.fid.value > 1.0


def test_all_rows_stand_side_by_side(report: Report) -> None:
    assert [one.name for one in report.rows] == ["real training", "real held-out", "nearest clip", "toy"]
    nearest, toy = report.rows[2:]
    assert nearest.agreement is not None
    assert toy.agreement is not None
    assert nearest.agreement > toy.agreement
    assert nearest.fid is not None
    assert toy.fid is not None
    assert nearest.fid.value < toy.fid.value
    assert set(toy.disagreement) == set(ACTIONS)
    assert nearest.disagreement == {}
    prompts = 2 * len(ACTIONS) * 2  # captions and balanced prompts of two rigs
    assert toy.clips == nearest.clips == prompts * OPTIONS.samples


def test_the_report_is_json_and_the_table_has_a_line_for_every_measure(report: Report) -> None:
    again = json.loads(report.to_json())
    assert again["ceiling"] == report.ceiling
    assert again["rows"][3]["recall"].keys() == set(ACTIONS)
    assert again["long"]["rigs"] == 1
    table = report.table()
    assert "FID to real held-out" in table
    assert "of the ceiling" in table
    assert all(len(line) < 140 for line in table.splitlines())


def test_the_same_evaluation_gives_the_same_numbers(toys: Set) -> None:
    options = replace(OPTIONS, samples=1)
    one, again = (evaluate(*toys, None, options, encoder=ToyEncoder()) for _ in range(2))
    assert one.to_json() == again.to_json()
    assert [row.name for row in one.rows] == ["real training", "real held-out", "nearest clip"]


def test_judge_and_ceiling_do_not_depend_on_the_seed_of_the_takes(toys: Set) -> None:
    options = [replace(OPTIONS, samples=1, seed=seed) for seed in (10, 77)]
    one, other = (evaluate(*toys, None, option, encoder=ToyEncoder()) for option in options)
    assert one.ceiling == other.ceiling
    assert one.rows == other.rows


def test_nearest_clips_without_an_encoder_are_refused(toys: Set) -> None:
    with pytest.raises(ValueError, match="text encoder"):
        evaluate(*toys, None, OPTIONS)


def test_fewer_rigs_are_spread_over_all_and_prompts_are_asked_once(toys: Set) -> None:
    rigs, clips = toys
    many = [replace(rig, held_out=True) for rig in rigs]
    assert chosen(many, 2) == [0, 4]
    assert chosen(many, 99) == list(range(len(rigs)))
    assert chosen(rigs, None) == [6, 7]
    assert len(caption_prompts(clips, [6, 7])) == 8
