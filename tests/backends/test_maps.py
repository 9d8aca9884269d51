"""The engine's own model in the user's hands: extended there, solved by the engine itself, read back by the maps."""

from __future__ import annotations

import shutil
from typing import Any

import constraint
import pycosat
import pytest
from ortools.sat.python import cp_model
from pysat.solvers import Minisat22

from sudoku_models import Puzzle, Unsupported
from sudoku_models.engine import prepare
from sudoku_models.engine.base import CompiledBase
from sudoku_models.model import AllDifferent, InDomain, Model, Variable

PUZZLE = Puzzle.parse("1...............")
MODEL = PUZZLE.model
NAMES = MODEL.names


def legal(values: dict[str, int]) -> bool:
    return MODEL.holds(values)


@pytest.mark.parametrize("form", ["integers", "booleans"])
def test_cp_sats_literals_are_known_by_index_too(form: str) -> None:
    compiled: Any = prepare(MODEL, f"cp-sat:form={form}").compiled
    native = compiled.native
    literal = native.model.get_bool_var_from_proto_index(compiled.literal("R2C2", 3))
    assert literal.index == native.literal("R2C2", 3).index == native.literals["R2C2", 3].index
    native.model.add_bool_and(literal)
    solver = cp_model.CpSolver()
    solver.solve(native.model)
    assert compiled.decode(solver)["R2C2"] == 3
    for wrong in (
        lambda: compiled.literal("R2C2", 5),
        lambda: native.literal("R2C2", 5),
        lambda: native.variable("x"),
    ):
        with pytest.raises(KeyError):
            wrong()
    native.model.add_bool_or([])
    solver.solve(native.model)
    with pytest.raises(ValueError, match="no solution"):
        compiled.decode(solver)


def test_cp_sat_makes_no_literals_unasked_of_a_variable_of_thousands_of_values() -> None:
    compiled: Any = prepare(Model([Variable("wide", range(5000)), Variable("b", (0, 1))]), "cp-sat").compiled
    native = compiled.native
    assert set(native.literals) == {("b", 0), ("b", 1)}
    with pytest.raises(Unsupported, match=r"5000 values.*native\.literal"):
        compiled.literal("wide", 4321)
    native.model.add_bool_and(native.literal("wide", 4321), native.literals["b", 1])
    solver = cp_model.CpSolver()
    solver.solve(native.model)
    assert compiled.decode(solver) == {"wide": 4321, "b": 1}


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
    if "reduction=none" not in spec:
        with pytest.raises(Unsupported, match=r"R1C1 = 1: it is 1 before .* reduction=none"):
            compiled.literal("R1C1", 1)
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


def test_z3_gives_a_copy_for_another_thread() -> None:
    z3 = pytest.importorskip("z3")
    compiled: Any = prepare(MODEL, "z3").compiled
    native = compiled.native_in(z3.Context())
    native.solver.add(native.literals["R2C2", 3])
    assert native.solver.check() == z3.sat
    values = compiled.decode(native.solver.model())
    assert legal(values)
    assert values["R2C2"] == 3
    with pytest.raises(z3.Z3Exception):
        native.solver.add(compiled.literal("R2C2", 3))


def test_minizinc_tells_what_odd_names_became() -> None:
    if shutil.which("minizinc") is None:
        pytest.skip("not applicable (platform): the program minizinc is not installed")
    compiled: Any = prepare(Model([Variable("var", (1, -2)), Variable("y", (3,))]), "minizinc").compiled
    assert (compiled.variable("var"), compiled.variable("y")) == ("v1", "y")
    assert compiled.literal("var", -2) == "(v1 == -2)"
    assert "var {-2, 1}: v1;" in compiled.native
    assert compiled.decode({"v1": -2, "y": 3, "mine": 7}) == {"var": -2, "y": 3}
    with pytest.raises(ValueError, match="y no value"):
        compiled.decode({"v1": 1})


def test_the_columns_of_highs_are_known_without_the_engine() -> None:
    compiled: Any = prepare(MODEL, "highs").compiled
    program = compiled.native
    column = compiled.literal("R2C2", 3)
    assert program.meanings[column] == ("R2C2", 3)
    assert compiled.variable("R2C2")[3] == column
    with pytest.raises(ValueError, match="R1C1 no value"):
        compiled.decode([0.0] * len(program.meanings))


def test_an_exact_cover_is_told_by_items_and_options() -> None:
    xs = [Variable("x", (1, 2, 3)), Variable("y", (1, 2))]
    compiled: Any = prepare(Model(xs, [AllDifferent(xs), InDomain("x", (1, 2))]), "exact-cover").compiled
    native = compiled.native
    assert compiled.literal("x", 1) in native.primary[compiled.variable("x")]
    assert compiled.decode([("y", 2), ("x", 1), ("a", "third", "thing")]) == {"x": 1, "y": 2}
    with pytest.raises(Unsupported, match="x = 3: a constraint on it forbids that"):
        compiled.literal("x", 3)


def test_maps_are_refused_with_the_reason_where_a_backend_has_none() -> None:
    bare: Any = CompiledBase(Model([]))
    for ask in (lambda: bare.variable("x"), lambda: bare.literal("x", 1), lambda: bare.decode(()), bare.assume):
        with pytest.raises(Unsupported, match=r"this backend .* with model\.with_"):
            ask()
