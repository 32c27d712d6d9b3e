"""``inspect``: the skeletons of a stage and how they are understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from unimate_dcc.cli.options import json_flag, overrides_from, prim_flag, rig_flags, split, stage_flags


@click.command("inspect", short_help="Show the skeletons of a stage.")
@click.argument("shot", type=click.Path())
@prim_flag
@click.option("-v", "--verbose", is_flag=True, help="Every driven and held joint.")
@rig_flags
@stage_flags
@json_flag
def command(
    shot: str, prim: str | None, verbose: bool, session_layer: str | None, mute: tuple[str, ...], mask: tuple[str, ...],
    as_json: bool, **rig: Any,
) -> None:  # fmt: skip
    """Show every skeleton of SHOT: what would be driven and held, labels, facing, contacts, and every finding."""
    from unimate_dcc.pipeline.inspect import inspect
    from unimate_dcc.pipeline.stage import StageOptions

    max_joints = rig.get("max_joints")
    facts = inspect(shot, StageOptions(session_layer, mute, split(mask)), overrides_from(shot, **rig), max_joints, prim)
    if as_json:
        click.echo(json.dumps(facts, indent=1))
        return
    _stage(facts["stage"])
    for finding in facts["findings"]:
        if finding["severity"] != "info":
            click.echo(f"  {finding['severity']}: {finding['message']}")
    if not facts["skeletons"]:
        click.echo(f"no skeleton on {Path(shot).name}")
    for skeleton in facts["skeletons"]:
        _skeleton(skeleton, verbose)


def _stage(stage: dict[str, Any]) -> None:
    span = "no range"
    if stage["start_time_code"] is not None:
        span = f"{stage['start_time_code']:g}-{stage['end_time_code']:g}"
    rate = f"{stage['time_codes_per_second']:g} codes/s"
    if stage["frames_per_second"] != stage["time_codes_per_second"]:
        rate += f" shown at {stage['frames_per_second']:g} fps"
    click.echo(f"{stage['path']}: {stage['up_axis']} up, {stage['metres_per_unit']:g} m/unit, {rate}, {span}")


def _skeleton(facts: dict[str, Any], verbose: bool) -> None:
    rig = facts["rig"]
    click.echo("")
    head = rig["summary"] if rig else f"{facts['joints']} joints: cannot be animated"
    click.echo(click.style(facts["prim"], bold=True) + f"  {head}")
    if facts["problem"]:
        click.echo(f"  problem    {facts['problem']}")
    if facts.get("repairedOrder"):
        click.echo(f"  order      {', '.join(facts['repairedOrder'])}")
    animation = facts["animation"] or "none, at rest"
    if facts["animationRange"]:
        animation += (
            f" ({facts['animationSamples']} samples, {facts['animationRange'][0]:g}-{facts['animationRange'][1]:g})"
        )
    click.echo(f"  animation  {animation}")
    if facts["restSource"]:
        click.echo(f"  rest       from {facts['restSource']}")
    if facts["instanceRoot"]:
        click.echo(f"  instance   {facts['instanceRoot']}")
    if rig:
        _rig(rig, verbose)
    for finding in facts["findings"]:
        click.echo(f"  {finding['severity']:9}  {finding['message']}")


def _rig(rig: dict[str, Any], verbose: bool) -> None:
    click.echo(f"  category   {rig['category']} ({rig['categoryConfidence']:.0%})")
    facing = rig["facing"]
    if facing:
        click.echo(
            f"  facing     {facing['degreesFromPlusZ']:g} deg from +Z, by {facing['source']} "
            f"({', '.join(facing['right'])} | {', '.join(facing['left'])}; {facing['confidence']:.0%})"
        )
    contacts = ", ".join(f"{contact['joint']} ({contact['confidence']:.0%})" for contact in rig["contacts"])
    click.echo(f"  contacts   {contacts or 'none'}")
    for line in rig["repairs"]:
        click.echo(f"  note       {line}")
    if not verbose:
        return
    for joint in rig["driven"]:
        virtual = "  (virtual end)" if joint["virtualEnd"] else ""
        click.echo(f"  drive      {joint['joint']}  [{joint['label']}]{virtual}")
    for held in rig["held"]:
        click.echo(f"  hold       {held['joint']}  ({held['reason']})")
