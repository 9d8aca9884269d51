"""The refuter ``cdcl``: this package's own search with clause learning, which records why each clause follows.

Its proofs need no second pass: the hints of LRAT are what the search used. It is compiled on first use, in a second or
two, and kept on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.refutation import Cnf, Lemma


@dataclass(frozen=True)
class Cdcl:
    """The search as a refuter."""

    requires: tuple[str, ...] = ("llvmlite", "numpy")
    programs: tuple[str, ...] = ()
    install: str = "pip install 'sudoku-models[fast]'"

    def refute(self, cnf: Cnf, clock: Budget) -> Sequence[Lemma] | None:
        """Return lemmas with hints, the empty clause last; None if the formula is satisfiable."""
        from .search import ClauseSearch, lemmas_of

        search = ClauseSearch.of(cnf)
        return lemmas_of(search) if search.refuted(len(cnf.numbers), clock) else None

    def derived(self, cnf: Cnf, clauses: Sequence[Sequence[int]], clock: Budget, every: bool = False) -> Any:
        """Return a proof in numbers from the clauses of another engine's proof, as ``Deriver`` says."""
        from .search import derived

        return derived(cnf, clauses, clock, every)

    def shared(self, cnf: Cnf) -> Any:
        """Return a refuter of formulas that share their first clauses, those of ``cnf``; each thread needs its own."""
        from .search import Shared

        return Shared(cnf)


REFUTER = Cdcl()
