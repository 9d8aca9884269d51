"""The numbering of a model's candidates, before anything is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sudoku_models.model import Domain, InDomain, Model, domain

Ints = np.ndarray[Any, np.dtype[Any]]
"""An array of integers, one-dimensional unless stated otherwise."""

_NONE = np.zeros(0, dtype=np.int32)


class Space:
    """Every candidate (variable, value) of a model as a number from 0, ascending by variable, then by value.

    If the domains are (nearly) the same, candidate ``cell * width + column`` is value ``values[column]`` of variable
    ``cell``, with ``width`` columns; otherwise ``width`` is 0 and each variable has one number for each of its values.
    ``column`` is a value's index in ``values``, all values of the model in ascending order.
    """

    def __init__(self, model: Model) -> None:
        self.names = model.names
        self.index = model.index
        self.domains = _domains(model)
        self.values: Domain = domain(set().union(*set(self.domains)))
        self.column = {value: i for i, value in enumerate(self.values)}
        self.table = _table(self.values)
        total = sum(map(len, self.domains))
        self.width = len(self.values) if len(self.names) * len(self.values) <= 2 * total else 0
        self.size = len(self.names) * self.width if self.width else total
        self._ragged = _index_ragged(self.domains, self.column) if not self.width else (_NONE, _NONE, _NONE)
        self.limited = {i: d for i, d in enumerate(self.domains) if self.width and len(d) < self.width}

    def split(self, candidates: Ints) -> tuple[Ints, Ints]:
        """Return the variables (cells) and columns of candidates."""
        if self.width:
            cell = candidates // self.width
            return cell, candidates - cell * self.width
        _, cells, columns = self._ragged
        return cells[candidates], columns[candidates]

    def ragged(self) -> tuple[Ints, Ints]:
        """Return the cell and the column of every candidate when the domains differ."""
        return self._ragged[1], self._ragged[2]

    def first(self, cells: Ints) -> Ints:
        """Return the first candidate of each cell when the domains differ; cells is an array."""
        return self._ragged[0][cells]

    def candidate(self, cell: int, value: int) -> int | None:
        """Return the number of a candidate; None if the value is not in the variable's domain."""
        values = self.domains[cell]
        if value not in values:
            return None
        if self.width:
            return cell * self.width + self.column[value]
        return int(self._ragged[0][cell]) + values.index(value)

    def candidates(self, cell: int, values: Sequence[int]) -> list[int]:
        """Return the numbers of those candidates of a variable that lie in its domain."""
        found = (self.candidate(cell, value) for value in values)
        return [number for number in found if number is not None]

    def all(self) -> Ints:
        """Return every candidate of the stated domains, ascending."""
        if not self.limited:
            return np.arange(self.size, dtype=np.int32)
        keep = np.ones(self.size, dtype=bool).reshape(-1, self.width)
        for cell, values in self.limited.items():
            keep[cell] = self.row(values)
        return np.flatnonzero(keep).astype(np.int32)

    def union(self, cells: Sequence[int]) -> int:
        """Return the number of values in the union of the domains of some cells."""
        if self.width and not self.limited:
            return self.width if cells else 0
        return len(set().union(*(self.domains[cell] for cell in cells)))

    def row(self, values: Sequence[int]) -> Ints:
        """Return one flag for each column, true for the values given."""
        row = np.zeros(len(self.values), dtype=bool)
        row[[self.column[v] for v in values if v in self.column]] = True
        return row


def _domains(model: Model) -> tuple[Domain, ...]:
    """Return the variables' domains, narrowed by the model's InDomain constraints."""
    domains = dict(model.domains)
    for constraint in model.constraints:
        if isinstance(constraint, InDomain):
            allowed = frozenset(constraint.values)
            domains[constraint.x] = tuple(v for v in domains[constraint.x] if v in allowed)
    return tuple(domains.values())


def _index_ragged(domains: Sequence[Domain], column: Mapping[int, int]) -> tuple[Ints, Ints, Ints]:
    """Return each cell's first candidate, and each candidate's cell and column."""
    lengths = np.array([len(d) for d in domains], dtype=np.int64)
    cell = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    columns = np.array([column[v] for d in domains for v in d], dtype=np.int32)
    return np.cumsum(lengths) - lengths, cell, columns


def _table(values: Domain) -> Ints:
    fits = not values or (values[0] >= -(2**63) and values[-1] < 2**63)
    return np.array(values, dtype=np.int64 if fits else object)
