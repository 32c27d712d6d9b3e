"""Every error words itself in one line and survives a trip through the farm."""

from __future__ import annotations

import pickle

import pytest

from unimate_dcc import errors
from unimate_dcc.errors import UnimateError, closest

EXAMPLES: list[UnimateError] = [
    errors.CheckFailedError("shot.usd", "2 errors"),
    errors.ConflictError("v001", "is claimed"),
    errors.TemporaryError("/tmp", "no space left"),
    errors.BadFramesError("9-1", "runs backwards"),
    errors.BadPromptError("is empty"),
    errors.BadRequestError("steps", 0, "must be 1 or more"),
    errors.AmbiguousPrimError("shot.usd", ["/A", "/B"]),
    errors.ConfigError("unimate.toml:1", "unknown key"),
    errors.WeightsError("x", "missing"),
    errors.MissingExtraError("torch", "model"),
    errors.StageOpenError("shot.usd", "no such file"),
    errors.NoSkeletonError("shot.usd", ["/A: no joints"]),
    errors.UnknownPrimError("shot.usd", "/Fxo", ["/Fox"]),
    errors.PrimRefusedError("shot.usd", "/Path", "has 1 point; a path needs two or more"),
    errors.UnknownJointError("/Fox", "Hedd", ["Hips", "Head"]),
    errors.SkeletonRefusedError("/Fox", "has no joints"),
    errors.NonFiniteError("/Fox", "Head", [1003.0]),
    errors.FrameRangeError("shot.usd", "outside"),
    errors.TargetError("out", "is not writable"),
    errors.JointLimitError("/Fox", 90, 71, "--max-joints 71"),
]
CODES = {"UsageError": 2, "InputError": 3, "CheckFailedError": 4, "ConflictError": 9, "TemporaryError": 75}


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling_and_is_one_line(error: UnimateError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert "\n" not in str(error)
    assert vars(again) == vars(error)


def test_every_concrete_error_is_among_the_examples() -> None:
    def leaves(kind: type[UnimateError]) -> set[str]:
        below = [leaf for sub in kind.__subclasses__() if sub.__module__ == errors.__name__ for leaf in leaves(sub)]
        return set(below) or {kind.__name__}

    assert leaves(UnimateError) == {type(error).__name__ for error in EXAMPLES}


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_the_exit_code_is_that_of_its_branch(error: UnimateError) -> None:
    branch = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in CODES)
    assert error.exit_code == CODES[branch]
    assert type(error).__name__ in (errors.__doc__ or "")


def test_the_nearest_names_are_suggested() -> None:
    assert "Head" in str(errors.UnknownJointError("/Fox", "Hedd", ["Hips", "Head"]))
    assert closest("nothing like it", []) == "none"
