from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from sudoku_backends.exact_cover import BACKEND, CoverMatrix

from sudoku_models.engine.contract import Reason, Request, Run
from sudoku_models.engine.road import run as run_on
from sudoku_models.errors import Unsupported
from sudoku_models.model import Compare, Linear, Model, Table, variables
from sudoku_models.puzzle import Shape

from .small_models import JIGSAW, PUZZLE, SOLVED, line_domains, pigeonhole, shared_puzzles

NINE = Shape.square(9)


def run(model: Model, **request: object) -> Run:
    return BACKEND.compile(model, BACKEND.Options()).run(Request(**request))


def matrix(model: Model) -> CoverMatrix:
    return BACKEND.compile(model, BACKEND.Options()).native


def test_more_variables_than_values_are_seen_at_once() -> None:
    assert matrix(pigeonhole(5, 4)).impossible
    found = run(pigeonhole(30, 29))
    assert list(found) == []
    assert (found.outcome.complete, found.record.sizes["nodes"]) == (True, 0)


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
    for narrow in shared_puzzles(shared_data, name, 8):
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
