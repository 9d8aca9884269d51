from __future__ import annotations

import pytest
from sudoku_backends.backtracking import BACKEND, BacktrackingOptions

from sudoku_models import Puzzle
from sudoku_models.engine import road
from sudoku_models.engine.contract import Reason, Request, Run
from sudoku_models.engine.registry import select
from sudoku_models.errors import BadOption
from sudoku_models.model import AllDifferent, Model, Objective, variables
from sudoku_models.puzzle import Shape

EVERY = pytest.mark.parametrize("strategy", ["general", "rows", "rescan", "fewest"])


def run(model: Model, strategy: str = "auto", **request: object) -> Run:
    return BACKEND.compile(model, BacktrackingOptions(strategy)).run(Request(**request))


@EVERY
def test_a_search_without_solutions_on_its_way_is_stopped_too(strategy: str) -> None:
    latin = Shape.latin(16)  # two rows lack a value, which no strategy sees before it comes there
    narrow = {f"R{r}C{c}": tuple(range(1, 16)) for r in (15, 16) for c in range(1, 17)}
    found = run(latin.model, strategy, domains=narrow, time_limit=0.05)
    assert list(found) == []
    assert found.outcome.reason is Reason.TIME


def test_an_objective_is_refused_where_the_strategy_is_for_squares() -> None:
    model = Model(variables(["x", "y"], range(3)), [AllDifferent(["x", "y"])], Objective("minimize", [1], ["x"]))
    assert BACKEND.capabilities.accepts_model(model) is None
    fewest = BACKEND.capabilities_with(BacktrackingOptions("fewest"))
    assert "objective" in (fewest.accepts_model(model) or "")


@pytest.mark.parametrize(("patience", "enough"), [(20, False), (20_000, True)])
def test_it_gives_up_after_some_nodes_and_looks(patience: int, enough: bool) -> None:
    structure = Puzzle.parse(".Shape~4x4.Thermo~R1C1~R1C2").structure
    with road.run(structure, f"backtracking:patience={patience}", Request(limit=None)) as found:
        number = sum(1 for _ in found)
        assert found.outcome.reason is (Reason.EXHAUSTED if enough else Reason.GAVE_UP)
    assert enough or number < 10
    with pytest.raises(BadOption, match="patience=-1 is negative"):
        select("backtracking:patience=-1")
