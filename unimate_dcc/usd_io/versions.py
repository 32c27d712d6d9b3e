"""Version folders: claimed once, filled beside, published by one rename, never overwritten."""

from __future__ import annotations

import errno
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from unimate_dcc.errors import ConflictError, TargetError, TemporaryError

VERSION = re.compile(r"^v(\d{3,})$")
TRIES = 10_000


@dataclass(frozen=True)
class Target:
    """Where a take goes.

    Attributes:
        root: Folder that holds a folder per character; unused with ``file``.
        file: One file instead of versions.
    """

    root: Path
    file: Path | None = None

    def check(self) -> None:
        """Refuse, before any work, what cannot be written; probes by writing, since permission bits lie on shares.

        Raises:
            TargetError: read-only, a package, or a file that exists.
        """
        if self.file is not None:
            if self.file.suffix not in (".usd", ".usda", ".usdc"):
                raise TargetError(str(self.file), "a take is written to .usd, .usda or .usdc")
            if self.file.exists():
                raise TargetError(str(self.file), "exists already; takes never overwrite, choose another name")
            probe(self.file.parent)
        else:
            probe(self.root)


def probe(folder: Path) -> None:
    """Raise when no file can be made in a folder, or in its nearest existing parent."""
    place = folder
    while not place.exists():
        place = place.parent
    if not place.is_dir():
        raise TargetError(str(place), "is a file where a folder is needed")
    trial = place / f".unimate-probe-{uuid.uuid4().hex}"
    try:
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError as error:
        raise from_os_error(place, error) from error


def from_os_error(place: Path, error: OSError) -> TargetError | TemporaryError:
    """Our error for one of the operating system's."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return TemporaryError(str(place), "no space left")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return TargetError(str(place), "is not writable; choose another place with --out")
    return TargetError(str(place), f"cannot be written: {error.strerror or error}")


def claim_by_file(folder: Path) -> int:
    """Claim the next free version of a character's folder; two claimers never get the same number."""
    claims = folder / ".claims"
    claims.mkdir(parents=True, exist_ok=True)
    number = max([0, *_taken(folder), *_taken(claims)]) + 1
    for _ in range(TRIES):
        try:
            os.close(os.open(claims / f"v{number:03d}", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return number
        except FileExistsError:
            number += 1
    raise ConflictError(str(folder), f"no free version found in {TRIES} tries")


def _taken(folder: Path) -> list[int]:
    return [int(match[1]) for name in os.listdir(folder) if (match := VERSION.match(name))]


@contextmanager
def partial_folder(parent: Path) -> Iterator[Path]:
    """A hidden folder to work in; gone afterwards unless it was renamed away."""
    folder = parent / f".partial-{uuid.uuid4().hex}"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        yield folder
    except OSError as error:
        raise from_os_error(parent, error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish_folder(partial: Path, final: Path) -> None:
    """Make every file durable and read-only, then let the whole version appear at once.

    Raises:
        ConflictError: the version is there already.
    """
    for file in sorted(partial.rglob("*")):
        if file.is_file():
            sync(file)
            file.chmod(0o444)
    sync(partial)
    if final.exists():
        raise ConflictError(str(final), "is published already")
    partial.rename(final)
    sync(final.parent)


def publish_file(partial: Path, final: Path) -> None:
    """Give a finished file its name, refusing to replace another.

    Raises:
        TargetError: the name is taken.
    """
    sync(partial)
    try:
        os.link(partial, final)
    except FileExistsError as error:
        raise TargetError(str(final), "exists already; takes never overwrite, choose another name") from error
    partial.unlink()
    sync(final.parent)


def sync(path: Path) -> None:
    """Flush a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
