"""The refuters ``glucose4`` and ``cadical153``: solvers of PySAT that write a proof as they go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.refutation import Cnf, Lemma

if TYPE_CHECKING:
    from ..encoding.formula import Formula


@dataclass(frozen=True)
class PysatRefuter:
    """A solver of PySAT as a refuter; ``solver`` is its name there."""

    solver: str
    requires: tuple[str, ...] = ("pysat",)
    programs: tuple[str, ...] = ()
    install: str = "pip install 'sudoku-models[sat]'"

    def refute(self, cnf: Cnf, clock: Budget) -> Sequence[Lemma] | None:
        """Return lemmas without hints, the empty clause last; None if the formula is satisfiable."""
        from .of_pysat import SOLVERS
        from .oracle import Oracle

        formula = _formula(cnf)
        if not all(map(len, formula)):
            return [Lemma(cnf.clauses + 1, ())]
        oracle = Oracle(SOLVERS[self.solver], formula, clock, proof=True)
        try:
            return None if oracle.solve() else list(_lemmas(oracle.proof(), cnf.clauses))
        finally:
            oracle.close()


def _formula(cnf: Cnf) -> Formula:
    """Return a formula in the arrays that the solvers read."""
    import numpy as np

    from ..encoding.clauses import Clauses
    from ..encoding.formula import Formula

    none, numbers = np.zeros(0, np.int32), np.array(cnf.numbers, np.int32)
    lengths = np.diff(np.flatnonzero(numbers == 0), prepend=-1) - 1
    return Formula(cnf.variables, none, none, Clauses(numbers[numbers != 0], lengths.astype(np.int32)))


def _lemmas(lines: Sequence[str], known: int) -> Iterator[Lemma]:
    """Read the lines of a proof; deletions are left out, which does not affect the lemmas."""
    added = (tuple(map(int, line.split()[:-1])) for line in lines if not line.startswith("d"))
    for number, clause in enumerate((key for key, _ in groupby(added)), known + 1):
        yield Lemma(number, clause)
        if not clause:
            return
    yield Lemma(known + len(lines) + 1, ())


GLUCOSE = PysatRefuter("glucose4")
CADICAL = PysatRefuter("cadical153")
