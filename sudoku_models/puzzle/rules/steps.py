"""A budget of steps for making automata, shared by all patterns and automata of a document."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from typing import Any

from ...dataclass import dataclass
from ...model import Automaton, Domain

MOST_TOGETHER = 3_000_000
"""The largest total number of steps for the patterns and automata of one document (about a second)."""


class Steps:
    """Counts steps down. A repeated request costs nothing; a cached automaton costs its original steps."""

    def __init__(
        self, most: int = MOST_TOGETHER, spent: str = "the patterns and automata need more than {} steps in total"
    ) -> None:
        self.left, self._spent = most, spent.format(most)
        self._made: set[Hashable] = set()

    def spend(self, steps: int) -> None:
        """Spend steps; raise ValueError if not enough are left."""
        self.left -= steps
        if self.left < 0:
            raise ValueError(self._spent)

    def made(self, make: Callable[[AutomatonKey], Made], source: Hashable, values: Domain, length: int) -> Automaton:
        """Return the automaton that ``make`` (a cached function) makes from a source, and spend its steps."""
        asked, before = AutomatonKey(source, values, length, self), self.left
        found = make(asked)
        if (make, asked) not in self._made:
            self.left = before
            self.spend(found.cost)
            self._made.add((make, asked))
        else:
            self.left = before
        return found.automaton


@dataclass(frozen=True)
class AutomatonKey:
    """The hashable key of a requested automaton, which does not depend on the budget."""

    source: Any
    values: Domain
    length: int
    steps: Steps = field(compare=False, repr=False)


@dataclass(frozen=True)
class Made:
    """An automaton and the steps that it took."""

    automaton: Automaton
    cost: int
