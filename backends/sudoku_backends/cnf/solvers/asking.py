"""One solution after another from a solver that is asked repeatedly (see ``improving`` for the function ``ask``)."""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_models.engine.contract import Request, Solution
from sudoku_models.engine.record import Record
from sudoku_models.model import Model

from ..encoding.encode import Problem
from .improving import Ask, improving
from .kept import Kept, blocking


def solutions_of(model: Model, problem: Problem, request: Request, ask: Ask, record: Record) -> Iterator[Solution]:
    """Yield solutions: each question forbids the last one or, with an objective, asks for a better one."""
    if model.objective:
        yield from improving(problem, model.objective, ask, record)
        return
    kept, variables = Kept.of_request(model, request), problem.formula.variables
    found = ask([], variables)
    while found is not None:
        yield (solution := tuple(problem.values(found)))
        forbidden = blocking(problem, kept, solution)
        found = ask([forbidden], variables) if forbidden else None
