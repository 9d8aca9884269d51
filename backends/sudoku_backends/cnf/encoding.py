"""From a model and its givens to a formula: reduce, gather the lists, write the clauses.

After Kwon and Jain, "Optimized CNF encoding for Sudoku puzzles" (2006): the candidates are split by the givens into
true, false and open ones, and only the open ones are ever built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from sudoku_models.model import Domain

from . import at_most_one
from .compiled import EncodingOptions
from .structure import NONE, TRUE, Clauses, Ints, Layer, Space, Structure

LARGEST_LITERAL = 2**31 - 1


@dataclass(frozen=True)
class Formula:
    """``variables`` variables; the binary clauses ``first[i] or second[i]``; the other clauses."""

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
        return len(self.first) + len(self.others.lens)

    @property
    def sizes(self) -> dict[str, int]:
        """The numbers of variables, clauses and literals."""
        literals = 2 * len(self.first) + len(self.others.lits)
        return {"variables": self.variables, "clauses": self.clauses, "literals": literals}

    def __iter__(self) -> Iterator[list[int] | tuple[int, int]]:
        """Yield each clause as plain integers, without building a list of them: what pycosat reads fastest."""
        return chain(self.others, zip(self.first.data, self.second.data, strict=False))


NEVER = Formula(0, NONE, NONE, Clauses(NONE, np.zeros(1, np.int32)))
"""The formula that holds under no assignment: one empty clause."""

NOTHING = Formula(0, NONE, NONE, Clauses(NONE, NONE))
"""The formula without clauses."""


@dataclass(frozen=True)
class Problem:
    """One puzzle of a structure: what is decided, and the formula of the rest.

    Literal i + 1 is ``reduced.open[i]``; the auxiliaries follow.
    """

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


# ---------------------------------------------------------------- the givens


@dataclass(frozen=True)
class Narrow:
    """The content of a request's domains: the decided cells, their columns, and the columns of other narrowed cells."""

    cells: Ints
    columns: Ints
    limited: Mapping[int, list[int]]

    def fixed(self, space: Space) -> Ints:
        """Return the column of each decided cell, -1 for the others."""
        fixed = np.full(len(space.names), -1, dtype=np.int32)
        fixed[self.cells] = self.columns
        return fixed

    def allowed(self, space: Space) -> Ints | None:
        """Flag the candidates that the domains allow; None if all are."""
        if not self.limited:
            return space.allowed
        shape = len(space.names), space.width
        allowed = np.ones(shape, dtype=bool) if space.allowed is None else space.allowed.copy()
        for cell, columns in self.limited.items():
            allowed[cell] = False
            allowed[cell, columns] = True
        return allowed


def read_domains(space: Space, domains: Mapping[str, Domain]) -> Narrow | None:
    """Read the domains of a request; None if one of them is empty. Raise ValueError if the model has no such name."""
    try:
        cells = list(map(space.index.__getitem__, domains))
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is not a variable of the model") from None
    given = [values[0] for values in domains.values() if len(values) == 1]
    if len(given) == len(cells) and space.allowed is None:  # the usual case, and the quickest
        found = list(map(space.column.get, given))
        return None if None in found else Narrow(np.array(cells, np.int32), np.array(found, np.int32), {})
    decided, limited = dict(space.decided), dict[int, list[int]]()
    for cell, values in zip(cells, domains.values(), strict=True):
        allowed = frozenset(values)
        columns = [space.column[v] for v in space.domains[cell] if v in allowed]
        if not columns:
            return None
        if len(columns) == 1:
            decided[cell] = columns[0]
        elif len(columns) < len(space.domains[cell]):
            limited[cell] = columns
    return Narrow(np.array(list(decided), np.int32), np.array(list(decided.values()), np.int32), limited)


@dataclass(frozen=True)
class Reduced:
    """The open candidates (ascending), with their cells and columns, and the column of each decided cell.

    ``fixed`` has one entry for each cell, -1 if the cell is open. ``clash`` is true if there is no solution, because a
    domain is empty or two decided cells of an AllDifferent have the same value.
    """

    open: Ints
    cell: Ints
    column: Ints
    fixed: Ints
    clash: bool = False

    @staticmethod
    def of(structure: Structure, found: Ints, fixed: Ints) -> Reduced:
        """Return the reduction that leaves some candidates."""
        cell = found // np.int32(structure.space.width or 1)
        return Reduced(found, cell, found - cell * np.int32(structure.space.width), fixed)

    @property
    def fixed_cells(self) -> Ints:
        """The decided cells, ascending."""
        return np.flatnonzero(self.fixed >= 0)


def clashing(structure: Structure) -> Reduced:
    """Return the reduction of a puzzle that has no solution."""
    return Reduced(NONE, NONE, NONE, np.full(len(structure.space.names), -1, dtype=np.int32), True)


def everything(structure: Structure) -> Reduced:
    """Return the structure with every candidate open, nothing applied."""
    space = structure.space
    found = np.arange(space.size) if space.allowed is None else np.flatnonzero(space.allowed)
    return Reduced.of(structure, found.astype(np.int32), clashing(structure).fixed)


def reduce(structure: Structure, narrow: Narrow | None) -> Reduced:
    """Decide the givens and remove what they exclude; nothing more is propagated."""
    space = structure.space
    used = np.zeros((structure.rows, space.width), dtype=bool)
    if narrow is None or structure.impossible or _use(structure, used, narrow.cells, narrow.columns):
        return clashing(structure)
    fixed, allowed = narrow.fixed(space), narrow.allowed(space)
    cells = np.flatnonzero(fixed < 0).astype(np.int32)
    gone = np.zeros((len(cells), space.width), dtype=bool) if allowed is None else ~allowed[cells]
    for layer in structure.layers:
        gone |= used[layer.start + layer.group_of[cells]]
    row, column = np.nonzero(~gone)
    cell, column = cells[row], column.astype(np.int32)
    return Reduced(cell * np.int32(space.width) + column, cell, column, fixed)


def _use(structure: Structure, used: Ints, cells: Ints, columns: Ints) -> bool:
    """Mark what the decided cells use; return whether two cells of a group use the same value."""
    for layer in structure.layers:
        groups = layer.group_of[cells]
        rows = used[layer.start : layer.start + layer.groups + 1]
        rows[groups, columns] = True
        rows[layer.groups] = False
        if np.count_nonzero(rows) < np.count_nonzero(groups < layer.groups):
            return True
    return False


# ---------------------------------------------------------------- the lists


@dataclass(frozen=True)
class Lists:
    """The open values of each cell, then the open places of each value in each AllDifferent, as literals.

    ``lits`` has one list after the other, ``lens`` their lengths (none is 0); the first ``cells`` lists are those of
    the cells. ``exactly`` flags the lists of which one literal is true in every solution (cells and houses), ``lonely``
    the cells' lists of cells that lie in no house. ``clash``: a list that needs a true candidate has none left.
    """

    lits: Ints
    lens: Ints
    cells: int
    exactly: Ints
    lonely: Ints
    clash: bool


def lists_of(structure: Structure, reduced: Reduced) -> Lists:
    """Gather the lists over the literals 1, 2, ... of the open candidates."""
    literals = np.arange(1, len(reduced.open) + 1, dtype=np.int32)
    starts = np.flatnonzero(np.diff(reduced.cell, prepend=-1))
    lens = np.diff(starts, append=len(literals))
    parts, lengths, flags = [literals], [lens], [np.ones(len(starts), dtype=bool)]
    clash = len(starts) < len(structure.space.names) - len(reduced.fixed_cells)
    for layer in structure.layers:
        lits, counts, groups, empty = _layer_lists(layer, reduced, literals, structure.space.width)
        parts.append(lits)
        lengths.append(counts)
        flags.append(layer.houses[groups])
        clash |= empty
    lonely = ~structure.in_house[reduced.cell[starts]]
    lens = np.concatenate(lengths).astype(np.int32)
    return Lists(np.concatenate(parts), lens, len(starts), np.concatenate(flags), lonely, clash)


def _layer_lists(layer: Layer, reduced: Reduced, literals: Ints, width: int) -> tuple[Ints, Ints, Ints, bool]:
    """Return the literals by list, the lists' lengths, their groups, and whether some group lacks places.

    A group lacks places when fewer values than cells are open in it (in a house: when a value has no place left).
    """
    groups, columns = layer.group_of[reduced.cell], reduced.column
    if not layer.covers:
        inside = groups < layer.groups
        groups, columns, literals = groups[inside], columns[inside], literals[inside]
    order, counts = _grouped(groups, columns, layer.groups, width)
    open_values = np.count_nonzero(counts.reshape(layer.groups, width), axis=1)
    fixed = np.bincount(layer.group_of[reduced.fixed_cells], minlength=layer.groups + 1)[: layer.groups]
    lists = np.flatnonzero(counts)
    return literals[order], counts[lists], lists // width, bool((open_values < layer.sizes - fixed).any())


def _grouped(groups: Ints, columns: Ints, rows: int, width: int) -> tuple[Ints, Ints]:
    """Sort stably by (group, column), by radix: numpy's stable sort of 16-bit keys."""
    keys = groups * np.int32(width) + columns
    counts = np.bincount(keys, minlength=rows * width)
    if rows * width <= 1 << 16:
        return np.argsort(keys.astype(np.uint16), kind="stable"), counts
    if max(rows, width) > 1 << 16:
        return np.argsort(keys, kind="stable"), counts
    by_column = np.argsort(columns.astype(np.uint16), kind="stable")
    return by_column[np.argsort(groups[by_column].astype(np.uint16), kind="stable")], counts


# ---------------------------------------------------------------- the clauses


def encode(structure: Structure, reduced: Reduced, options: EncodingOptions) -> Problem:
    """Write the clauses of the open candidates; if there is a clash, only the empty clause."""
    lists = None if reduced.clash or structure.impossible else lists_of(structure, reduced)
    if lists is None or lists.clash:
        return Problem(structure, reduced, NEVER)
    writer = _Writer(len(reduced.open))
    needed = lists.exactly.copy()
    if options.house != "extended":
        needed[lists.cells :] = False
    writer.add(lists.lits[np.repeat(needed, lists.lens)], lists.lens[needed])
    _at_most_one(lists, options, writer)
    if len(structure.others.lens):
        _others(structure, reduced, writer)
    return Problem(structure, reduced, writer.formula())


class _Writer:
    """Collects parts of a formula; ``variables`` counts the literals in use."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.first, self.second, self.lits, self.lens = ([NONE] for _ in range(4))

    def add(self, lits: Ints, lens: Ints) -> None:
        """Add clauses of any length."""
        self.lits.append(lits)
        self.lens.append(lens)

    def add_pairs(self, first: Ints, second: Ints) -> None:
        """Add clauses of two literals."""
        self.first.append(first)
        self.second.append(second)

    def add_table(self, table: Ints) -> None:
        """Add clauses of one length, given as the columns of a table of shape (length, clauses)."""
        if len(table) == 2:
            self.add_pairs(table[0], table[1])
        else:
            self.add(table.T.ravel(), np.full(table.shape[1], len(table), dtype=np.int32))

    def fresh(self, table: Ints, count: int) -> Ints:
        """Return a table with ``count`` more rows, of new literals."""
        size = count * table.shape[1]
        new = np.arange(self.variables + 1, self.variables + size + 1, dtype=np.int32).reshape(count, table.shape[1])
        self.variables += size
        return np.concatenate((table, new))

    def formula(self) -> Formula:
        """Return the clauses collected as a formula."""
        first, second, lits, lens = map(_joined, (self.first, self.second, self.lits, self.lens))
        return Formula(self.variables, first, second, Clauses(lits, lens))


def _joined(parts: list[Ints]) -> Ints:
    return parts[1] if len(parts) == 2 else np.concatenate(parts, dtype=np.int32, casting="unsafe")


def _at_most_one(lists: Lists, options: EncodingOptions, writer: _Writer) -> None:
    starts = np.cumsum(lists.lens) - lists.lens
    wanted = lists.lens > 1
    if options.house == "minimal":
        wanted[: lists.cells] &= lists.lonely
    if options.amo == "pairwise":
        writer.add_pairs(*_pairwise(-lists.lits, starts[wanted], lists.lens[wanted]))
        return
    for complete in (True, False):
        chosen = wanted & (lists.exactly == complete)
        for table in _tables(lists.lits, starts[chosen], lists.lens[chosen]):
            _pattern(table, complete, options.amo, writer)


def _tables(lits: Ints, starts: Ints, lens: Ints) -> Iterator[Ints]:
    """Yield the lists of each length as the columns of a table."""
    order = np.argsort(lens.astype(np.uint16), kind="stable")
    counts = np.bincount(lens)
    lengths = np.flatnonzero(counts)
    for k, where in zip(lengths.tolist(), np.split(starts[order], np.cumsum(counts[lengths])[:-1]), strict=False):
        yield lits[np.arange(k)[:, None] + where]


def _pairwise(negated: Ints, starts: Ints, lens: Ints) -> tuple[Ints, Ints]:
    """Write all pairs of all lists directly into two arrays, the lists of each length together."""
    total = int((lens.astype(np.int64) * (lens - 1) // 2).sum())
    first, second, at = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32), 0
    for table in _tables(negated, starts, lens):
        left, right = at_most_one.pairs(len(table))
        end = at + len(left) * table.shape[1]
        np.take(table, left, axis=0, out=first[at:end].reshape(len(left), -1), mode="clip")
        np.take(table, right, axis=0, out=second[at:end].reshape(len(left), -1), mode="clip")
        at = end
    return first, second


def _pattern(table: Ints, complete: bool, name: str, writer: _Writer) -> None:
    """Apply an encoding's pattern to the lists of one length.

    A list that need not have a true literal gets an extra one that says so; otherwise its auxiliaries would be left
    open.
    """
    if not complete and len(table) >= at_most_one.SHORTEST:
        table = writer.fresh(table, 1)
        writer.add_table(table)
    pattern = at_most_one.pattern(name, len(table))
    table = writer.fresh(table, pattern.auxiliaries)
    for clauses in pattern.tables:
        signed = table[np.abs(clauses.T) - 1] * np.sign(clauses.T)[:, :, None]
        writer.add_table(signed.reshape(clauses.shape[1], -1))


def _others(structure: Structure, reduced: Reduced, writer: _Writer) -> None:
    """Add the clauses of the other constraints, over the open candidates' numbers."""
    space, others = structure.space, structure.others
    number = np.full(space.size + others.auxiliaries + 1, -TRUE, dtype=np.int32)
    number[reduced.open + 1] = np.arange(1, len(reduced.open) + 1)
    cells = reduced.fixed_cells
    number[cells * space.width + reduced.fixed[cells] + 1] = TRUE
    number[space.size + 1 :] = np.arange(writer.variables + 1, writer.variables + others.auxiliaries + 1)
    writer.variables += others.auxiliaries
    left = others.renumbered(number)
    writer.add(left.lits, left.lens)


def textbook(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions) -> Problem:
    """Encode every candidate; the givens and other narrowed domains become unit clauses."""
    narrow = read_domains(structure.space, domains)
    problem = encode(structure, everything(structure), options)
    if narrow is None or problem.impossible:
        return Problem(structure, problem.reduced, NEVER)
    units = _units(structure.space, narrow, problem.reduced)
    formula, others = problem.formula, problem.formula.others
    more = np.concatenate((others.lits, units)), np.concatenate((others.lens, np.ones(len(units), dtype=np.int32)))
    return replace(problem, formula=replace(formula, others=Clauses(*more)))


def _units(space: Space, narrow: Narrow, reduced: Reduced) -> Ints:
    """Return one literal for each given, and one negative literal for each value that a longer domain leaves out."""
    number = np.zeros(space.size, dtype=np.int32)
    number[reduced.open] = np.arange(1, len(reduced.open) + 1)
    given = ~np.isin(narrow.cells, list(space.decided))
    true = number[narrow.cells[given] * np.int64(space.width) + narrow.columns[given]]
    out = [
        cell * space.width + space.column[value]
        for cell, columns in narrow.limited.items()
        for value in space.domains[cell]
        if space.column[value] not in columns
    ]
    return np.concatenate((true, -number[np.array(out, dtype=np.int64)]))
