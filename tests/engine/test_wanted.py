"""What adapters hand on of what an engine meets, and what becomes of the ways in which it ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sudoku_models.engine.budget import Budget, GaveUp, Meter, OutOfMemory, OutOfTime
from sudoku_models.engine.contract import Ending, Improving, Reason, Request, Solution, wanted_of
from sudoku_models.engine.pulling import pulled, until
from sudoku_models.engine.record import Record
from sudoku_models.model import Model, Objective, Variable

X, Y = (Variable(name, range(5)) for name in "xy")
ROWS = [(3, 0), (3, 1), (4, 1), (1, 2), (1, 3), (0, 0)]


def model(sense: str | None = None) -> Model:
    return Model([X, Y], objective=Objective.of(sense, X + 0) if sense else None)


def pull(
    request: Request, stated: Model | None = None, end: type[Exception] | None = None
) -> tuple[list[Solution], Ending]:
    def found() -> Iterator[Solution]:
        yield from ROWS
        if end:
            raise end

    search = pulled(found(), request, Record().stopwatch(), wanted_of(stated or model(), request.keep))
    solutions = []
    while True:
        try:
            solutions.append(next(search))
        except StopIteration as stop:
            return solutions, stop.value


@pytest.mark.parametrize(("limit", "reason"), [(0, Reason.LIMIT), (2, Reason.LIMIT), (None, Reason.EXHAUSTED)])
def test_as_many_solutions_are_pulled_as_are_wanted(limit: int | None, reason: Reason) -> None:
    assert pull(Request(limit=limit)) == (ROWS[:limit], Ending(reason))


def test_what_is_not_wanted_does_not_count() -> None:
    assert pull(Request(limit=3, keep=("x",))) == ([(3, 0), (4, 1), (1, 2)], Ending(Reason.LIMIT))


@pytest.mark.parametrize(("sense", "found"), [("minimize", [(3, 0), (1, 2), (0, 0)]), ("maximize", [(3, 0), (4, 1)])])
def test_with_an_objective_only_what_improves_is_wanted(sense: str, found: list[Solution]) -> None:
    assert pull(Request(limit=None), model(sense)) == (found, Ending(Reason.EXHAUSTED))


def test_what_improves_nothing_cannot_be_asked_of_a_model_without_an_objective() -> None:
    with pytest.raises(ValueError, match="no objective"):
        Improving(model())


@pytest.mark.parametrize(
    ("end", "reason"), [(OutOfTime, Reason.TIME), (OutOfMemory, Reason.MEMORY), (GaveUp, Reason.GAVE_UP)]
)
def test_the_way_in_which_an_engine_leaves_its_loop_is_the_ending(end: type[Exception], reason: Reason) -> None:
    assert pull(Request(limit=None), end=end) == (ROWS, Ending(reason))


def test_the_clock_is_looked_at_before_each_solution_is_looked_for() -> None:
    looks: list[int] = []
    found = until(lambda: looks.append(1), iter(ROWS))
    assert looks == []
    for number, _ in enumerate(found, 1):
        assert len(looks) == number


def test_a_meter_looks_at_its_clock_at_the_first_node_and_every_few_later() -> None:
    looks: list[int] = []

    class Watched(Budget):
        def check(self) -> None:
            looks.append(meter.nodes)

    meter = Meter(Watched(None), every=3)
    for _ in range(8):
        meter.tick()
    assert looks == [1, 4, 7]
