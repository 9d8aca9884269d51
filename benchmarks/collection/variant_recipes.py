"""The recipes of the variant puzzles: for each its board, the rules to place, and those about the whole grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r

EACH = 3
"""Puzzles of each recipe."""


@dataclass(frozen=True)
class Recipe:
    """Puzzles of a name, which begins with their side.

    ``place`` says how many rules of which kinds are put, ``rules`` hold for the whole grid. From a puzzle with several
    solutions ``more`` givens than needed are taken away.
    """

    name: str
    side: int
    place: Mapping[str, int]
    rules: tuple[r.Rule, ...] = ()
    more: int = 0
    latin: bool = False

    @property
    def shape(self) -> Shape:
        """The board."""
        return Shape.latin(self.side) if self.latin else Shape.square(self.side)

    def names(self) -> Iterator[str]:
        """Yield the names of the puzzles."""
        return (f"{self.name}-{number:02}" for number in range(1, EACH + 1))


def recipes() -> Iterator[Recipe]:
    """Yield the recipes; each has its own name."""
    for side, table in _TABLE.items():
        for line in table.strip().splitlines():
            name, *parts = line.split()
            numbers = dict(part.split("=") for part in parts if "=" in part)
            place = {kind: int(number) for kind, number in numbers.items() if kind != "more"}
            rules = tuple(_WHOLE[part] for part in parts if part in _WHOLE)
            yield Recipe(f"{side}x{side}-{name}", side, place, rules, int(numbers.get("more", 0)), "latin" in parts)


_WHOLE: dict[str, r.Rule] = {
    "falling": r.Diagonal(True),
    "rising": r.Diagonal(False),
    "windoku": r.Windoku(),
    "disjoint": r.DisjointGroups(),
    "anti-knight": r.AntiKnight(),
    "anti-king": r.AntiKing(),
    "non-consecutive": r.NonConsecutive(),
    "strict-kropki": r.StrictKropki(),
}

_TABLE = {
    4: """
        thermo Thermo=2
        quadruple Quadruple2=2
        arrow Arrow=3
        kropki Kropki=5
        skyscraper Skyscraper=6 latin
        several-killer KillerCage=2 more=2
    """,
    5: """
        futoshiki Greater=8 latin
        skyscraper Skyscraper=8 latin
        renban Renban=4 latin
        whisper Whisper=3 latin
        cages KillerCage=5 latin
        differences Difference=6 latin
    """,
    6: """
        thermo Thermo=4
        arrow Arrow=5
        killer KillerCage=8
        palindrome Palindrome=5
        whisper Whisper=4
        renban Renban=5
        x-sum-quadruple XSum=3 Quadruple2=3
        between Between=5
        modular Modular=4
        zipper Zipper=5
        region-sum RegionSumLine=5
        sum-line SumLine=4
        double-arrow DoubleArrow=4
        sandwich Sandwich=6
        x-sum XSum=6
        skyscraper Skyscraper=8
        hidden-skyscraper HiddenSkyscraper=8
        numbered-room NumberedRoom=8
        little-killer LittleKiller=7
        kropki Kropki=400 strict-kropki
        quadruple Quadruple3=4 Quadruple2=2
        anti-knight KillerCage=3 anti-knight
        diagonals falling rising
        disjoint KillerCage=3 disjoint
        lunchbox Lunchbox=6
        non-consecutive non-consecutive
        indexer ColumnIndexer=5 RowIndexer=5
        counting-circles CountingCircles=1 KillerCage=2
        several-thermo Thermo=3 more=1
        several-diagonals falling rising more=2
    """,
    7: """
        latin-thermo Thermo=5 latin
        latin-killer KillerCage=10 latin
        latin-anti-king Greater=6 anti-king latin
    """,
    8: """
        killer KillerCage=14
        lines Thermo=3 Palindrome=3 Arrow=3
        several-arrow Arrow=8 more=1
    """,
    9: """
        killer KillerCage=20
        thermo Thermo=7
        arrow Arrow=9
        sandwich Sandwich=12
        whisper Whisper=7
        diagonal falling rising
        windoku windoku
        anti-knight anti-knight
        anti-king anti-king
        disjoint disjoint
        kropki Kropki=22
        xv XV=13
        region-sum RegionSumLine=8
        quadruple Quadruple=7
        entropic Entropic=6
        lockout Lockout=6
        equality EqualityCage=4 KillerCage=6
        extra-region ExtraRegion=4
        mixed KillerCage=5 Renban=3 Zipper=3 Thermo=2
    """,
}
"""By side: a name, kinds and how many are put, and rules about the whole grid."""
