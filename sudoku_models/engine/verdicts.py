"""A judge's verdicts on many solutions, as rows of an array: it is asked once for rows that it cannot distinguish.

A judge is deterministic and knows a solution only by the values that it reads from a mapping. So rows that agree in all
values read for one of them get the same verdict, and one row of each kind is judged: this is not sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import PartJudge
from .check import REMEMBERED

TABLE = 600_000
"""Up to this number of combinations of values, each has a place in a table: six cells with nine values."""

LARGEST = 1 << 62
"""Up to this number of combinations of values, each is a number; beyond it, each is the bytes of its values."""

Look = Callable[[], object]


class Verdicts:
    """Checks rows against one judge. ``columns`` are those of the variables read so far, in order."""

    def __init__(self, judge: PartJudge, names: Sequence[str], ends: Sequence[tuple[int, int]]) -> None:
        """Start with nothing read; ``ends`` has the least and the greatest value of each variable in the rows."""
        self.judge, self._names, self._ends = judge, names, ends
        self._values = _Noting({name: column for column, name in enumerate(names)})
        self._grow(())

    def _grow(self, columns: Sequence[int]) -> None:
        """Distinguish rows by these columns from now on, and forget which of them were judged."""
        self.columns = tuple(sorted(columns))
        self._open = [x for x in self.columns if self._ends[x][0] < self._ends[x][1]]
        self._low = np.array([self._ends[x][0] for x in self._open], np.int64)
        sizes = [self._ends[x][1] - self._ends[x][0] + 1 for x in self._open]
        self._kinds, self._narrow = prod(sizes), max(sizes, default=0) <= 1 << 8
        self._table = np.zeros(self._kinds if self._kinds <= TABLE else 0, bool)
        self._known: set[Any] = set()
        if self._kinds <= LARGEST:
            self._factors = np.array([prod(sizes[:i]) for i in range(len(sizes))], np.int64)

    def broken(self, rows: NDArray[Any], look: Look) -> str | None:
        """Return what some row (n, variables) breaks; None if none does. ``look`` is called before each question."""
        columns: tuple[int, ...] | None = None
        while columns != self.columns:
            columns = self.columns
            for row in self._new(rows):
                look()
                broken = self._asked(rows[row].tolist())
                if broken is not None:
                    return broken
                if not self._values.read.issubset(columns):
                    self._grow([*self._values.read.union(columns)])
                    break
        return None

    def _asked(self, row: list[int]) -> str | None:
        """Ask the judge about one row; record what it reads unless everything was already read."""
        self._values.take(row)
        every = len(self.columns) == len(row)
        return self.judge.broken(dict(zip(self._names, row, strict=True)) if every else self._values)

    def _new(self, rows: NDArray[Any]) -> list[int]:
        """Return one row of each kind that has not been judged, and remember the kinds."""
        values = rows[:, self._open]
        if self._kinds > LARGEST:
            values = values - self._low if self._narrow else values
            values = np.ascontiguousarray(values, np.uint8 if self._narrow else np.int64)
            return self._unknown(values.view(f"V{values.itemsize * values.shape[1]}").ravel())
        keys = (values - self._low) @ self._factors
        if not len(self._table):
            return self._unknown(keys)
        new = (~self._table[keys]).nonzero()[0]
        kinds, first = np.unique(keys[new], return_index=True)
        self._table[kinds] = True
        found: list[int] = new[first].tolist()
        return found

    def _unknown(self, keys: NDArray[Any]) -> list[int]:
        """Return the first index of each unknown key, and remember the keys (the most recent if there are many)."""
        kinds, first = np.unique(keys, return_index=True)
        pairs = [pair for pair in zip(kinds.tolist(), first.tolist(), strict=True) if pair[0] not in self._known]
        if len(self._known) > REMEMBERED:
            self._known.clear()
        self._known.update(key for key, _ in pairs)
        return [row for _, row in pairs]


class _Noting(Mapping[str, int]):
    """The values of a row by name; notes the columns of those that are read. Listing the names notes nothing."""

    def __init__(self, index: Mapping[str, int]) -> None:
        self._index, self.read = index, set[int]()
        self._row: list[int] = []

    def take(self, row: list[int]) -> None:
        """Take the values of another row, of which nothing has been read."""
        self._row, self.read = row, set()

    def __getitem__(self, name: str) -> int:
        column = self._index[name]
        self.read.add(column)
        return self._row[column]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)
