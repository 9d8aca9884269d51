"""Where a constraint is stated in a formula: the domains, a guard, and whether it or its negation holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..model import Constraint, Domain, InDomain
from .diagram import Digit, State, state_diagram
from .formula import Clause, FlatFormula

Domains = Mapping[str, Domain]

Encode = Callable[[FlatFormula, Domains, Constraint, Clause, bool], None]
"""Adds the clauses of a constraint, or of its negation, under a guard."""

REFUSED = "R"
"""The state of a word that can no longer be accepted."""


class Place:
    """A formula, domains, a guard in each clause, and whether the constraint or its negation is stated."""

    def __init__(self, formula: FlatFormula, domains: Domains, guard: Clause, holds: bool, encode: Encode) -> None:
        self.formula, self.domains, self.guard, self.holds, self.encode = formula, domains, guard, holds, encode

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.formula.add((*self.guard, *literals))

    def define(self, *literals: int) -> None:
        """Add a clause that gives a new variable its meaning, whether the guard is true or false."""
        self.formula.add(literals)

    def digit(self, x: str, reading: Callable[[int], int] = int) -> Digit:
        """Return the values of a variable, each read by a function, with their literals."""
        return tuple((reading(value), self.formula.literals[x, value]) for value in self.domains[x])

    def word(self, digits: list[Digit], start: State, step: Callable[[int, Any, int], State], accepts: Any) -> None:
        """State that the word of the digits is accepted, or that it is not; ``step`` returns None if it is refused."""
        wanted = self.holds
        state_diagram(
            self.formula,
            digits,
            start,
            _total(step),
            lambda s: (s != REFUSED and bool(accepts(s))) == wanted,
            self.guard,
        )

    def all_of(self, constraints: Iterable[tuple[Constraint, bool]]) -> None:
        """State each of some constraints, or its negation."""
        for constraint, holds in constraints:
            self.encode(self.formula, self.domains, constraint, self.guard, holds)

    def any_of(self, constraints: Iterable[tuple[Constraint, bool]]) -> None:
        """State that one of some constraints holds (or its negation): a literal for each, which implies it."""
        clause, later = [], []
        for constraint, holds in constraints:
            if isinstance(constraint, InDomain):
                clause += [x for value, x in self.digit(constraint.x) if (value in constraint.values) == holds]
            else:
                chosen = self.formula.fresh()
                clause.append(chosen)
                later.append((constraint, holds, chosen))
        self.add(*clause)
        for constraint, holds, chosen in later:
            self.encode(self.formula, self.domains, constraint, (*self.guard, -chosen), holds)


def _total(step: Callable[[int, Any, int], State]) -> Callable[[int, Any, int], State]:
    """Return a step function that ends in REFUSED if the given one returns None."""

    def total(place: int, state: State, value: int) -> State:
        """Continue from a state; a refused word stays refused."""
        after = None if state == REFUSED else step(place, state, value)
        return REFUSED if after is None else after

    return total
