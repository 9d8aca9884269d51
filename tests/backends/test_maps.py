"""The engine's own model in the user's hands: extended there, solved by the engine itself, read back by the maps."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from ortools.sat.python import cp_model

from sudoku_models import Puzzle, Unsupported
from sudoku_models.engine import prepare
from sudoku_models.model import Model, Variable

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
