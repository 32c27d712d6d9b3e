"""``animate``: generate motion from a prompt and publish it as a new layer."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unimate_dcc.cli.options import json_flag, overrides_from, prim_flag, rig_flags, split, stage_flags
from unimate_dcc.cli.progress import MODES, reporter
from unimate_dcc.errors import MissingExtraError
from unimate_dcc.request import FootLock, GenerateRequest
from unimate_dcc.settings import Settings, cache_folder, load_settings

if TYPE_CHECKING:
    from unimate_dcc.pipeline.animate import AnimateOptions, Job
    from unimate_dcc.usd_io.write import Take

SCHEMA_VERSION = 1
FOOT_LOCK: dict[bool | None, FootLock] = {None: "auto", True: "on", False: "off"}


@click.command("animate", short_help="Generate motion from a prompt.")
@click.argument("shot", type=click.Path())
@click.option("--prompt", help="What the character does: one motion, in English.")
@click.option("--from-clip", metavar="PRIM", help="Use this SkelAnimation of the stage instead of generating.")
@prim_flag
@click.option("-f", "--frames", metavar="RANGE", help="Such as 1001-1100 or 1001:1100; the shot's range by default.")
@click.option("--seconds", type=float, help="Length from the first frame, instead of --frames.")
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result.")
@click.option("--takes", type=int, default=1, show_default=True, help="Takes, with seeds SEED, SEED + 1, ...")
@click.option("--steps", type=int, help="Solver steps.")
@click.option("--solver", help="euler, midpoint or dopri5.")
@click.option("--guidance", type=float, help="Higher follows the prompt more closely.")
@click.option("--root", default="world", show_default=True, help="world cancels ancestors' motion, parent rides on it.")
@click.option("--foot-lock/--no-foot-lock", default=None, help="Pin standing feet; by the kind of body by default.")
@click.option("--handles", type=int, default=0, show_default=True, help="Frames added on both sides.")
@click.option("--subframes", type=int, default=1, show_default=True, help="Samples per frame.")
@click.option("--extend", is_flag=True, help="Allow frames outside the shot's range.")
@click.option("--uninstance", is_flag=True, help="Break the instance that hides the take, in our layer.")
@click.option("--weights", help="Name or path of the weights.")
@click.option("--device", help="auto, cpu, cuda or mps.")
@click.option("--dtype", help="auto, float32 or bfloat16.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for takes, or one .usd file.")
@click.option("--pictures/--no-pictures", default=None, help="Draw a contact sheet and an animation.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option("--progress", type=click.Choice(MODES), default="auto", show_default=True, help="How to report steps.")
@rig_flags
@stage_flags
@json_flag
def command(
    shot: str, prompt: str | None, from_clip: str | None, prim: str | None, frames: str | None, seconds: float | None,
    seed: int, takes: int, steps: int | None, solver: str | None, guidance: float | None, root: str, handles: int,
    subframes: int, extend: bool, uninstance: bool, weights: str | None, device: str | None, dtype: str | None,
    foot_lock: bool | None, out: Path | None, pictures: bool | None, dry_run: bool, progress: str,
    session_layer: str | None, mute: tuple[str, ...], mask: tuple[str, ...], as_json: bool, **rig: Any,
) -> None:  # fmt: skip
    """Generate motion for one character of SHOT and publish it as a new layer beside the shot.

    The shot and its assets are never written to.
    """
    if prompt is None and from_clip is None:
        raise click.UsageError("say what to do with --prompt 'a fox trots forward', or name a --from-clip")
    settings = load_settings(
        Path(shot).parent,
        {"weights": weights, "device": device, "dtype": dtype, "steps": steps, "solver": solver,
         "guidance": guidance, "pictures": pictures},
    )  # fmt: skip
    wording = prompt if prompt is not None else f"as {from_clip}"
    request = GenerateRequest(
        shot=shot, prompt=wording, prim=prim, frames=frames, seconds=seconds, seed=seed,
        steps=settings["steps"], solver=settings["solver"], guidance=settings["guidance"], root=root,  # type: ignore[arg-type]
        handles=handles, subframes=subframes, extend=extend, uninstance=uninstance, weights=settings["weights"],
        device=settings["device"], dtype=settings["dtype"], takes=takes, foot_lock=FOOT_LOCK[foot_lock],
    )  # fmt: skip
    options = _options(settings, shot, out, session_layer, mute, mask, rig)
    if dry_run:
        _show_plan(request, options, as_json)
        return
    results = _run(request, options, from_clip, progress)
    if as_json:
        document = {
            "schema": "unimate-animate",
            "schemaVersion": SCHEMA_VERSION,
            "takes": [_facts(*r) for r in results],
        }
        click.echo(json.dumps(document, indent=1))
        return
    for job, take in results:
        _tell(job, take)


def _options(
    settings: Settings, shot: str, out: Path | None, session_layer: str | None, mute: tuple[str, ...],
    mask: tuple[str, ...], rig: dict[str, Any],
) -> AnimateOptions:  # fmt: skip
    from unimate_dcc.pipeline.animate import AnimateOptions
    from unimate_dcc.pipeline.stage import StageOptions

    return AnimateOptions(
        out=out or Path(shot).parent / settings["out"],
        stage=StageOptions(session_layer, mute, split(mask)),
        overrides=overrides_from(shot, **rig),
        pictures=settings["pictures"],
        cache=cache_folder(settings),
        flan_t5=Path(settings["flan_t5_folder"]) if settings["flan_t5_folder"] else None,
    )


def _run(
    request: GenerateRequest, options: AnimateOptions, from_clip: str | None, progress: str
) -> list[tuple[Job, Take]]:
    from unimate_dcc.pipeline.animate import animate, animate_from_clip

    if from_clip is not None:
        return [animate_from_clip(request, from_clip, options)]
    if find_spec("torch") is None:
        raise MissingExtraError("torch", "model")
    return animate(request, options, on_step=reporter(progress))


def _show_plan(request: GenerateRequest, options: AnimateOptions, as_json: bool) -> None:
    from unimate_dcc.model.weights import load_weights
    from unimate_dcc.pipeline.animate import prepare

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
