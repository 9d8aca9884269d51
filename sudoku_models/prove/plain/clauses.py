"""The clauses of a model as the second encoder writes them: a list, with the numbers of its variables."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from itertools import chain

from ...errors import SudokuModelsError
from ...model import Domain

MOST = 50_000_000
"""The most literals in a formula; beyond this it is given up."""


MOST_VALUES = 5_000_000
"""The most values of all variables together."""

MOST_STEPS = 500_000_000
"""The most pairs of values (or similar) that are examined, even if there is nothing to state about them."""

LOOKS = 100_000
"""Steps between two checks of the clock."""


class Unstatable(SudokuModelsError, ValueError):
    """A model whose formula cannot be written, or would be too long."""


class PlainClauses:
    """Clauses over numbered variables: first each value of each variable of a model, in order, then new ones."""

    def __init__(self, domains: Mapping[str, Domain], look: Callable[[], None]) -> None:
        if sum(map(len, domains.values())) > MOST_VALUES:
            raise Unstatable(f"the variables have more than {MOST_VALUES:,} values")
        pairs = [(x, value) for x, values in domains.items() for value in values]
        self.number = dict(zip(pairs, range(1, len(pairs) + 1), strict=True))
        self.domains = domains
        self.variables = len(pairs)
        self.all: list[tuple[int, ...]] = []
        self.look = look
        self.repeats = False
        self._room = MOST
        self._steps = self._seen = 0

    def say(self, *literals: int) -> None:
        """Write a clause; Unstatable if there are too many.

        While ``repeats`` is set, literals may be repeated: each is written once, and a clause that is always true is
        left out.
        """
        if self.repeats:
            literals = tuple(dict.fromkeys(literals))
            if len(set(map(abs, literals))) < len(literals):
                return
        self.all.append(literals)
        self._room -= len(literals) + 1
        if not len(self.all) % 1024:
            self.look()
        if self._room < 0:
            raise Unstatable(f"the formula, stated again, has more than {MOST:,} literals")

    def step(self, work: int) -> None:
        """Count the steps of the next piece of work and check the clock. Unstatable if there are too many."""
        self._steps += work
        if self._steps > MOST_STEPS:
            raise Unstatable(f"the model, stated again, takes more than {MOST_STEPS:,} steps")
        if self._steps > self._seen + LOOKS:
            self._seen = self._steps
            self.look()

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def values(self, x: str) -> list[tuple[int, int]]:
        """Return each value of a variable with its number in the formula."""
        return [(value, self.number[x, value]) for value in self.domains[x]]

    def beyond(self, look: Callable[[], None]) -> PlainClauses:
        """Return an empty set of clauses over the same variables, for those that follow these."""
        made = PlainClauses({}, look)
        made.number, made.domains, made.variables, made._room = self.number, self.domains, self.variables, self._room
        return made

    def flat(self) -> array[int]:
        """Return the literals of the clauses, 0 after each clause."""
        return array("i", chain.from_iterable((*clause, 0) for clause in self.all))
