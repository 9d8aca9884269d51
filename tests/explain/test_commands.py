"""``explain``, ``hint``, ``path`` and ``rate`` on the command line: models, large boards, rare rules and values."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape, solve
from sudoku_models.formats import write
from sudoku_models.puzzle.rules.chaos import ChaosConstruction
from sudoku_models.puzzle.rules.chess import AntiKnight
from sudoku_models.puzzle.rules.relations import Line

SIX = Shape.square(6)


def remainder() -> Line:
    """Return that the values of row 1, as digits to base 7, leave a certain rest; its automaton has 301 states."""
    return Line.of(SIX.names[:6], lambda rest, value: (7 * rest + value) % 301, 0, lambda rest: rest == 123 % 301)


@cache
def boards() -> dict[str, Puzzle]:
    """Return boards with one solution, by what is unusual about them."""
    puzzles = {
        "100 cells": Puzzle.empty(Shape.square(10, (2, 5))),
        "values from -2": Puzzle.empty(replace(SIX, values=tuple(range(-2, 4)))),
        "values up to 60": Puzzle.empty(replace(SIX, values=tuple(range(10, 70, 10)))),
        "301 states": Puzzle.empty(SIX).with_rules(remainder()),
        "the whole board": Puzzle.empty(SIX).with_rules(AntiKnight()),
        "unknown regions": Puzzle.empty(Shape.latin(4)).with_rules(ChaosConstruction()),
    }
    return {name: _filled(puzzle) for name, puzzle in puzzles.items()}


def _filled(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with two thirds of the givens of a solution, or all but one where that is not enough."""
    found = solve(puzzle)
    assert found.values
    values = [found.values[x] for x in puzzle.shape.names]
    for part in (3, 5, 9, len(values)):
        open_cells = set(random.Random(3).sample(range(len(values)), len(values) // part))
        made = replace(puzzle, givens=tuple(None if c in open_cells else v for c, v in enumerate(values)))
        extra = [x for i, x in enumerate(puzzle.names[len(values) :]) if i % part]
        made = made.with_(*(f"{x} == {found.values[x]}" for x in extra)) if extra else made
        if solve(made, unique=True).unique:
            break
    return made


@pytest.mark.parametrize("kind", boards())
def test_each_verb_answers_on_unusual_boards(program: Any, tmp_path: Path, kind: str) -> None:
    puzzle = boards()[kind]
    file = tmp_path / "board.json"
    file.write_text("".join(write([puzzle], "json")))
    explained = json.loads(program("explain", "-f", "jsonl", file).stdout)
    assert explained["status"] == "one solution"
    hinted = json.loads(program("hint", "-f", "jsonl", file).stdout)
    assert hinted["steps"] and hinted["level"].startswith("1.")
    assert program("path", file).stdout.splitlines()[-1].startswith("solved; the highest level is ")
    rating = json.loads(program("rate", "-f", "jsonl", file).stdout)
    assert rating["exact"] and rating["status"] == "rated"
    cell = next(x for x, v in zip(puzzle.shape.names, puzzle.givens, strict=True) if v is None)
    led = json.loads(program("hint", "-f", "jsonl", "--cell", cell, file).stdout)
    assert led["steps"][-1]["placed"] or any(cell == x for x, _ in led["steps"][-1]["removed"])
