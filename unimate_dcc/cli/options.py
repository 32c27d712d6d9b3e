"""Flags that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from unimate_dcc.rig.overrides import RigOverrides, parse_overrides, read_overrides

Decorated = Callable[..., Any]


def stage_flags(function: Decorated) -> Decorated:
    """How the stage is composed."""
    for option in (
        click.option("--mask", multiple=True, help="Populate only these prims, comma-separated or repeated."),
        click.option("--mute", multiple=True, metavar="REGEX", help="Mute layers whose identifier this finds."),
        click.option("--session-layer", "--sessionLayer", metavar="FILE", help="Lay this layer over the stage."),
    ):
        function = option(function)
    return function


def rig_flags(function: Decorated) -> Decorated:
    """What a TD says about the rig."""
    for option in (
        click.option(
            "--max-joints", type=click.IntRange(min=2), help="Drive at most so many joints; fingers go first."
        ),
        click.option("--drive", multiple=True, metavar="JOINT", help="Drive this joint though it looks like a helper."),
        click.option("--hold", multiple=True, metavar="JOINT", help="Keep this joint's animation."),
        click.option("--category", help="Kind of body, such as quadruped."),
        click.option("--contacts", metavar="JOINTS", help="Joints that stand on the ground, comma-separated; 'none'."),
        click.option("--facing", metavar="RIGHT,LEFT", help="The pair of joints that tells the facing."),
        click.option("--rig", "rig_file", type=click.Path(path_type=Path), help="A *.rig.toml with the same answers."),
    ):
        function = option(function)
    return function


json_flag = click.option("--json", "-j", "as_json", is_flag=True, help="Print one JSON document.")
prim_flag = click.option("--prim", metavar="PATH", help="Skeleton prim, or a prim above it.")


def split(values: Sequence[str]) -> tuple[str, ...]:
    """Repeated or comma-separated values as one list."""
    return tuple(part for value in values for part in value.split(",") if part)


def overrides_from(
    shot: str,
    rig_file: Path | None,
    facing: str | None,
    contacts: str | None,
    category: str | None,
    hold: Sequence[str],
    drive: Sequence[str],
    max_joints: int | None,
) -> RigOverrides:
    """Flags over the named sidecar, else over ``<shot>.rig.toml`` where there is one."""
    sidecar = rig_file or Path(shot).with_suffix(".rig.toml")
    base = read_overrides(sidecar) if rig_file or sidecar.is_file() else RigOverrides()
    given: dict[str, Any] = {}
    if facing:
        given["facing"] = facing.split(",")
    if contacts is not None:
        given["contacts"] = [] if contacts == "none" else contacts.split(",")
    if category:
        given["category"] = category
    if hold:
        given["hold"] = list(split(hold))
    if drive:
        given["drive"] = list(split(drive))
    if max_joints:
        given["max_joints"] = max_joints
    flags = parse_overrides(given, "flags")
    return replace(base, **{name: getattr(flags, name) for name in given})
