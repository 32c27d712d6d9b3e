"""Build the example assets and shots that ship in the package: ``python examples/build.py [FOLDER]``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from assets import Units, write_asset
from biped import BIPED
from bird import BIRD
from clips import look, trotting
from creature import Creature
from fox import FOX
from hero import hero
from lamp import LAMP
from shots import ensemble, single
from snake import snake
from spider import spider

DATA = Path(__file__).resolve().parents[1] / "unimate_dcc/examples/data"
CENTIMETRES_Z_UP = Units("Z", 0.01)
CENTIMETRES_Y_UP = Units("Y", 0.01)
SHOTS = {
    "Fox": ("fox_meadow", Units(), 24.0, 1060),
    "Biped": ("biped_stage", CENTIMETRES_Z_UP, 25.0, 1075),
    "Bird": ("bird_lawn", Units(), 24.0, 1060),
    "Snake": ("snake_sand", Units(), 24.0, 1060),
    "Spider": ("spider_floor", Units(), 30.0, 1060),
    "Lamp": ("lamp_desk", Units(), 24.0, 1048),
    "Hero": ("hero_stage", CENTIMETRES_Y_UP, 24.0, 1072),
}


def creatures() -> list[Creature]:
    """All of them."""
    return [FOX, BIPED, BIRD, snake(), spider(), LAMP, hero()]


def build(folder: Path) -> None:
    """Write everything; an existing folder is replaced."""
    if folder.exists():
        shutil.rmtree(folder)
    for part in ("assets", "shots", "anim"):
        (folder / part).mkdir(parents=True)
    for creature in creatures():
        shot, units, rate, last = SHOTS[creature.name]
        asset = f"{creature.name.lower()}.usda"
        write_asset(creature, folder / "assets" / asset, units)
        single(folder / "shots" / f"{shot}.usda", creature.name, f"../assets/{asset}", units, rate, last)
    trotting(folder / "anim" / "fox_trot.usda", FOX)
    look(folder / "anim" / "fox_look.usda", FOX)
    ensemble(folder / "shots" / "ensemble.usda", ["../anim/fox_trot.usda", "../anim/fox_look.usda"])


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
