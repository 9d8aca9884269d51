"""A misspelt name is answered with the known one that looks like it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Model, Puzzle, Shape, SudokuModelsError, export, solve
from sudoku_models.collection import variants
from sudoku_models.compare import Plan
from sudoku_models.compare.report import check_target
from sudoku_models.engine.refutation import chosen
from sudoku_models.formats import parse, read, write
from sudoku_models.formats.own_json import _kind, rules_of
from sudoku_models.formats.puzzle_columns import named_column
from sudoku_models.make import generate
from sudoku_models.prove import certify

CLASSIC = "1" + "." * 15


@pytest.mark.parametrize(
    ("call", "near"),
    [
        (lambda: solve(CLASSIC, "cpsat"), "cp-sat"),
        (lambda: solve(CLASSIC, "backtracking:stratgy=first"), "strategy"),
        (lambda: solve(CLASSIC, time_limmit=2), "time_limit"),
        (lambda: solve(CLASSIC, "cp-sat:presolve=tru"), "true"),
        (lambda: Puzzle.empty(4) + "AntiKnigt", "AntiKnight"),
        (lambda: export(CLASSIC, "minizync"), "minizinc"),
        (lambda: named_column(["name", "Puzzles"], "puzzle"), "Puzzles"),
        (lambda: variants(rule="thermo"), "Thermo"),
        (lambda: _kind("Termo"), "Thermo"),
        (lambda: parse("....", input_format="sudokupat"), "sudokupad"),
        (lambda: list(write([Puzzle.empty(4)], "fpuzzles")), "f-puzzles"),
        (lambda: chosen("cadicall"), "cadical"),
        (lambda: Model.parse("Alldifferent(x)"), "AllDifferent"),
        (lambda: parse(".Shape~4x4.Termo~R1C1~R1C2"), "Thermo"),
        (lambda: rules_of([{"rule": "Thermo", "cels": ["R1C1"]}], Shape.square(4)), "cells"),
        (lambda: parse("futoshki: 2:0,0,0,0"), "futoshiki"),
        (lambda: generate(1, symmetry="halfturn"), "half-turn"),
        (lambda: Plan.of(["backtracking"], repeat=2), "repeats"),  # type: ignore[call-arg]
        (lambda: Plan.of(["backtracking"], goal="uniqe"), "unique"),
        (lambda: certify(CLASSIC, "uniqe"), "unique"),
        (lambda: check_target(Path("report.htm")), ".html"),
        (lambda: list(read(io.BytesIO(b"puzzle,b\n1...............,2\n"), column="puzle")), "puzzle"),
    ],
)
def test_the_known_name_is_offered(call: Callable[[], Any], near: str) -> None:
    with pytest.raises((SudokuModelsError, ValueError, TypeError), match=f"; did you mean {near}\\?"):
        call()
