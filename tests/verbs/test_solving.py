"""The verbs: what they answer, what they never claim, what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudoku_models import (
    BadOption,
    Grid,
    LimitReached,
    Model,
    Puzzle,
    Shape,
    SolutionCount,
    Status,
    Unsupported,
    Variable,
    candidates,
    count,
    is_unique,
    solutions,
    solve,
    validate,
)
from sudoku_models.engine import Reason
from sudoku_models.model import AllDifferent
from sudoku_models.puzzle.rules import ExtraCells, OneOf, Thermo

SEVERAL = "1..............."
CLASH = "11.............."
NONE = "123........4...."
EMPTY = "." * 16


@pytest.fixture(scope="module")
def unique() -> str:
    grid = solve(EMPTY, "backtracking").grid
    assert grid is not None
    return "".join("." if i % 5 == 0 else str(v) for i, v in enumerate(grid.values))


def test_a_solution_is_found_and_uniqueness_reported_when_asked(unique: str) -> None:
    result = solve(unique)
    assert (result.status, result.unique) == (Status.SOLVED, None)
    asked = solve(unique, unique=True)
    assert (asked.status, asked.unique) == (Status.SOLVED, True)
    assert asked.grid == result.grid
    assert solve(SEVERAL, unique=True).unique is False


@pytest.mark.parametrize(("text", "clashes"), [(CLASH, True), (NONE, False)])
def test_no_solution_is_an_answer_and_equal_givens_are_named(text: str, clashes: bool) -> None:
    result = solve(text, unique=True)
    assert (result.status, result.grid, result.unique) == (Status.UNSATISFIABLE, None, False)
    assert bool(result.clashes) == clashes
    assert solve(text).unique is None


def test_out_of_time_is_unknown_and_never_unsatisfiable() -> None:
    result = solve("." * 81, "backtracking", time_limit=0, unique=True)
    assert (result.status, result.unique, result.reason) == (Status.UNKNOWN, None, "time limit")


def test_a_result_prints_what_it_came_to_and_the_solution() -> None:
    found = solve("1......2........", "backtracking", unique=True)
    assert str(found).splitlines() == ["solved, not unique", *str(found.grid).splitlines()]
    assert str(solve("11..............")).startswith("unsatisfiable, row 1 holds 1 in R1C1 and R1C2")
    x, y = (Variable(f"{name}<", range(3)) for name in "xy")
    best = solve(Model([x, y], [AllDifferent([x, y])]).maximise(x - y), "backtracking")
    assert str(best) == "solved, objective 2 (the best)\nx< = 2\ny< = 0"
    assert "<pre>x&lt; = 2" in best._repr_html_()
    assert "<table" in found._repr_html_()


def test_a_result_prints_cells_outside_the_grid_too() -> None:
    puzzle = Puzzle.empty(Shape.square(4)).with_rules(ExtraCells("VA", 2), Thermo("VA1 VA2"), OneOf("VA2", (2,)))
    assert str(solve(puzzle, "backtracking")).endswith("+\nVA1 = 1, VA2 = 2")


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        (EMPTY, None, SolutionCount(288, True)),
        (EMPTY, 288, SolutionCount(288, True)),
        (EMPTY, 287, SolutionCount(287, False)),
        (EMPTY, 1, SolutionCount(1, False)),
        (CLASH, None, SolutionCount(0, True)),
        (CLASH, 5, SolutionCount(0, True)),
        (SEVERAL, 100, SolutionCount(72, True)),
    ],
)
def test_counts_say_whether_they_are_exact(text: str, limit: int | None, expected: SolutionCount) -> None:
    assert count(text, "backtracking", limit=limit) == expected


def test_uniqueness_is_reported_or_the_limit_is_raised(unique: str) -> None:
    assert is_unique(unique) is True
    assert is_unique(SEVERAL) is False
    assert is_unique(CLASH) is False
    with pytest.raises(LimitReached, match="not settled: time limit") as caught:
        is_unique("." * 81, "backtracking", time_limit=0)
    assert caught.value.known.status is Status.UNKNOWN  # type: ignore[attr-defined]


def test_solutions_come_lazily_as_grids() -> None:
    with solutions("." * 81, "backtracking") as found:
        grids = [next(found) for _ in range(3)]
    assert all(isinstance(grid, Grid) and validate(grid) for grid in grids)
    assert len({grid.values for grid in grids}) == 3
    assert found.outcome.reason is Reason.CLOSED


def test_candidates_are_the_values_of_some_solution(unique: str) -> None:
    found = candidates(SEVERAL, "backtracking")
    seen: dict[str, set[int]] = {name: set() for name in found}
    for grid in solutions(SEVERAL, "backtracking"):
        for name, value in zip(seen, grid.values, strict=True):
            seen[name].add(value)
    assert {name: tuple(sorted(values)) for name, values in seen.items()} == found
    assert all(len(values) == 1 for values in candidates(unique).values())


def test_candidates_raise_what_is_known_at_a_limit() -> None:
    with pytest.raises(LimitReached, match="not settled") as caught:
        candidates("." * 81, "backtracking", time_limit=0)
    assert set(caught.value.known.values()) == {()}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "problem",
    [
        SEVERAL,
        Puzzle.parse(SEVERAL),
        Grid(Shape.square(4), (1, *[None] * 15)),
        [[1, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4],
        np.array([[1, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4]),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_a_puzzle_comes_in_many_forms(problem: Any) -> None:
    assert count(problem, "backtracking") == SolutionCount(72, True)


def test_unknown_words_and_backends_are_refused() -> None:
    with pytest.raises(TypeError, match=r"unknown keyword 'speed': .* time_limit, memory_limit, seed, workers"):
        solve(EMPTY, speed=3)
    with pytest.raises(BadOption, match="no backend"):
        solve(EMPTY, "nosuch")
    with pytest.raises(Unsupported, match="workers"):
        solve(EMPTY, "backtracking", workers=2)


@pytest.mark.parametrize(("text", "legal"), [(CLASH, False), (NONE, True), (EMPTY, True)])
def test_a_board_is_legal_when_nothing_clashes(text: str, legal: bool) -> None:
    assert validate(text).legal == legal
    assert bool(validate(text)) == legal


def test_solve_of_a_model_with_an_objective_gives_the_best_solution() -> None:
    xs = [Variable(f"x{i}", range(1, 6)) for i in range(3)]
    model = Model(xs, [xs[0] != xs[1]]).minimise(xs[0] + xs[1] - 2 * xs[2])
    result = solve(model, "backtracking")
    assert (result.status, result.objective, result.bound, result.reason) == (Status.SOLVED, -7, -7, "")
    assert result.values is not None and result.values["x2"] == 5
    worth = [s["x0"] + s["x1"] - 2 * s["x2"] for s in solutions(model.maximise(xs[2] * -2), "backtracking")]
    assert worth
    nothing = solve(model.with_(xs[0] == xs[1]))
    assert (nothing.status, nothing.objective, nothing.bound) == (Status.UNSATISFIABLE, None, None)


@pytest.mark.parametrize("ask", [count, candidates, is_unique])
def test_verbs_about_all_solutions_refuse_an_objective(ask: Any) -> None:
    x = Variable("x", range(3))
    with pytest.raises(ValueError, match="without_objective"):
        ask(Model([x]).minimise(x))
    assert ask(Model([x]).minimise(x).without_objective()) is not None


@pytest.mark.parametrize("name", ["seed", "workers", "memory_limit", "limit", "time_limit"])
def test_a_limit_of_a_wrong_type_is_named(name: str) -> None:
    wrong: Any = {name: "x"}
    with pytest.raises(TypeError, match=f"^{name} is 'x'.*"):
        count("." * 16, **wrong)


def test_workers_that_an_enumeration_cannot_use_are_reported() -> None:
    asked = solve(EMPTY, "cp-sat", unique=True, workers=2).record.notes
    assert "one worker: CP-SAT enumerates with no more" in asked
    assert not solve(EMPTY, "cp-sat", workers=2).record.notes
