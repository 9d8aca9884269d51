"""The engine's own model in the user's hands: extended there, solved by the engine itself, read back by the maps."""

from __future__ import annotations

from typing import Any

import constraint
import pycosat
import pytest
from ortools.sat.python import cp_model
from pysat.solvers import Minisat22

from sudoku_models import Puzzle, Unsupported
from sudoku_models.engine import prepare

PUZZLE = Puzzle.parse("1...............")
MODEL = PUZZLE.model
NAMES = MODEL.names


def legal(values: dict[str, int]) -> bool:
    return MODEL.holds(values)


@pytest.mark.parametrize("form", ["integers", "booleans"])
def test_cp_sat_takes_an_objective_and_constraints_of_the_users(form: str) -> None:
    compiled: Any = prepare(MODEL, f"cp-sat:form={form}").compiled
    native = compiled.native
    native.model.add(native.variable("R4C4") == 3)
    bonus = native.literal("R1C2", 4)
    native.model.maximize(10 * bonus + native.variables["R4C1"])
    solver = cp_model.CpSolver()
    assert solver.solve(native.model) == cp_model.OPTIMAL
    values = compiled.decode(solver)
    assert values == native.decode(solver)
    assert legal(values) and (values["R4C4"], values["R1C2"], values["R4C1"]) == (3, 4, 4)
    again = compiled.native
    assert len(again.model.proto.constraints) < len(native.model.proto.constraints)
    assert again.model.get_int_var_from_proto_index(compiled.variable("R2C3")).name == "R2C3"


def test_cp_sats_literals_by_index_are_of_the_form_booleans() -> None:
    booleans: Any = prepare(MODEL, "cp-sat:form=booleans").compiled
    native = booleans.native
    native.model.add_bool_and(native.model.get_bool_var_from_proto_index(booleans.literal("R2C2", 3)))
    solver = cp_model.CpSolver()
    solver.solve(native.model)
    assert booleans.decode(solver)["R2C2"] == 3
    integers: Any = prepare(MODEL, "cp-sat").compiled
    for wrong in (lambda: integers.literal("R2C2", 3), lambda: native.literal("R2C2", 5), lambda: native.variable("x")):
        with pytest.raises(KeyError):
            wrong()


@pytest.mark.parametrize("spec", ["pycosat", "pycosat:amo=product,reduction=none", "pysat"])
def test_clauses_are_added_by_hand(spec: str) -> None:
    compiled: Any = prepare(MODEL, spec).compiled
    native = compiled.native
    literal = compiled.literal("R2C3", 4)
    assert literal == native.literal("R2C3", 4) == compiled.variable("R2C3")[4]
    assert native.meaning(literal) == ("R2C3", 4)
    clauses = [
        *native.clauses,
        [literal],
        [-compiled.literal("R4C4", 2), native.variables + 1],
        [-native.variables - 1],
    ]
    first = compiled.decode(pycosat.solve(clauses))
    with Minisat22(bootstrap_with=clauses) as solver:
        assert solver.solve()
        second = compiled.decode(solver.get_model())
    for values in (first, second):
        assert legal(values) and values["R2C3"] == 4 and values["R4C4"] != 2
    assert len(compiled.native.clauses) == len(clauses) - 3
    with pytest.raises(KeyError):
        compiled.literal("R2C3", 7)
    with pytest.raises(KeyError):
        compiled.variable("R9C9")


def test_python_constraint_goes_by_names() -> None:
    compiled: Any = prepare(MODEL, "python-constraint").compiled
    problem = compiled.native
    problem.addVariable("extra", [1, 2])
    corner = compiled.variable("R4C4")
    problem.addConstraint(lambda a, b: a == b, [corner, "extra"])
    assert isinstance(problem, constraint.Problem)
    answer = problem.getSolution()
    values = compiled.decode(answer)
    assert legal(values) and values["R4C4"] == answer["extra"] and set(values) == set(NAMES)
    with pytest.raises(Unsupported, match="no literals"):
        compiled.literal("R4C4", 1)
