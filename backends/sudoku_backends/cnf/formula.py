"""From a model and a puzzle to clauses: reduce by the givens, gather the lists, write the clauses of what is open.

After Kwon and Jain, "Optimized CNF encoding for Sudoku puzzles" (2006): the candidates are split by the givens into
true, false and open ones, and only the open ones are ever built.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from math import prod
from typing import NamedTuple

import numpy as np

from sudoku_models.exports.zero_one import tuples_of
from sudoku_models.model import OPERATORS, AllDifferent, Compare, Constraint, Domain, InDomain, Model, Or, Table, domain

from . import at_most_one
from .at_most_one import Ints
from .compiled import EncodingOptions

NONE: Ints = np.zeros(0, dtype=np.int32)

LARGEST_LITERAL = 2**31 - 1
TRUE = LARGEST_LITERAL
"""The new number of a literal that is already true; ``-TRUE`` for a false one."""


@dataclass(frozen=True)
class Formula:
    """``variables`` variables; the binary clauses ``first[i] or second[i]``; the other clauses, one after the other in
    ``lits``, with their lengths in ``lens``. An empty clause can never hold.
    """

    variables: int
    first: Ints
    second: Ints
    lits: Ints
    lens: Ints

    def __post_init__(self) -> None:
        if self.variables >= LARGEST_LITERAL:
            raise OverflowError(f"{self.variables} variables: a literal must be below 2^31")

    @property
    def clauses(self) -> int:
        return len(self.first) + len(self.lens)

    @property
    def sizes(self) -> dict[str, int]:
        literals = 2 * len(self.first) + len(self.lits)
        return {"variables": self.variables, "clauses": self.clauses, "literals": literals}

    def __iter__(self) -> Iterator[list[int] | tuple[int, int]]:
        """Yield each clause as plain integers, without building a list of them: what pycosat reads fastest."""
        ends = np.cumsum(self.lens)
        parts = map(slice, (ends - self.lens).tolist(), ends.tolist())
        return chain(map(self.lits.tolist().__getitem__, parts), zip(self.first.data, self.second.data, strict=False))


NEVER = Formula(0, NONE, NONE, NONE, np.zeros(1, np.int32))
"""The formula that holds under no assignment: one empty clause."""

NOTHING = Formula(0, NONE, NONE, NONE, NONE)
"""The formula without clauses."""


# ---------------------------------------------------------------- what is known before any puzzle


class Structure:
    """A model ready to be narrowed and encoded. Immutable; shared by all threads.

    ``values`` are all values of the model, ascending; the candidate ``cell * width + column`` says that the variable at
    the position ``cell`` has ``values[column]``. ``domains`` are narrowed by the model's InDomain constraints;
    ``allowed`` flags the candidates (a row for each cell); ``fixed`` are the columns of the cells with one value, and
    -1 for the others.

    The AllDifferents are groups of cells, numbered from 0, in *layers* of disjoint ones (all rows; all columns; ...).
    ``group_of[layer, cell]`` is the cell's group, or ``groups`` if the cell lies in none of the layer. ``sizes`` are
    the groups' numbers of cells; ``houses`` flags those with as many cells as values; both have an entry for "none".

    ``needed`` (for kernels) flags the values of groups of which there is one in each solution: those of houses.

    ``others`` are the constraints other than AllDifferent and InDomain, over all candidates (f is literal f + 1) and,
    after the last of them, auxiliary literals. ``impossible``: a domain is empty, or a group lacks values.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.names, self.index = model, model.names, model.index
        self.domains = _domains(model)
        self.values: Domain = domain(set().union(*set(self.domains)))
        self.column = {value: i for i, value in enumerate(self.values)}
        self.width = len(self.values)
        self.size = len(self.names) * self.width
        fits = not self.values or (self.values[0] >= -(2**63) and self.values[-1] < 2**63)
        self.table: Ints = np.array(self.values, dtype=np.int64 if fits else object)
        self.fixed = np.array([self.column[d[0]] if len(d) == 1 else -1 for d in self.domains], np.int32)
        self.allowed = self._allowed()
        self._group([tuple(model.index[x] for x in c.xs) for c in model.constraints if isinstance(c, AllDifferent)])
        self.others = _Stating(self).formula()

    def _allowed(self) -> Ints:
        every: Ints = np.broadcast_to(np.True_, (len(self.names), self.width))
        if any(len(d) < self.width for d in self.domains):
            every = np.zeros_like(every)
            for row, values in zip(every, self.domains, strict=True):
                row[[self.column[v] for v in values]] = True
        return every

    def _group(self, scopes: Sequence[tuple[int, ...]]) -> None:
        layers: list[tuple[set[int], list[tuple[int, ...]]]] = []
        for scope in filter(None, scopes):
            cells, members = next((layer for layer in layers if layer[0].isdisjoint(scope)), (set[int](), []))
            if not members:
                layers.append((cells, members))
            cells.update(scope)
            members.append(scope)
        groups = [scope for _, members in layers for scope in members]
        self.groups = len(groups)
        self.sizes = np.array([*map(len, groups), 0], dtype=np.int32)
        present = np.zeros((self.groups + 1, self.width), dtype=bool)
        for row, scope in zip(present, groups, strict=False):
            row |= self.allowed[list(scope)].any(axis=0)
        counts = np.count_nonzero(present, axis=1)
        self.houses = (self.sizes == counts) & (counts > 0)
        self.group_of = np.full((len(layers), len(self.names)), self.groups, dtype=np.int32)
        group = 0
        for row, (_, members) in zip(self.group_of, layers, strict=True):
            for scope in members:
                row[list(scope)] = group
                group += 1
        self.needed = (self.houses[:, None] & present).astype(np.uint8).ravel()
        self.in_house = self.houses[self.group_of].any(axis=0)
        self.impossible = not all(self.domains) or bool((counts < self.sizes).any())


def _domains(model: Model) -> tuple[Domain, ...]:
    domains = dict(model.domains)
    for constraint in model.constraints:
        if isinstance(constraint, InDomain):
            allowed = frozenset(constraint.values)
            domains[constraint.x] = tuple(v for v in domains[constraint.x] if v in allowed)
    return tuple(domains.values())


def structure_of(model: Model) -> Structure:
    """Return the structure of a model, computed once for each model object."""
    found = model.memo.get("cnf") or model.memo.setdefault("cnf", Structure(model))
    assert isinstance(found, Structure)
    return found


# ---------------------------------------------------------------- the other kinds of constraints


class _Stating:
    """Writes the constraints other than AllDifferent and InDomain as clauses over all candidates.

    Every auxiliary literal is determined by the candidates, so that each solution is one model of the clauses.
    """

    def __init__(self, structure: Structure) -> None:
        self.structure, self.domains = structure, structure.domains
        self.last, self.lits, self.lens = structure.size, list[int](), list[int]()
        for c in structure.model.constraints:
            if not isinstance(c, AllDifferent | InDomain):
                self.state(c)

    def formula(self) -> Formula:
        lits, lens = np.array(self.lits, dtype=np.int32), np.array(self.lens, dtype=np.int32)
        return Formula(self.last, NONE, NONE, lits, lens)

    def add(self, *clause: int) -> None:
        self.lits += clause
        self.lens.append(len(clause))

    def literal(self, cell: int, value: int) -> int:
        return cell * self.structure.width + self.structure.column[value] + 1

    def state(self, c: Constraint) -> None:
        """Add the clauses of a constraint of an accepted kind; TypeError for any other, which lowering has left."""
        if isinstance(c, Compare):
            self.compare(c)
        elif isinstance(c, Table):
            self.table(c)
        elif isinstance(c, Or):
            self.clause(c)
        else:
            raise TypeError(f"{type(c).__name__} has no direct encoding")

    def clause(self, c: Or) -> None:
        """State that some variable has one of the values of its part; nothing if a part is always true."""
        literals: set[int] = set()
        for part in c.parts:
            if not isinstance(part, InDomain):
                raise TypeError(f"a clause has no part {part}")
            cell = self.structure.index[part.x]
            inside = [self.literal(cell, value) for value in part.values if value in self.domains[cell]]
            if len(inside) == len(self.domains[cell]):
                return
            literals.update(inside)
        self.add(*sorted(literals))

    def compare(self, compare: Compare) -> None:
        """Forbid the equal pairs of a ``!=``; for the other relations, give each value the partners that it needs."""
        x, y = self.structure.index[compare.x], self.structure.index[compare.y]
        holds, c = OPERATORS[compare.op], compare.c
        if x == y:
            if not holds(0, c):
                self.add()
        elif compare.op == "!=":
            self.forbid((x, y), [(value + c, value) for value in self.domains[y] if value + c in self.domains[x]])
        else:
            self.support((x, y), [(a, b) for a in self.domains[x] for b in self.domains[y] if holds(a, b + c)])

    def table(self, table: Table) -> None:
        """State a table; tuples outside the domains, or with two values for a repeated variable, are ignored."""
        cells = tuple(self.structure.index[x] for x in table.scope)
        rows = tuples_of(table, {x: self.domains[cell] for x, cell in zip(table.scope, cells, strict=True)})
        if not table.allowed:
            self.forbid(cells, rows)
        elif len(cells) == 2:
            self.support((cells[0], cells[1]), rows)
        elif len(cells) > 1 and rows:
            self.select(cells, rows)
        elif cells or not rows:  # one variable, or no tuple at all
            self.add(*(self.literal(cells[0], row[0]) for row in rows))

    def forbid(self, cells: Sequence[int], rows: Iterable[Sequence[int]]) -> None:
        """Add a clause for each row of values: one of the cells has another value."""
        for row in rows:
            self.add(*(-self.literal(cell, value) for cell, value in zip(cells, row, strict=True)))

    def support(self, cells: tuple[int, int], pairs: Sequence[Sequence[int]]) -> None:
        """State that each value needs a partner; where all are partners, nothing."""
        for at, (cell, other) in enumerate((cells, cells[::-1])):
            partners: dict[int, list[int]] = defaultdict(list)
            for pair in pairs:
                partners[pair[at]].append(pair[1 - at])
            for value in self.domains[cell]:
                if len(partners[value]) < len(self.domains[other]):
                    self.add(-self.literal(cell, value), *(self.literal(other, v) for v in partners[value]))

    def select(self, cells: Sequence[int], rows: Sequence[Sequence[int]]) -> None:
        """State one auxiliary for each tuple, true if all its values are taken; each value needs a tuple that has it.

        When few tuples are missing, forbid these instead.
        """
        if 4 * (prod(len(self.domains[cell]) for cell in cells) - len(rows)) < len(rows):
            present = frozenset(map(tuple, rows))
            self.forbid(cells, (r for r in product(*(self.domains[cell] for cell in cells)) if r not in present))
            return
        having: dict[int, list[int]] = {self.literal(cell, v): [] for cell in cells for v in self.domains[cell]}
        for row in rows:
            self.last += 1
            for cell, value in zip(cells, row, strict=True):
                self.add(-self.last, literal := self.literal(cell, value))
                having[literal].append(self.last)
        for literal, chosen in having.items():
            self.add(-literal, *chosen)


# ---------------------------------------------------------------- the givens


class Narrow(NamedTuple):
    """What the domains of a request leave: the column of each decided cell (-1: open), and the candidates ruled out."""

    fixed: Ints
    out: Ints


def read_domains(structure: Structure, domains: Mapping[str, Domain]) -> Narrow | None:
    """Read the domains of a request; None if one of them is empty. Raise ValueError if the model has no such name."""
    try:
        cells = list(map(structure.index.__getitem__, domains))
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is not a variable of the model") from None
    given, out, column = dict[int, int](), list[int](), structure.column
    for cell, values in zip(cells, domains.values(), strict=True):
        if len(values) != 1:
            own, wanted = structure.domains[cell], frozenset(values)
            values = tuple([v for v in own if v in wanted])
            if len(values) > 1:
                out += [cell * structure.width + column[v] for v in own if v not in wanted]
                continue
        given[cell] = column.get(values[0], -1) if values else -1
    places, columns = np.array(list(given), np.int32), np.array(list(given.values()), np.int32)
    if (columns < 0).any() or not structure.allowed[places, columns].all():
        return None
    fixed = structure.fixed.copy()
    fixed[places] = columns
    return Narrow(fixed, np.array(out, np.int64))


@dataclass(frozen=True)
class Reduced:
    """The cells and columns of the open candidates, ascending, and the column of each decided cell (-1: open)."""

    cell: Ints
    column: Ints
    fixed: Ints

    @property
    def decided(self) -> Ints:
        """The decided cells, ascending."""
        return np.flatnonzero(self.fixed >= 0)


def _clashing(structure: Structure) -> Reduced:
    return Reduced(NONE, NONE, np.full(len(structure.names), -1, dtype=np.int32))


def reduce(structure: Structure, domains: Mapping[str, Domain]) -> Reduced | None:
    """Decide the givens and remove what they exclude; None if a domain is empty or two givens clash."""
    narrow = read_domains(structure, domains)
    if narrow is None or structure.impossible:
        return None
    fixed, cells = narrow.fixed, np.flatnonzero(narrow.fixed < 0).astype(np.int32)
    decided = np.flatnonzero(fixed >= 0)
    used = np.zeros((structure.groups + 1, structure.width), dtype=bool)
    groups = structure.group_of[:, decided]
    used[groups, fixed[decided]] = True
    used[structure.groups] = False
    if np.count_nonzero(used) < np.count_nonzero(groups < structure.groups):
        return None
    gone = ~structure.allowed[cells]
    for layer in structure.group_of:
        gone |= used[layer[cells]]
    row, column = np.divmod(narrow.out, structure.width or 1)
    gone[np.searchsorted(cells, row), column] = True
    found = np.flatnonzero(~gone)
    row = found // (structure.width or 1)
    return Reduced(cells[row], (found - row * structure.width).astype(np.int32), fixed)


def everything(structure: Structure) -> Reduced:
    """Return the structure with every candidate open, nothing applied."""
    cell, column = np.nonzero(structure.allowed)
    return Reduced(cell.astype(np.int32), column.astype(np.int32), _clashing(structure).fixed)


# ---------------------------------------------------------------- the lists


class Lists(NamedTuple):
    """The open values of each cell, then the open places of each value in each AllDifferent, as literals.

    ``lits`` has one list after the other, ``lens`` their lengths (none is 0); the first ``cells`` lists are those of
    the cells. ``exactly`` flags the lists of which one literal is true in every solution (cells and houses), ``lonely``
    the cells' lists of cells that lie in no house.
    """

    lits: Ints
    lens: Ints
    cells: int
    exactly: Ints
    lonely: Ints


def lists_of(structure: Structure, reduced: Reduced) -> Lists | None:
    """Gather the lists over the literals 1, 2, ... of the open candidates; None if one that needs a true candidate has
    none left.

    A group lacks places when fewer values than cells are open in it (in a house: when a value has no place left).
    """
    literals = np.arange(1, len(reduced.cell) + 1, dtype=np.int32)
    starts = np.flatnonzero(np.diff(reduced.cell, prepend=-1))
    decided = reduced.decided
    if len(starts) + len(decided) < len(structure.names):
        return None
    groups, columns = structure.group_of[:, reduced.cell].ravel(), np.tile(reduced.column, len(structure.group_of))
    placed, inside = np.tile(literals, len(structure.group_of)), groups < structure.groups
    if not inside.all():
        groups, columns, placed = groups[inside], columns[inside], placed[inside]
    keys = groups * np.int32(structure.width) + columns
    order, counts = np.argsort(keys, kind="stable"), np.bincount(keys, minlength=structure.groups * structure.width)
    values = np.count_nonzero(counts.reshape(structure.groups, structure.width), axis=1)
    given = np.bincount(structure.group_of[:, decided].ravel(), minlength=structure.groups + 1)
    if (values + given[:-1] < structure.sizes[:-1]).any():
        return None
    found = np.flatnonzero(counts)
    lens = np.concatenate((np.diff(starts, append=len(literals)), counts[found])).astype(np.int32)
    exactly = np.concatenate((np.ones(len(starts), bool), structure.houses[found // (structure.width or 1)]))
    lonely = ~structure.in_house[reduced.cell[starts]]
    return Lists(np.concatenate((literals, placed[order])), lens, len(starts), exactly, lonely)


# ---------------------------------------------------------------- the clauses


@dataclass(frozen=True)
class Problem:
    """One puzzle of a structure: what is decided, and the formula of the rest.

    Literal i + 1 is the open candidate i of ``reduced``; the auxiliaries follow.
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


def encode(structure: Structure, reduced: Reduced | None, options: EncodingOptions) -> Problem:
    """Write the clauses of the open candidates; if there is a clash, only the empty clause."""
    if reduced and not len(reduced.cell) and (reduced.fixed >= 0).all() and not len(structure.others.lens):
        return Problem(structure, reduced, NOTHING)
    lists = None if reduced is None or structure.impossible else lists_of(structure, reduced)
    if reduced is None or lists is None:
        return Problem(structure, reduced or _clashing(structure), NEVER)
    writer = _Writer(len(reduced.cell))
    needed = lists.exactly.copy()
    if options.house != "extended":
        needed[lists.cells :] = False
    writer.add(lists.lits[np.repeat(needed, lists.lens)], lists.lens[needed])
    wanted = lists.lens > 1
    if options.house == "minimal":
        wanted[: lists.cells] &= lists.lonely
    for exactly in (True, False):
        chosen = wanted & (lists.exactly == exactly)
        lits, lens = lists.lits[np.repeat(chosen, lists.lens)], lists.lens[chosen]
        if options.amo == "pairwise":
            writer.pairs.append(_pairs(-lits, lens))
        else:
            _patterns(lits, lens, exactly, options.amo, writer)
    if len(structure.others.lens):
        _others(structure, reduced, writer)
    return Problem(structure, reduced, writer.formula())


class _Writer:
    """Collects parts of a formula; ``variables`` counts the literals in use."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.pairs: list[tuple[Ints, Ints]] = [(NONE, NONE)]
        self.longer: list[tuple[Ints, Ints]] = [(NONE, NONE)]

    def add(self, lits: Ints, lens: Ints) -> None:
        """Add clauses of any length."""
        self.longer.append((lits, lens))

    def add_table(self, table: Ints) -> None:
        """Add clauses of one length, given as the columns of a table of shape (length, clauses)."""
        if len(table) == 2:
            self.pairs.append((table[0], table[1]))
        else:
            self.add(table.T.ravel(), np.full(table.shape[1], len(table), dtype=np.int32))

    def fresh(self, table: Ints, count: int) -> Ints:
        """Return a table with ``count`` more rows, of new literals."""
        size = count * table.shape[1]
        new = np.arange(self.variables + 1, self.variables + size + 1, dtype=np.int32).reshape(count, table.shape[1])
        self.variables += size
        return np.concatenate((table, new))

    def formula(self) -> Formula:
        parts = [part for parts in (self.pairs, self.longer) for part in zip(*parts, strict=True)]
        return Formula(self.variables, *map(_joined, parts))


def _joined(parts: Sequence[Ints]) -> Ints:
    filled = [part for part in parts if len(part)]
    return filled[0] if len(filled) == 1 else np.concatenate([NONE, *filled], dtype=np.int32, casting="unsafe")


def _pairs(lits: Ints, lens: Ints) -> tuple[Ints, Ints]:
    """Return the first and the second literal of every pair within a list."""
    at = np.arange(1, len(lits) + 1, dtype=np.int32)
    after = np.repeat(np.cumsum(lens, dtype=np.int32), lens) - at  # how many literals of its list follow each
    ends = np.cumsum(after)
    second = np.arange(ends[-1] if len(ends) else 0, dtype=np.int32)
    second -= np.repeat((ends - after - at).astype(np.int32), after)
    return np.repeat(lits, after), lits[second]


def _patterns(lits: Ints, lens: Ints, exactly: bool, name: str, writer: _Writer) -> None:
    """Apply an encoding's pattern to the lists of each length together.

    A list that need not have a true literal gets an extra one that says so; otherwise its auxiliaries would be left
    open.
    """
    starts = np.cumsum(lens) - lens
    for k in np.unique(lens).tolist():
        table = lits[np.arange(k)[:, None] + starts[lens == k]]
        if not exactly and k >= at_most_one.SHORTEST:
            table = writer.fresh(table, 1)
            writer.add_table(table)
        pattern = at_most_one.pattern(name, len(table))
        table = writer.fresh(table, pattern.auxiliaries)
        for clauses in pattern.tables:
            signed = table[np.abs(clauses.T) - 1] * np.sign(clauses.T)[:, :, None]
            writer.add_table(signed.reshape(clauses.shape[1], -1))


def _others(structure: Structure, reduced: Reduced, writer: _Writer) -> None:
    """Add the clauses of the other constraints, over the open candidates' numbers.

    Clauses with a true literal are left out, and so are false literals.
    """
    width, others = np.int64(structure.width), structure.others
    number = np.full(others.variables + 1, -TRUE, dtype=np.int32)
    number[reduced.cell * width + reduced.column + 1] = np.arange(1, len(reduced.cell) + 1)
    number[reduced.decided * width + reduced.fixed[reduced.decided] + 1] = TRUE
    auxiliaries = others.variables - structure.size
    number[structure.size + 1 :] = np.arange(writer.variables + 1, writer.variables + auxiliaries + 1)
    writer.variables += auxiliaries
    lits = number[np.abs(others.lits)] * np.sign(others.lits)
    clause = np.repeat(np.arange(len(others.lens)), others.lens)
    left = np.ones(len(others.lens), dtype=bool)
    left[clause[lits == TRUE]] = False
    keep = left[clause] & (lits != -TRUE)
    writer.add(lits[keep], np.bincount(clause[keep], minlength=len(left))[left])


def textbook(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions) -> Problem:
    """Encode every candidate; the givens and other narrowed domains become unit clauses."""
    narrow = read_domains(structure, domains)
    problem = encode(structure, everything(structure), options)
    if narrow is None or problem.impossible:
        return replace(problem, formula=NEVER)
    reduced, width = problem.reduced, np.int64(structure.width)
    number = np.zeros(structure.size, dtype=np.int32)
    number[reduced.cell * width + reduced.column] = np.arange(1, len(reduced.cell) + 1)
    given = np.flatnonzero(narrow.fixed != structure.fixed)
    units = np.concatenate((number[given * width + narrow.fixed[given]], -number[narrow.out]))
    formula, ones = problem.formula, np.ones(len(units), dtype=np.int32)
    lits, lens = np.concatenate((formula.lits, units)), np.concatenate((formula.lens, ones))
    return replace(problem, formula=replace(formula, lits=lits, lens=lens))
