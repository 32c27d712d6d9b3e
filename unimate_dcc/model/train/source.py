"""What every reader of motion files hands over: named joints, their rest, and clips at 30 frames per second."""

from __future__ import annotations

from dataclasses import dataclass

from unimate_dcc.errors import InputError
from unimate_dcc.skeleton import FloatArray

FPS = 30.0


class SourceError(InputError):
    """A file of motion that cannot be read, or that this package has no reader for."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


@dataclass(frozen=True, eq=False)
class SourceClip:
    """A named motion.

    Attributes:
        name: As the file says.
        index: Its number in the file.
        world: (T, J, 4, 4) world matrices at 30 fps, in the file's units and Y up.
    """

    name: str
    index: int
    world: FloatArray


@dataclass(frozen=True, eq=False)
class Source:
    """The joints of one file; one tree or several.

    Attributes:
        place: File, and prim where a file holds several skeletons; for messages.
        names: J joint names.
        parents: J parents among the joints, before their children; -1 at the top of each tree.
        rest: (J, 4, 4) world matrices at rest.
        weights: (J,) sums of skinning weights, or None where no mesh tells.
        clips: All motions.
    """

    place: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    rest: FloatArray
    weights: FloatArray | None
    clips: tuple[SourceClip, ...]
