"""Read a pickled numpy file without running what it brings.

``dataset_stats.npy`` of the official folders is a pickled dict. A pickle may name any
function; this reader admits what rebuilds plain numeric arrays and nothing else.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from unimate_dcc.errors import WeightsError

LARGEST_FILE = 16 * 2**20
"""Bytes; the released statistics are a few kilobytes."""
PLAIN_DTYPE = re.compile(r"[fiub][1248]")
OBJECT_DTYPE = "O8"
DAMAGED = (pickle.UnpicklingError, EOFError, ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError)
"""What the standard unpickler raises on bytes that are no pickle."""


def read_pickled_dict(path: Path) -> dict[Any, Any]:
    """The dict inside a 0-d object array saved by numpy.

    Raises:
        WeightsError: The file is no such array, or names anything but plain arrays.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise WeightsError(str(path), f"is larger than {LARGEST_FILE} bytes, no statistics are")
        with path.open("rb") as stream:
            version = npy.read_magic(stream)
            read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, dtype = read_header(stream)
            if shape != () or not dtype.hasobject:
                raise WeightsError(str(path), "holds no pickled dict")
            found = _ArraysOnly(stream, path).load()
    except OSError as error:
        raise WeightsError(str(path), f"cannot be read: {error.strerror}") from error
    except DAMAGED as error:
        raise WeightsError(str(path), f"is damaged: {str(error).splitlines()[0] if str(error) else 'empty'}") from error
    inner = _plain(found)
    if not isinstance(inner, dict):
        raise WeightsError(str(path), f"holds a {type(inner).__name__}, expected a dict")
    return inner


class _ArraysOnly(pickle.Unpickler):
    """Admits numpy arrays, dtypes and scalars; refuses every other name before it is looked up."""

    def __init__(self, stream: Any, path: Path) -> None:
        super().__init__(stream)
        self._path = path

    def find_class(self, module: str, name: str) -> Any:
        """Stand-ins for the few admitted names; numpy 1 and 2 call the module differently."""
        admitted = _ADMITTED.get((module.replace("numpy._core", "numpy.core"), name))
        if admitted is None:
            raise WeightsError(str(self._path), f"asks for {module}.{name}; only numeric arrays are read from it")
        return admitted

    def persistent_load(self, pid: Any) -> Any:
        """No outside references."""
        raise WeightsError(str(self._path), "refers to something outside the file")


class _Dtype:
    """Stand-in for a dtype: a letter, a size, a byte order."""

    def __init__(self, spec: Any, *_: Any) -> None:
        if not (isinstance(spec, str) and (spec == OBJECT_DTYPE or PLAIN_DTYPE.fullmatch(spec))):
            raise pickle.UnpicklingError(f"dtype {spec!r} is not plain")
        self.spec, self.order = spec, "="

    def __setstate__(self, state: Any) -> None:
        self.order = state[1] if state[1] in ("<", ">") else "="

    @property
    def numeric(self) -> np.dtype[Any]:
        """The real dtype; objects have none."""
        if self.spec == OBJECT_DTYPE:
            raise pickle.UnpicklingError("an array of objects inside the dict")
        return np.dtype(self.order + self.spec)


class _Array:
    """Stand-in for an array: numpy's own ``__setstate__`` never sees the file's bytes."""

    def __init__(self, *_: Any) -> None:
        self.value: Any = None

    def __setstate__(self, state: Any) -> None:
        _, shape, dtype, fortran, raw = state
        if isinstance(raw, list):
            if shape != () or len(raw) != 1:
                raise pickle.UnpicklingError("more than one object")
            self.value = raw[0]
        else:
            self.value = _from_bytes(raw, dtype, shape, "F" if fortran else "C").value


def _from_bytes(raw: Any, dtype: _Dtype, shape: Any, order: Any) -> _Array:
    array = _Array()
    array.value = np.frombuffer(raw, dtype.numeric).reshape(shape, order="F" if order == "F" else "C").copy()
    return array


def _scalar(dtype: _Dtype, raw: Any = None) -> Any:
    return np.frombuffer(raw, dtype.numeric, count=1)[0]


def _plain(found: Any) -> Any:
    """The same with every stand-in replaced by what it stands for."""
    if isinstance(found, _Array):
        return _plain(found.value)
    if isinstance(found, dict):
        return {key: _plain(value) for key, value in found.items()}
    return found


_ADMITTED: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Dtype,
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("numpy.core.multiarray", "scalar"): _scalar,
    ("numpy.core.numeric", "_frombuffer"): _from_bytes,
}
