"""A toy training set: walkers of several topologies that walk, run, stand and fall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from model.train.walker import WALKER, training_rig, walk
from rig.rigs import body

from unimate_dcc.model.train.cache import TrainingClip, TrainingRig
from unimate_dcc.rig.build import build_rig
from unimate_dcc.rig.motion import RigMotion, aligned
from unimate_dcc.rig.rig import Rig
from unimate_dcc.skeleton import quaternion_matrices

RIGS = 8
TAIL_STEP = 0.1


def walker_with_tail(links: int) -> Rig:
    """The walker, its tree another one for each number of tail links."""
    rows = list(WALKER)
    for link in range(links):
        parent = "Hips" if link == 0 else f"Tail{link}"
        rows.append((f"Tail{link + 1}", parent, (0.0, 1.0, -TAIL_STEP * (link + 1))))
    return build_rig(body(rows))


def toy_set(rigs: int = RIGS, held_out: int = 2) -> tuple[list[TrainingRig], list[TrainingClip]]:
    """Rigs of different topology, the last ``held_out`` held out, three clips an action."""
    found: list[TrainingRig] = []
    clips: list[TrainingClip] = []
    for index in range(rigs):
        rig = walker_with_tail(index)
        found.append(replace(training_rig(rig), held_out=index >= rigs - held_out, file=f"walker{index}.glb"))
        for variant in range(3):
            for text, make in MOTIONS.items():
                loop = text != "dies and falls"
                clips.append(TrainingClip(index, text, make(rig, variant), (f"a biped {text}",), loop, False))
    return found, clips


def _walk(rig: Rig, variant: int) -> RigMotion:
    return walk(rig, period=24 + 2 * variant, laps=2, speed=0.015)


def _run(rig: Rig, variant: int) -> RigMotion:
    return walk(rig, period=10 + variant, laps=4, speed=0.06, duty=0.5)


def _stand(rig: Rig, variant: int) -> RigMotion:
    motion = walk(rig, period=40 + variant, speed=0.001)
    return RigMotion(motion.rotations, motion.root)


def _fall(rig: Rig, variant: int) -> RigMotion:
    """Backwards to the ground in 20 to 30 frames."""
    frames = 60
    share = np.clip(np.arange(frames) / (20 + 5 * variant), 0.0, 1.0)
    half = share * np.pi / 4
    turn = quaternion_matrices(np.stack([np.cos(half), -np.sin(half), 0 * half, 0 * half], axis=-1))
    rotations = np.broadcast_to(np.eye(3), (frames, len(rig.joints), 3, 3)).copy()
    rotations[:, 0] = turn
    root = np.repeat(rig.positions[:1], frames, axis=0) * np.stack([share, 1 - 0.9 * share, share], axis=-1)
    return aligned(rig, RigMotion(rotations, root))


MOTIONS: dict[str, Callable[[Rig, int], RigMotion]] = {
    "walks forward": _walk,
    "runs forward": _run,
    "stands idle": _stand,
    "dies and falls": _fall,
}
