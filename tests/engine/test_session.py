"""Sessions: constraints between runs, lowered as any other; what an engine cannot keep is refused with the reason."""

from __future__ import annotations

import pytest

from sudoku_models.engine import Reason, Request, Session
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Compare, InDomain, Linear, MinMax, Model, Table, Variable, brute_force
from sudoku_models.puzzle import Shape
from sudoku_models.testing import Restricted

XS = [Variable(f"x{i}", range(1, 5)) for i in range(4)]
BOARD = Shape.square(4).model


@pytest.mark.parametrize("inner", ["backtracking", "cp-sat", "cp-sat:form=booleans"])
def test_a_constraint_that_needs_auxiliary_variables_is_lowered_too(inner: str) -> None:
    spec = Restricted(inner, {AllDifferent, InDomain, Table, Compare})
    with Session(Model(XS, [AllDifferent(XS)]), spec) as session:
        for constraint in (
            Linear((1, 2, 3, 4), XS, "<=", 26),
            MinMax(XS[:2], None, 3),
            Linear((2, -1), XS[:2], ">", 0),
        ):
            session.add(constraint)
            with session.run(Request(limit=None)) as found:
                assert sorted(found) == sorted(brute_force(session.model))
        assert len(session.model.constraints) == 4
        assert any("Linear" in line for line in found.record.plan)


@pytest.mark.parametrize("spec", ["backtracking", "cp-sat"])
def test_a_board_is_explored_step_by_step(spec: str) -> None:
    """Forbid what was found until nothing is left: the solutions of the first row, each once."""
    found: list[tuple[int, ...]] = []
    with Session(BOARD, spec) as session:
        session.add(InDomain("R2C1", (3,)), InDomain("R1C1", (1,)), InDomain("R1C2", (2,)))
        while (solution := next(session.run(), None)) is not None:
            found.append(solution[:4])
            session.add(Table(("R1C3", "R1C4"), [solution[2:4]], allowed=False))
        assert session.run().outcome.count == 0
    assert sorted(found) == [(1, 2, 3, 4), (1, 2, 4, 3)]


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
