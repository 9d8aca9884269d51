"""Objectives by SAT: find a solution, then ask for better ones until there is none.

The solver is a function: ``ask(clauses, variables)`` adds clauses (none of them empty) over the literals up to
``variables`` to those given before, and returns a model, or None. A solver that is kept between the calls keeps what it
learned, since each bound implies the previous one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sudoku_models.engine.contract import Solution
from sudoku_models.engine.record import Record
from sudoku_models.model import Objective

from ..encoding.cost import Cost
from ..encoding.encode import Problem
from ..encoding.totals import Clause, Totals, totals_of

Ask = Callable[[list[Clause], int], list[int] | None]


def improving(problem: Problem, objective: Objective, ask: Ask, record: Record) -> Iterator[Solution]:
    """Yield solutions, each better than the one before; when they end, none is better than the last."""
    if problem.impossible:
        return
    cost = Cost.of(problem, objective)
    if problem.decided:
        record.bound = cost.bound
        yield tuple(problem.values([]))
        return
    yield from tightened(cost, problem.formula.variables, ask, lambda model: tuple(problem.values(model)), record)


def tightened(
    cost: Cost, taken: int, ask: Ask, read: Callable[[list[int]], Solution], record: Record
) -> Iterator[Solution]:
    """Do the same for any cost; ``taken`` literals are in use, ``read`` returns the solution of a model."""
    totals = None
    record.bound = cost.bound
    model = ask([], taken)
    while model is not None:
        yield read(model)
        left = cost.spent(model) - 1
        if left < 0:
            return
        clauses, totals = _bounded(cost, left, totals, taken)
        record.sizes["clauses"] = record.sizes.get("clauses", 0) + len(clauses)
        record.sizes["variables"] = totals.variables
        model = ask(clauses, totals.variables)


def _bounded(cost: Cost, most: int, totals: Totals | None, taken: int) -> tuple[list[Clause], Totals]:
    """Return the clauses of a bound; for the first bound, also those that define its literals."""
    if totals is not None:
        return totals.at_most(most), totals
    totals = totals_of(cost.groups, most, taken)
    return totals.clauses + totals.at_most(most), totals
