"""Progress on stderr: a bar on a terminal, one plain line in ten elsewhere, events for machines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

MODES = ("auto", "json", "openjd", "none")


def reporter(mode: str) -> Callable[[int, int], None]:
    """A function that is told steps done and in all."""
    if mode == "none":
        return lambda done, total: None
    if mode == "json":
        return lambda done, total: _line(json.dumps({"event": "step", "done": done, "total": total}))
    if mode == "openjd":
        return lambda done, total: _line(f"openjd_progress: {100.0 * done / total:.1f}")
    if sys.stderr.isatty():
        return _bar()
    return _sparse()


def _bar() -> Callable[[int, int], None]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("generating"), BarColumn(), TextColumn("{task.completed}/{task.total}"), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task = bar.add_task("generating", total=None)

    def report(done: int, total: int) -> None:
        if not bar.live.is_started:
            bar.start()
        bar.update(task, completed=done, total=total)
        if done >= total:
            bar.stop()

    return report


def _sparse() -> Callable[[int, int], None]:
    began = time.monotonic()

    def report(done: int, total: int) -> None:
        if done * 10 // total != (done - 1) * 10 // total:
            _line(f"generating: step {done} of {total}, {time.monotonic() - began:.1f} s")

    return report


def _line(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
