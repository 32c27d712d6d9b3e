"""Find every skeleton of a composed stage, and say why one cannot be animated."""

from __future__ import annotations

from collections import Counter

import numpy as np
from pxr import Sdf, Usd, UsdSkel

from unimate_dcc.errors import (
    AmbiguousPrimError,
    NoSkeletonError,
    SkeletonRefusedError,
    StageOpenError,
    UnknownPrimError,
)
from unimate_dcc.skeleton import IntArray
from unimate_dcc.usd_io.animation import animation_findings, bound_animation
from unimate_dcc.usd_io.character import Character
from unimate_dcc.usd_io.finding import Finding
from unimate_dcc.usd_io.placement import placement_findings
from unimate_dcc.usd_io.rest import local_rest
from unimate_dcc.usd_io.skinning import bound_meshes, weighted_joints
from unimate_dcc.usd_io.stage import Shot, missing_assets


def find_characters(shot: Shot) -> tuple[Character, ...]:
    """Every Skeleton prim of the stage, instances included, in stage order."""
    stage = shot.stage
    cache = UsdSkel.Cache()
    prims = list(Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies()))
    for prim in prims:
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), Usd.TraverseInstanceProxies())
    animations = [prim for prim in prims if prim.IsA(UsdSkel.Animation)]
    return tuple(_character(shot, cache, prim, animations) for prim in prims if prim.IsA(UsdSkel.Skeleton))


def animations_of(shot: Shot, joints: tuple[str, ...]) -> tuple[str, ...]:
    """SkelAnimations of a stage with any of these joints, in stage order."""
    prims = Usd.PrimRange.Stage(shot.stage, Usd.TraverseInstanceProxies())
    return tuple(str(prim.GetPath()) for prim in prims if prim.IsA(UsdSkel.Animation) and _shares_joints(prim, joints))


def choose_character(shot: Shot, prim: str | None) -> Character:
    """The one character a request means.

    Raises:
        NoSkeletonError, StageOpenError: nothing to animate; missing assets are named.
        AmbiguousPrimError: several, and none was named.
        UnknownPrimError: no skeleton at or below the named prim.
        SkeletonRefusedError: no take could play on it.
    """
    characters = find_characters(shot)
    usable = [character for character in characters if character.animatable]
    place = shot.info.path
    if prim is None:
        if not usable:
            _refuse(shot, characters)
        if len(usable) > 1:
            raise AmbiguousPrimError(place, [character.prim for character in usable])
        return usable[0]
    if not characters:
        _refuse(shot, characters)
    named = [item for item in characters if item.prim == prim or item.prim.startswith(prim.rstrip("/") + "/")]
    if not named:
        raise UnknownPrimError(place, prim, [character.prim for character in characters])
    good = [character for character in named if character.animatable]
    if len(good) > 1:
        raise AmbiguousPrimError(f"{place}{prim}", [character.prim for character in good])
    if not good:
        raise SkeletonRefusedError(named[0].prim, named[0].problem)
    return good[0]


def _refuse(shot: Shot, characters: tuple[Character, ...]) -> None:
    missing = missing_assets(shot)
    if missing and not characters:
        raise StageOpenError(
            shot.info.path, f"no skeleton: asset {missing[0]} was not found; restore it or fix the path"
        )
    raise NoSkeletonError(shot.info.path, [f"{item.prim}: {item.problem}" for item in characters])


def _character(shot: Shot, cache: UsdSkel.Cache, prim: Usd.Prim, animations: list[Usd.Prim]) -> Character:
    skeleton = UsdSkel.Skeleton(prim)
    path = str(prim.GetPath())
    joints = tuple(str(joint) for joint in skeleton.GetJointsAttr().Get() or [])
    findings: list[Finding] = _joint_findings(path, joints)
    parents = _parents(joints)
    findings += _order_findings(path, joints, parents)
    rest = None
    if joints and not any(finding.code in ("duplicate-joint", "no-joints") for finding in findings):
        rest, noticed = local_rest(skeleton, joints, parents)
        findings += noticed
    root = _enclosing(prim, UsdSkel.Root)
    if root is None and joints:
        findings.append(
            Finding(
                "outside-skelroot",
                "warning",
                path,
                "lies outside every SkelRoot; skinned meshes find it by binding only",
            )
        )
    findings += _composition_findings(path, prim)
    weighted = weighted_joints(_meshes(shot, cache, skeleton, root), joints)
    animation, noticed = bound_animation(shot, skeleton, joints)
    findings += noticed + placement_findings(shot, prim)
    if animation:
        findings += animation_findings(shot, animation, path, joints)
        if any(finding.code.startswith("unplayable") for finding in findings):
            animation = ""
    available = [str(item.GetPath()) for item in animations if _shares_joints(item, joints)]
    return Character(
        prim=path,
        joints=joints,
        parents=parents,
        rest=rest,
        weighted=weighted,
        animation=animation,
        available=tuple(available),
        instance_root=_instance_root(prim),
        skel_root=str(root.GetPath()) if root else "",
        findings=tuple(findings),
    )


def _meshes(
    shot: Shot, cache: UsdSkel.Cache, skeleton: UsdSkel.Skeleton, root: Usd.Prim | None
) -> list[UsdSkel.SkinningQuery]:
    roots = (
        [root]
        if root
        else [p for p in Usd.PrimRange.Stage(shot.stage, Usd.TraverseInstanceProxies()) if p.IsA(UsdSkel.Root)]
    )
    return [query for item in roots for query in bound_meshes(cache, skeleton, UsdSkel.Root(item))]


def _joint_findings(path: str, joints: tuple[str, ...]) -> list[Finding]:
    if not joints:
        return [Finding("no-joints", "error", path, "has no joints")]
    found = []
    twice = [joint for joint, count in Counter(joints).items() if count > 1]
    if twice:
        found.append(Finding("duplicate-joint", "error", path, f"joint {twice[0]!r} is listed twice", tuple(twice)))
    illegal = [joint for joint in joints if not Sdf.Path.IsValidPathString(joint)[0]]
    if illegal:
        message = f"joint {illegal[0]!r} is no legal path; UsdSkel cannot place it in the hierarchy"
        found.append(Finding("illegal-joint", "error", path, message, tuple(illegal)))
    return found


def _parents(joints: tuple[str, ...]) -> IntArray:
    """The nearest ancestor path that is a joint."""
    place = {joint: index for index, joint in enumerate(joints)}
    parents = []
    for joint in joints:
        above = joint
        found = -1
        while "/" in above and found < 0:
            above = above.rsplit("/", 1)[0]
            found = place.get(above, -1)
        parents.append(found)
    return np.array(parents, dtype=np.int64)


def _order_findings(path: str, joints: tuple[str, ...], parents: IntArray) -> list[Finding]:
    late = [joint for joint, parent in enumerate(parents) if parent > joint]
    if not late:
        return []
    order = ", ".join(joints[index] for index in repaired_order(parents))
    message = (
        f"joint {joints[late[0]]!r} is listed before its parent {joints[parents[late[0]]]!r}, so UsdSkel plays "
        "nothing; "
        f"re-export the skeleton as: {order}"
    )
    return [Finding("child-before-parent", "error", path, message, tuple(joints[joint] for joint in late))]


def repaired_order(parents: IntArray) -> list[int]:
    """Joint indices with parents first, otherwise in the file's order."""
    done: list[int] = []
    waiting = list(range(len(parents)))
    while waiting:
        ready = [joint for joint in waiting if parents[joint] < 0 or parents[joint] in done]
        done.append(ready[0])
        waiting.remove(ready[0])
    return done


def _composition_findings(path: str, prim: Usd.Prim) -> list[Finding]:
    """Variant sets and payloads above a skeleton: another choice there brings another rig or animation."""
    found = []
    while prim and not prim.IsPseudoRoot():
        sets = prim.GetVariantSets()
        for name in sets.GetNames():
            chosen = sets.GetVariantSet(name)
            names = ", ".join(chosen.GetVariantNames())
            message = f"variant set {name!r} of {prim.GetPath()} is {chosen.GetVariantSelection()!r}, of {names}"
            found.append(Finding("variants", "info", path, message))
        if prim.HasAuthoredPayloads():
            state = "loaded" if prim.IsLoaded() else "not loaded"
            found.append(Finding("payload", "info", path, f"comes by a payload on {prim.GetPath()}, {state}"))
        prim = prim.GetParent()
    return found


def _enclosing(prim: Usd.Prim, kind: type) -> Usd.Prim | None:
    while prim and not prim.IsPseudoRoot():
        if prim.IsA(kind):
            return prim
        prim = prim.GetParent()
    return None


def _instance_root(prim: Usd.Prim) -> str:
    if not prim.IsInstanceProxy():
        return ""
    outermost = ""
    while prim and not prim.IsPseudoRoot():
        if prim.IsInstance():
            outermost = str(prim.GetPath())
        prim = prim.GetParent()
    return outermost


def _shares_joints(prim: Usd.Prim, joints: tuple[str, ...]) -> bool:
    own = UsdSkel.Animation(prim).GetJointsAttr().Get() or []
    return bool({str(joint) for joint in own} & set(joints))
