"""Clues outside the grid. ``cells`` are the cells of the line as seen from the clue, nearest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from ...model import (
    And,
    Automaton,
    Compare,
    Constraint,
    Domain,
    Element,
    InDomain,
    MinMax,
    Or,
    Regular,
    Table,
)
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule
from .traits import Placing
from .yields import among, different, linear, never, one_of

SHORT = 4
"""The largest number of cells of a lunchbox that becomes a table."""
MOST_ROWS = 10_000
"""The largest number of rows of that table."""


@dataclass(frozen=True)
class _Clue(Rule):
    cells: f.Cells = f.cells()


@dataclass(frozen=True)
class LittleKiller(_Clue):
    """The values along a diagonal add up to ``total``; they may repeat."""

    sentence = "The values along the arrow add up to the clue; they may repeat."
    drawing = "little killer", "#6c7a89"
    technique = "sum along a diagonal"
    turning = "cells"
    order = "any"
    placing = Placing("diagonal", 3, 8, number="total", value=sum)
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield linear([(1, x) for x in self.cells], "==", self.total)

    def judge(self, grid: Filled) -> bool:
        return sum(grid.along(self.cells)) == self.total


@dataclass(frozen=True)
class Lunchbox(_Clue):
    """The cells differ; the values strictly between the smallest and the largest of them add up to ``total``."""

    sentence = "The cells differ; the values between the smallest and the largest of them add up to the number."
    drawing = "cage", "#b5651d"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 3, 5, number="total", value=lambda v: _sandwiched(v))
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        names = tuple(dict.fromkeys(self.cells))
        if len(names) < len(self.cells) or len(names) > len(board.values):
            yield never(names[0])
            return
        yield from different(board, names)
        if len(names) == len(board.values):
            yield Regular(names, _between(board.values, self.total))
        elif len(names) <= SHORT and len(board.values) ** len(names) <= MOST_ROWS:
            yield _orders(board.values, len(names), self.total).over(*names)
        elif self.total > sum(board.values[1 - len(names) : -1]) and board.low >= 0:
            yield never(names[0])
        else:
            yield from self._with_ends(board, names)

    def _with_ends(self, board: Board, names: tuple[str, ...]) -> Iterator[Constraint]:
        """Mark the two ends, then read the line, so that its automaton need not know their values."""
        listed = " ".join(names)
        low, high = f"least of {listed}", f"greatest of {listed}"
        board.auxiliary(low, board.values, MinMax(names, low, None))
        board.auxiliary(high, board.values, MinMax(names, None, high))
        inner = [self._inner(board, x, low, high) for x in names]
        yield Regular(inner, _between_marks(board.values, self.total, len(names)))

    @staticmethod
    def _inner(board: Board, x: str, low: str, high: str) -> str:
        """Return a variable: the value of a cell, or the mark of an end if the value is the smallest or largest."""
        is_end = Or(Compare(x, "==", low), Compare(x, "==", high))
        flag = board.truth(is_end, And(Compare(x, "!=", low), Compare(x, "!=", high)))
        mark, name = board.high + 1, f"{x} inside {low}"
        rows = [(end, v, mark if end else v) for end in (0, 1) for v in board.values]
        return board.auxiliary(name, (*board.values, mark), Table((flag, x, name), rows))

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        a, b = sorted([v.index(min(v)), v.index(max(v))])
        return len(set(v)) == len(v) and sum(v[a + 1 : b]) == self.total


@dataclass(frozen=True)
class Sandwich(Lunchbox):
    """The values of a row or column between its smallest and its largest add up to ``total``."""

    sentence = "The values of a row or column between its smallest and its largest add up to the clue."
    drawing = "clue", "#b5651d"
    technique = "sum between two values"
    turning = "cells"
    placing = Placing("row or column", number="total", value=lambda v: _sandwiched(v))


@dataclass(frozen=True)
class XSum(_Clue):
    """The first X cells add up to ``total``, where X is the value of the first."""

    title = "X-sum"
    sentence = "The first X cells add up to the clue, where X is the first of them."
    drawing = "clue", "#8e5bb5"
    technique = "sum of the number of cells in the first one"
    turning = "cells"
    placing = Placing("outside", number="total", value=lambda v: sum(v[: v[0]]))
    cells: f.Cells = f.cells(distinct=True)
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first = self.cells[0]
        sizes = [v for v in board.domain(first) if 1 <= v <= len(self.cells)]
        differ = board.same_house(self.cells)
        possible = [v for v in sizes if self._reach(board, v, differ)]
        yield InDomain(first, possible)
        yield one_of(self._first(size) for size in possible)

    def _first(self, size: int) -> Iterator[Constraint]:
        yield InDomain(self.cells[0], (size,))
        if size > 1:
            yield linear([(1, x) for x in self.cells[1:size]], "==", self.total - size)

    def _reach(self, board: Board, size: int, differ: bool) -> bool:
        """Return whether the other cells can have the rest of the total, with all different if necessary."""
        rest = self.total - size
        if not differ:
            return (size - 1) * board.low <= rest <= (size - 1) * board.high
        others = [v for v in board.values if v != size]
        return sum(others[: size - 1]) <= rest <= sum(others[len(others) - size + 1 :])

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return 1 <= v[0] <= len(v) and sum(v[: v[0]]) == self.total


@dataclass(frozen=True)
class Skyscraper(_Clue):
    """``count`` values are greater than all before them; 0 is not a building."""

    sentence = "The clue is the number of values that are greater than all before them."
    drawing = "clue", "#2e86ab"
    technique = "visible skyscrapers"
    turning = "cells"
    placing = Placing("outside", number="count", value=lambda v: sum(x > max([0, *v[:i]]) for i, x in enumerate(v)))
    count: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if not 0 <= self.count <= len(self.cells):
            yield never(self.cells[0])
        else:
            yield Regular(self.cells, _visible(board.values, self.count))

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return sum(x > max([0, *v[:i]]) for i, x in enumerate(v)) == self.count


@dataclass(frozen=True)
class HiddenSkyscraper(_Clue):
    """The first value that is not greater than all before it is ``value``; such a value exists."""

    sentence = "The clue is the first value that is not greater than all before it."
    drawing = "clue", "#1aa6a6"
    turning = "cells"
    placing = Placing("outside", number="value", value=lambda v: _first_hidden_value(v))
    value: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield Regular(self.cells, _first_hidden(board.values, self.value))

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return _first_hidden_value(v) == self.value


@dataclass(frozen=True)
class NumberedRoom(_Clue):
    """The k-th cell holds ``value``, where k is the value of the first cell."""

    sentence = "The clue is the value of the k-th cell, where k is the value of the first cell."
    drawing = "clue", "#3a9d5d"
    turning = "cells"
    placing = Placing("outside", number="value", value=lambda v: v[v[0] - 1])
    value: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first = self.cells[0]
        yield from among(board, first, lambda k: 1 <= k <= len(self.cells))
        yield Element((first, *self.cells), first, self.value)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return 1 <= v[0] <= len(v) and v[v[0] - 1] == self.value


def _first_hidden_value(v: Sequence[int]) -> int | None:
    return next((x for i, x in enumerate(v) if i and x <= max(v[:i])), None)


def _sandwiched(row: Sequence[int]) -> int:
    low, high = row.index(min(row)), row.index(max(row))
    return sum(row[min(low, high) + 1 : max(low, high)])


@lru_cache(maxsize=256)
def _orders(values: Domain, length: int, total: int) -> Table:
    """Return the rows of different values with this sum between the two ends, as a table."""
    rows = [row for row in permutations(values, length) if _sandwiched(row) == total]
    return Table(map(str, range(length)), rows)


@lru_cache(maxsize=1024)
def _between(values: Domain, total: int) -> Automaton:
    """Return the automaton of lines that hold every value once. The state is "before", the sum so far, or "after"."""

    def step(state: object, value: int) -> object:
        """Sum up between the two ends of the values."""
        end = value in (values[0], values[-1])
        if state == "before":
            return ("sum", 0, value) if end else "before"
        if state == "after":
            return None if end else "after"
        assert isinstance(state, tuple)
        if end:
            return "after" if state[1] == total and state[2] != value else None
        return ("sum", state[1] + value, state[2]) if values[0] < 0 or state[1] + value <= total else None

    single = len(values) == 1
    return Automaton.from_step(
        step, "before", values, lambda s: s == "after" or (single and total == 0 and s != "before"), len(values)
    )


@lru_cache(maxsize=256)
def _between_marks(values: Domain, total: int, length: int) -> Automaton:
    """Return the automaton of lines with marks, greater than all values, as ends. States are as in ``_between``."""

    def step(state: object, value: int) -> object:
        if value > values[-1]:
            return {"before": 0, total: "after"}.get(state)
        if not isinstance(state, int):
            return state
        return state + value if values[0] < 0 or state + value <= total else None

    return Automaton.from_step(step, "before", (*values, values[-1] + 1), lambda s: s == "after", length)


@lru_cache(maxsize=1024)
def _visible(values: Domain, count: int) -> Automaton:
    """Return the automaton whose state is the tallest value so far and the number of values seen."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        tallest, seen = state
        if value <= tallest:
            return state
        return (value, seen + 1) if seen < count else None

    return Automaton.from_step(step, (0, 0), values, lambda s: s[1] == count, len(values) + 1)


@lru_cache(maxsize=1024)
def _first_hidden(values: Domain, wanted: int) -> Automaton:
    """Return the automaton whose state is "start", the tallest value so far, or "found"."""

    def step(state: object, value: int) -> object:
        if state == "found":
            return state
        if state == "start" or value > state:  # type: ignore[operator]
            return value
        return "found" if value == wanted else None

    return Automaton.from_step(step, "start", values, lambda s: s == "found", len(values) + 2)
