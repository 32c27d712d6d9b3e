"""What every verb that makes a take has in common: flags, settings, the plan and the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unimate_dcc.cli.options import json_flag, overrides_from, prim_flag, rig_flags, split, stage_flags
from unimate_dcc.cli.progress import MODES, reporter
from unimate_dcc.errors import MissingExtraError
from unimate_dcc.request import FootLock, Request
from unimate_dcc.settings import cache_folder, load_settings

if TYPE_CHECKING:
    from unimate_dcc.pipeline.job import AnimateOptions, Job
    from unimate_dcc.usd_io.write import Take

SCHEMA_VERSION = 1
FOOT_LOCK: dict[bool | None, FootLock] = {None: "auto", True: "on", False: "off"}
SETTINGS = ("weights", "device", "dtype", "steps", "solver", "guidance")
"""Flags that configuration may answer."""
PLAIN = ("prim", "seed", "takes", "root", "subframes", "extend", "uninstance")
RIG = ("rig_file", "facing", "contacts", "category", "hold", "drive", "max_joints")

Decorated = Callable[..., Any]


def take_flags(function: Decorated) -> Decorated:
    """Flags of every verb that makes a take; they arrive as keywords for ``settle``."""
    for option in (
        click.option("--progress", type=click.Choice(MODES), default="auto", show_default=True,
                     help="How to report steps."),
        click.option("-n", "--dry-run", is_flag=True, help="Show what would be done; write nothing."),
        click.option("--pictures/--no-pictures", default=None, help="Draw a contact sheet and an animation."),
        click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for takes, or one .usd file."),
        click.option("--dtype", help="auto, float32 or bfloat16."),
        click.option("--device", help="auto, cpu, cuda or mps."),
        click.option("--weights", help="Name or path of the weights."),
        click.option("--uninstance", is_flag=True, help="Break the instance that hides the take, in our layer."),
        click.option("--extend", is_flag=True, help="Allow frames outside the shot's range."),
        click.option("--subframes", type=int, default=1, show_default=True, help="Samples per frame."),
        click.option("--foot-lock/--no-foot-lock", default=None,
                     help="Pin standing feet; by the kind of body by default."),
        click.option("--root", default="world", show_default=True,
                     help="world cancels ancestors' motion, parent rides on it."),
        click.option("--guidance", type=float, help="Higher follows the prompt more closely."),
        click.option("--solver", help="euler, midpoint or dopri5."),
        click.option("--steps", type=int, help="Solver steps."),
        click.option("--takes", type=int, default=1, show_default=True, help="Takes, with seeds SEED, SEED + 1, ..."),
        click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result."),
    ):  # fmt: skip
        function = option(function)
    return prim_flag(rig_flags(stage_flags(json_flag(function))))


@dataclass(frozen=True)
class Settled:
    """Flags and configuration, answered.

    Attributes:
        common: Fields that every request has.
        options: Where and how the take is made.
    """

    common: dict[str, Any]
    options: AnimateOptions
    as_json: bool
    dry_run: bool
    progress: str

    def finish(self, request: Request, make: Callable[..., list[tuple[Job, Take]]], *, model: bool = True) -> None:
        """Show the plan, or make the take and report it; ``make`` is called with request, options and ``on_step``."""
        if self.dry_run:
            _show_plan(request, self.options, self.as_json)
            return
        if model and find_spec("torch") is None:
            raise MissingExtraError("torch", "model")
        results = make(request, self.options, on_step=reporter(self.progress))
        if self.as_json:
            takes = [_facts(*result) for result in results]
            document = {"schema": f"unimate-{request.verb}", "schemaVersion": SCHEMA_VERSION, "takes": takes}
            click.echo(json.dumps(document, indent=1))
            return
        for job, take in results:
            _tell(job, take)


def settle(shot: str, flags: dict[str, Any]) -> Settled:
    """Answers from the flags of ``take_flags``, over configuration."""
    from unimate_dcc.pipeline.job import AnimateOptions
    from unimate_dcc.pipeline.stage import StageOptions

    given = {name: flags[name] for name in (*SETTINGS, "pictures")}
    settings = load_settings(Path(shot).parent, given)
    common = {
        "shot": shot,
        **{name: flags[name] for name in PLAIN},
        **{name: settings[name] for name in SETTINGS},
        "foot_lock": FOOT_LOCK[flags["foot_lock"]],
    }
    options = AnimateOptions(
        out=flags["out"] or Path(shot).parent / settings["out"],
        stage=StageOptions(flags["session_layer"], flags["mute"], split(flags["mask"])),
        overrides=overrides_from(shot, **{name: flags[name] for name in RIG}),
        pictures=settings["pictures"],
        cache=cache_folder(settings),
        flan_t5=Path(settings["flan_t5_folder"]) if settings["flan_t5_folder"] else None,
    )
    return Settled(common, options, flags["as_json"], flags["dry_run"], flags["progress"])


def _show_plan(request: Request, options: AnimateOptions, as_json: bool) -> None:
    from unimate_dcc.model.weights import load_weights
    from unimate_dcc.pipeline.job import prepare

    plan = prepare(request, options, load_weights(request.weights).config.max_joints).describe()
    if as_json:
        click.echo(json.dumps({"schema": "unimate-plan", "schemaVersion": SCHEMA_VERSION, **plan}, indent=1))
        return
    for name, value in plan.items():
        click.echo(f"{name:9} {value}")


def _facts(job: Job, take: Take) -> dict[str, Any]:
    return {
        **job.describe(),
        "layer": str(take.layer),
        "shotLayer": str(take.shot_layer) if take.shot_layer else None,
        "version": take.version,
        "animation": take.animation,
        "contentSha256": take.digest,
        "worstMiss": take.worst_miss,
        "findings": [finding.to_json() for finding in take.findings],
    }


def _tell(job: Job, take: Take) -> None:
    click.echo(f"{job.character.prim}: {job.rig.summary()}, {job.rig.category}")
    for line in (*job.rig.repairs, *(str(finding) for finding in take.findings)):
        click.echo(f"  {line}", err=True)
    click.echo(f"layer    {take.layer}")
    if take.shot_layer:
        click.echo(f"shot     {take.shot_layer}")
    sheet = take.layer.parent / "sheet.png"
    if take.shot_layer and sheet.is_file():
        click.echo(f"picture  {sheet}")
