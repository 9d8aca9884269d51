from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from sudoku_backends.python_constraint import BACKEND, PythonConstraintOptions

from sudoku_models.engine.contract import Feature, Isolate, Reason, Request, Run
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, InDomain, Linear, Model, Table, Variable, variables
from sudoku_models.puzzle import Shape

from ..held import Turns
from .small_models import JIGSAW, KNOWN, PUZZLE, SOLVED, boards, expected, line_domains, questions, shared_puzzles

COMPLETE = ["backtracking", "optimized", "recursive"]
EVERY = pytest.mark.parametrize("solver", [*COMPLETE, "minconflicts", "parallel"])
ENUMERATING = pytest.mark.parametrize("solver", COMPLETE)
EMPTY = Shape.square(9).model


def run(model: Model, solver: str = "backtracking", **request: object) -> Run:
    return BACKEND.compile(model, PythonConstraintOptions(solver)).run(Request(**request))


def solutions(model: Model, solver: str = "backtracking", **request: object) -> list[tuple[int, ...]]:
    return list(run(model, solver, limit=None, **request))


@settings(max_examples=120, deadline=None)
@given(questions())
def test_the_enumerating_solvers_find_what_brute_force_finds(question) -> None:
    model, narrow = question
    for solver in COMPLETE:
        assert sorted(solutions(model, solver, domains=narrow)) == expected(model, narrow)


@settings(max_examples=40, deadline=None)
@given(boards())
def test_squares_with_pencil_marks(board) -> None:
    model, marks = board
    found = [sorted(solutions(model, solver, domains=marks)) for solver in COMPLETE]
    assert found[0] == found[1] == found[2]
    assert all(model.narrowed(marks).holds(dict(zip(model.names, s, strict=True))) for s in found[0])


@settings(max_examples=60, deadline=None)
@given(questions())
def test_parallel_gives_one_solution_or_proves_that_there_is_none(question) -> None:
    model, narrow = question
    found = run(model, "parallel", domains=narrow)
    answer, want = list(found), expected(model, narrow)
    assert len(answer) == min(1, len(want))
    assert set(answer) <= set(want)
    assert found.outcome.reason is (Reason.LIMIT if want else Reason.EXHAUSTED)


@settings(max_examples=60, deadline=None)
@given(questions())
def test_minconflicts_is_right_or_gives_up(question) -> None:
    model, narrow = question
    found = run(model, "minconflicts", domains=narrow)
    answer = list(found)
    assert set(answer) <= set(expected(model, narrow))
    assert found.outcome.reason is (Reason.LIMIT if answer else Reason.GAVE_UP)
    assert not found.outcome.complete


@pytest.mark.parametrize("op", ["==", "!=", "<=", "<", ">=", ">"])
@pytest.mark.parametrize("coeffs", [(1, 1, 1), (2, -1, 3), (-1, -1, -1), (1, 0, -2)])
def test_sums_mean_what_the_model_says(op: str, coeffs: tuple[int, ...]) -> None:
    for k in range(-6, 8, 2):
        model = Model(variables("xyz", [-2, 0, 1, 3]), [Linear(coeffs, list("xyz"), op, k)])
        assert sorted(solutions(model)) == expected(model, {})


def test_sums_that_leave_a_variable_without_values_are_no_fault() -> None:
    model = Model(
        variables("xyz", range(4)),
        [Linear([1, 1], list("xy"), ">=", 6), Linear([1, 1], list("xz"), "<=", 2), Linear([1, 1], list("xz"), "==", 1)],
    )
    assert solutions(model) == []


@pytest.mark.parametrize("name", KNOWN)
@ENUMERATING
def test_counts_known_from_elsewhere(name: str, solver: str) -> None:
    model, count = KNOWN[name]
    found = run(model, solver, limit=None)
    assert len(set(found)) == found.outcome.count == count
    assert found.outcome.complete


@EVERY
def test_a_puzzle_is_solved(solver: str) -> None:
    shape = Shape.square(4)
    narrow = line_domains(shape, "1......22......3")
    found = list(run(shape.model, solver, domains=narrow))
    assert all(shape.model.narrowed(narrow).holds(dict(zip(shape.names, s, strict=True))) for s in found)
    assert found or solver == "minconflicts"


def test_a_puzzle_with_one_solution_is_proved() -> None:
    found = run(EMPTY, limit=2, domains=line_domains(Shape.square(9), PUZZLE))
    assert list(found) == [tuple(map(int, SOLVED))]
    assert found.outcome.complete


def test_solutions_come_one_by_one() -> None:
    found = run(EMPTY, limit=None)
    assert len({next(found) for _ in range(20)}) == 20
    found.close()
    assert list(found) == []
    assert found.outcome.reason is Reason.CLOSED


def test_a_limit_ends_the_run_without_a_proof() -> None:
    found = run(JIGSAW.model, limit=3)
    assert len(list(found)) == 3
    assert found.outcome.reason is Reason.LIMIT


@pytest.mark.parametrize("solver", [*COMPLETE, "parallel"])
def test_a_time_limit_stops_the_engine_between_two_solutions(solver: str) -> None:
    found = run(crowd(), solver, limit=None, time_limit=0.1)
    assert list(found) == []
    assert found.outcome.reason is Reason.TIME


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


def test_of_solutions_that_agree_on_the_kept_variables_one_is_yielded() -> None:
    found = solutions(Shape.square(4).model, keep=("R1C1", "R1C2"))
    assert sorted(s[:2] for s in found) == [(a, b) for a in range(1, 5) for b in range(1, 5) if a != b]


def test_a_compiled_model_takes_many_runs_at_once() -> None:
    model = Model(
        variables("abcd", range(5)), [Linear([1, 1, 1, 1], list("abcd"), "==", 6), AllDifferent(list("abcd"))]
    )
    compiled = BACKEND.compile(model, PythonConstraintOptions())
    one = compiled.run(Request(limit=None, domains={"a": (0, 1)}))
    two = compiled.run(Request(limit=None, domains={"a": (2, 3)}))
    first = next(one)
    assert sorted(two) == expected(model, {"a": (2, 3)})
    assert sorted([first, *one]) == expected(model, {"a": (0, 1)})


def test_minconflicts_takes_a_seed() -> None:
    model = Model(variables("abc", range(50)), [AllDifferent(list("abc"))])
    assert list(run(model, "minconflicts", seed=3)) == list(run(model, "minconflicts", seed=3))
    assert list(run(model, "minconflicts", seed=3)) != list(run(model, "minconflicts", seed=4))


def test_each_solver_declares_what_it_can_do() -> None:
    features = {s: BACKEND.capabilities_with(PythonConstraintOptions(s)).features for s in [*COMPLETE, "minconflicts"]}
    assert all(
        {Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE, Feature.TIME_LIMIT} == features[s] for s in COMPLETE
    )
    assert features["minconflicts"] == {Feature.TIME_LIMIT, Feature.SEED}
    parallel = BACKEND.capabilities_with(PythonConstraintOptions("parallel"))
    assert Feature.ENUMERATE not in parallel.features
    assert parallel.isolate is Isolate.ALWAYS


def test_the_recursive_solver_refuses_what_is_too_deep_for_it() -> None:
    with pytest.raises(Unsupported, match="at most 400 variables"):
        run(Shape.square(25).model, "recursive")
    twenty = Shape.latin(20)
    cyclic = {f"R{r + 1}C{c + 1}": ((r + c) % 20 + 1,) for r in range(20) for c in range(20)}
    assert len(list(run(twenty.model, "recursive", domains=cyclic))) == 1


def test_native_is_a_fresh_problem_to_extend() -> None:
    compiled = BACKEND.compile(Shape.square(4).model.with_(InDomain("R1C1", [2, 3])), PythonConstraintOptions())
    problem = compiled.native
    problem.addConstraint(lambda a, b: a < b, ["R1C1", "R1C2"])
    extended = problem.getSolutions()
    assert len(compiled.native.getSolutions()) == 144
    assert 0 < len(extended) < 144
    assert all(solution["R1C1"] < solution["R1C2"] for solution in extended)


def test_native_of_a_model_without_values_is_an_error() -> None:
    model = Model([Variable("x", (1, 2))], [InDomain("x", [3])])
    with pytest.raises(Unsupported, match="x has no value left"):
        _ = BACKEND.compile(model, PythonConstraintOptions()).native


def test_a_table_of_text_like_names_is_never_run_as_code() -> None:
    name = "__import__('os').abort()"
    model = Model([Variable(name, (1, 2)), Variable("y", (1, 2))], [Table([name, "y"], [(1, 2)])])
    assert solutions(model) == [(1, 2)]


def test_importing_the_backend_does_not_import_the_engine() -> None:
    code = (
        "import sys, sudoku_backends.python_constraint as b; b.BACKEND.capabilities; print('constraint' in sys.modules)"
    )
    path = "import sys; sys.path[:0] = " + repr(sys.path) + "; "
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["17_clue.txt", "top1465.txt"])
def test_shared_puzzles_are_solved(name: str, shared_data: Path) -> None:
    for narrow in shared_puzzles(shared_data, name, 2):  # each takes about a second
        found = list(run(EMPTY, domains=narrow))
        assert len(found) == 1
        assert EMPTY.narrowed(narrow).holds(dict(zip(EMPTY.names, found[0], strict=True)))
