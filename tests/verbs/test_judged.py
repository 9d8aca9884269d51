"""Nothing leaves the road unjudged: a rule whose lowering and judge disagree, by every verb and way of running."""

from __future__ import annotations

import asyncio
import csv
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import sudoku_models as sm
from sudoku_models import Puzzle, Shape
from sudoku_models.engine import Request
from sudoku_models.engine.batch import run_batch, run_candidates
from sudoku_models.engine.registry import select
from sudoku_models.errors import WrongAnswer
from sudoku_models.explain import explain, hint, path, rate
from sudoku_models.explain.many import rate_into
from sudoku_models.make import generate, minimise, redundant
from sudoku_models.model import Variable
from sudoku_models.prove import certify
from sudoku_models.puzzle.rules import Thermo
from sudoku_models.puzzle.rules.rule_base import Rule
from sudoku_models.verbs.agreement import Verdict


@dataclass(frozen=True)
class Misread(Rule):
    """Says nothing to solvers, and refuses every board but those with ``value`` in R1C1."""

    value: int = 0

    def constraints(self, board: Any) -> tuple[()]:
        return ()

    def judge(self, grid: Any) -> bool:
        return bool(grid["R1C1"] == self.value)


OPEN = Puzzle.empty(Shape.square(4))
NEVER = OPEN.with_rules(Misread())


def refused(ask: Callable[[], object]) -> None:
    with pytest.raises(WrongAnswer, match="breaks the rule Misread"):
        ask()


ONE = Puzzle.parse("1234341221......").with_rules(Misread())
"""One solution, which the rule refuses."""


BACKENDS = ("backtracking", "cp-sat", "pycosat", "python-constraint")


WAYS: list[tuple[str, dict[str, Any]]] = [
    *((backend, {}) for backend in BACKENDS),
    ("backtracking", {"time_limit": 60}),
    ("pycosat", {"memory_limit": 2 << 30}),
    ("portfolio:(backtracking)|(pycosat)", {}),
]


@pytest.mark.parametrize(("backend", "limits"), WAYS, ids=str)
def test_every_verb_judges_on_every_backend(backend: str, limits: dict[str, Any]) -> None:
    refused(lambda: sm.solve(NEVER, backend, **limits))
    refused(lambda: sm.solve(NEVER.structure, backend, **limits))
    refused(lambda: next(sm.solutions(NEVER, backend, limit=2, **limits)))
    refused(lambda: sm.count(NEVER, backend, **limits))
    refused(lambda: sm.is_unique(NEVER, backend, **limits))
    refused(lambda: sm.candidates(NEVER, backend, **limits))
    refused(lambda: list(sm.solve_many([NEVER], backend, **limits)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_second_solution_is_judged_where_uniqueness_is_asked(backend: str) -> None:
    first = sm.solve(OPEN, backend).grid
    assert first is not None
    puzzle = OPEN.with_rules(Only(first.values))
    assert sm.solve(puzzle, backend).grid == first
    with pytest.raises(WrongAnswer, match="breaks the rule Only"):
        sm.solve(puzzle, backend, unique=True)


@dataclass(frozen=True)
class Only(Rule):
    """Says nothing to solvers, and refuses every board but one."""

    values: tuple[Any, ...] = ()

    def constraints(self, board: Any) -> tuple[()]:
        return ()

    def judge(self, grid: Any) -> bool:
        return grid.along(grid.board.shape.names) == list(self.values)


def test_cross_checks_say_wrong() -> None:
    found = sm.cross_check(NEVER, BACKENDS)
    assert {answer.verdict for answer in found.answers} == {Verdict.WRONG}


def test_batches_are_judged() -> None:
    np = pytest.importorskip("numpy", reason="not applicable (platform): numpy is not there")
    pytest.importorskip("llvmlite", reason="not applicable (platform): llvmlite is not there")
    puzzle = Puzzle.empty(Shape.square(9)).with_rules(Misread())
    rows, selection = np.zeros((2, 81), np.uint8), select("bitset")
    with pytest.raises(WrongAnswer, match="row 0"):
        run_batch(puzzle.structure, selection, rows, Request(limit=1))
    with pytest.raises(WrongAnswer, match="row 0"):
        run_candidates(puzzle.structure, selection, rows, Request())


def test_the_other_front_ends_judge() -> None:
    async def all_of() -> list[Any]:
        asked = (sm.asolve(NEVER), sm.acount(NEVER, "backtracking"))
        many = [found async for found in sm.asolve_many([NEVER], on_error="return")]
        return [*await asyncio.gather(*asked, return_exceptions=True), *many]

    assert {type(found) for found in asyncio.run(all_of())} == {WrongAnswer}
    said = list(sm.solve_many([NEVER, NEVER], jobs=2, on_error="return"))
    assert {type(found) for found in said} == {WrongAnswer}


SCRIPT = """
import json, sys
from sudoku_models.puzzle.rules import Thermo
from sudoku_models.cli import main
Thermo.judge = lambda self, grid: False
for command in json.loads(sys.argv[1]):
    print(int(main.run(command)), flush=True)
"""
COMMANDS = [
    ["solve", "--unique"],
    ["solve", "--limit", "3"],
    ["solve", "--jobs", "2"],
    ["solve", "--time-limit", "60"],
    ["count"],
    ["candidates"],
    ["solve", "--format", "csv"],
]


def test_the_command_line_judges() -> None:
    commands = [[first, ".Shape~4x4.Thermo~R1C1~R1C2", "--backend", "backtracking", *rest] for first, *rest in COMMANDS]
    program = [sys.executable, "-c", SCRIPT, json.dumps(commands)]
    done = subprocess.run(program, capture_output=True, text=True)
    codes = [line for line in done.stdout.splitlines() if line.isdigit()]
    assert codes == ["4"] * len(COMMANDS), done.stdout + done.stderr
    assert done.stderr.count("breaks the rule") >= len(COMMANDS)


VERBS: dict[str, Callable[[Puzzle], object]] = {
    "explain": explain,
    "certify": certify,
    "certify unique": lambda puzzle: certify(puzzle, "unique"),
    "certify unsatisfiable": lambda puzzle: certify(puzzle, "unsatisfiable"),
    "certify count": lambda puzzle: certify(puzzle, "count", count=1),
    "minimise": minimise,
    "redundant": redundant,
    "path": path,
    "rate": rate,
    "hint": hint,
    "hint of a cell": lambda puzzle: hint(puzzle, cell="R4C4"),
    "hint after an entry": lambda puzzle: hint(puzzle, {"R4C4": 1}),
}


@pytest.mark.parametrize("verb", VERBS)
def test_the_verbs_that_explain_make_and_prove_judge(verb: str) -> None:
    refused(lambda: VERBS[verb](ONE))


def test_rules_that_are_kept_judge_what_is_asked_of_the_other_parts() -> None:
    first = sm.solve(OPEN).grid
    assert first is not None
    puzzle = Puzzle.parse(str(first)).with_rules(Only(first.values))
    with pytest.raises(WrongAnswer, match="breaks the rule Only"):
        minimise(puzzle, kinds=("given",))
    at = Variable("R1C1", range(1, 5))
    with pytest.raises(WrongAnswer, match="breaks the rule Misread"):
        explain(NEVER, soft=[at == 1, at == 2])


def test_puzzles_with_a_rule_are_not_made_of_boards_that_it_refuses() -> None:
    refused(lambda: list(generate(1, shape=Shape.square(4), rules=(Misread(),), seed=1, tries=3)))


TEXT = ".Shape~4x4.Thermo~R1C1~R1C2"


@pytest.fixture
def strict_thermo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thermo, "judge", lambda self, grid: False)


@pytest.mark.usefixtures("strict_thermo")
@pytest.mark.parametrize("name", ["solve_into", "count_into", "candidates_into", "rate_into"])
def test_rows_of_files_are_judged(name: str, tmp_path: Path) -> None:
    from sudoku_models import bulk

    into: Any = rate_into if name == "rate_into" else getattr(bulk, name)
    into([TEXT], tmp_path / "out.csv")
    (row,) = csv.DictReader((tmp_path / "out.csv").open())
    assert row["status"] == "WRONG" and "breaks the rule Thermo" in row["reason"]


def test_the_interactive_grid_judges() -> None:
    pytest.importorskip("anywidget", reason="not applicable (platform): anywidget is not there")
    from sudoku_models.widget import SudokuWidget

    grid = SudokuWidget(NEVER)
    refused(grid.solve)
    refused(grid.hint)
