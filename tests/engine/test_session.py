"""Sessions: constraints between runs, lowered as any other; what an engine cannot keep is refused with the reason."""

from __future__ import annotations

import pytest

from sudoku_models.engine import Reason, Request, Session
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, InDomain, Linear
from sudoku_models.puzzle import Shape
from sudoku_models.testing import Restricted

BOARD = Shape.square(4).model


def test_an_engine_that_keeps_nothing_has_no_sessions() -> None:
    with pytest.raises(Unsupported, match=r"does not declare 'assume'.*model.with_"):
        Session(BOARD, "python-constraint")


def test_what_cannot_be_added_leaves_the_session_as_it_was() -> None:
    with Session(BOARD, Restricted("backtracking", {AllDifferent, InDomain})) as session:
        with pytest.raises(Unsupported, match="nor what it can be rewritten to"):
            session.add(InDomain("R1C1", (1,)), Linear((1, 1), ("R1C1", "R1C2"), "==", 5))
        with pytest.raises(ValueError, match="R9C9"):
            session.add(InDomain("R9C9", (1,)))
        assert session.model == BOARD
        assert len(list(session.run(Request(limit=None)))) == 288


def test_limits_in_a_session() -> None:
    with Session(Shape.square(9).model, "backtracking") as session:
        with session.run(Request(limit=None, time_limit=0.2)) as found:
            assert sum(1 for _ in found)
        assert found.outcome.reason is Reason.TIME
        with pytest.raises(Unsupported, match="memory"):
            session.run(Request(memory_limit=1 << 30))
