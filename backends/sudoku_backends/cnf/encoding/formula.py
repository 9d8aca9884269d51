"""A formula in conjunctive normal form, held in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from .clauses import Clauses
from .space import Ints

LARGEST_LITERAL = 2**31 - 1


@dataclass(frozen=True)
class Formula:
    """``variables`` variables; the binary clauses ``first[i] or second[i]``; the other clauses.

    Variable i + 1 is ``open[i]``, a candidate of the space; the auxiliaries follow.
    """

    variables: int
    first: Ints
    second: Ints
    others: Clauses

    def __post_init__(self) -> None:
        if self.variables >= LARGEST_LITERAL:
            raise OverflowError(f"{self.variables} variables: a literal must be below 2^31")

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return len(self.first) + self.others.clauses

    @property
    def literals(self) -> int:
        """The number of literals in all clauses."""
        return 2 * len(self.first) + len(self.others.lits)

    @property
    def sizes(self) -> dict[str, int]:
        """The numbers of variables, clauses and literals."""
        return {"variables": self.variables, "clauses": self.clauses, "literals": self.literals}

    def __iter__(self) -> Iterator[list[int] | tuple[int, int]]:
        """Yield each clause as plain integers, without building a list of them: what pycosat reads fastest."""
        return chain(self.others, zip(self.first.data, self.second.data, strict=False))

    def lists(self) -> list[list[int]]:
        """Return every clause as a list of integers."""
        return [list(clause) for clause in self]

    @property
    def in_order(self) -> Formula:
        """Return the same formula with each binary clause once and in a fixed order, however written."""
        if not len(self.first):
            return self
        swapped = np.abs(self.first) > np.abs(self.second)
        low, high = (np.where(swapped, a, b) for a, b in ((self.second, self.first), (self.first, self.second)))
        _, at = np.unique(_key(low) << 32 | _key(high), return_index=True)
        return replace(self, first=low[at], second=high[at])


def _key(literals: Ints) -> Ints:
    """Return sort keys that order literals by their variables, the negative literal of each first."""
    return 2 * np.abs(literals).astype(np.int64) + (literals > 0)


NEVER = Formula(0, np.zeros(0, np.int32), np.zeros(0, np.int32), Clauses(np.zeros(0, np.int32), np.zeros(1, np.int32)))
"""The formula that holds under no assignment: one empty clause."""

NOTHING = Formula(0, NEVER.first, NEVER.second, Clauses(NEVER.first, NEVER.first))
"""The formula without clauses."""
