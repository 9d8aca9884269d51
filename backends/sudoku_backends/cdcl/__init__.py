"""The refuter ``cdcl``: a search with clause learning of our own that writes down why each clause follows.

Its proofs need no second pass: the hints of LRAT are what the search used. Compiled when it is first used, in a
second or two, and kept on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudoku_models.engine.record import Clock, OutOfTime
from sudoku_models.engine.refutation import Cnf, Lemma

WORK = 20_000_000
"""Literals of a formula times conflicts of a slice: about a tenth of a second between two looks at the clock."""


@dataclass(frozen=True)
class Cdcl:
    """The search as a refuter."""

    requires: tuple[str, ...] = ("llvmlite", "numpy")
    programs: tuple[str, ...] = ()
    install: str = "pip install 'sudoku-models[fast]'"

    def refute(self, cnf: Cnf, clock: Clock) -> Sequence[Lemma] | None:
        """Return lemmas with hints, the empty clause last; None when the formula is satisfiable."""
        from .layout import REFUTED, UNKNOWN
        from .proof import lemmas_of
        from .solver import Search

        search = Search(cnf.numbers, cnf.clauses, cnf.variables, cnf.first)
        conflicts = max(10, WORK // (len(cnf.numbers) + 1))
        while (ending := search.go_on(conflicts)) == UNKNOWN:
            if clock.expired:
                raise OutOfTime
        return lemmas_of(search.learned()) if ending == REFUTED else None


REFUTER = Cdcl()
