"""What is known of a model before any puzzle: its candidates, its AllDifferents in layers, its other constraints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

import numpy as np

from sudoku_models.model import OPERATORS, AllDifferent, Compare, Constraint, Domain, InDomain, Model, Or, Table, domain

Ints = np.ndarray[Any, np.dtype[Any]]
"""An array of integers, one-dimensional unless stated otherwise."""

NONE: Ints = np.zeros(0, dtype=np.int32)

TRUE = 2**31 - 1
"""The new number of a literal that is already true; ``-TRUE`` for a false one."""


class Space:
    """Every pair (variable, value) as a number from 0: ``cell * width + column``, of the variable ``cell`` and the
    value ``values[column]``, where ``values`` are all values of the model in ascending order.

    ``domains`` are those of the variables, narrowed by the model's InDomain constraints. ``allowed`` flags the pairs
    that are candidates (a row for each cell); it is None if all are. ``decided`` are the columns of the cells with one
    value.
    """

    def __init__(self, model: Model) -> None:
        self.names, self.index = model.names, model.index
        self.domains = _domains(model)
        self.values: Domain = domain(set().union(*set(self.domains)))
        self.column = {value: i for i, value in enumerate(self.values)}
        self.width = len(self.values)
        self.size = len(self.names) * self.width
        fits = not self.values or (self.values[0] >= -(2**63) and self.values[-1] < 2**63)
        self.table: Ints = np.array(self.values, dtype=np.int64 if fits else object)
        self.decided = {cell: self.column[d[0]] for cell, d in enumerate(self.domains) if len(d) == 1}
        self.allowed = self._allowed()

    def _allowed(self) -> Ints | None:
        limited = {cell: d for cell, d in enumerate(self.domains) if len(d) < self.width}
        if not limited:
            return None
        allowed = np.ones((len(self.names), self.width), dtype=bool)
        for cell, values in limited.items():
            allowed[cell] = False
            allowed[cell, [self.column[v] for v in values]] = True
        return allowed

    def candidate(self, cell: int, value: int) -> int | None:
        """Return the number of a candidate; None if the value is not in the variable's domain."""
        return cell * self.width + self.column[value] if value in self.domains[cell] else None

    def candidates(self, cell: int, values: Iterable[int]) -> list[int]:
        """Return the numbers of those candidates of a variable that lie in its domain."""
        return [cell * self.width + self.column[value] for value in values if value in self.domains[cell]]

    def union(self, cells: Sequence[int]) -> int:
        """Return the number of values in the union of the domains of some cells."""
        if self.allowed is None:
            return self.width if cells else 0
        return len(set().union(*(self.domains[cell] for cell in cells)))


def _domains(model: Model) -> tuple[Domain, ...]:
    domains = dict(model.domains)
    for constraint in model.constraints:
        if isinstance(constraint, InDomain):
            allowed = frozenset(constraint.values)
            domains[constraint.x] = tuple(v for v in domains[constraint.x] if v in allowed)
    return tuple(domains.values())


@dataclass(frozen=True)
class Layer:
    """Disjoint AllDifferents, so that each variable lies in one at most (all rows; all columns; all boxes; ...).

    ``group_of[cell]`` is the number of the cell's AllDifferent within the layer, or ``groups`` if the cell lies in
    none. ``sizes`` are their numbers of variables; ``start`` is the layer's first row in a table over all layers, in
    which each layer has ``groups + 1`` rows (the last one for the cells in none). ``covers`` is true if every cell lies
    in one of them. ``houses`` flags those with as many variables as values.
    """

    group_of: Ints
    groups: int
    sizes: Ints
    start: int
    covers: bool
    houses: Ints


class Structure:
    """A model ready to be narrowed and encoded. Immutable; shared by all threads.

    ``in_house`` flags the cells that lie in some house. ``others`` are the constraints other than AllDifferent and
    InDomain as clauses over all candidates (f is literal f + 1) and, after the last of them, auxiliary literals.
    ``impossible``: a domain is empty, or an AllDifferent has more variables than values.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.space = model, Space(model)
        scopes = [tuple(model.index[x] for x in c.xs) for c in model.constraints if isinstance(c, AllDifferent)]
        self.layers = _layers([scope for scope in scopes if scope], self.space)
        self.rows = sum(layer.groups + 1 for layer in self.layers)
        self.in_house = np.zeros(len(self.space.names), dtype=bool)
        for layer in self.layers:
            self.in_house |= np.append(layer.houses, False)[layer.group_of]
        full = not all(self.space.domains)
        self.impossible = full or any(self.space.union(scope) < len(scope) for scope in scopes)
        self.others = clauses_of(model, self.space)


def structure_of(model: Model) -> Structure:
    """Return the structure of a model, computed once for each model object."""
    found = model.memo.get("cnf") or model.memo.setdefault("cnf", Structure(model))
    assert isinstance(found, Structure)
    return found


def _layers(scopes: Sequence[tuple[int, ...]], space: Space) -> list[Layer]:
    buckets: list[tuple[set[int], list[tuple[int, ...]]]] = []
    for scope in scopes:
        bucket = next((b for b in buckets if b[0].isdisjoint(scope)), None)
        if bucket is None:
            bucket = (set(), [])
            buckets.append(bucket)
        bucket[0].update(scope)
        bucket[1].append(scope)
    found: list[Layer] = []
    for _, groups in buckets:
        found.append(_layer(groups, found[-1].start + found[-1].groups + 1 if found else 0, space))
    return found


def _layer(groups: Sequence[tuple[int, ...]], start: int, space: Space) -> Layer:
    group_of = np.full(len(space.names), len(groups), dtype=np.int32)
    for number, scope in enumerate(groups):
        group_of[list(scope)] = number
    houses = np.array([len(scope) == space.union(scope) for scope in groups], dtype=bool)
    sizes = np.array([len(scope) for scope in groups], dtype=np.int32)
    return Layer(group_of, len(groups), sizes, start, bool((group_of < len(groups)).all()), houses)


# ---------------------------------------------------------------- clauses


@dataclass(frozen=True)
class Clauses:
    """Clauses one after the other in an array of literals, and their lengths, with ``auxiliaries`` literals of their
    own. An empty clause has length 0: it can never hold.
    """

    lits: Ints
    lens: Ints
    auxiliaries: int = 0

    def __iter__(self) -> Iterator[list[int]]:
        ends = np.cumsum(self.lens)
        return map(self.lits.tolist().__getitem__, map(slice, (ends - self.lens).tolist(), ends.tolist()))

    def renumbered(self, number: Ints) -> Clauses:
        """Return the clauses over other literals: ``number[i]`` for literal i, TRUE or -TRUE if it is decided.

        Clauses with a true literal are left out, and so are false literals.
        """
        lits = number[np.abs(self.lits)] * np.sign(self.lits)
        clause = np.repeat(np.arange(len(self.lens)), self.lens)
        left = np.ones(len(self.lens), dtype=bool)
        left[clause[lits == TRUE]] = False
        keep = left[clause] & (lits != -TRUE)
        lens = np.bincount(clause[keep], minlength=len(left))[left]
        return Clauses(lits[keep].astype(np.int32), lens.astype(np.int32), self.auxiliaries)


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


# ---------------------------------------------------------------- the other kinds of constraints
# Every auxiliary literal is determined by the candidates, so that each solution of the model is one model of the
# clauses.

LARGEST = 2_000_000
"""The largest number of pairs of values for which a Compare is written out."""

WIDEST = 4_000
"""The largest number of values of a variable: a clause is needed for every two of them."""


def too_large(model: Model) -> str | None:
    """Return why a model is too large to be encoded, or None."""
    for variable in model.variables:
        if len(variable.domain) > WIDEST:
            return f"{variable.name} has {len(variable.domain)} values: at most {WIDEST} are encoded one by one"
    for constraint in model.constraints:
        if isinstance(constraint, Compare) and constraint.op != "!=":
            pairs = len(model.domains[constraint.x]) * len(model.domains[constraint.y])
            if pairs > LARGEST:
                return f"a Compare between domains of {pairs} pairs of values is too large for clauses"
    return None


def clauses_of(model: Model, space: Space) -> Clauses:
    """Return the constraints other than AllDifferent and InDomain as clauses over candidates."""
    out = ClauseList(space.size)
    for constraint in model.constraints:
        if not isinstance(constraint, AllDifferent | InDomain):
            _state(constraint, space, out)
    return Clauses(np.array(out.lits, dtype=np.int32), np.array(out.lens, dtype=np.int32), out.auxiliaries)


def _state(constraint: Constraint, space: Space, out: ClauseList) -> None:
    if isinstance(constraint, Compare):
        _compare(constraint, space, out)
    elif isinstance(constraint, Table):
        _table(constraint, space, out)
    elif isinstance(constraint, Or):
        _clause(constraint, space, out)
    else:
        raise TypeError(f"{type(constraint).__name__} has no direct encoding")


def _clause(constraint: Or, space: Space, out: ClauseList) -> None:
    """Add the clause that some variable has one of the values of its part; add nothing if a part is always true."""
    literals: set[int] = set()
    for part in constraint.parts:
        if not isinstance(part, InDomain):
            raise TypeError(f"a clause has no part {part}")
        cell = space.index[part.x]
        inside = space.candidates(cell, part.values)
        if len(inside) == len(space.domains[cell]):
            return
        literals.update(candidate + 1 for candidate in inside)
    out.add(*sorted(literals))


def _compare(constraint: Compare, space: Space, out: ClauseList) -> None:
    x, y = space.index[constraint.x], space.index[constraint.y]
    holds, c = OPERATORS[constraint.op], constraint.c
    if x == y:
        if not holds(0, c):
            out.add()
    elif constraint.op == "!=":
        for value in space.domains[y]:
            if value + c in space.domains[x]:
                out.add(*(-literal for literal in _literals(space, ((x, value + c), (y, value)))))
    else:
        pairs = [(a, b) for a in space.domains[x] for b in space.domains[y] if holds(a, b + c)]
        _supports(space, (x, y), pairs, out)


def _literals(space: Space, candidates: Iterable[tuple[int, int]]) -> list[int]:
    """Return the literals of candidates (cell, value) inside the domains."""
    return [cell * space.width + space.column[value] + 1 for cell, value in candidates]


def _supports(space: Space, cells: tuple[int, int], pairs: Sequence[tuple[int, int]], out: ClauseList) -> None:
    """Require for each value of either variable a partner among the allowed pairs; trivial clauses are left out."""
    for at, (cell, other) in enumerate((cells, cells[::-1])):
        partners: dict[int, list[int]] = defaultdict(list)
        for pair in pairs:
            partners[pair[at]].append(pair[1 - at])
        for value in space.domains[cell]:
            if len(partners[value]) < len(space.domains[other]):
                literals = _literals(space, ((other, partner) for partner in partners[value]))
                out.add(-_literals(space, [(cell, value)])[0], *literals)


def _table(table: Table, space: Space, out: ClauseList) -> None:
    """Add a table; tuples outside the domains, or with two values for a repeated variable, are ignored."""
    cells = tuple(space.index[x] for x in table.scope)
    rows = [row for row in _rows(table) if all(v in space.domains[i] for i, v in zip(cells, row, strict=True))]
    if not table.allowed:
        _forbid(space, cells, rows, out)
    elif len(cells) == 2:
        _supports(space, (cells[0], cells[1]), [(row[0], row[1]) for row in rows], out)
    elif len(cells) > 1 and rows:
        _select(space, cells, rows, out)
    elif cells or not rows:  # one variable, or no tuple at all
        out.add(*(literal for row in rows for literal in _literals(space, zip(cells, row, strict=True))))


def _rows(table: Table) -> Iterable[tuple[int, ...]]:
    if len(table.scope) == len(table.xs):
        return table.tuples
    different = len(set(table.xs))
    agreeing = (row for row in table.tuples if len(set(zip(table.xs, row, strict=True))) == different)
    rows = (dict(zip(table.xs, row, strict=True)) for row in agreeing)
    return [tuple(row[x] for x in table.scope) for row in rows]


def _forbid(space: Space, cells: Sequence[int], rows: Iterable[Sequence[int]], out: ClauseList) -> None:
    for row in rows:
        out.add(*(-literal for literal in _literals(space, zip(cells, row, strict=True))))


def _select(space: Space, cells: Sequence[int], rows: Sequence[Sequence[int]], out: ClauseList) -> None:
    """Add one auxiliary for each tuple, true if all its values are taken; each value needs a tuple that has it.

    When few tuples are missing, forbid these instead.
    """
    size = prod(len(space.domains[i]) for i in cells)
    if 4 * (size - len(rows)) < len(rows):
        present = frozenset(map(tuple, rows))
        missing = (row for row in product(*(space.domains[i] for i in cells)) if row not in present)
        _forbid(space, cells, missing, out)
        return
    having: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in rows:
        chosen = out.fresh()
        for cell, value in zip(cells, row, strict=True):
            out.add(-chosen, *_literals(space, [(cell, value)]))
            having[cell, value].append(chosen)
    for cell in cells:
        for value in space.domains[cell]:
            out.add(-_literals(space, [(cell, value)])[0], *having[cell, value])
