"""Large models under a short limit: every verb answers what it knows, in words."""

from __future__ import annotations

from itertools import islice, product

import pytest

from sudoku_models import Model, Puzzle, Shape, Unsupported, Variable, count
from sudoku_models.engine import listings
from sudoku_models.explain import explain
from sudoku_models.model import Table

ENGINES = ["auto", *(listing.name for listing in listings() if not listing.problem)]
XS = [Variable(name, range(40)) for name in "xyz"]
WIDE = Model(XS, [Table(XS, list(islice(product(range(40), repeat=3), 30_000)))])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_large_table_is_counted_as_far_as_the_time_allows(engine: str) -> None:
    try:
        found = count(WIDE, engine, time_limit=1)
    except Unsupported as refused:
        assert str(refused)
        return
    assert found.value <= 30_000 and (not found.exact or found == 30_000)


@pytest.mark.parametrize("engine", ["pycosat", "auto"])
def test_a_large_board_is_counted_as_far_as_the_time_allows(engine: str) -> None:
    for _ in range(2):  # the second time what it costs is known
        assert count(Puzzle.empty(Shape.square(36)), engine, time_limit=1, limit=1).value <= 1


def test_an_explanation_that_ran_out_of_time_can_be_printed() -> None:
    found = explain(Puzzle.empty(Shape.square(16)), time_limit=1)
    assert str(found) and repr(found)
