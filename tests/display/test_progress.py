"""A bar counts what is done, where it is wanted, and leaves what is counted as it is."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from sudoku_models import solve_many
from sudoku_models.compare import compare
from sudoku_models.display.progress import tracked
from sudoku_models.make import generate

FOUR = "12.434.2214....."


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal would show."""
    shown = io.StringIO()

    def console(**_: Any) -> Console:
        return Console(file=shown, force_terminal=True, width=100)

    monkeypatch.setattr("rich.console.Console", console)
    return shown


def test_items_come_as_they_are_and_are_counted(screen: io.StringIO) -> None:
    assert list(tracked(iter("abc"), "reading", 3)) == ["a", "b", "c"]
    assert "reading" in screen.getvalue() and "3/3" in screen.getvalue()


def test_puzzles_and_runs_are_counted_only_where_that_is_wanted(screen: io.StringIO) -> None:
    assert len(list(solve_many([FOUR] * 3, "backtracking"))) == 3
    assert len(generate(2, clues=30, minimal=False, seed=1)) == 2
    assert screen.getvalue() == ""
    assert len(list(solve_many([FOUR] * 3, "backtracking", progress=True))) == 3
    assert len(generate(2, clues=30, minimal=False, seed=1, progress=True)) == 2
    compare([FOUR], ["backtracking", "pycosat"], time_limit=60, progress=True)
    text = screen.getvalue()
    assert all(part in text for part in ("solving", "3/3", "making puzzles", "2/2", "comparing"))
