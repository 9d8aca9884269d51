"""What a type checker says of calls of the verbs: keywords are known by name and by type, and so are answers."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

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


def messages() -> dict[str, str]:
    """Return what mypy says of each line of a program that holds them all."""
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


def test_calls_are_let_pass_or_found_and_answers_have_types_of_their_own() -> None:
    said = messages()
    for line in filter(None, (*HEAD.splitlines(), *SOUND.splitlines())):
        assert said[line] == ""
    for text, kind in ((MISTYPED, "nexpected keyword argument"), (WRONG, "incompatible type")):
        for line in text.split("\n")[1:-1]:
            assert kind in said[line] or "No overload variant" in said[line], line
    for expression, wanted in REVEALED.items():
        assert wanted in said[f"reveal_type({expression})"]
