"""Clues outside the grid. ``cells`` are the cells of the line as seen from the clue, nearest first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING

from ...model import (
    Automaton,
    Compare,
    Constraint,
    Domain,
    Element,
    InDomain,
    LexLessWhere,
    Linear,
    MinMax,
    Or,
    Regular,
    Table,
)
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule, _Clued, _OfCells
from .traits import Placing
from .yields import among, different, linear, never, one_of

if TYPE_CHECKING:
    from ..shape import Shape


FEW = 10
"""The largest number of values for which the automaton of a lunchbox knows the set of values between the ends."""


class LittleKiller(_Clued):
    """The values along a diagonal add up to ``total``; they may repeat."""

    sentence = "The values along the arrow add up to the clue; they may repeat."
    drawing = "little killer", "#6c7a89"
    technique = "sum along a diagonal"
    turning = "cells"
    order = "any"
    placing = Placing("diagonal", 3, 8, number="total", value=sum, easy=(2, 4))
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield linear([(1, x) for x in self.cells], "==", self.total)


class Lunchbox(_Clued):
    """The cells differ; the values strictly between the smallest and the largest of them add up to ``total``."""

    sentence = "The cells differ; the values between the smallest and the largest of them add up to the number."
    drawing = "cage", "#b5651d"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 3, 5, number="total", value=lambda v: _sandwiched(v))
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        names = tuple(dict.fromkeys(self.cells))
        alone = len(names) == 1
        if len(names) < len(self.cells) or len(names) > len(board.values) or (alone and self.total):
            yield never(names[0])
            return
        yield from different(board, names)
        if alone:
            return
        if len(names) == len(board.values):
            yield Regular(names, _between(board.values, board.values[:1] + board.values[-1:], self.total))
        else:
            yield from self._with_ends(board, names)

    def _with_ends(self, board: Board, names: tuple[str, ...]) -> Iterator[Constraint]:
        """Read the ends first; of many values, mark them, so that the automaton need not know their values."""
        listed = " ".join(names)
        low, high = f"least of {listed}", f"greatest of {listed}"
        board.auxiliary(low, board.values, MinMax(names, low, None))
        board.auxiliary(high, board.values, MinMax(names, None, high))
        if len(board.values) <= FEW:
            yield Regular((low, high, *names), _between_known(board.values, len(names), self.total))
            return
        values, marked = (*board.values, board.high + 1), _marked(board.values)
        inner = [
            board.auxiliary(f"{x} inside {low}", values, marked.over(low, x, high, f"{x} inside {low}")) for x in names
        ]
        yield Regular(inner, _between(values, values[-1:], self.total))


class Sandwich(Lunchbox):
    """The values of a row or column between its smallest and its largest add up to ``total``."""

    sentence = "The values of a row or column between its smallest and its largest add up to the clue."
    drawing = "clue", "#b5651d"
    technique = "sum between two values"
    turning = "cells"
    placing = Placing("row or column", number="total", value=lambda v: _sandwiched(v))


class XSum(_Clued):
    """The first X cells add up to ``total``, where X is the value of the first."""

    title = "X-sum"
    sentence = "The first X cells add up to the clue, where X is the first of them."
    drawing = "clue", "#8e5bb5"
    technique = "sum of the first cells"
    turning = "cells"
    placing = Placing("outside", number="total", value=lambda v: sum(v[: v[0]]) if 0 <= v[0] <= len(v) else None)
    cells: f.Cells = f.cells(distinct=True)
    total: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first = self.cells[0]
        sizes = [v for v in board.domain(first) if 0 <= v <= len(self.cells)]
        differ = board.same_house(self.cells)
        possible = [v for v in sizes if (self._reach(board, v, differ) if v else not self.total)]
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


class Skyscraper(_Clued):
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


class HiddenSkyscraper(_Clued):
    """The first value that is not greater than all before it is ``value``; such a value exists."""

    sentence = "The clue is the first value that is not greater than all before it."
    drawing = "clue", "#1aa6a6"
    turning = "cells"
    placing = Placing("outside", number="value", value=lambda v: _first_hidden_value(v))
    value: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield Regular(self.cells, _first_hidden(board.values, self.value))


class NumberedRoom(_Clued):
    """The k-th cell holds ``value``, where k is the value of the first cell."""

    sentence = "The clue is the value of the k-th cell, where k is the value of the first cell."
    drawing = "clue", "#3a9d5d"
    turning = "cells"
    placing = Placing("outside", number="value", value=lambda v: v[v[0] - 1] if 1 <= v[0] <= len(v) else None)
    value: int = f.number()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first = self.cells[0]
        yield from among(board, first, lambda k: 1 <= k <= len(self.cells))
        yield Element((first, *self.cells), first, self.value)


def _first_hidden_value(v: Sequence[int]) -> int | None:
    return next((x for i, x in enumerate(v) if i and x <= max(v[:i])), None)


def _sandwiched(row: Sequence[int]) -> int | None:
    low, high = sorted([row.index(min(row)), row.index(max(row))])
    return sum(row[low + 1 : high]) if len(set(row)) == len(row) else None


@lru_cache(maxsize=1024)
def _between(values: Domain, ends: Domain, total: int) -> Automaton:
    """Return the automaton of a sum between two ends. The state is "before", the sum so far, or "after"."""

    def step(state: object, value: int) -> object:
        if value in ends:
            return {"before": 0, total: "after"}.get(state)
        if not isinstance(state, int):
            return state
        return state + value if values[0] < 0 or state + value <= total else None

    return Automaton.from_step(step, "before", values, lambda s: s == "after", len(values))


@lru_cache(maxsize=16)
def _marked(values: Domain) -> Table:
    """Return a least value, a value, a greatest one, and the value again, or the mark if it is one of the two ends."""
    rows = [(low, v, high, values[-1] + 1 if v in (low, high) else v) for low, v, high in product(values, repeat=3)]
    return Table(("low", "value", "high", "inside"), [row for row in rows if row[0] <= row[1] <= row[2]])


@lru_cache(maxsize=256)
def _between_known(values: Domain, length: int, total: int) -> Automaton:
    """Return the automaton of two ends and a line of different values that has this sum between them.

    A state has the ends, in the order of the line once the first is passed, and the set of values between them so far.
    """
    arrows: dict[tuple[Hashable, int], Hashable] = {}
    passed: set[Hashable] = set()
    for i, j in combinations(range(len(values)), 2):
        low, inner, high = values[i], values[i + 1 : j], values[j]
        sets = [one for size in range(length - 1) for one in combinations(inner, size) if sum(one) == total]
        if len(inner) < length - 2 or not sets:
            continue
        before, after = (low, high), (low, high, "after")
        passed.add(after)
        arrows["", low], arrows[low, high] = low, before
        arrows.update({(state, v): state for state in (before, after) for v in inner})
        parts = [(one, part) for one in sets for size in range(len(one)) for part in combinations(one, size)]
        steps = {(part, v): tuple(sorted((*part, v))) for one, part in parts for v in one if v not in part}
        for first, last in permutations(before):
            arrows[before, first] = first, last, ()
            arrows.update({((first, last, part), v): (first, last, more) for (part, v), more in steps.items()})
            arrows.update({((first, last, one), last): after for one in sets})
    return Automaton.from_step(lambda s, v: arrows.get((s, v)), "", values, passed.__contains__, length + 2)


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


Reading = tuple[str, ...]
MOST_SIDE = 50
"""The longest side of a board whose readings are all compared with each other."""


class FullRank(_OfCells):
    """The reading of the line from the clue on has ``rank``: one more than the number of smaller readings.

    Unless ``ties`` are allowed, no other reading is equal to it.
    """

    sentence = "The reading of the line, beginning at the clue, has this rank among all readings of rows and columns."
    drawing = "clue", "#d1495b"
    rank: int = f.number(1)
    ties: bool = f.flag(False)

    def check(self, board: Board) -> None:
        _check_board(board)
        if self.cells not in chain.from_iterable(_sides(board.shape)):
            raise ValueError(f"{' '.join(self.cells)} is not a whole row or column")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield constraints. From each side, every value begins one reading, so four readings begin with a value.

        So the rank determines the first value, and how many of the other three readings that begin with it are
        smaller. On a board of one cell all four are the same.
        """
        if len(self.cells) == 1:
            if not self.ties or self.rank > 1:
                yield never(self.cells[0])
            return
        first, smaller = divmod(self.rank - 1, 4)
        if first >= len(board.values):
            yield never(self.cells[0])
            return
        value, sides = board.values[first], _rivals(board.shape, self.cells, board.alone)
        yield InDomain(self.cells[0], (value,))
        if smaller in (0, len(sides)):
            yield from (LexLessWhere(lists, value, xs, int(smaller > 0), self.ties) for lists, xs, _ in sides.values())
            return
        flags = []  # each is 1 if the reading from a side that begins with ``value`` is smaller
        for side, (lists, xs, _) in sides.items():
            flag = f"reading from {side} with {value} before {self.cells[0]}..{self.cells[-1]}"
            flags.append(board.auxiliary(flag, (0, 1), LexLessWhere(lists, value, xs, flag, True)))
        yield Linear((1, 1, 1), flags, "==", smaller)
        if not self.ties:
            yield from (_unequal(self.cells, reading) for _, _, equal in sides.values() for reading in equal)

    def judge(self, grid: Filled) -> bool:
        mine, v = grid.along(self.cells), grid.values
        readings = [*chain.from_iterable(_sides(grid.board.shape))]
        alike = [grid.along(reading) for reading in readings if v[reading[0]] == mine[0]]
        rank = 1 + sum([v[reading[0]] < mine[0] for reading in readings]) + sum([one < mine for one in alike])
        return rank == self.rank and (self.ties or alike.count(mine) == 1)


class NoRankTies(Rule):
    """No two readings of rows and columns, from either end, are equal."""

    def check(self, board: Board) -> None:
        _check_board(board)
        if board.shape.width > MOST_SIDE:
            raise ValueError(f"all readings of a board of side {board.shape.width}: at most {MOST_SIDE} is possible")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for side, other in combinations(_sides(board.shape), 2):
            yield from (_unequal(a, b) for a in side for b in other if not _decided(board.shape, a, b)[1])

    def judge(self, grid: Filled) -> bool:
        readings = [tuple(grid.along(reading)) for side in _sides(grid.board.shape) for reading in side]
        return len(set(readings)) == len(readings)


@lru_cache(maxsize=64)
def _sides(shape: Shape) -> tuple[tuple[Reading, ...], ...]:
    """Return the readings from the left, the right, the top and the bottom."""
    n, names = shape.width, shape.names
    rows, columns = ([names[i * n : (i + 1) * n] for i in range(n)], [names[i::n] for i in range(n)])
    return tuple(rows), tuple(row[::-1] for row in rows), tuple(columns), tuple(column[::-1] for column in columns)


def _check_board(board: Board) -> None:
    shape = board.shape
    if shape.height != shape.width or len(board.values) != shape.width or not shape.lines:
        raise ValueError("a square board whose rows and columns hold every value once is expected")


@lru_cache(maxsize=256)
def _rivals(shape: Shape, cells: Reading, alone: bool) -> dict[str, tuple[list[Reading], Reading, list[Reading]]]:
    """Return by side the readings that may begin as one does, what they are compared with, and which may equal it.

    Their first cells share no house with its own. They end where they differ for certain. Many puzzles on a board ask
    for those of the same few readings.
    """
    found, board = {}, Board(shape, alone=alone)
    for side in _sides(shape):
        if cells not in side:
            near = [one for one in side if one[0] == cells[0] or not board.same_house((one[0], cells[0]))]
            ends = [_decided(shape, cells, one) for one in near]
            lists = [one[:number] for one, (number, _) in zip(near, ends, strict=True)]
            equal = [one for one, (_, differs) in zip(near, ends, strict=True) if not differs]
            xs = cells[1 : max(map(len, lists), default=1)]
            found[f"{side[0][0]}..{side[-1][0]}"] = lists, xs, equal
    return found


def _decided(shape: Shape, a: Reading, b: Reading) -> tuple[int, bool]:
    """Return the number of places that decide the order of two readings, and whether they differ for certain.

    They do at a place whose cells are different ones of a house; what follows does not matter.
    """
    for place, (x, y) in enumerate(zip(a, b, strict=True), 1):
        if x != y and not shape.houses_of[x].isdisjoint(shape.houses_of[y]):
            return place, True
    return len(a), False


def _unequal(a: Reading, b: Reading) -> Constraint:
    return Or([Compare(x, "!=", y) for x, y in zip(a, b, strict=True) if x != y])
