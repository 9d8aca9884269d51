from __future__ import annotations

import threading

import pytest
from sudoku_backends.python_constraint import BACKEND, PythonConstraintOptions

from sudoku_models.engine.contract import Request, Run
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, InDomain, Model, Table, Variable, variables
from sudoku_models.puzzle import Shape

from ..held import Turns
from .small_models import PUZZLE, line_domains

COMPLETE = ["backtracking", "optimized", "recursive"]
EVERY = pytest.mark.parametrize("solver", [*COMPLETE, "minconflicts", "parallel"])
EMPTY = Shape.square(9).model


def run(model: Model, solver: str = "backtracking", **request: object) -> Run:
    return BACKEND.compile(model, PythonConstraintOptions(solver)).run(Request(**request))


def solutions(model: Model, solver: str = "backtracking", **request: object) -> list[tuple[int, ...]]:
    return list(run(model, solver, limit=None, **request))


def crowd() -> Model:
    """Eleven pigeons in ten holes: unsatisfiable, and far beyond the search of the engine."""
    names = [f"p{i}" for i in range(11)]
    return Model(variables(names, range(10)), [AllDifferent([a, b]) for a in names for b in names if a < b])


def test_other_threads_get_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns(4)
    monkeypatch.setattr("sudoku_models.engine.budget.time", turns)
    with turns:
        list(run(crowd(), time_limit=1.0))
    assert turns.taken >= 4


def test_parallel_leaves_no_thread() -> None:
    before = threading.active_count()
    assert len(list(run(EMPTY, "parallel", domains=line_domains(Shape.square(9), PUZZLE)))) == 1
    assert threading.active_count() == before


def test_the_recursive_solver_refuses_what_is_too_deep_for_it() -> None:
    with pytest.raises(Unsupported, match="at most 400 variables"):
        run(Shape.square(25).model, "recursive")
    twenty = Shape.latin(20)
    cyclic = {f"R{r + 1}C{c + 1}": ((r + c) % 20 + 1,) for r in range(20) for c in range(20)}
    assert len(list(run(twenty.model, "recursive", domains=cyclic))) == 1


def test_native_of_a_model_without_values_is_an_error() -> None:
    model = Model([Variable("x", (1, 2))], [InDomain("x", [3])])
    with pytest.raises(Unsupported, match="x has no value left"):
        _ = BACKEND.compile(model, PythonConstraintOptions()).native


def test_a_table_of_text_like_names_is_never_run_as_code() -> None:
    name = "__import__('os').abort()"
    model = Model([Variable(name, (1, 2)), Variable("y", (1, 2))], [Table([name, "y"], [(1, 2)])])
    assert solutions(model) == [(1, 2)]
