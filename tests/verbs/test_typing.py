"""What a type checker says of calls of the verbs: keywords are known by name and by type, and so are answers."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
SOUND = """
solve("1", time_limit=2.0, seed=3)
compare(["1"], repeats=2, cold=True)
inspect("1", guess=True, strict=True)
cross_check("1", isolate=False, time_limit=2.0)
"""
MISTYPED = """
solve("1", time_limmit=2.0)
core("1", time_limmit=2.0)
cross_check("1", time_limmit=2.0)
solve_many(["1"], time_limmit=2.0)
asolve_many(["1"], time_limmit=2.0)
explain("1", time_limmit=2.0)
certify("1", time_limmit=2.0)
generate(1, time_limmit=2.0)
compare(["1"], repeat=2)
inspect("1", stict=True)
Puzzle.of(Puzzle.empty(4).grid, titel="")
SudokuWidget("1").solve(time_limmit=2.0)
"""
WRONG = """
solve("1", time_limit="2")
core("1", seed="2")
compare(["1"], repeats="2")
solve_many(["1"], on_error="retrun")
"""
REVEALED = {
    "next(solve_many(['1']))": "results.Result",
    "next(solve_many(['1'], on_error='return'))": "results.Result | Exception",
    "asolve_many(['1'])": "AsyncIterator[sudoku_models.verbs.results.Result]",
    "asolve_many(['1'], on_error='return')": "Result | Exception]",
    "inspect('1')": "Inspection",
    "inspect(Path('1'))": "list[sudoku_models.verbs.inspecting.Inspection]",
    "prepare(MODEL, CP_SAT).compiled.native": "cp_sat.stating.Native",
    "prepare(MODEL, Z3).compiled.native": "sudoku_backends.z3.Native",
    "prepare(MODEL, BACKTRACKING).compiled.native": "model.model.Model",
    "prepare(MODEL, 'cp-sat').compiled.native": "Any",
}
HEAD = """
from pathlib import Path
from sudoku_backends.backtracking import BACKEND as BACKTRACKING
from sudoku_backends.cp_sat import BACKEND as CP_SAT
from sudoku_backends.z3 import BACKEND as Z3
from sudoku_models import (
    Puzzle, asolve, asolve_many, candidates, core, count, cross_check, inspect, is_unique, solutions, solve, solve_many,
)
from sudoku_models.bulk import solve_frame, solve_into
from sudoku_models.compare import compare
from sudoku_models.engine import prepare
from sudoku_models.explain import explain, hint, path, rate
from sudoku_models.make import dataset, generate
from sudoku_models.prove import certify, proved_cross_check
from sudoku_models.widget import SudokuWidget
MODEL = Puzzle.empty(4).model
"""


@lru_cache(maxsize=1)
def messages() -> dict[str, str]:
    """Return what mypy says of each line of a program that holds them all."""
    import tempfile

    revealed = [f"reveal_type({expression})" for expression in REVEALED]
    lines = [*HEAD.splitlines(), *SOUND.splitlines(), *MISTYPED.splitlines(), *WRONG.splitlines(), *revealed]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "calls.py"
        file.write_text("\n".join(lines))
        options = ["--strict", "--no-error-summary", f"--cache-dir={ROOT / '.mypy_cache'}", str(file)]
        shown, errors, _ = api.run(options)
    assert not errors
    found: dict[str, str] = dict.fromkeys(lines, "")
    for number, text in re.findall(r"calls\.py:(\d+): (.*)", shown):
        found[lines[int(number) - 1]] += text + "\n"
    return found


@pytest.mark.parametrize("line", [line for line in (*HEAD.splitlines(), *SOUND.splitlines()) if line])
def test_a_sound_call_is_let_pass(line: str) -> None:
    assert messages()[line] == ""


@pytest.mark.parametrize("line", MISTYPED.split("\n")[1:-1])
def test_a_typing_error_in_a_keyword_is_found(line: str) -> None:
    assert "nexpected keyword argument" in messages()[line] or "No overload variant" in messages()[line]


@pytest.mark.parametrize("line", WRONG.split("\n")[1:-1])
def test_a_value_of_another_type_is_found(line: str) -> None:
    assert "incompatible type" in messages()[line] or "No overload variant" in messages()[line]


@pytest.mark.parametrize("expression", REVEALED)
def test_answers_have_types_of_their_own(expression: str) -> None:
    assert REVEALED[expression] in messages()[f"reveal_type({expression})"]
