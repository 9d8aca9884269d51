"""Gecode behind MiniZinc: a ``!=`` between sums that is a part of another constraint ignores their factors."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from sudoku_models import count
from sudoku_models.model import Count, Implies, InDomain, Model, MultisetEqual, Not, NValue, Or, Variable, brute_force
from sudoku_models.verbs.model_file import export

from .seen import judge

RAW = """
var 0..1: x;
var 0..1: y;
constraint (bool2int(x in {1}) + bool2int(x in {1}) != 1) \\/ y == 1;
solve satisfy;
"""
X, Y = Variable("x", (0, 1)), Variable("y", (0, 1, 2))
STATED = [
    *(Or(Count([X, X, Y], [1], op, k), InDomain(Y, [2])) for op in ("!=", "==", "<=") for k in (1, 2)),
    Or(Count([X, X], [1], "!=", 1), InDomain(Y, [1])),
    Not(MultisetEqual([X, X], [Y, Y])),
    Implies(InDomain(Y, [0]), NValue([X, Y], "!=", 1)),
]


@pytest.fixture
def program() -> str:
    found = shutil.which("minizinc")
    if found is None:
        pytest.skip("not applicable (feature): the program minizinc is absent")
    return found


def test_the_solver_by_itself_loses_a_solution(program: str) -> None:
    command = [program, "--solver", "gecode", "-a", "--input-from-stdin"]
    said = subprocess.run(command, input=RAW, capture_output=True, text=True, check=True).stdout
    solvers = subprocess.run([program, "--solvers"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Gecode (\d+\.\d+)", solvers)
    assert version
    judge("Gecode", version[1], (6, 2), (6, 2), said.count("----------"), 4)


@pytest.mark.usefixtures("program")
def test_no_solution_is_lost_by_the_library() -> None:
    for constraint in STATED:
        model = Model([X, Y], [constraint])
        assert count(model, "minizinc", confirm=False).value == len(list(brute_force(model))), constraint


@pytest.mark.parametrize("constraint", STATED, ids=str)
def test_the_text_has_no_such_comparison(constraint: Or) -> None:
    assert "!=" not in str(export(Model([X, Y], [constraint]), "minizinc"))
