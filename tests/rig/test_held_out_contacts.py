"""Feet of held-out rigs, most of which have no foot-like name."""

from __future__ import annotations

from pathlib import Path

import pytest

from unimate_dcc.model.train.curate import curate
from unimate_dcc.model.train.gltf_source import read_gltf_source

FEET = {
    "mesh2motion/dragon-animations.glb": 4,
    "mesh2motion/spider-animations.glb": 8,
    "quaternius_2016_2019/Animal_Pack_Vol_2_-_Jul_2017_FBX_Eagle.glb": 2,
    "quaternius_2016_2019/Monster_Pack_Animated_-_Aug_2018_FBX_Skeleton.glb": 2,
    "luanti_animalworld/Indianrhino.glb": 4,
    "luanti_animalworld/Tiger.glb": 4,
    "luanti_animalworld/Wildboar.glb": 4,
    "luanti_livingfloatlands/Mammooth.glb": 4,
    "luanti_animalia/animalia_owl.glb": 2,
    "luanti_mobs/mobs_kitten.glb": 4,
    "luanti_mobs/mobs_pumba.glb": 4,
    "luanti_mobs/mobs_chicken.glb": 2,
    "luanti_animalworld/Trout.glb": 0,
    "luanti_animalworld/Viper.glb": 0,
}
"""Right today; Hare, Crab, Cockroach, Oviraptor, Velociraptor, the frog and the sand monster are not."""


@pytest.mark.parametrize(("file", "feet"), FEET.items())
def test_feet_of_rigs_never_used_for_training(shared: Path, file: str, feet: int) -> None:
    assert len(curate(read_gltf_source(shared / "motion" / file, [])).rig.contacts) == feet
