"""Statistics files: read when plain, refused when they bring anything else."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unimate_dcc.errors import WeightsError
from unimate_dcc.model.restricted_pickle import read_pickled_dict


def as_npy(payload: bytes) -> bytes:
    """A 0-d object array file with ``payload`` for its pickle."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "|O", "fortran_order": False, "shape": ()})
    return stream.getvalue() + payload


class Hostile:
    """Would make a file when unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.mark}",)


def test_what_numpy_saved_comes_back(tmp_path: Path) -> None:
    values: dict[str, Any] = {
        "objaverse": {"mean_root": np.arange(12.0), "std": np.linspace(0, 1, 12).astype(">f4"), "tie_std": True},
        "shape": np.arange(6).reshape(2, 3).T,
        "count": np.float64(0.25),
        "pool": ["a", "b"],
    }
    file = tmp_path / "dataset_stats.npy"
    np.save(file, np.array(values, dtype=object))
    found = read_pickled_dict(file)
    np.testing.assert_array_equal(found["objaverse"]["mean_root"], values["objaverse"]["mean_root"])
    np.testing.assert_array_equal(found["objaverse"]["std"], values["objaverse"]["std"])
    np.testing.assert_array_equal(found["shape"], values["shape"])
    assert found["count"] == 0.25 and found["objaverse"]["tie_std"] is True and found["pool"] == ["a", "b"]


@pytest.mark.parametrize("protocol", range(3, 6))
def test_every_binary_protocol_is_read(tmp_path: Path, protocol: int) -> None:
    file = tmp_path / "dataset_stats.npy"
    file.write_bytes(as_npy(pickle.dumps(np.array({"a": np.arange(3.0)}, dtype=object), protocol)))
    np.testing.assert_array_equal(read_pickled_dict(file)["a"], np.arange(3.0))


@pytest.mark.parametrize("protocol", range(6))
def test_a_hostile_file_is_refused_and_nothing_runs(tmp_path: Path, protocol: int) -> None:
    mark, file = tmp_path / "ran", tmp_path / "dataset_stats.npy"
    file.write_bytes(as_npy(pickle.dumps({"mean_root": Hostile(mark)}, protocol)))
    with pytest.raises(WeightsError, match=r"asks for (posix|nt|os)\.system; only numeric arrays"):
        read_pickled_dict(file)
    assert not mark.exists()
    pickle.loads(pickle.dumps(Hostile(mark)))
    assert mark.exists(), "the test's own file would not have run"


def test_functions_of_numpy_are_refused_too(tmp_path: Path) -> None:
    file = tmp_path / "dataset_stats.npy"
    file.write_bytes(as_npy(b"cnumpy\nload\n(S'/etc/passwd'\ntR."))
    with pytest.raises(WeightsError, match=r"asks for numpy\.load"):
        read_pickled_dict(file)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"rubbish",
        as_npy(b""),
        as_npy(b"\x80\x04K\x01"),
        as_npy(pickle.dumps([1, 2])),
        as_npy(pickle.dumps(np.array([{"a": 1}, {"b": 2}], dtype=object))),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "dataset_stats.npy"
    file.write_bytes(content)
    with pytest.raises(WeightsError) as caught:
        read_pickled_dict(file)
    assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_a_plain_array_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "plain.npy", np.arange(3.0))
    with pytest.raises(WeightsError, match="holds no pickled dict"):
        read_pickled_dict(tmp_path / "plain.npy")
    with pytest.raises(WeightsError, match="cannot be read: No such file"):
        read_pickled_dict(tmp_path / "absent.npy")
