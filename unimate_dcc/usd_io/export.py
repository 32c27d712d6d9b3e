"""Store a layer in a new file."""

from __future__ import annotations

from pathlib import Path

from pxr import Sdf, Tf

from unimate_dcc.errors import TargetError
from unimate_dcc.usd_io.versions import from_os_error


def export(layer: Sdf.Layer, path: Path, form: str) -> None:
    """Write a layer to a new file, ``form`` ``usda`` or ``usdc`` whatever the suffix.

    Raises:
        TargetError, TemporaryError: the disk said no; the file is gone.
    """
    try:
        if layer.Export(str(path), args={"format": form}):
            return
    except Tf.ErrorException:
        pass  # USD words the reason for people only; the trial below asks the operating system for it
    path.unlink(missing_ok=True)
    trial = path.with_name(f".{path.name}.trial")
    try:
        trial.write_bytes(b"\0" * (1 << 20))
    except OSError as error:
        raise from_os_error(path.parent, error) from error
    finally:
        trial.unlink(missing_ok=True)
    raise TargetError(str(path), "USD could not write it")
