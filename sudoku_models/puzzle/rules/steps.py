"""The steps that making automata may take: one purse for all patterns and automata of a document."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from ...model import Automaton, Domain

MOST_TOGETHER = 3_000_000
"""The most steps that the patterns and automata of one document may take, all together (about a second)."""


class Steps:
    """Counts steps down; what was asked for before costs nothing, what a cache holds costs what it took to make."""

    def __init__(self, most: int = MOST_TOGETHER) -> None:
        self.most = self.left = most
        self._made: set[Hashable] = set()

    def spend(self, steps: int) -> None:
        """Take steps; ValueError when not enough are left."""
        self.left -= steps
        if self.left < 0:
            raise ValueError(f"the patterns and automata take more than {self.most} steps in all to be made")

    def made(self, make: Callable[[AutomatonKey], Made], source: Hashable, values: Domain, length: int) -> Automaton:
        """Return the automaton that ``make`` (a cached function) makes of a source, and pay for it."""
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
    """An automaton asked for, of something that can be hashed: the same one whoever pays for it."""

    source: Any
    values: Domain
    length: int
    steps: Steps = field(compare=False, repr=False)


@dataclass(frozen=True)
class Made:
    """An automaton and the steps that it took."""

    automaton: Automaton
    cost: int
