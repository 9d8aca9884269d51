"""What a certificate refutes, stated again: the model, its narrowed variables, and the negation of the claim."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...model import Model
from ..statement import Claim, Statement
from .clauses import PlainClauses, Unstatable
from .kinds import state

LADDER = 41
"""From this number of values on, a ladder states that no two are true together."""


@dataclass(frozen=True)
class Restated:
    """A formula: the clauses, all their literals with 0 after each clause, the number of variables, and their
    numbers.
    """

    clauses: list[tuple[int, ...]]
    numbers: array[int]
    variables: int
    map: Mapping[tuple[str, int], int]


def restated(statement: Statement, claim: Claim, found: Sequence[Sequence[int]], look: Callable[[], None]) -> Restated:
    """Return clauses that are unsatisfiable if a claim holds.

    ``found`` are the solutions of the claim, with a value for each variable of the model. Unstatable for a model whose
    formula would be too large.
    """
    base, numbers = of_model(statement.model, look)
    more = of_claim(base, statement, claim, found, look)
    return Restated(base.all + more.all, numbers + more.flat(), more.variables, base.number)


def of_claim(
    base: PlainClauses, statement: Statement, claim: Claim, found: Sequence[Sequence[int]], look: Callable[[], None]
) -> PlainClauses:
    """Return the clauses after those of the model: the narrowed variables, and the negation of the claim."""
    model, clauses = statement.model, base.beyond(look)
    for x, values in statement.domains.items():
        wanted = frozenset(values)
        allowed = [value for value in model.domains[x] if value in wanted]
        if len(allowed) == 1:
            clauses.say(clauses.number[x, allowed[0]])
        else:
            for value in model.domains[x]:
                if value not in wanted:
                    clauses.say(-clauses.number[x, value])
    rows = [dict(zip(model.names, row, strict=True)) for row in found]
    if claim is Claim.OPTIMAL and model.objective is not None:
        better = model.objective.better_than(model.objective.value(rows[0]))
        state(clauses, better, True, ())
    elif claim is not Claim.OPTIMAL:
        for row in rows:
            clauses.say(*(-clauses.number[x, row[x]] for x in statement.keep))
    return clauses


def of_model(model: Model, look: Callable[[], None]) -> tuple[PlainClauses, array[int]]:
    """Return the clauses of a model without its objective; kept on the model."""
    kept = model.memo.get("formula stated again")
    if isinstance(kept, tuple):
        return kept
    clauses = PlainClauses(model.domains, look)
    for x in model.names:
        _one_value(clauses, [number for _, number in clauses.values(x)])
    for constraint in model.constraints:
        try:
            state(clauses, constraint, True, ())
        except RecursionError:
            raise Unstatable("a constraint is nested too deeply to be stated again") from None
        look()
    clauses.look = _nothing
    made = clauses, clauses.flat()
    model.memo["formula stated again"] = made
    return made


def _nothing() -> None:
    """Do nothing: there is no time limit."""


def _one_value(clauses: PlainClauses, numbers: list[int]) -> None:
    """State that a variable has exactly one value."""
    clauses.say(*numbers)
    if len(numbers) < LADDER:
        for one, other in combinations(numbers, 2):
            clauses.say(-one, -other)
        return
    so_far = 0
    for number in numbers:
        now = clauses.new()
        clauses.say(-number, now)
        if so_far:
            clauses.say(-so_far, now)
            clauses.say(-so_far, -number)
        so_far = now
