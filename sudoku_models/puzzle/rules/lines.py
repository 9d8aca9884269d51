"""Lines along which values rise, repeat, stay apart or alternate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import prod

from ...model import OPERATORS, And, Compare, Constraint, Domain, Or, Table
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule, _OfCells
from .traits import Placing, every_two, inner, mirrored, neighbours, within
from .yields import along, among, at_least_apart, compare, different, every_pair, never, one_of, pairs

MOST_ROWS = 5_000
"""The largest number of values of two ends and a cell that are tried for a table."""


class Thermo(_OfCells):
    """The values strictly increase from the first cell, the bulb."""

    drawing = "thermometer", "#8a8f98"
    technique = "bounds of a thermometer"
    turning = "cells"
    placing = Placing("line", 4, 7, grows=True)
    split = neighbours(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return along(self.cells, "<")

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return v == sorted(set(v))


class SlowThermo(_OfCells):
    """The values never decrease from the first cell, the bulb."""

    drawing = "thermometer", "#5b9bd5"
    technique = "bounds of a slow thermometer"
    placing = Placing("line", 4, 7, grows=True)
    split = neighbours(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return along(self.cells, "<=")

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return v == sorted(v)


class Rossini(_OfCells):
    """The first three cells of a line, seen from the clue, strictly rise (or fall)."""

    sentence = "The first three cells strictly rise in the direction of the arrow."
    drawing = "rossini", "#c0629a"
    placing = Placing("outside", 3, number="rising", value=lambda v: v[0] < v[1])
    cells: f.Cells = f.cells(3)
    rising: bool = f.flag(True, "rising", "falling", "Rossini clue")

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return along(self.cells[:3], "<" if self.rising else ">")

    def judge(self, grid: Filled) -> bool:
        a, b, c = grid.along(self.cells[:3])
        return a < b < c if self.rising else a > b > c


class Progression(_OfCells):
    """Each value is the previous one plus the same number, which may be negative and is ``step`` if that is stated."""

    sentence = "The values rise or fall by the same step all along."
    drawing = "line", "#8c6d31"
    placing = Placing("line", 3, 4, grows=True)
    step: int | None = f.optional_number(clue=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if self.step is not None:
            for a, b in pairwise(self.cells):
                yield from compare(b, "==", a, self.step)
            return
        reach = board.high - board.low
        if len(self.cells) > 2:
            yield one_of(Progression(self.cells, step).constraints(board) for step in range(-reach, reach + 1))

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        steps = {b - a for a, b in pairwise(v)}
        return len(steps) <= 1 and (self.step is None or steps <= {self.step})

    def split(self) -> Iterator[Rule]:
        return neighbours(3 if self.step is None else 2)(self)


class Palindrome(_OfCells):
    """The values read the same from both ends."""

    drawing = "line", "#888888"
    technique = "mirrored cells of a palindrome"
    turning = "cells"
    order = "both ways"
    placing = Placing("middle", 3, 7, grows=True)
    split = mirrored

    def constraints(self, board: Board) -> Iterable[Constraint]:
        half = len(self.cells) // 2
        for a, b in zip(self.cells[:half], reversed(self.cells), strict=False):
            yield from compare(a, "==", b)

    def judge(self, grid: Filled) -> bool:
        v = grid.along(self.cells)
        return v == v[::-1]


class Whisper(_OfCells):
    """Neighbours on the line differ by at least ``difference``; None means half the number of values, rounded up."""

    sentence = "Neighbours on the line differ by at least the number, or by half the values, rounded up."
    drawing = "line", "#3cb44b"
    technique = "distances on a whisper line"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 4, 7, grows=True)
    split = neighbours(2)
    difference: int | None = f.optional_number(0, clue=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        least = self.least(board)
        return pairs(board, pairwise(self.cells), at_least_apart, least)

    def judge(self, grid: Filled) -> bool:
        v, least = grid.along(self.cells), self.least(grid.board)
        return all(a >= b + least or b >= a + least for a, b in pairwise(v))

    def least(self, board: Board) -> int:
        """Return the smallest allowed difference on this board."""
        return (len(board.values) + 1) // 2 if self.difference is None else self.difference


class Renban(_OfCells):
    """The values are consecutive numbers, all different, in any order.

    A line that ends in its first cell is closed: the cell counts once.
    """

    drawing = "line", "#b84bd6"
    technique = "values in a row on a Renban line"
    turning = "cells"
    order = "any"
    placing = Placing("line", 3, 6)
    cells: f.Cells = f.path()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        names = tuple(dict.fromkeys(self.cells))
        size = len(names)
        yield from different(board, names)
        if size > len(board.values):
            yield never(names[0])
        elif board.high - board.low >= size:
            for a, b in combinations(names, 2):
                yield Compare(a, "<=", b, size - 1)
                yield Compare(b, "<=", a, size - 1)

    def judge(self, grid: Filled) -> bool:
        v = sorted(grid[x] for x in set(self.cells))
        return v == list(range(v[0], v[0] + len(v)))


class Nabner(_OfCells):
    """No two values anywhere on the line are equal or consecutive.

    A line that ends in its first cell is closed: the cell counts once.
    """

    drawing = "line", "#c9a800"
    placing = Placing("line", 3, 4, grows=True)
    split = every_two
    cells: f.Cells = f.path()

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return every_pair(board, tuple(dict.fromkeys(self.cells)), at_least_apart, 2)

    def judge(self, grid: Filled) -> bool:
        v = sorted(grid[x] for x in set(self.cells))
        return all(a + 1 < b for a, b in pairwise(v))


class Between(_OfCells):
    """Every inner value lies strictly between the two ends."""

    drawing = "two ends", "#4f9fb0"
    technique = "bounds between two ends"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 4, 6)
    split = inner
    cells: f.Cells = f.cells(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield a table for each inner value: engines search less with these than with the whole line at once."""
        first, *inner, last = self.cells
        for x in dict.fromkeys(inner):
            yield never(x) if first == last or x in (first, last) else _beside(board, x, first, last, BETWEEN)

    def pieces(self, board: Board) -> Iterable[Constraint]:
        first, *inner, last = self.cells
        if inner:
            yield one_of(self._between(low, inner, high) for low, high in ((first, last), (last, first)))

    def judge(self, grid: Filled) -> bool:
        first, *inner, last = grid.along(self.cells)
        return all(min(first, last) < x < max(first, last) for x in inner)

    @staticmethod
    def _between(low: str, inner: list[str], high: str) -> Iterator[Constraint]:
        for x in dict.fromkeys(inner):
            yield from compare(low, "<", x)
            yield from compare(x, "<", high)


class Lockout(_OfCells):
    """The ends differ by at least ``difference``; no inner value lies between them or is equal to one of them."""

    sentence = "No inner value lies between the ends or is equal to one; the ends differ by at least the number."
    drawing = "two ends", "#c0629a"
    technique = "values outside two ends"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 4, 6)
    split = inner
    cells: f.Cells = f.cells(2)
    difference: int = f.number(0, default=4, clue=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        first, *inner, last = self.cells
        yield from pairs(board, [(first, last)], at_least_apart, self.difference)
        for x in dict.fromkeys(inner):
            if x in (first, last):
                yield never(x)
            elif first == last:
                yield Compare(first, "!=", x)
            else:
                yield _beside(board, x, first, last, OUTSIDE, self.difference)

    def judge(self, grid: Filled) -> bool:
        first, *inner, last = grid.along(self.cells)
        barred = range(min(first, last), max(first, last) + 1)
        return len(barred) > self.difference and not any(x in barred for x in inner)


Sides = tuple[tuple[str, str], ...]
"""The ways in which a value may compare with the one end and with the other."""
BETWEEN: Sides = ((">", "<"), ("<", ">"))
OUTSIDE: Sides = (("<", "<"), (">", ">"))


def _beside(board: Board, x: str, first: str, last: str, sides: Sides, apart: int = 0) -> Constraint:
    """State where a value lies beside two ends, which are some distance apart: by a table if there are few values."""
    domains = tuple(board.domain(name) for name in (first, last, x))
    if prod(map(len, domains)) > MOST_ROWS:
        return Or(*(And(Compare(x, one, first), Compare(x, other, last)) for one, other in sides))
    return _rows_beside(domains, sides, apart).over(first, last, x)


@lru_cache(maxsize=64)
def _rows_beside(domains: tuple[Domain, ...], sides: Sides, apart: int) -> Table:
    """Return the allowed values of two ends and a value beside them; one table serves all lines of a kind."""
    ways = [(OPERATORS[one], OPERATORS[other]) for one, other in sides]
    rows = ((a, b, v) for a, b, v in product(*domains) if abs(a - b) >= apart)
    return Table(("a", "b", "v"), [(a, b, v) for a, b, v in rows if any(p(v, a) and q(v, b) for p, q in ways)])


class Entropic(_OfCells):
    """Of every three cells in a row one is low, one middle, one high; on a line of two they are in different thirds.

    The thirds of the values are as equal as possible; the middle one is longer or shorter if 3 does not divide them.
    """

    sentence = "Of every three cells in a row one is low, one middle, one high."
    drawing = "line", "#f07f3c"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 5, 8, grows=True)
    split = within(3)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield the pieces, and what follows from them: cells three apart are in one third, which saves much search."""
        yield from self.pieces(board)
        yield from pairs(board, zip(self.cells, self.cells[3:], strict=False), _in_one_third, _numbered(board))

    def pieces(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, _near(self.cells, 3), _in_other_thirds, _numbered(board))

    def judge(self, grid: Filled) -> bool:
        values = grid.board.values
        size = (len(values) + 1) // 3
        kinds = [
            "low" if v in values[:size] else "high" if v in values[-size:] else "middle" for v in grid.along(self.cells)
        ]
        windows = [kinds[i : i + 3] for i in range(max(1, len(kinds) - 2))]
        return all(len(set(window)) == len(window) for window in windows)


class Modular(_OfCells):
    """Every ``modulus`` consecutive cells have different remainders modulo ``modulus``."""

    sentence = "Consecutive cells have different remainders, modulo 3 unless stated otherwise."
    drawing = "line", "#1aa6a6"
    turning = "cells"
    order = "both ways"
    placing = Placing("line", 5, 8, grows=True)
    modulus: int = f.number(1, default=3, clue=True)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        """Yield the pieces, and what follows from them: after ``modulus`` cells a remainder comes again."""
        yield from self.pieces(board)
        again = zip(self.cells, self.cells[self.modulus :], strict=False)
        yield from pairs(board, again, _congruent, self.modulus)

    def pieces(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, _near(self.cells, self.modulus), _not_congruent, self.modulus)

    def judge(self, grid: Filled) -> bool:
        rest = [v % self.modulus for v in grid.along(self.cells)]
        size = min(self.modulus, len(rest))
        return all(len(set(rest[i : i + size])) == size for i in range(len(rest) - size + 1))

    def split(self) -> Iterator[Rule]:
        return within(self.modulus)(self)


class AlternatingParity(_OfCells):
    """Odd and even values alternate."""

    drawing = "line", "#d1495b"
    placing = Placing("line", 5, 8, grows=True)
    split = neighbours(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return pairs(board, pairwise(self.cells), _not_congruent, 2)

    def judge(self, grid: Filled) -> bool:
        odd = [v % 2 == 1 for v in grid.along(self.cells)]
        return all(odd[i] == (odd[0] if i % 2 == 0 else not odd[0]) for i in range(len(odd)))


class EqualParity(_OfCells):
    """All values are odd, or all are even."""

    drawing = "line", "#7a6ff0"
    placing = Placing("line", 3, 4, grows=True)
    split = neighbours(2)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        if len(self.cells) > 1:
            yield one_of([c for x in dict.fromkeys(self.cells) for c in _of_parity(board, x, odd)] for odd in (0, 1))

    def judge(self, grid: Filled) -> bool:
        return len({v % 2 for v in grid.along(self.cells)}) == 1


def _of_parity(board: Board, cell: str, odd: int) -> Iterator[Constraint]:
    return among(board, cell, lambda v: v % 2 == odd)


def thirds(board: Board) -> dict[int, int]:
    """Return 0 for the low, 1 for the middle, 2 for the high values; see ``Entropic`` for their sizes."""
    size = (len(board.values) + 1) // 3
    last = len(board.values) - size
    return {v: 0 if i < size else 1 if i < last else 2 for i, v in enumerate(board.values)}


def _numbered(board: Board) -> tuple[tuple[int, int], ...]:
    """Return the values with the numbers of their thirds."""
    return tuple(thirds(board).items())


def _in_other_thirds(a: int, b: int, third: tuple[tuple[int, int], ...]) -> bool:
    return not _in_one_third(a, b, third)


def _in_one_third(a: int, b: int, third: tuple[tuple[int, int], ...]) -> bool:
    number = dict(third)
    return number[a] == number[b]


def _congruent(a: int, b: int, modulus: int) -> bool:
    return (a - b) % modulus == 0


def _not_congruent(a: int, b: int, modulus: int) -> bool:
    return (a - b) % modulus != 0


def _near(cells: tuple[str, ...], size: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs of positions on a line within a window of ``size`` positions."""
    for i, a in enumerate(cells):
        for b in cells[i + 1 : i + size]:
            yield a, b
