"""Known faults of engines: the engine by itself has the fault in the releases that are said to have it, and the library
answers right. ``test_ortools.py`` is about presolve of CP-SAT."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from sudoku_backends import xcsp3

from sudoku_models import count, solve
from sudoku_models.model import (
    Count,
    Implies,
    InDomain,
    Linear,
    Model,
    MultisetEqual,
    Not,
    NValue,
    Or,
    Variable,
    brute_force,
)
from sudoku_models.verbs.solving import export

from .seen import judge

X, Y = Variable("x", (0, 1)), Variable("y", (0, 1, 2))
ZS = [Variable(name, (0, 4, 6)) for name in "xyz"]
TWICE = Model([Variable("x", (1, 2)), Variable("y", (1, 2))], [Count(("x", "x", "y"), (2,), "==", 2)])
FEW = Model(ZS, [NValue(("x",), ">", "y"), NValue(("x",), "!=", "z")])
INNER = [
    *(Or(Count([X, X, Y], [1], op, k), InDomain(Y, [2])) for op in ("!=", "==", "<=") for k in (1, 2)),
    Or(Count([X, X], [1], "!=", 1), InDomain(Y, [1])),
    Not(MultisetEqual([X, X], [Y, Y])),
    Implies(InDomain(Y, [0]), NValue([X, Y], "!=", 1)),
]
PROGRAMS = {"minizinc": "minizinc", "ace": "java", "choco": "java"}


def skip_without(backend: str) -> None:
    if shutil.which(PROGRAMS[backend]) is None or (backend != "minizinc" and find_spec("pycsp3") is None):
        pytest.skip(f"not applicable (feature): what {backend} needs is absent")


@pytest.mark.parametrize(
    ("backend", "model"),
    [("ace", TWICE), ("choco", FEW), *(("minizinc", Model([X, Y], [constraint])) for constraint in INNER)],
    ids=str,
)
def test_no_solution_is_lost_by_the_library(backend: str, model: Model) -> None:
    skip_without(backend)
    assert count(model, backend, confirm=False).value == len(list(brute_force(model)))


def said(*command: str, text: str = "") -> str:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


COUNTS = """<instance format="XCSP3" type="CSP">
<variables> <var id="x"> 1..2 </var> <var id="y"> 1..2 </var> </variables>
<constraints>
<count> <list> x x y </list><values> 2 </values><condition> (eq,2) </condition> </count>
</constraints>
</instance>
"""


def test_ace_miscounts_where_a_variable_appears_twice_in_a_count(tmp_path: Path) -> None:
    skip_without("ace")
    jar = xcsp3.jar("ace/ACE-*.jar")
    (tmp_path / "m.xml").write_text(COUNTS)
    out = said("java", "-XX:TieredStopAtLevel=1", "-jar", jar, str(tmp_path / "m.xml"), *xcsp3.ACE_FLAGS, "-s=all")
    found = {tuple(map(int, values.split())) for values in re.findall(r"<values>([^<]*)</values>", out)}
    judge("ACE", number(r"ACE-(\d+\.\d+)", jar), (2, 6), (2, 6), found, set(brute_force(TWICE)))


VALUES = """<instance format="XCSP3" type="CSP">
<variables> <var id="x"> 0 4 6 </var> <var id="y"> 0 4 6 </var> <var id="z"> 0 4 6 </var> </variables>
<constraints>
<nValues> <list> x </list><condition> (gt,y) </condition> </nValues>
<nValues> <list> x </list><condition> (ne,z) </condition> </nValues>
</constraints>
</instance>
"""


def test_choco_loses_solutions_where_a_number_of_values_is_unequal_to_a_variable(tmp_path: Path) -> None:
    skip_without("choco")
    jar = xcsp3.jar("choco/choco-parsers-*.jar")
    (tmp_path / "m.xml").write_text(VALUES)
    out = said("java", "-XX:TieredStopAtLevel=1", "-cp", jar, xcsp3.CHOCO_MAIN, "-a", str(tmp_path / "m.xml"))
    listed = re.findall(r"<list>([^<]*)</list>\s*<values>([^<]*)</values>", out.partition("\ns ")[0])
    found = {tuple(sorted(zip(names.split(), values.split(), strict=True))) for names, values in listed}
    judge("Choco", number(r"choco-parsers-(\d+\.\d+)", jar), (4, 10), (4, 10), len(found), len(list(brute_force(FEW))))


SUMS = """
var 0..1: x;
var 0..1: y;
constraint (bool2int(x in {1}) + bool2int(x in {1}) != 1) \\/ y == 1;
solve satisfy;
"""


def test_gecode_ignores_factors_in_an_unequal_within_another_constraint() -> None:
    skip_without("minizinc")
    out = said("minizinc", "--solver", "gecode", "-a", "--input-from-stdin", text=SUMS)
    judge("Gecode", number(r"Gecode (\d+\.\d+)", said("minizinc", "--solvers")), (6, 2), (6, 2), out.count("-" * 10), 4)


def number(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found
    return found[1]


@pytest.mark.parametrize("constraint", INNER, ids=str)
def test_the_text_for_minizinc_has_no_such_comparison(constraint: Or) -> None:
    lines = str(export(Model([X, Y], [constraint]), "minizinc")).splitlines()
    assert not any("bool2int" in line and "!=" in line for line in lines)


LARGE = """
import highspy, numpy as np
k = 10**15
engine = highspy.Highs()
engine.silent()
for i in range(5):
    engine.addVar(0, 1)
    engine.changeColIntegrality(i, highspy.HighsVarType.kInteger)
for columns in ([0, 1, 2], [3, 4]):
    engine.addRow(1, 1, len(columns), np.array(columns, dtype=np.int32), np.ones(len(columns)))
weights = [k, k + 1, k + 2, k, k + 5]
engine.addRow(2 * k + 6, 2 * k + 6, 5, np.arange(5, dtype=np.int32), np.array(weights, dtype=float))
engine.run()
values = engine.getSolution().col_value
print(sum(w for w, x in zip(weights, values) if x > 0.5) - 2 * k)
"""
"""Two numbers that add up to 2k + 6, in columns of their values: large numbers drown in the tolerances of HiGHS."""


def test_highs_calls_a_wrong_sum_a_solution() -> None:
    judge("HiGHS", version("highspy"), (1, 11), (1, 15), int(said(sys.executable, "-c", LARGE)), 6)


@pytest.mark.parametrize("k", [0, 2**31, 10**11, 10**14, 2**53, 2**62, 2**63, -(10**15), 10**20])
def test_offsets_of_any_size_are_exact_in_the_library(k: int) -> None:
    x, y = Variable("x", (k, k + 1, k + 2)), Variable("y", (k, k + 5))
    model = Model([x, y], [Linear((1, 1), (x, y), "==", 2 * k + 6)])
    assert count(model, "highs", confirm=False).value == 1
    best = solve(Model([x, y]).maximise(3 * x + y + 7), "highs", confirm=False)
    assert best.objective == best.bound == 4 * k + 18
    far = Model([x, y], [Linear((1, 1), (x, y), "<=", 2 * k - 10**17)])
    assert count(far, "highs", confirm=False).value == 0


def test_a_wide_sum_is_confirmed_and_a_narrow_one_is_not() -> None:
    wide, narrow = Variable("w", (0, 1, 5_000)), Variable("n", (0, 1, 2))
    assert count(Model([wide], [Linear([2], [wide], ">", 2)]), "highs").record.confirmed == "cp-sat"
    assert count(Model([narrow], [Linear([2], [narrow], ">", 2)]), "highs").record.confirmed == ""
