"""The search ``backtracking``: its strategies agree, are stopped, refuse what is not theirs, tell what they decide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sudoku_backends.backtracking import BACKEND, BacktrackingOptions

from sudoku_models import Puzzle
from sudoku_models.engine import Reason, Request, TraceStep, road
from sudoku_models.engine.contract import Run
from sudoku_models.model import AllDifferent, Model, variables
from sudoku_models.puzzle import Shape

from .small_models import PUZZLE, SOLVED, Domains, boards, line_domains

SQUARE = ["rows", "rescan", "fewest"]
EVERY = pytest.mark.parametrize("strategy", ["general", *SQUARE])
NINE = Shape.square(9)
GIVENS = line_domains(NINE, PUZZLE)


def run(model: Model, strategy: str = "auto", **request: object) -> Run:
    return BACKEND.compile(model, BacktrackingOptions(strategy)).run(Request(**request))


def solutions(model: Model, strategy: str = "auto", **request: object) -> list[tuple[int, ...]]:
    return list(run(model, strategy, limit=None, **request))


@settings(max_examples=100, deadline=None)
@given(boards())
def test_all_strategies_agree_on_squares_with_pencil_marks(board: tuple[Model, Domains]) -> None:
    model, marks = board
    found = {name: sorted(solutions(model, name, domains=marks)) for name in ["general", *SQUARE]}
    assert found["rows"] == found["rescan"] == found["fewest"] == found["general"]
    assert all(model.narrowed(marks).holds(dict(zip(model.names, s, strict=True))) for s in found["rows"])
    assert len(set(found["rows"])) == len(found["rows"])


def test_a_puzzle_with_one_solution_is_solved_and_proved_and_auto_is_fewest() -> None:
    nodes = {}
    for strategy in ("auto", "general", *SQUARE):
        found = run(NINE.model, strategy, limit=2, domains=GIVENS)
        assert list(found) == [tuple(map(int, SOLVED))]
        assert found.outcome.complete
        nodes[strategy] = found.record.sizes["nodes"]
    assert 0 < nodes["auto"] == nodes["fewest"] < nodes["rows"]


@pytest.mark.parametrize("strategy", SQUARE)
def test_deep_boards_raise_no_recursion_error(strategy: str, n: int = 40) -> None:
    cyclic = {f"R{r + 1}C{c + 1}": ((r + c) % n + 1,) for r in range(n) for c in range(n) if (r + c) % 3 == 0}
    marks = {f"R{r + 1}C{c + 1}": tuple(sorted({(r + c) % n + 1, 1})) for r in range(n) for c in range(n)}
    found = run(Shape.latin(n).model, strategy, domains={**marks, **cyclic})
    assert len(list(found)) == 1
    assert found.record.sizes["nodes"] > (n * n) // 3


def test_general_goes_deep_without_a_recursion_error() -> None:
    names = [f"x{i}" for i in range(3000)]
    model = Model(variables(names, (1, 2)), [AllDifferent(names[:2])])
    assert solutions(model, "general", domains=dict.fromkeys(names[1:], (1,)))


@EVERY
def test_a_search_without_solutions_on_its_way_is_stopped_too(strategy: str) -> None:
    latin = Shape.latin(16)  # two rows lack a value, which no strategy sees before it comes there
    narrow = {f"R{r}C{c}": tuple(range(1, 16)) for r in (15, 16) for c in range(1, 17)}
    found = run(latin.model, strategy, domains=narrow, time_limit=0.05)
    assert list(found) == []
    assert found.outcome.reason is Reason.TIME


def replayed(steps: list[TraceStep]) -> dict[str, int]:
    """Follow the decisions: one that is taken back is the last in force."""
    made: dict[str, int] = {}
    for step in steps:
        if step.value is None:
            assert made.popitem()[0] == step.variable
        else:
            assert step.variable not in made
            made[step.variable] = step.value
    return made


VARIANT = Puzzle.parse(".Shape~6x6.Thermo~R1C1~R1C2~R2C3~R3C3.Cage~8~R1C5~R1C6~R2C6.Arrow~R6C1~R5C1~R4C1").structure


@pytest.mark.parametrize("strategy", ["general", *SQUARE, "of a variant"])
def test_the_decisions_and_the_givens_are_the_solution_that_is_found_untraced(strategy: str) -> None:
    model, domains, spec = NINE.model, GIVENS, f"backtracking:strategy={strategy}"
    if strategy == "of a variant":
        model, domains, spec = VARIANT, {}, "backtracking"
    steps: list[TraceStep] = []
    with road.run(model, spec, Request(domains, trace=steps.append, seed=3)) as found:
        solution = next(found)
    made = {**{name: values[0] for name, values in domains.items()}, **replayed(steps)}
    assert tuple(made[name] for name in model.names) == solution
    assert sum(step.value is not None for step in steps) == found.outcome.record.sizes["nodes"]
    with road.run(model, spec, Request(domains, seed=3)) as untraced:
        assert next(untraced) == solution


@EVERY
def test_the_trace_ends_the_run(strategy: str) -> None:
    seen: list[TraceStep] = []

    def enough(step: TraceStep) -> bool:
        seen.append(step)
        return len(seen) == 5

    with road.run(NINE.model, f"backtracking:strategy={strategy}", Request(GIVENS, trace=enough)) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.CLOSED
    assert len(seen) == 5
