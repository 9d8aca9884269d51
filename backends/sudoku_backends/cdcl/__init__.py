"""The refuter ``cdcl``: this package's own search with clause learning, which records why each clause follows.

Its proofs need no second pass: the hints of LRAT are what the search used. It is compiled on first use, in a second or
two, and kept on disk.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.refutation import Cnf, Lemma, SharedRefuter

if TYPE_CHECKING:
    from .search import ClauseSearch

WORK = 20_000_000
"""Literals of a formula times conflicts of a slice: about a tenth of a second between two checks of the clock."""


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
        return lemmas_of(search) if _refuted(search, len(cnf.numbers), clock) else None

    def derived(self, cnf: Cnf, clauses: Sequence[Sequence[int]], clock: Budget, every: bool = False) -> Any:
        """Return a proof in numbers from the clauses of another engine's proof, as ``Deriver`` says."""
        from .search import derived

        return derived(cnf, clauses, clock, every)

    def shared(self, cnf: Cnf) -> SharedRefuter:
        """Return a refuter of formulas that begin with a common one; each thread needs its own."""
        return SharedCdcl(cnf)


class SharedCdcl:
    """The search of formulas that begin with a common one."""

    def __init__(self, cnf: Cnf) -> None:
        from .search import Shared

        self._shared, self._size = Shared(cnf), len(cnf.numbers)

    def refute(self, numbers: array[int], clock: Budget) -> Any:
        """Return a proof in numbers, as ``SharedRefuter`` says; None if the formula is satisfiable."""
        search = self._shared.search(numbers)
        return search.proof() if _refuted(search, self._size + len(numbers), clock) else None


def _refuted(search: ClauseSearch, size: int, clock: Budget) -> bool:
    """Search to the end; OutOfTime if the clock expires first."""
    from .kernels import REFUTED, UNKNOWN

    conflicts = max(10, WORK // (size + 1))
    while (ending := search.go_on(conflicts)) == UNKNOWN:
        if clock.expired:
            raise OutOfTime
    return ending == REFUTED


REFUTER = Cdcl()
