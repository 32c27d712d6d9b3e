"""A motion starts where the character stands, facing as it faces, on its ground."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rig.rigs import body
from usd_io.stages import biped_stage

from unimate_dcc.pipeline.animate import animate_from_clip
from unimate_dcc.pipeline.job import AnimateOptions, prepare
from unimate_dcc.pipeline.start import start_where_it_stands
from unimate_dcc.request import GenerateRequest
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.facing import facing_rotations, yaw_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.rig import Rig
from unimate_dcc.usd_io.find import choose_character
from unimate_dcc.usd_io.read import world_matrices
from unimate_dcc.usd_io.stage import open_shot


def _rig() -> Rig:
    return build_rig(
        body(
            [
                ("Hips", "", (0, 1, 0)), ("LeftUpLeg", "Hips", (0.1, 0.9, 0)), ("LeftFoot", "LeftUpLeg", (0.1, 0, 0)),
                ("RightUpLeg", "Hips", (-0.1, 0.9, 0)), ("RightFoot", "RightUpLeg", (-0.1, 0, 0)),
                ("Head", "Hips", (0, 1.5, 0)),
            ]
        )
    )  # fmt: skip


def _still(rig: Rig, frames: int, travel: float = 0.0) -> RigMotion:
    rotations = np.broadcast_to(np.eye(3), (frames, len(rig.joints), 3, 3)).copy()
    root = np.repeat(rig.positions[:1], frames, axis=0)
    root[:, 2] += np.linspace(0.0, travel, frames)
    return RigMotion(rotations, root)


@pytest.mark.parametrize("index", [0, 3])
@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_place_and_facing_are_those_of_the_standing_pose(index: int, yaw: float) -> None:
    rig = _rig()
    standing = _still(rig, 1).turned(yaw_rotations(np.array(yaw))).moved(np.array([3.0, 0.0, -1.0]))
    placed = start_where_it_stands(rig, _still(rig, 8, travel=4.0), standing, index)
    assert np.allclose(placed.root[index], standing.root[0], atol=1e-12)
    assert np.allclose(
        facing_rotations(placed.positions(rig), rig.facing)[index],
        facing_rotations(standing.positions(rig), rig.facing)[0],
        atol=1e-12,
    )
    ahead = placed.root[7] - placed.root[0]
    assert np.allclose(ahead, 4.0 * np.array([np.sin(yaw), 0.0, np.cos(yaw)]), atol=1e-9)


def test_a_character_on_a_step_stays_on_it_and_a_lifted_toe_is_no_step() -> None:
    rig = _rig()
    motion = _still(rig, 4)
    for height, wanted in ((0.5, 0.5), (0.02, 0.0)):
        standing = _still(rig, 1).moved(np.array([0.0, height, 0.0]))
        placed = start_where_it_stands(rig, motion, standing, 0)
        assert placed.positions(rig)[..., 1].min() == pytest.approx(wanted)


@pytest.mark.parametrize("mode", ["world", "parent"])
def test_a_moving_ancestor_is_cancelled_or_ridden_on(tmp_path: Path, mode: str) -> None:
    shot = biped_stage(tmp_path, animated=True, moving_ancestor=True)
    request = GenerateRequest(shot=str(shot), prompt="as it was", root=mode)  # type: ignore[arg-type]
    options = AnimateOptions(out=tmp_path / mode, pictures=False)
    _, take = animate_from_clip(request, "/World/Biped/Anim", options)
    after = open_shot(take.shot_layer or "")
    hips = world_matrices(after, choose_character(after, None), [1001.0, 1024.0])[:, 0, 0, 3]
    own = 0.01 * 23  # the clip's own travel, see stages.animation
    ancestor = 3.0
    assert hips[1] - hips[0] == pytest.approx(own + (ancestor if mode == "parent" else 0.0), abs=0.02)


def test_nothing_is_written_while_a_job_is_prepared(tmp_path: Path) -> None:
    shot = biped_stage(tmp_path)
    job = prepare(GenerateRequest(shot=str(shot), prompt="walks"), AnimateOptions(), 71)
    assert job.describe()["frames"] == "1001-1024"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shot.usda"]
