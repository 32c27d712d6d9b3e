"""Where a body goes, what it reaches and what it looks at: read from the request and the stage, applied to motions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unimate_dcc.errors import BadRequestError, UnknownJointError
from unimate_dcc.motion.path import Path, Travel, follow
from unimate_dcc.motion.target import Target, looking, missed, reached
from unimate_dcc.pipeline.job import MODEL_FPS, Job
from unimate_dcc.pipeline.start import Home
from unimate_dcc.request import GenerateRequest
from unimate_dcc.rig.facing import yaw_rotations
from unimate_dcc.rig.motion import RigMotion
from unimate_dcc.rig.select import select_joints
from unimate_dcc.skeleton import FloatArray
from unimate_dcc.usd_io.convert import stage_to_world
from unimate_dcc.usd_io.finding import Finding
from unimate_dcc.usd_io.locators import read_curve, read_points
from unimate_dcc.usd_io.read import read_rest

FASTEST = 0.18
"""Canonical units a model frame; no training clip travels faster (measured over the set with synthetic creatures)."""
EXACT = 1e-3
"""Of the size (tree diameter 2); a target missed by more is worth a warning."""
LOOKERS = ("Neck", "Head", "Skull")


@dataclass(frozen=True, eq=False)
class Aim:
    """Something to reach or to look at.

    Attributes:
        target: Without places; they depend on the times of the motion.
        chain: Joints that turn to look; empty for something to reach.
        name: For people.
        source: Prim or ``X Y Z``.
    """

    target: Target
    chain: tuple[int, ...]
    name: str
    source: str


@dataclass(frozen=True, eq=False)
class Control:
    """All that is asked of one job, seen from where the run begins.

    Attributes:
        job: The job.
        home: Where the run begins: at the path's first point, else where the character stands.
        travel: The path, or None.
        aims: What is reached or looked at.
    """

    job: Job
    home: Home
    travel: Travel | None
    aims: tuple[Aim, ...]

    def pulled(self, motion: RigMotion, first: int) -> RigMotion:
        """A motion at the model's rate on the constraints, while it is being made; frame ``first`` of the run is its
        first."""
        seconds = (first + np.arange(len(motion.root))) / MODEL_FPS
        return self.aimed(self.bent(motion, seconds, None if first else 0.0), seconds)

    def bent(self, motion: RigMotion, seconds: FloatArray, start: float | None = 0.0) -> RigMotion:
        """A motion on its path."""
        return motion if self.travel is None else follow(self.job.rig, motion, self.travel, seconds, start)

    def aimed(self, motion: RigMotion, seconds: FloatArray) -> RigMotion:
        """A motion that reaches and looks at what it has to."""
        for aim in self.aims:
            target = self._placed(aim, seconds)
            if aim.chain:
                motion = looking(self.job.rig, motion, aim.chain, target, seconds)
            else:
                motion = reached(self.job.rig, motion, target, seconds)
        return motion

    def notes(self, motion: RigMotion) -> list[Finding]:
        """What the finished motion, at the samples, misses."""
        seconds, size, found = self.job.timing.seconds, 2.0, []
        prim = self.job.character.prim
        for aim in self.aims:
            if aim.chain:
                continue
            miss, frame = missed(self.job.rig, motion, self._placed(aim, seconds), seconds)
            if miss > EXACT * size:
                code = float(self.job.timing.time_codes[frame])
                short = miss / self.job.rig.frame.scale / self.job.shot.info.metres_per_unit
                message = (
                    f"{aim.name} stays {short:.4g} units short of {aim.source} at "
                    f"frame {code:g}: out of reach; bring the body nearer with a path, or move the target"
                )
                found.append(Finding("target-out-of-reach", "warning", prim, message, (), (code,)))
        if self.travel is not None:
            off = float(self.travel.path.distances(motion.root).mean()) / size
            found.append(Finding("path", "info", prim, f"the root is {off:.2%} of its size off the path on average"))
            found += self._pace(motion)
        return found

    def _pace(self, motion: RigMotion) -> list[Finding]:
        steps = np.linalg.norm(np.diff(motion.root, axis=0)[:, [0, 2]], axis=-1) / np.diff(self.job.timing.seconds)
        fastest = float(np.percentile(steps, 90)) / MODEL_FPS
        if fastest <= FASTEST:
            return []
        message = f"the path is travelled {fastest / FASTEST:.1f} times faster than any clip the model was trained on"
        return [Finding("path-too-fast", "warning", self.job.character.prim, message)]

    def _placed(self, aim: Aim, seconds: FloatArray) -> Target:
        codes = self.job.timing.time_codes[0] + seconds * self.job.timing.rate
        places = _world(self.job, aim.source, codes)
        seen = self.home.seen(self.job.rig.frame.to_canonical(places))
        return Target(aim.target.joint, aim.target.first, aim.target.last, seen)


def control_of(job: Job, request: GenerateRequest) -> Control:
    """Read and check everything a request asks of where the body goes.

    Raises:
        UnknownPrimError, PrimRefusedError: a path or target that is not there or is none.
        UnknownJointError, BadRequestError: a joint that is not there, is not driven or is several.
    """
    standing = Home.of(job.rig, job.playing(job.timing.time_codes[job.timing.start :][:1]))
    points = _path_points(job, request)
    if points is None:
        return Control(job, standing, None, _aims(job, request))
    canonical = job.rig.frame.to_canonical(points) * [1.0, 0.0, 1.0]
    path = Path.through(canonical, smooth=bool(request.waypoints))
    ahead = path.ahead(np.zeros(1))[0]
    turn = yaw_rotations(np.asarray(-np.arctan2(ahead[0], ahead[2])))
    home = Home(turn, path.points[0] + [0.0, standing.origin[1], 0.0])
    seen = Path(home.seen(path.points) * [1.0, 0.0, 1.0], path.lengths)
    return Control(job, home, _travel(job, request, seen, home.seen(canonical)), _aims(job, request))


def _path_points(job: Job, request: GenerateRequest) -> FloatArray | None:
    """(N, 3) metres, Y up; None without a path."""
    if request.path is not None:
        return read_curve(job.shot, request.path, job.timing.first)
    if not request.waypoints:
        return None
    turn = stage_to_world(job.shot.info.up_axis, job.shot.info.metres_per_unit)
    return np.asarray(np.array([place for _, *place in request.waypoints]) @ turn.T)


def _travel(job: Job, request: GenerateRequest, path: Path, points: FloatArray) -> Travel:
    turns = request.heading == "path"
    if request.waypoints:
        frames = np.array([frame for frame, *_ in request.waypoints])
        seconds = (frames - job.timing.time_codes[0]) / job.timing.rate
        return Travel.timed(path, seconds.tolist(), points, turns)
    if request.speed is not None:
        pace = request.speed * job.shot.info.metres_per_unit * job.rig.frame.scale
        ends = path.length / pace
        return Travel(path, np.array([0.0, ends]), np.array([0.0, path.length]), turns)
    return Travel(path, np.zeros(0), np.zeros(0), turns)


def _aims(job: Job, request: GenerateRequest) -> tuple[Aim, ...]:
    begin, rate = job.timing.time_codes[0], job.timing.rate
    nowhere = np.zeros((0, 3))
    found = []
    for name, source, first, last in request.targets:
        _world(job, source, job.timing.time_codes[:1])
        target = Target(_joint(job, name), (first - begin) / rate, (last - begin) / rate, nowhere)
        found.append(Aim(target, (), name, source))
    for source, first, last in request.look_at:
        _world(job, source, job.timing.time_codes[:1])
        chain = _looking_chain(job)
        target = Target(chain[-1], (first - begin) / rate, (last - begin) / rate, nowhere)
        found.append(Aim(target, chain, "the head", source))
    return tuple(found)


def _joint(job: Job, name: str) -> int:
    """The one driven joint that a target names; of a limb, its end."""
    skeleton = read_rest(job.shot, job.character, job.timing.first)
    chosen = np.flatnonzero(select_joints(job.character.prim, skeleton, [name]))
    driven = [slot for slot, joint in enumerate(job.rig.source.tolist()) if joint in chosen]
    if not driven:
        raise BadRequestError("target", name, "is not driven on this rig; --drive JOINT drives a joint")
    hands = [slot for slot in driven if any(part in job.rig.labels[slot] for part in ("Hand", "Foot", "Paw", "Hoof"))]
    named = [slot for slot in hands if not any(word in job.rig.labels[slot] for word in ("Finger", "End"))] or driven
    if len(named) > 1 and len(chosen) > 1:
        names = ", ".join(job.rig.joints[slot].rsplit("/", 1)[-1] for slot in named[:5])
        raise BadRequestError("target", name, f"names {len(named)} joints ({names}); name one")
    return named[0]


def _looking_chain(job: Job) -> tuple[int, ...]:
    """Neck to head."""
    chain = [slot for slot, label in enumerate(job.rig.labels) if label in LOOKERS and job.rig.source[slot] >= 0]
    if not chain:
        raise UnknownJointError(job.character.prim, "head", job.rig.labels)
    return tuple(chain)


def _world(job: Job, source: str, codes: FloatArray) -> FloatArray:
    """(T, 3) metres, Y up, of a prim or of ``X Y Z`` in stage units."""
    numbers = source.split()
    try:
        place = np.array([float(number) for number in numbers])
    except ValueError:
        return read_points(job.shot, source, codes)
    if len(place) != 3:
        raise BadRequestError("place", source, "write X Y Z, or the path of a prim")
    turn = stage_to_world(job.shot.info.up_axis, job.shot.info.metres_per_unit)
    return np.repeat((turn @ place)[None], len(codes), axis=0)
