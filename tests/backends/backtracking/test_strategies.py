from __future__ import annotations

import pytest
from hypothesis import given, settings
from sudoku_backends.backtracking import BACKEND, BacktrackingOptions

from sudoku_models.engine.contract import Request
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Linear, Model
from sudoku_models.puzzle import Shape

from ..small_models import PUZZLE, SOLVED, boards, line_domains

SQUARE = ["rows", "rescan", "fewest"]
EVERY = pytest.mark.parametrize("strategy", ["auto", "general", *SQUARE])


def run(model: Model, strategy: str = "auto", **request: object):
    return BACKEND.compile(model, BacktrackingOptions(strategy)).run(Request(**request))


def solutions(model: Model, strategy: str = "auto", **request: object) -> list[tuple[int, ...]]:
    return list(run(model, strategy, limit=None, **request))


@settings(max_examples=100, deadline=None)
@given(boards())
def test_all_strategies_agree_on_squares_with_pencil_marks(board) -> None:
    model, marks = board
    found = {name: sorted(solutions(model, name, domains=marks)) for name in ["general", *SQUARE]}
    assert found["rows"] == found["rescan"] == found["fewest"] == found["general"]
    assert all(model.narrowed(marks).holds(dict(zip(model.names, s, strict=True))) for s in found["rows"])
    assert len(set(found["rows"])) == len(found["rows"])


@EVERY
def test_a_puzzle_with_one_solution_is_solved_and_proved(strategy: str) -> None:
    shape = Shape.square(9)
    found = run(shape.model, strategy, limit=2, domains=line_domains(shape, PUZZLE))
    assert list(found) == [tuple(map(int, SOLVED))]
    assert found.outcome.complete
    assert found.record.sizes["nodes"] > 0


@pytest.mark.parametrize("strategy", SQUARE)
def test_the_square_strategies_refuse_other_models(strategy: str) -> None:
    model = Shape.square(4).model.with_(Linear([1, 1], ["R1C1", "R4C4"], "==", 5))
    reason = BACKEND.capabilities_with(BacktrackingOptions(strategy)).accepts_model(model)
    assert reason is not None
    assert "square of houses" in reason
    with pytest.raises(Unsupported, match="square of houses"):
        run(model, strategy)
    assert len(solutions(model)) == len(expected_with_sum())


def expected_with_sum() -> list[tuple[int, ...]]:
    return [s for s in solutions(Shape.square(4).model) if s[0] + s[15] == 5]


def test_auto_is_fewest_on_a_square_and_general_elsewhere() -> None:
    shape = Shape.square(9)
    narrow = line_domains(shape, PUZZLE)
    nodes = {}
    for strategy in ("auto", "fewest", "rows"):
        found = run(shape.model, strategy, domains=narrow)
        list(found)
        nodes[strategy] = found.record.sizes["nodes"]
    assert nodes["auto"] == nodes["fewest"] < nodes["rows"]


@pytest.mark.parametrize("strategy", SQUARE)
@pytest.mark.parametrize("n", [40])
def test_deep_boards_raise_no_recursion_error(strategy: str, n: int) -> None:
    model = Shape.latin(n).model
    cyclic = {f"R{r + 1}C{c + 1}": ((r + c) % n + 1,) for r in range(n) for c in range(n) if (r + c) % 3 == 0}
    marks = {f"R{r + 1}C{c + 1}": tuple(sorted({(r + c) % n + 1, 1})) for r in range(n) for c in range(n)}
    found = run(model, strategy, domains={**marks, **cyclic})
    assert len(list(found)) == 1
    assert found.record.sizes["nodes"] > (n * n) // 3


def test_general_goes_deep_without_a_recursion_error() -> None:
    names = [f"x{i}" for i in range(3000)]
    model = Model.parse("\n".join(f"variable {x} in 1..2" for x in names))
    assert solutions(model.with_(AllDifferent(names[:2])), "general", domains=dict.fromkeys(names[1:], (1,)))
