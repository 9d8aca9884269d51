"""What is no argument at all is refused in words by everything that can be called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sudoku_models
from sudoku_models import Puzzle, SudokuModelsError

WRONG = (None, 123, 5.5, object(), b"x", [None], {"a": 1}, "x", -1, float("nan"), ())
PUZZLE = Puzzle.parse("4" + "." * 80)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Everything that can be called on the package with one argument."""
    for name in sudoku_models.__all__:
        thing = getattr(sudoku_models, name)
        if inspect.isfunction(thing):
            yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            yield name, thing
            yield from ((f"{name}.{found}", method) for found, method in made_by(thing))
    for name in dir(PUZZLE):
        if not name.startswith("_") and callable(getattr(PUZZLE, name)):
            yield f"puzzle.{name}", getattr(PUZZLE, name)


def made_by(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(kind):
        if not name.startswith("_") and isinstance(inspect.getattr_static(kind, name), classmethod | staticmethod):
            yield name, getattr(kind, name)


@pytest.mark.parametrize(("name", "called"), [pytest.param(*found, id=found[0]) for found in public()])
def test_what_is_no_argument_is_refused_in_words(
    name: str, called: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for wrong in WRONG:
        try:
            result = called(wrong)
            if inspect.iscoroutine(result):
                result.close()
            elif isinstance(result, Iterator):
                next(result, None)
        except (TypeError, ValueError, OSError, SudokuModelsError) as error:
            assert str(error), f"{name}({wrong!r})"
