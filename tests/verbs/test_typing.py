"""What a type checker says of calls of the verbs, whose keywords and answers have types, and of what the pages show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, blocks

ROOT = Path(__file__).parents[2]
SOUND = """
solve("1", time_limit=2.0, seed=3)
compare(["1"], repeats=2, cold=True)
inspect("1", guess=True, strict=True)
cross_check("1", isolate=False, time_limit=2.0)
p, q = booleans("pq")
solve(Model([p, q], [p, p | q]), assuming=[q, ~p])
explain(Model([p, q]).with_(p), soft={"P": p, "Q": ~q})
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
    Model, Puzzle, asolve, asolve_many, candidates, core, count, cross_check, inspect, is_unique, solutions, solve,
    solve_many,
)
from sudoku_models.bulk import solve_frame, solve_into
from sudoku_models.compare import compare
from sudoku_models.engine import prepare
from sudoku_models.explain import explain, hint, path, rate
from sudoku_models.make import dataset, generate
from sudoku_models.model import booleans
from sudoku_models.prove import certify, proved_cross_check
from sudoku_models.widget import SudokuWidget
MODEL = Puzzle.empty(4).model
"""
LINES = [line for text in (HEAD, SOUND, MISTYPED, WRONG) for line in text.splitlines()]
LINES += [f"reveal_type({expression})" for expression in REVEALED]


LOOSE = (
    "# mypy: no-strict-optional, allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-redefinition,"
    ' disable-error-code="import-not-found,import-untyped"'
)
"""Pages show functions without annotations, and values that are None in other cases than theirs."""


ELSEWHERE = (
    *("IPython", "altair", "dask", "distributed", "hypothesis", "narwhals", "polars", "prompt_toolkit", "tornado"),
    *("_pytest", "anywidget", "ipywidgets", "jinja2", "pytest", "traitlets", "trio"),
)
"""Packages that mypy would read in full, for most of its time, though no call here depends on their types."""


def settings_in(folder: Path) -> Path:
    """Write the project's settings of mypy to a folder, with what is not read; return their file."""
    skipped = f"[[tool.mypy.overrides]]\nmodule = {[f'{name}.*' for name in ELSEWHERE]}\nfollow_imports = 'skip'\n"
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8").replace("$MYPY_CONFIG_FILE_DIR", str(ROOT))
    (folder / "pyproject.toml").write_text(f"{text}\n{skipped}", encoding="utf-8")
    return folder / "pyproject.toml"


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what mypy says of a program that holds all calls, and of the Python of each page: one run for all."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "calls.py").write_text("\n".join(LINES))
    for page in (ROOT / "README.md", *PAGES):
        (folder / f"page_{page.stem}.py").write_text(shown_by(page), encoding="utf-8")
    options = ["--config-file", str(settings_in(folder)), "--cache-dir", str(ROOT / ".mypy_cache" / "pages")]
    command = [sys.executable, "-m", "mypy", *options, "--follow-imports", "silent", "--no-error-summary"]
    pages = map(str, sorted(folder.glob("*.py")))
    done = subprocess.run([*command, *pages], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def shown_by(page: Path) -> str:
    """Return the Python of a page, with its lines where they stand in the page."""
    lines = [LOOSE]
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "python" and not block.title:
            lines += [""] * (block.line - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n"


def test_mypy_takes_what_the_pages_and_the_readme_show(messages: str) -> None:
    assert [line for line in messages.splitlines() if "calls.py" not in line] == []


def test_calls_are_let_pass_or_found_and_answers_have_types_of_their_own(messages: str) -> None:
    said = dict.fromkeys(LINES, "")
    for number, text in re.findall(r"calls\.py:(\d+): (.*)", messages):
        said[LINES[int(number) - 1]] += text + "\n"
    for line in filter(None, (*HEAD.splitlines(), *SOUND.splitlines())):
        assert said[line] == ""
    for text, kind in ((MISTYPED, "nexpected keyword argument"), (WRONG, "incompatible type")):
        for line in text.split("\n")[1:-1]:
            assert kind in said[line] or "No overload variant" in said[line], line
    for expression, wanted in REVEALED.items():
        assert wanted in said[f"reveal_type({expression})"]
