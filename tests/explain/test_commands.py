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
from sudoku_models.explain import SeveralSolutions, explain
from sudoku_models.formats import write
from sudoku_models.puzzle.rules.chaos import ChaosConstruction
from sudoku_models.puzzle.rules.chess import AntiKnight
from sudoku_models.puzzle.rules.relations import Line

MODEL = """variable a in -3..11
variable b in -3..11
variable c in -3..11
variable d in -3..11
Linear([1, 1, 1, 1], [a, b, c, d], ==, 38)
Compare(a, <, b, 0)
Compare(b, <, c, 0)
Compare(c, <, d, 0)
"""
SIX = Shape.square(6)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.txt"
    path.write_text(MODEL)
    return path


class TestModel:
    def test_it_is_explained(self, program: Any, model: Path) -> None:
        done = program("explain", "--model", model)
        assert done.exit_code == 0 and done.stdout.startswith(
            "There is exactly one solution. Every given and every rule"
        )
        model.write_text(f"{MODEL}Compare(a, ==, d, 0)\n")
        record = json.loads(program("explain", "--model", model, "-f", "jsonl").stdout)
        assert record["status"] == "no solution" and record["source"] == str(model)
        assert record["repair"]["text"].startswith("Without Compare(a, ") and len(record["repair"]["parts"]) == 1

    def test_a_hint_goes_on_from_what_is_known(self, program: Any, model: Path) -> None:
        done = program("hint", "--model", model, "--state", "a=8, d=11", "--cell", "c")
        assert done.exit_code == 0 and done.stdout.rstrip().endswith("c is 10.")
        assert program("hint", "--model", model, "--state", "a=7").stdout.startswith("a = 7 is wrong. ")
        refused = program("hint", "--model", model, "--state", "8")
        assert refused.exit_code == 2 and "NAME=VALUE is expected" in refused.stderr

    def test_its_path_and_its_rating_are_written(self, program: Any, model: Path) -> None:
        lines = program("path", "--model", model).stdout.splitlines()
        assert lines[-1] == "solved; the highest level is 1.2"
        assert program("rate", "--model", model).stdout == "level 1.2\n"

    @pytest.mark.parametrize("verb", ["explain", "hint", "path", "rate"])
    def test_what_cannot_be_is_refused(self, program: Any, model: Path, verb: str) -> None:
        both = program(verb, "--model", model, "12.434.2214.....")
        assert both.exit_code == 2 and "--model cannot be combined with files of puzzles" in both.stderr
        model.write_text("variable a\n")
        done = program(verb, "--model", model)
        assert done.exit_code == 2 and "model.txt" in done.stderr and "Traceback" not in done.stderr


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


@pytest.mark.parametrize("verb", ["path", "rate"])
def test_a_wrong_board_without_an_open_cell_has_no_solution(program: Any, verb: str) -> None:
    done = program(verb, "-", input="1134341221434321\n")
    assert done.exit_code == 1 and "level 1.1" in done.stdout and not done.stderr


def test_solutions_that_differ_in_extra_cells_alone_are_told_apart_by_these() -> None:
    board = Puzzle.parse("1234241.31424321", shape=Shape.latin(4)).with_rules(ChaosConstruction())
    found = explain(board)
    assert isinstance(found, SeveralSolutions) and all(x.startswith("CC") for x in found.differ)
    assert found.clues and all(x.startswith("CC") for x, _ in found.clues)
