"""From a reduced model to a formula."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import at_most_one
from .clauses import TRUE, Clauses
from .formula import NEVER, Formula
from .lists import Lists, lists_of
from .options import EncodingOptions
from .reduce import Reduced
from .space import Ints
from .structure import Structure

_NONE = np.zeros(0, dtype=np.int32)


def encode(structure: Structure, reduced: Reduced, options: EncodingOptions) -> Formula:
    """Write the clauses of the open candidates; if there is a clash, only the empty clause."""
    if reduced.clash:
        return NEVER
    lists = lists_of(structure, reduced)
    if lists.clash:
        return NEVER
    writer = _FormulaWriter(len(reduced.open))
    writer.add(*_at_least_one(lists, options))
    _at_most_one(lists, options, writer)
    if structure.others.clauses:
        _others(structure, reduced, writer)
    return writer.formula()


class _FormulaWriter:
    """Collects parts of a formula; ``variables`` counts the literals in use."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.first: list[Ints] = []
        self.second: list[Ints] = []
        self.lits: list[Ints] = []
        self.lens: list[Ints] = []

    def add(self, lits: Ints, lens: Ints) -> None:
        """Add clauses of any length."""
        self.lits.append(lits)
        self.lens.append(lens)

    def add_table(self, table: Ints) -> None:
        """Add clauses of one length, given as the columns of a table of shape (length, clauses)."""
        if len(table) == 2:
            self.first.append(table[0])
            self.second.append(table[1])
        else:
            self.add(table.T.ravel(), np.full(table.shape[1], len(table), dtype=np.int32))

    def formula(self) -> Formula:
        """Return the clauses collected as a formula."""
        first, second, lits, lens = map(_joined, (self.first, self.second, self.lits, self.lens))
        return Formula(self.variables, first, second, Clauses(lits, lens))


def _joined(parts: list[Ints]) -> Ints:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts, dtype=np.int32, casting="unsafe") if parts else _NONE


def _at_least_one(lists: Lists, options: EncodingOptions) -> tuple[Ints, Ints]:
    if options.house != "extended":
        lens = lists.lens[: lists.cells]
        return lists.lits[: int(lens.sum())], lens
    if lists.exactly is None:
        return lists.lits, lists.lens
    return lists.lits[np.repeat(lists.exactly, lists.lens)], lists.lens[lists.exactly]


def _at_most_one(lists: Lists, options: EncodingOptions, writer: _FormulaWriter) -> None:
    starts = np.cumsum(lists.lens) - lists.lens
    wanted = lists.lens > 1
    if options.house == "minimal":
        wanted[: lists.cells] &= False if lists.lonely is None else lists.lonely
    if options.amo == "pairwise":
        _pairwise(-lists.lits, starts[wanted], lists.lens[wanted], writer)
        return
    exactly = np.ones(len(lists.lens), dtype=bool) if lists.exactly is None else lists.exactly
    for complete in (True, False):
        chosen = wanted & (exactly == complete)
        _patterns(lists.lits, starts[chosen], lists.lens[chosen], complete, options.amo, writer)


def _buckets(starts: Ints, lens: Ints) -> list[tuple[int, Ints]]:
    """Return pairs of a length and the starts of the lists of that length, in ascending order."""
    order = np.argsort(lens.astype(np.uint16), kind="stable")
    lengths = np.flatnonzero(np.bincount(lens))
    ends = np.cumsum(np.bincount(lens)[lengths])
    return list(zip(lengths.tolist(), np.split(starts[order], ends[:-1]), strict=True)) if len(lens) else []


def _pairwise(negated: Ints, starts: Ints, lens: Ints, writer: _FormulaWriter) -> None:
    """Write all pairs of all lists directly into two arrays, the lists of each length together."""
    total = int((lens.astype(np.int64) * (lens - 1) // 2).sum())
    first, second, at = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32), 0
    for k, where in _buckets(starts, lens):
        table = negated[np.arange(k)[:, None] + where]
        left, right = at_most_one.pairs(k)
        end = at + len(left) * len(where)
        np.take(table, left, axis=0, out=first[at:end].reshape(len(left), -1), mode="clip")
        np.take(table, right, axis=0, out=second[at:end].reshape(len(left), -1), mode="clip")
        at = end
    writer.first.append(first)
    writer.second.append(second)


def _patterns(lits: Ints, starts: Ints, lens: Ints, complete: bool, name: str, writer: _FormulaWriter) -> None:
    """Apply an encoding's pattern to the lists of each length.

    A list that need not have a true literal gets an extra one that says so; otherwise its auxiliaries would be left
    open.
    """
    for k, where in _buckets(starts, lens):
        table = lits[np.arange(k)[:, None] + where]
        if not complete and k >= at_most_one.SHORTEST:
            table = _with_fresh(table, 1, writer)
            writer.add_table(table)
        pattern = at_most_one.pattern(name, len(table))
        table = _with_fresh(table, pattern.auxiliaries, writer)
        for clauses in pattern.tables:
            signed = table[np.abs(clauses.T) - 1] * np.sign(clauses.T)[:, :, None]
            writer.add_table(signed.reshape(clauses.shape[1], -1))


def _with_fresh(table: Ints, count: int, writer: _FormulaWriter) -> Ints:
    """Append ``count`` rows of new literals."""
    if not count:
        return table
    size = count * table.shape[1]
    fresh = np.arange(writer.variables + 1, writer.variables + size + 1, dtype=np.int32).reshape(count, -1)
    writer.variables += size
    return np.concatenate((table, fresh))


def _others(structure: Structure, reduced: Reduced, writer: _FormulaWriter) -> None:
    """Add the clauses of the other constraints, over the open candidates' numbers."""
    space, others = structure.space, structure.others
    number = np.full(space.size + others.auxiliaries + 1, -TRUE, dtype=np.int64)
    number[reduced.open + 1] = np.arange(1, len(reduced.open) + 1)
    number[decided(structure, reduced) + 1] = TRUE
    number[space.size + 1 :] = np.arange(writer.variables + 1, writer.variables + others.auxiliaries + 1)
    writer.variables += others.auxiliaries
    left = others.renumbered(number)
    writer.add(left.lits, left.lens)


def decided(structure: Structure, reduced: Reduced) -> Ints:
    """Return the candidates that are true in every solution."""
    space = structure.space
    cells = reduced.fixed_cells
    if space.width:
        return cells * np.int64(space.width) + reduced.fixed[cells]
    values = space.table[reduced.fixed[cells]].tolist()
    return np.array([space.candidate(c, v) for c, v in zip(cells.tolist(), values, strict=True)], dtype=np.int64)


@dataclass(frozen=True)
class Problem:
    """One puzzle of a structure: what is decided, and the formula of the rest. Literal i + 1 is ``reduced.open[i]``."""

    structure: Structure
    reduced: Reduced
    formula: Formula

    @property
    def impossible(self) -> bool:
        """Return whether a clash has been found already."""
        return self.formula is NEVER

    @property
    def decided(self) -> bool:
        """Return whether nothing is left to search: the only solution is what is fixed."""
        return not self.formula.clauses

    def values(self, model: list[int]) -> list[int]:
        """Return the value of each variable under a model of the formula (a list of signed literals)."""
        reduced, table = self.reduced, self.structure.space.table
        if not model:
            fixed: list[int] = table[reduced.fixed].tolist()
            return fixed
        columns = reduced.fixed.copy()
        true = np.flatnonzero(np.array(model[: len(reduced.open)], dtype=np.int32) > 0)
        columns[reduced.cell[true]] = reduced.column[true]
        found: list[int] = table[columns].tolist()
        return found
