"""From domains to a problem: reduce, propagate, encode."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sudoku_models.model import Domain

from .clauses import Clauses
from .encode import Problem, encode
from .formula import NEVER, Formula
from .options import EncodingOptions
from .reduce import everything, reduce
from .structure import Structure


def prepare(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions) -> Problem:
    """Narrow a structure by ``domains`` and encode what is left; ValueError when they name an unknown variable."""
    if options.reduction == "none":
        return _textbook(structure, domains, options)
    reduced = reduce(structure, domains)
    return Problem(structure, reduced, encode(structure, reduced, options))


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
    """One literal for each given, one negative literal for each value that a longer domain leaves out."""
    space, found = structure.space, []
    for name, values in domains.items():
        if name not in space.index:
            raise ValueError(f"{name} is no variable of the model")
        cell = space.index[name]
        inside = space.candidates(cell, values)
        if not inside:
            return None
        if len(inside) == 1:
            found.append(inside[0] + 1)
        else:
            found += [-1 - f for f in space.candidates(cell, space.domains[cell]) if f not in inside]
    return found
