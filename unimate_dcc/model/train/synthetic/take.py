"""What an action gives back: a script and the words for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unimate_dcc.model.train.synthetic.body import Body
from unimate_dcc.model.train.synthetic.script import Script
from unimate_dcc.skeleton import FloatArray


@dataclass(frozen=True, eq=False)
class Take:
    """One motion of a body.

    Attributes:
        verb: Such as ``walks forward``.
        script: The motion.
        loop: The last pose is the first again, travel aside.
        path: (T, 3) metres of travel that the root carries; None for a motion on the spot.
    """

    verb: str
    script: Script
    loop: bool = False
    path: FloatArray | None = None


Action = Callable[[Body, np.random.Generator], Take]
