"""Mistakes are answered with what to write: misspelt names, a newcomer's first calls, arguments of wrong types."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sudoku_models
from sudoku_models import Grid, Model, Puzzle, Shape, SudokuModelsError, export, solve
from sudoku_models.collection import variants
from sudoku_models.compare import Plan
from sudoku_models.compare.report import check_target
from sudoku_models.engine.refutation import chosen
from sudoku_models.explain import hint
from sudoku_models.formats import parse, read, write
from sudoku_models.formats.own_json import _kind, rules_of
from sudoku_models.formats.table import named_column
from sudoku_models.make import generate
from sudoku_models.prove import certify
from sudoku_models.puzzle.rules import AntiKnight, KillerCage, Thermo

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


FOUR = Puzzle.parse("1.3...2....3.4..")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FOUR.with_givens(None), r'None is not a mapping from cell names to .*\{"R1C1": 5\}'),  # type: ignore[arg-type]
        (lambda: FOUR.with_givens({(0, 1): 2}), r"\(0, 1\) is not a cell: R1C1 to R4C4"),  # type: ignore[dict-item]
        (lambda: FOUR.with_givens({"R1C2": "2"}), "the value of R1C2 is '2', which is not an integer"),  # type: ignore[dict-item]
        (lambda: FOUR.with_candidates({"R1C2": 2}), "R1C2: values are expected"),  # type: ignore[dict-item]
        (lambda: FOUR.with_rules(AntiKnight), r"AntiKnight is a kind of rule.*AntiKnight\(...\)"),  # type: ignore[arg-type]
        (lambda: FOUR + AntiKnight, r"AntiKnight\(...\) makes such a rule"),  # type: ignore[operator]
        (lambda: FOUR.with_rules("AntiKnight"), r"AntiKnight\(...\) makes such a rule"),  # type: ignore[arg-type]
        (lambda: KillerCage(("R1C1",), sum=5), "KillerCage has no field 'sum': cells, total are"),  # type: ignore[call-arg]
        (lambda: Thermo("R1C1", "R1C2"), r"Thermo takes at most 1 values \(cells\), not 2"),  # type: ignore[call-arg,arg-type]
        (lambda: solve(FOUR, "cp-sat:presolve=tru"), "true or false is expected; did you mean true"),
        (lambda: solve(FOUR, "cp-sat:workers=two"), "a whole number is expected"),
        (lambda: hint(FOUR, "R1C2"), r"R1C2 is a cell: hint\(puzzle, cell='R1C2'\)"),
        (lambda: Grid.from_rows(FOUR), "rows of values are expected"),  # type: ignore[arg-type]
        (lambda: parse("puzzle.txt"), "looks like the name of a file"),
        (lambda: parse("order 3"), "quasigroup: 1 to 35 rows"),
    ],
)
def test_a_first_mistake_is_answered_with_what_to_write(call: Callable[[], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call()


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
