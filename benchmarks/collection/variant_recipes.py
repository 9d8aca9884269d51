"""What the variant puzzles are made of: for each its board, and the rules with their number and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from sudoku_models.puzzle import rules as r

from .variant_places import (
    Cells,
    Place,
    cage,
    cell,
    couple,
    diagonal,
    line,
    outside,
    row_or_column,
    some,
    square,
)

Choices = Callable[[Cells, int], Iterator[r.Rule]]
"""The rules that may stand in cells, on a board of that side: the first one that holds is taken."""


@dataclass(frozen=True)
class Part:
    """``amount`` rules of one kind, each in a place of its own; without a place the rule is about the whole grid."""

    choices: Choices
    place: Place | None
    amount: int


@dataclass(frozen=True)
class Recipe:
    """A puzzle: its name begins with its side. ``more`` givens than needed are taken away, for several solutions."""

    name: str
    side: int
    parts: tuple[Part, ...]
    more: int = 0
    latin: bool = False


def plain(kind: Any, place: Place, amount: int, **fields: Any) -> Part:
    """Return rules that are stated by their cells."""
    single = "cell" in kind.__dataclass_fields__
    return Part(lambda cells, side: iter([kind(cells[0] if single else cells, **fields)]), place, amount)


def number(kind: Any, field: str, place: Place, amount: int, most: int = 60) -> Part:
    """Return rules that are stated by their cells and a number, which is the one that holds."""
    return Part(lambda cells, side: (kind(cells, **{field: k}) for k in range(most + 1)), place, amount)


def whole(*rules: r.Rule) -> list[Part]:
    """Return rules about the whole grid."""
    return [Part(lambda cells, side, rule=rule: iter([rule]), None, 1) for rule in rules]  # type: ignore[misc]


def quadruples(amount: int, size: int) -> Part:
    """Return circles with that many values."""

    def choices(cells: Cells, side: int) -> Iterator[r.Rule]:
        return (r.Quadruple(cells, v) for v in combinations_with_replacement(range(side, 0, -1), size))

    return Part(choices, square, amount)


def recipes() -> Iterator[Recipe]:
    """Yield the recipes; each has its own name."""
    for side, name, parts, *more in _TABLE:
        yield Recipe(f"{side}x{side}-{name}", side, tuple(parts), *more)


def _row(side: int, name: str, *parts: Part, more: int = 0, latin: bool = False) -> tuple[Any, ...]:
    return side, name, parts, more, latin


def _killer(amount: int, most: int = 4) -> Part:
    return number(r.KillerCage, "total", cage(2, most), amount)


STRICT = (plain(r.Difference, couple, 400), plain(r.Ratio, couple, 400))

_TABLE = (
    _row(4, "thermo", plain(r.Thermo, line(2, 4), 2)),
    _row(4, "quadruple", quadruples(2, 2)),
    _row(4, "arrow", plain(r.Arrow, line(3, 3), 3)),
    _row(4, "kropki", plain(r.Difference, couple, 3), plain(r.Ratio, couple, 2)),
    _row(4, "skyscraper", number(r.Skyscraper, "count", outside, 6), latin=True),
    _row(4, "several-killer", _killer(3, 3), more=2),
    _row(5, "futoshiki", plain(r.Greater, couple, 8), latin=True),
    _row(5, "skyscraper", number(r.Skyscraper, "count", outside, 8), latin=True),
    _row(5, "renban", plain(r.Renban, line(3, 4), 4), latin=True),
    _row(5, "whisper", plain(r.Whisper, line(3, 4), 3), latin=True),
    _row(5, "cages", _killer(6), latin=True),
    _row(5, "differences", plain(r.Difference, couple, 6), latin=True),
    _row(6, "thermo", plain(r.Thermo, line(3, 5), 4)),
    _row(6, "arrow", plain(r.Arrow, line(3, 4), 5)),
    _row(6, "killer", _killer(8)),
    _row(6, "palindrome", plain(r.Palindrome, line(3, 5), 5)),
    _row(6, "whisper", plain(r.Whisper, line(3, 5), 4)),
    _row(6, "renban", plain(r.Renban, line(3, 5), 5)),
    _row(6, "x-sum-quadruple", number(r.XSum, "total", outside, 3), quadruples(3, 2)),
    _row(6, "between", plain(r.Between, line(3, 5), 5)),
    _row(9, "entropic", plain(r.Entropic, line(5, 8), 6)),
    _row(6, "modular", plain(r.Modular, line(4, 6), 4)),
    _row(6, "zipper", plain(r.Zipper, line(3, 5), 5)),
    _row(6, "region-sum", plain(r.RegionSumLine, line(4, 6), 5)),
    _row(6, "sum-line", number(r.SumLine, "total", line(4, 6), 4, 12)),
    _row(6, "double-arrow", plain(r.DoubleArrow, line(4, 5), 4)),
    _row(6, "sandwich", number(r.Sandwich, "total", row_or_column, 6)),
    _row(6, "x-sum", number(r.XSum, "total", outside, 6)),
    _row(6, "skyscraper", number(r.Skyscraper, "count", outside, 8)),
    _row(6, "hidden-skyscraper", number(r.HiddenSkyscraper, "value", outside, 8)),
    _row(6, "numbered-room", number(r.NumberedRoom, "value", outside, 8)),
    _row(6, "little-killer", number(r.LittleKiller, "total", diagonal, 7)),
    _row(6, "kropki", *STRICT, *whole(r.StrictKropki())),
    _row(6, "quadruple", quadruples(4, 3), quadruples(2, 2)),
    _row(6, "anti-knight", *whole(r.AntiKnight()), _killer(3)),
    _row(6, "diagonals", *whole(r.Diagonal(True), r.Diagonal(False))),
    _row(6, "disjoint", *whole(r.DisjointGroups()), _killer(3)),
    _row(6, "lunchbox", number(r.Lunchbox, "total", line(3, 5), 6)),
    _row(6, "indexer", plain(r.ColumnIndexer, cell, 5), plain(r.RowIndexer, cell, 5)),
    _row(6, "counting-circles", plain(r.CountingCircles, some(4), 1), _killer(2)),
    _row(6, "several-thermo", plain(r.Thermo, line(3, 4), 3), more=1),
    _row(6, "several-diagonals", *whole(r.Diagonal(True), r.Diagonal(False)), more=2),
    _row(7, "latin-thermo", plain(r.Thermo, line(4, 6), 5), latin=True),
    _row(7, "latin-killer", _killer(10), latin=True),
    _row(7, "latin-anti-king", *whole(r.AntiKing()), plain(r.Greater, couple, 6), latin=True),
    _row(8, "killer", _killer(14)),
    _row(8, "lines", plain(r.Thermo, line(3, 5), 3), plain(r.Palindrome, line(4, 6), 3), plain(r.Arrow, line(3, 4), 3)),
    _row(8, "several-arrow", plain(r.Arrow, line(3, 4), 8), more=1),
    _row(9, "killer", _killer(20)),
    _row(9, "thermo", plain(r.Thermo, line(4, 7), 7)),
    _row(9, "arrow", plain(r.Arrow, line(3, 4), 9)),
    _row(9, "sandwich", number(r.Sandwich, "total", row_or_column, 12)),
    _row(9, "whisper", plain(r.Whisper, line(4, 7), 7)),
    _row(9, "diagonal", *whole(r.Diagonal(True), r.Diagonal(False))),
    _row(9, "windoku", *whole(r.Windoku())),
    _row(9, "anti-knight", *whole(r.AntiKnight())),
    _row(9, "anti-king", *whole(r.AntiKing())),
    _row(9, "non-consecutive", *whole(r.NonConsecutive())),
    _row(9, "disjoint", *whole(r.DisjointGroups())),
    _row(9, "kropki", plain(r.Difference, couple, 12), plain(r.Ratio, couple, 10)),
    _row(9, "xv", plain(r.XV, couple, 8, total=10), plain(r.XV, couple, 5, total=5)),
    _row(9, "region-sum", plain(r.RegionSumLine, line(4, 6), 8)),
    _row(9, "quadruple", quadruples(7, 4)),
    _row(9, "lockout", plain(r.Lockout, line(4, 6), 6)),
    _row(9, "equality", plain(r.EqualityCage, cage(2, 4), 4), _killer(6)),
    _row(9, "extra-region", plain(r.ExtraRegion, cage(5, 7), 4)),
    _row(
        9,
        "mixed",
        _killer(5),
        plain(r.Renban, line(3, 4), 3),
        plain(r.Zipper, line(3, 5), 3),
        plain(r.Thermo, line(4, 5), 2),
    ),
)
"""Side, name, parts."""
