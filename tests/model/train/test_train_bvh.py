"""Reading BVH: channels in their order, resampling, and damaged files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from unimate_dcc.model.train.bvh import read_bvh
from unimate_dcc.model.train.source import SourceError

TEXT = """HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Thigh
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -80 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.1
0 90 0 0 0 0 90 0 0
0 95 30 0 0 0 90 90 0
"""


def test_joints_offsets_and_channels_are_read(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text(TEXT, encoding="utf-8")
    source = read_bvh(path)
    assert source.names == ("Hips", "Thigh", "Thigh_end")
    assert source.parents == (-1, 0, 1)
    assert np.allclose(source.rest[2, :3, 3], [10, 10, 0])
    (clip,) = source.clips
    assert clip.name == "walk"
    assert len(clip.world) == 4
    assert np.allclose(clip.world[0, :, :3, 3], [[0, 90, 0], [10, 90, 0], [90, 90, 0]])


def test_rotations_apply_in_the_order_listed(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text(TEXT, encoding="utf-8")
    last = read_bvh(path).clips[0].world[-1]
    # Z by 90 turns the bone to +X; X by 90, about the turned axis, leads it to +Z
    assert np.allclose(last[:, :3, 3], [[0, 95, 30], [10, 95, 30], [10, 95, -50]], atol=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("HIERARCHY", "", "HIERARCHY"),
        ("Frames: 2", "Frames: 3", "announced"),
        ("Frame Time: 0.1", "Frame Time: x", "could not convert"),
        ("Zrotation Xrotation Yrotation\n  JOINT", "Wwarp Xrotation Yrotation\n  JOINT", "Wwarp|wwarp"),
        ("MOTION", "", "unexpected word"),
    ],
)
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = tmp_path / "broken.bvh"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SourceError, match=rf"broken\.bvh.*({problem})"):
        read_bvh(path)
