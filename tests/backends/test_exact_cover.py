from __future__ import annotations

import pytest
from sudoku_backends.exact_cover import BACKEND, CoverMatrix

from sudoku_models.engine.contract import Request, Run
from sudoku_models.errors import Unsupported
from sudoku_models.model import Compare, Linear, Model, Table, variables
from sudoku_models.puzzle import Shape

from .small_models import PUZZLE, SOLVED, line_domains, pigeonhole

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
