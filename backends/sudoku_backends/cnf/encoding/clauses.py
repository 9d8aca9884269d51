"""Clauses in arrays: the literals of all clauses in one array, the lengths of the clauses in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .space import Ints

TRUE = 2**31 - 1
"""The new number of a literal that is already true; ``-TRUE`` for a false one."""


@dataclass(frozen=True)
class Clauses:
    """Clauses one after the other in an array of literals, with ``auxiliaries`` literals of their own.

    An empty clause has length 0: it can never hold. Packed together with what else a formula needs.
    """

    lits: Ints
    lens: Ints
    auxiliaries: int = 0

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return len(self.lens)

    def __iter__(self) -> Iterator[list[int]]:
        ends = np.cumsum(self.lens)
        return map(self.lits.tolist().__getitem__, map(slice, (ends - self.lens).tolist(), ends.tolist()))

    def renumbered(self, number: Ints) -> Clauses:
        """Return the clauses over other literals: ``number[i]`` for literal i, TRUE or -TRUE if it is decided.

        Clauses with a true literal are left out, and so are false literals.
        """
        filled = self.lens > 0
        starts = (np.cumsum(self.lens) - self.lens)[filled]
        if not len(starts):
            return Clauses(self.lits, self.lens[~filled], self.auxiliaries)
        lits = number[np.abs(self.lits)] * np.sign(self.lits)
        satisfied = np.zeros(len(self.lens), dtype=bool)
        satisfied[filled] = np.logical_or.reduceat(lits == TRUE, starts)
        keep = (lits != -TRUE) & ~np.repeat(satisfied, self.lens)
        lens = np.zeros(len(self.lens), dtype=np.int32)
        lens[filled] = np.add.reduceat(keep.astype(np.int32), starts)
        return Clauses(lits[keep].astype(np.int32), lens[~satisfied], self.auxiliaries)


@dataclass
class ClauseList:
    """Clauses while they are collected. ``taken`` literals are in use; ``fresh`` gives the next ones."""

    taken: int
    lits: list[int] = field(default_factory=list)
    lens: list[int] = field(default_factory=list)
    auxiliaries: int = 0

    def add(self, *clause: int) -> None:
        """Add one clause."""
        self.lits += clause
        self.lens.append(len(clause))

    def fresh(self) -> int:
        """Return a new auxiliary literal."""
        self.auxiliaries += 1
        return self.taken + self.auxiliaries

    def pack(self) -> Clauses:
        """Return the clauses in arrays."""
        literals = np.array(self.lits, dtype=np.int32), np.array(self.lens, dtype=np.int32)
        return Clauses(*literals, self.auxiliaries)
