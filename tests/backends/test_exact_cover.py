from __future__ import annotations

from itertools import combinations, islice
from pathlib import Path

import pytest
from sudoku_backends.exact_cover import BACKEND, CoverMatrix

from sudoku_models.engine.contract import Reason, Request, Run
from sudoku_models.engine.road import run as run_on
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Compare, Linear, Model, Table, brute_force, variables
from sudoku_models.puzzle import Shape

from .small_models import JIGSAW, KNOWN, PUZZLE, SOLVED, line_domains, pigeonhole, shared_puzzles

NINE = Shape.square(9)
SMALL = tuple(name for name, (model, _) in KNOWN.items() if not any(isinstance(c, Linear) for c in model.constraints))


def run(model: Model, **request: object) -> Run:
    return BACKEND.compile(model, BACKEND.Options()).run(Request(**request))


def matrix(model: Model) -> CoverMatrix:
    return BACKEND.compile(model, BACKEND.Options()).native


def test_a_sudoku_has_only_primary_items() -> None:
    found = matrix(NINE.model)
    assert (len(found.options), len(found.primary), len(found.secondary)) == (729, 324, 0)
    assert {len(options) for options in found.primary.values()} == {9}


def test_an_all_different_with_values_to_spare_is_secondary() -> None:
    found = matrix(Model(variables("ab", range(3)), [AllDifferent(["a", "b"])]))
    assert found.primary == {("variable", x): [(x, v) for v in range(3)] for x in "ab"}
    assert found.secondary == {("group", 0, v): [("a", v), ("b", v)] for v in range(3)}


def test_a_constraint_on_two_variables_is_an_item_for_each_value_of_one() -> None:
    found = matrix(Model(variables("ab", (1, 2, 3)), [Compare("a", "<", "b")]))
    assert found.secondary["pair", 0, 1] == [("a", 1), ("b", 1)]
    assert found.secondary["pair", 0, 3] == [("a", 3), ("b", 1), ("b", 2), ("b", 3)]


def test_more_variables_than_values_are_seen_at_once() -> None:
    assert matrix(pigeonhole(5, 4)).impossible
    found = run(pigeonhole(30, 29))
    assert list(found) == []
    assert (found.outcome.complete, found.record.sizes["nodes"]) == (True, 0)


@pytest.mark.parametrize("name", SMALL)
def test_counts_known_from_elsewhere(name: str) -> None:
    model, count = KNOWN[name]
    found = run(model, limit=None)
    assert len(set(found)) == found.outcome.count == count
    assert found.outcome.complete


def test_binary_constraints_mean_what_they_say() -> None:
    xs = variables("abc", (-2, 0, 1, 3))
    for op in ("==", "!=", "<", "<=", ">", ">="):
        for c in range(-3, 4):
            table = Table(["b", "c"], [(0, 1), (1, 3), (3, 3), (9, 9)], allowed=c % 2 == 0)
            model = Model(xs, [Compare("a", op, "b", c), table])
            assert sorted(run(model, limit=None)) == list(brute_force(model))


def test_what_is_no_exact_cover_is_refused_with_the_reason() -> None:
    xs = variables("abc", range(3))
    table, total = Table(list("abc"), [(0, 1, 2)]), Linear((1, 1, 1), list("abc"), "==", 3)
    for constraint, reason in (
        (table, "Table over 3 variables is not an exact cover"),
        (total, "it does not support Linear"),
    ):
        with pytest.raises(Unsupported, match=reason):
            run(Model(xs, [constraint]))
    wide = variables("ab", range(1500))
    with pytest.raises(Unsupported, match="2250000 pairs of values"):
        run(Model(wide, [Compare("a", "<", "b")]))


def test_a_puzzle_is_solved_and_proved_unique_without_a_wrong_choice() -> None:
    found = run(NINE.model, limit=2, domains=line_domains(NINE, PUZZLE))
    assert list(found) == [tuple(map(int, SOLVED))]
    assert found.outcome.complete
    assert found.record.sizes["nodes"] == 81


@pytest.mark.parametrize("name", ["17_clue.txt", "top1465.txt", "hardest_1106.txt"])
def test_shared_puzzles_have_one_solution(name: str, shared_data: Path) -> None:
    for narrow in shared_puzzles(shared_data, name, 30):
        found = run(NINE.model, domains=narrow, limit=2)
        solutions = list(found)
        assert len(solutions) == 1
        assert NINE.model.narrowed(narrow).holds(dict(zip(NINE.names, solutions[0], strict=True)))
        assert found.outcome.complete


def test_solutions_come_one_by_one_each_once() -> None:
    found = run(NINE.model, limit=None)
    assert len(set(islice(found, 500))) == 500
    found.close()
    assert found.outcome.reason is Reason.CLOSED
    backtracking = run_on(JIGSAW.model, "backtracking", Request(limit=None))
    assert sorted(run(JIGSAW.model, limit=None)) == sorted(backtracking)


def test_another_seed_is_another_search_of_the_same_solutions() -> None:
    firsts = [next(run(NINE.model, seed=seed)) for seed in (0, 1, 2, 0, 1, 2)]
    assert firsts[:3] == firsts[3:]
    assert len(set(firsts)) == 3
    four = Shape.square(4).model
    assert set(run(four, limit=None, seed=7)) == set(run(four, limit=None))


def test_the_time_limit_ends_a_search_in_vain() -> None:
    xs = variables([f"p{i}" for i in range(12)], range(11))
    crowd = Model(xs, [AllDifferent(pair) for pair in combinations(xs, 2)])
    found = run(crowd, time_limit=0.1)
    assert list(found) == []
    assert found.outcome.reason is Reason.TIME
