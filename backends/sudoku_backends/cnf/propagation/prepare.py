"""From domains to a problem: reduce, propagate, encode; and the choice between the ways to do so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

from sudoku_models.engine.machine_code.library import NoMachineCode
from sudoku_models.model import Domain

from ..encoding.clauses import Clauses
from ..encoding.encode import Problem, encode
from ..encoding.formula import NEVER, Formula
from ..encoding.options import EncodingOptions
from ..encoding.reduce import clashing, everything, read_domains, reduce
from ..encoding.structure import Structure
from .propagate import LARGE, propagate
from .small import PairTable, has_table, pair_table
from .worklist import LIBRARY

FEW = 10
"""The number of puzzles of a model after which the next way has repaid its start: kernels that have to be compiled
first, or without machine code, the table of pairs on small boards.
"""

ORDERED = " (integers)"
"""The method that writes binary clauses in order."""


class Preparation:
    """Prepares the puzzles of one compiled model.

    ``propagate=auto`` goes by the size of the board: singles on small boards (up to 10 x 10), and locked candidates too
    on others. Kernels do it if they are compiled already, if the board is ``LARGE`` or after ``FEW`` puzzles of the
    model; otherwise numpy does, or, on small boards after ``FEW`` puzzles, long integers. The formula is the same in
    each case, so that an engine returns the same one of several solutions regardless of earlier requests. On large
    boards numpy, where there can be no machine code, propagates for a limited number of rounds.
    """

    def __init__(self, structure: Structure, options: EncodingOptions) -> None:
        self.structure, self.options = structure, options
        self._count = 0

    def __call__(self, domains: Mapping[str, Domain]) -> tuple[Problem, str]:
        """Narrow the structure by ``domains`` and encode what is left; also return how it was propagated.

        Raise ValueError if ``domains`` name an unknown variable.
        """
        self._count += 1
        structure, options = self.structure, self.options
        if options.reduction == "none":
            return _textbook(structure, domains, options), _note("none", "")
        level, compiled = self._choice()
        if level == "none":
            return self._plain(domains), _note(level, "")
        problem, means = self._propagated(domains, level, compiled)
        if options.propagate == "auto" and not self._large and means != ORDERED:
            problem = replace(problem, formula=problem.formula.in_order)
        return problem, _note(level, means)

    def _propagated(self, domains: Mapping[str, Domain], level: str, compiled: bool) -> tuple[Problem, str]:
        structure, options = self.structure, self.options
        if compiled:
            return _compiled(structure, domains, options, level == "locked"), " (kernels)"
        early = options.propagate == "auto" and self._count <= FEW
        table = self._table() if level == "singles" and not early else None
        if table is not None:
            return _small(table, domains, singles=True), ORDERED
        reduced = propagate(structure, reduce(structure, domains), level == "locked")
        return Problem(structure, reduced, encode(structure, reduced, options)), " (numpy)"

    def warm_up(self) -> None:
        """Make now the choice that would be made after many puzzles, and load (or compile) what it needs."""
        self._count = max(self._count, FEW)
        self({})

    def _choice(self) -> tuple[str, bool]:
        """Return the level of propagation, and whether kernels do it."""
        wanted = self.options.propagate
        if wanted == "none" or not self.structure.layers:
            return "none", False
        possible = self.structure.space.width > 0 and not self.structure.impossible
        if wanted != "auto":
            return wanted, possible and _has_kernels()
        soon = self._large or self._count > FEW or LIBRARY.is_kept
        if self._small:
            return "singles", possible and soon and _has_kernels()
        return ("locked" if possible else "none"), possible and soon and _has_kernels()

    @property
    def _large(self) -> bool:
        return len(self.structure.space.names) >= LARGE

    @property
    def _small(self) -> bool:
        return self.options.amo == "pairwise" and has_table(self.structure)

    def _table(self) -> PairTable | None:
        return pair_table(self.structure, self.options.house) if self._small else None

    def _plain(self, domains: Mapping[str, Domain]) -> Problem:
        table = self._table()
        if table is not None:
            return _small(table, domains, singles=False)
        reduced = reduce(self.structure, domains)
        return Problem(self.structure, reduced, encode(self.structure, reduced, self.options))


@lru_cache(maxsize=16)
def _note(level: str, means: str) -> str:
    return f"propagation before the encoding: {level}{means}"


@cache
def _has_kernels() -> bool:
    """Load the kernels, or compile them; return whether that works."""
    try:
        LIBRARY.load()
    except NoMachineCode:
        return False
    return True


def _compiled(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions, locked: bool) -> Problem:
    from .fast import tables_of

    narrow = read_domains(structure.space, domains)
    if narrow is None:
        return Problem(structure, clashing(structure), NEVER)
    return tables_of(structure).problem(narrow, options, locked)


def _small(table: PairTable, domains: Mapping[str, Domain], singles: bool) -> Problem:
    narrow = read_domains(table.structure.space, domains)
    if narrow is None:
        return Problem(table.structure, clashing(table.structure), NEVER)
    return table.problem_of_singles(narrow) if singles else table.problem(narrow)


def _textbook(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions) -> Problem:
    """Encode every candidate; the givens and other narrowed domains become unit clauses."""
    reduced = everything(structure)
    formula = encode(structure, reduced, options)
    units = _units(structure, domains)
    if formula is NEVER or units is None:
        return Problem(structure, reduced, NEVER)
    number = np.zeros(structure.space.size, dtype=np.int32)
    number[reduced.open] = np.arange(1, len(reduced.open) + 1, dtype=np.int32)
    lits = np.array([number[abs(u) - 1] * (1 if u > 0 else -1) for u in units], dtype=np.int32)
    others = Clauses(
        np.concatenate((formula.others.lits, lits)),
        np.concatenate((formula.others.lens, np.ones(len(lits), dtype=np.int32))),
    )
    return Problem(structure, reduced, Formula(formula.variables, formula.first, formula.second, others))


def _units(structure: Structure, domains: Mapping[str, Domain]) -> list[int] | None:
    """Return one literal for each given, and one negative literal for each value that a longer domain leaves out."""
    space, found = structure.space, []
    for name, values in domains.items():
        if name not in space.index:
            raise ValueError(f"{name} is not a variable of the model")
        cell = space.index[name]
        inside = space.candidates(cell, values)
        if not inside:
            return None
        if len(inside) == 1:
            found.append(inside[0] + 1)
        else:
            found += [-1 - f for f in space.candidates(cell, space.domains[cell]) if f not in inside]
    return found
