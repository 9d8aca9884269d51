"""A traced search reports its decisions: replayed, they lead to its solutions."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle, Unsupported
from sudoku_models.engine import Reason, Request, TraceStep, run
from sudoku_models.model import Model

PUZZLE = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
VARIANT = Puzzle.parse(".Shape~6x6.Thermo~R1C1~R1C2~R2C3~R3C3.Cage~8~R1C5~R1C6~R2C6.Arrow~R6C1~R5C1~R4C1")
EVERY = pytest.mark.parametrize("strategy", ["general", "rows", "rescan", "fewest"])


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


def solved(model: Model, domains: object, strategy: str, **request: object) -> tuple[list[TraceStep], object, object]:
    steps: list[TraceStep] = []
    with run(model, f"backtracking:strategy={strategy}", Request(domains, trace=steps.append, **request)) as found:
        solution = next(found)
        return steps, solution, found.outcome


@EVERY
def test_the_decisions_and_the_givens_are_the_solution(strategy: str) -> None:
    steps, solution, outcome = solved(PUZZLE.structure, PUZZLE.domains, strategy)
    givens = {name: values[0] for name, values in PUZZLE.domains.items()}
    made = {**givens, **replayed(steps)}
    assert tuple(made[name] for name in PUZZLE.structure.names) == solution
    assert sum(step.value is not None for step in steps) == outcome.record.sizes["nodes"]


def test_a_variant_is_traced_too() -> None:
    steps, solution, _ = solved(VARIANT.structure, {}, "general")
    assert replayed(steps) == dict(zip(VARIANT.structure.names, solution, strict=True))


@EVERY
def test_a_traced_search_finds_what_it_finds_untraced(strategy: str) -> None:
    _, solution, _ = solved(PUZZLE.structure, PUZZLE.domains, strategy, seed=3)
    with run(PUZZLE.structure, f"backtracking:strategy={strategy}", Request(PUZZLE.domains, seed=3)) as found:
        assert next(found) == solution


@EVERY
def test_the_trace_ends_the_run(strategy: str) -> None:
    seen: list[TraceStep] = []

    def enough(step: TraceStep) -> bool:
        seen.append(step)
        return len(seen) == 5

    spec = f"backtracking:strategy={strategy}"
    with run(PUZZLE.structure, spec, Request(PUZZLE.domains, trace=enough)) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.CLOSED
    assert len(seen) == 5


def test_a_search_in_another_process_is_not_traced() -> None:
    request = Request(trace=print, memory_limit=10**9)
    with run(PUZZLE.structure, "backtracking", request) as found, pytest.raises(Unsupported, match="cannot be traced"):
        next(found)


def test_who_tells_no_decisions_refuses() -> None:
    with pytest.raises(Unsupported, match="'trace'"):
        run(PUZZLE.structure, "pycosat", Request(trace=print))
