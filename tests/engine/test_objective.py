"""With an objective the road lets only improving solutions through, recomputes their values and holds the bound."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from sudoku_models.engine import Ending, Feature, Outcome, Reason, Request, run
from sudoku_models.engine.contract import Isolate, Search, Solution
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable

from . import planted

XS = [Variable(f"x{i}", range(1, 4)) for i in range(3)]
LEAST = Model(XS, [AllDifferent(XS)]).minimise(XS[0] + 2 * XS[1] + 10)
BAD, GOOD, BEST = (2, 3, 1), (3, 2, 1), (2, 1, 3)


class Yields(planted.Improves):
    """Yields given solutions in this process and ends as given."""

    isolate = Isolate.NEVER

    def __init__(self, solutions: Sequence[Solution], ending: Ending, bound: int | None = None) -> None:
        super().__init__(*((solution, bound) for solution in solutions), then=ending)


def asked(backend: Yields, limit: int | None = None) -> tuple[list[Solution], Outcome]:
    with run(LEAST, backend, Request(limit=limit)) as found:
        return list(found), found.outcome


@pytest.mark.parametrize("solutions", [(GOOD, BAD), (BEST, BEST), (BEST, (1, 2, 3), (1, 2, 3))])
def test_a_solution_that_is_no_better_is_a_wrong_answer(solutions: Sequence[Solution]) -> None:
    with pytest.raises(WrongAnswer, match="which does not improve on"):
        asked(Yields(solutions, Ending(Reason.EXHAUSTED)))


def test_a_bound_that_a_solution_belies_is_a_wrong_answer() -> None:
    with pytest.raises(WrongAnswer, match="its objective is 14, better than the claimed bound 16"):
        asked(Yields([BEST], Ending(Reason.TIME, 16)))


def test_what_is_proved_so_far_is_reported_when_a_limit_ends_the_run() -> None:
    for said in (Yields([GOOD], Ending(Reason.TIME, 14)), Yields([GOOD], Ending(Reason.TIME), 14)):
        outcome = asked(said)[1]
        assert (outcome.complete, outcome.reason, outcome.bound) == (False, Reason.TIME, 14)
    cut, outcome = asked(Yields([BAD, GOOD, BEST], Ending(Reason.EXHAUSTED), 14), limit=2)
    assert (cut, outcome.reason, outcome.bound) == ([BAD, GOOD], Reason.LIMIT, 14)


def test_what_an_engine_has_found_when_the_time_is_up_still_arrives() -> None:
    class Late(Yields):
        features = Yields.features | {Feature.TIME_LIMIT}

        def search(self, model: Model, *content: Any) -> Search:
            time.sleep(0.2)
            return (yield from super().search(model, *content))

    with run(LEAST, Late([BAD, GOOD, BEST], Ending(Reason.TIME)), Request(limit=None, time_limit=0.1)) as found:
        assert list(found) == [BAD, GOOD, BEST]
    assert found.outcome.reason is Reason.TIME


def test_behind_an_attempt_that_gives_up_a_child_goes_on_with_what_is_better() -> None:
    tries = planted.Tries((GOOD, None), (BEST, None), then=Ending(Reason.EXHAUSTED))
    with run(LEAST, tries, Request(limit=None)) as found:
        assert next(found) == GOOD
        assert not found.record.isolated
        assert list(found) == [BEST]
        assert found.record.isolated
    assert found.outcome.complete and found.outcome.bound == 14
    for limit in (1, 2):
        with run(LEAST, tries, Request(limit=limit)) as found:
            assert list(found) == [GOOD, BEST][:limit]
        assert found.outcome.reason is Reason.LIMIT


def test_kept_variables_are_refused() -> None:
    with pytest.raises(ValueError, match="keep cannot be combined with an objective"):
        run(LEAST, Yields([], Ending(Reason.EXHAUSTED)), Request(keep=("x0",)))
