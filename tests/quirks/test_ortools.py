"""OR-tools' CP-SAT: presolve loses solutions where a table meets literals of several values of one variable, and the
best ones beside sums that are not some number.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from ortools.sat.python import cp_model
from sudoku_backends.cp_sat import VERSIONS

from sudoku_models import Puzzle, core, count, solve
from sudoku_models.model import (
    Compare,
    Count,
    InDomain,
    LexLess,
    Linear,
    MinMax,
    Model,
    NValue,
    Objective,
    Or,
    Table,
    Variable,
    brute_force,
)
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle.rules import AnyOf, OneOf, Pair

from .seen import judge, release

SPECS = ["cp-sat", "cp-sat:form=booleans", "cp-sat:presolve=false", "cp-sat:linearization=0", "cp-sat:linearization=2"]
FIRST, LAST = (9, 12), (9, 15)
X = Variable("x", range(5))
FIVE = Variable("y", (0, 1, 3, 6))
BIG = 2**31

MODELS = {
    "a clause of three values": Model(
        [X], [Or([InDomain(X, [0]), InDomain(X, [1]), InDomain(X, [4])]), Table([X], [[0], [2], [3]], False)]
    ),
    "a count": Model([FIVE], [Count([FIVE], [0], "!=", 1), Table([FIVE], [[0], [1], [6]], False)]),
    "a count of one variable twice": Model(
        [Variable("x", range(4))], [Table(["x"], [[1], [2], [3]], False), Count(["x", "x"], [3], "!=", 2)]
    ),
    "two variables": Model(
        [X, Variable("z", (0, 1, 2, 4, 6))],
        [
            Table([X, "z"], [[0, 1], [0, 4], [0, 6], [1, 1], [2, 0], [3, 2]], False),
            Or([InDomain("z", [1]), InDomain("z", [6]), InDomain("z", [2]), InDomain("z", [2])]),
        ],
    ),
    "an allowed table and an order": Model(
        [X, Variable("z", range(5))],
        [
            Table([X, "z"], [[0, 1], [1, 4], [2, 0], [4, 4]]),
            LexLess(["z", X], [X, "z"]),
            Or([InDomain(X, [0]), InDomain(X, [2]), InDomain(X, [4])]),
        ],
    ),
    "a greatest value, stated twice": Model(
        [Variable("x", (1, 3, 4)), Variable("z", (1, 2)), Variable("w", (2, 3, 4))],
        [MinMax(["x", "z", "z", "x"], None, "w")],
    ),
    "values beyond 32 bits": Model(
        [Variable("x", (0, BIG, BIG + 1, 2**53)), Variable("z", (1, BIG, -(2**40)))],
        [Table(["x", "z"], [[0, 1], [BIG, BIG], [2**53, -(2**40)], [BIG + 1, 1]])],
    ),
}


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", MODELS)
def test_no_solution_is_lost_by_the_library(name: str, spec: str) -> None:
    model = MODELS[name]
    assert count(model, spec, confirm=False).value == len(list(brute_force(model)))


@pytest.mark.parametrize("spec", SPECS)
def test_the_best_solution_is_not_lost_beside_a_sum_that_is_not_some_number(spec: str) -> None:
    xs = [*(Variable(name, (0, 1)) for name in "abcd"), Variable("e", (1, 40))]
    sums = [Linear([-1, -1, -1, 1], xs[:4], "!=", -1), Linear([-1, -1], ["a", "e"], "<=", -2)]
    assert solve(Model(xs, sums, Objective("maximize", [-1, 42, -28, -25, 1], xs)), spec).objective == 81
    ys = [Variable("x", range(1, 5)), Variable("y", (0, 1)), Variable("z", range(3, 6))]
    numbered = Model(ys, [NValue(["x"], "!=", "y")], Objective("maximize", [11, 5, -12], ys))
    best = max(11 * x + 5 * y - 12 * z for x, y, z in brute_force(numbered))
    assert solve(numbered, spec).objective == best


@pytest.mark.parametrize("spec", SPECS)
def test_a_puzzle_of_pairs_and_alternatives_keeps_its_solutions(spec: str) -> None:
    shape = Shape.latin(4)
    pairs = [(a, b) for a in range(1, 5) for b in range(1, 5) if (a, b) not in ((1, 4), (2, 4), (4, 4))]
    rules = [AnyOf([OneOf("R1C1", [v]) for v in (1, 2, 3)]), Pair("R1C1 R2C2", pairs)]
    assert count(Puzzle(shape, (None,) * 16, rules=tuple(rules)), spec, confirm=False).value == 368


def test_what_a_table_and_a_clause_may_touch_is_confirmed_and_a_plain_puzzle_is_not() -> None:
    plain, touched = Puzzle.parse("1.....2....3...."), MODELS["an allowed table and an order"]
    assert solve(plain, "cp-sat", unique=True).record.confirmed == ""
    assert count(touched, "cp-sat").record.confirmed == "native:patience=5000000"
    assert count(touched, "cp-sat:presolve=false").record.confirmed == ""


def test_forbidden_pairs_need_literals_beside_clauses_alone() -> None:
    y = Variable("y", range(5))
    barred = Table([X, y], [[a, b] for a in range(5) for b in range(5) if abs(a - b) == 1], False)
    alone, beside = Model([X, y], [barred]), Model([X, y], [barred, Or([InDomain(X, [1]), InDomain(y, [2])])])
    for model, literals in ((alone, False), (beside, True)):
        found = count(model, "cp-sat", confirm=False)
        assert found.value == len(list(brute_force(model)))
        assert (found.record.sizes["variables"] > 2) == literals


@pytest.mark.parametrize("form", ["integers", "booleans"])
def test_a_core_of_large_numbers_is_one(form: str) -> None:
    x, y = Variable("x", (-(2**32), 1, 2**32)), Variable("y", (-(2**32), 2**32))
    model = Model([x, y], [InDomain(x, [2**32]), Linear([1], [y], "<", -(2**32)), Compare(x, "<=", x)])
    found = core(model, f"cp-sat:form={form}")
    assert found is not None
    assert found.constraints == (model.constraints[1],)


def solutions(model: cp_model.CpModel, **parameters: Any) -> int:
    """Count the solutions by the engine itself."""

    class Counter(cp_model.CpSolverSolutionCallback):
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    solver.solve(model, counter)
    return counter.count


def raw() -> cp_model.CpModel:
    """State the first model above as the engine's own examples would."""
    model = cp_model.CpModel()
    x = model.new_int_var(0, 4, "x")
    literals = []
    for value in (0, 1, 4):
        literal = model.new_bool_var(f"x={value}")
        others = cp_model.Domain.from_values([v for v in range(5) if v != value])
        model.add(x == value).only_enforce_if(literal)
        model.add_linear_expression_in_domain(x, others).only_enforce_if(~literal)
        literals.append(literal)
    model.add_bool_or(literals)
    model.add_forbidden_assignments([x], [(0,), (2,), (3,)])
    return model


def test_the_engine_by_itself_loses_both_solutions_with_presolve() -> None:
    judge("OR-tools", version("ortools"), FIRST, LAST, solutions(raw()), 2)


def test_the_oldest_release_that_is_taken_is_one_that_has_it() -> None:
    stated = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    oldest = re.search(r'"ortools>=([\d.]+)', stated)
    assert oldest and FIRST <= release(oldest[1]) <= LAST
    assert f"OR-tools {FIRST[0]}.{FIRST[1]} to {LAST[0]}.{LAST[1]}" == VERSIONS


def test_the_engine_by_itself_finds_them_without_presolve() -> None:
    assert solutions(raw(), cp_model_presolve=False) == 2
