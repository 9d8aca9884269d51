"""The example of each kind of rule in the gallery: a board and the rules on it, as Python that a reader can copy.

The pages are made from this table. Tests hold that each kind of rule has its entry and that each board has a solution.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from textwrap import indent
from typing import Any

from sudoku_models import Puzzle
from sudoku_models.puzzle import rules


@dataclass(frozen=True)
class Example:
    """A kind of rule by the name of its class; the rules of its board and the board itself, as Python."""

    kind: str
    stated: str
    board: str = "Puzzle.empty(6)"

    @cached_property
    def puzzle(self) -> Puzzle:
        """The board with its rules: what the shown Python makes."""
        names: dict[str, Any] = {}
        exec(self.code, names)
        return names["puzzle"]  # type: ignore[no-any-return]

    @property
    def rule(self) -> rules.Rule:
        """The rule that is shown."""
        return next(rule for rule in rules.each(self.puzzle.rules) if type(rule).__name__ == self.kind)

    @property
    def code(self) -> str:
        """The Python of the example, with its imports."""
        front = [name for name in ("Puzzle", "Shape") if re.search(rf"\b{name}\b", f"{self.board} {self.stated}")]
        named = [name for name in rules.__all__ if re.search(rf"\b{name}[(.]", self.stated)]
        return (
            f"from sudoku_models import {', '.join(front)}\n"
            f"from sudoku_models.puzzle.rules import {', '.join(sorted(named))}\n\n"
            f"board = {self.board}\npuzzle = board.with_rules({_arguments(self.stated)})\n"
        )


def _arguments(stated: str) -> str:
    """Write the arguments of a call, one a line where there are several."""
    call = f"f({stated.strip()})"
    found = [ast.get_source_segment(call, argument) or "" for argument in ast.parse(call, mode="eval").body.args]  # type: ignore[attr-defined]
    if len(found) == 1 and "\n" not in found[0]:
        return found[0]
    return "\n" + "".join(f"{indent(argument, '    ')},\n" for argument in found)


@dataclass(frozen=True)
class Room:
    """A page of the gallery: the name of its file, its title, a sentence, its examples."""

    name: str
    title: str
    about: str
    examples: tuple[Example, ...]


E = Example
NINE = "Puzzle.empty(9)"
LATIN = "Puzzle.empty(Shape.latin(4))"
SIGNS = "Puzzle.empty(Shape(4, 4, (0, 1), lines=False))"

ROOMS = (
    Room(
        "lines",
        "Lines",
        "What the values along a line do: rise, keep apart, form a run, read the same both ways.",
        (
            E("Thermo", 'Thermo("R6C1 R5C1 R4C2 R3C3 R3C4"), Thermo("R1C6 R2C6 R2C5")'),
            E("SlowThermo", 'SlowThermo("R6C1 R5C2 R4C3 R3C3 R2C2 R1C3")'),
            E("Rossini", 'Rossini("R1C1 R1C2 R1C3"), Rossini("R6C6 R5C6 R4C6", rising=False)'),
            E("Progression", 'Progression("R5C1 R4C2 R3C3"), Progression("R6C6 R5C6 R4C6", step=2)'),
            E("Palindrome", 'Palindrome("R1C1 R2C2 R3C3 R3C4 R4C5")'),
            E("Whisper", 'Whisper("R1C1 R2C1 R3C2 R4C3 R5C3", difference=3)'),
            E("Renban", 'Renban("R2C1 R3C2 R3C3 R2C4")'),
            E("Nabner", 'Nabner("R1C1 R2C2 R3C3")'),
            E("Between", 'Between("R1C1 R2C2 R3C2 R4C3")'),
            E("Lockout", 'Lockout("R1C1 R2C2 R3C2 R4C3", difference=3)'),
            E("Entropic", 'Entropic("R1C1 R2C2 R3C3 R3C4 R2C5")'),
            E("Modular", 'Modular("R1C1 R2C2 R3C3 R3C4 R2C5", modulus=3)'),
            E("AlternatingParity", 'AlternatingParity("R1C1 R2C2 R3C3 R3C4 R2C5")'),
            E("EqualParity", 'EqualParity("R1C1 R2C2 R3C2")'),
        ),
    ),
    Room(
        "sums",
        "Sums along lines",
        "Arrows, and lines whose parts have equal sums.",
        (
            E("Arrow", 'Arrow("R4C4 R3C3 R2C3 R1C2")'),
            E("PillArrow", 'PillArrow("R2C1 R2C2", "R3C2 R4C3 R4C4 R5C5")'),
            E("DoubleArrow", 'DoubleArrow("R1C1 R2C2 R3C3 R3C4 R2C5")'),
            E("Vudoku", 'Vudoku("R1C1 R2C2 R1C3")'),
            E("Zipper", 'Zipper("R1C1 R2C2 R3C3 R2C4 R1C5")'),
            E("EqualSums", 'EqualSums((("R1C1", "R1C2"), ("R3C3", "R4C3", "R5C3")))'),
            E("RegionSumLine", 'RegionSumLine("R1C1 R1C2 R2C3 R3C3 R4C2")'),
            E("SumLine", 'SumLine("R1C1 R1C2 R2C3 R3C3 R3C4 R2C5", 10)'),
        ),
    ),
    Room(
        "cages",
        "Cages",
        "Sets of cells with a sum, a comparison, or a region of their own.",
        (
            E("KillerCage", 'KillerCage("R1C1 R1C2 R2C1", 8), KillerCage("R5C5 R5C6 R6C5 R6C6")'),
            E("WeightedSum", 'WeightedSum("R2C2 R3C3 R4C4", 4)'),
            E("FrameSum", 'FrameSum("R1C1 R1C2 R1C3 R1C4 R1C5 R1C6", 10)'),
            E("SumOneOf", 'SumOneOf("R1C1 R1C2 R2C2", (7, 11, 13))'),
            E("DigitalRoot", 'DigitalRoot("R1C1 R1C2 R2C2 R3C2", 5)'),
            E("CompareSums", 'CompareSums("R1C1 R1C2", "<", "R4C4 R4C5")'),
            E("RellikCage", 'RellikCage("R1C1 R1C2 R2C2", 7)'),
            E("EqualityCage", 'EqualityCage("R1C1 R1C2 R2C2 R2C3")'),
            E("Calculation", 'Calculation("R1C1 R1C2 R2C1", "*", 12), Calculation("R3C3 R3C4", "-", 3)'),
            E("ExtraRegion", 'ExtraRegion("R2C2 R2C3 R3C4 R4C4 R5C5 R5C3")'),
        ),
    ),
    Room(
        "cells",
        "Cells",
        "What single cells hold, what a set of cells holds, and cells that point to others.",
        (
            E("OneOf", 'OneOf("R1C1", (1, 2, 5))'),
            E(
                "OnlyValues",
                "OnlyValues((1, 2, 3, 4, 5, 7))",
                "Puzzle.empty(Shape(6, 6, range(1, 8), box=(2, 3)))",
            ),
            E("Parity", 'Parity("R2C2", odd=True), Parity("R3C4", odd=False)'),
            E("Half", 'Half("R2C2", low=True), Half("R3C4", low=False)'),
            E("Quadruple", 'Quadruple("R2C2 R2C3 R3C2 R3C3", (1, 2, 6))'),
            E("ContainAtLeast", 'ContainAtLeast("R1C1 R2C2 R3C3 R4C4", (2, 2, 5))'),
            E("ContainExact", 'ContainExact("R1C1 R2C2 R3C3 R4C4", (3, 6))'),
            E("LookAndSay", 'LookAndSay("R1C1 R2C2 R3C3 R4C4", (2, 1, 1, 4))'),
            E("CountingCircles", 'CountingCircles("R1C1 R2C3 R3C5 R4C2 R5C6 R6C4")'),
            E("CountDistinct", 'CountDistinct("R1C1", "R3C3 R4C4 R5C5 R6C6")'),
            E("SameValues", 'SameValues((("R1C1", "R1C2"), ("R4C4", "R5C5")))'),
            E("Clone", 'Clone("R1C1 R1C2 R2C2", "R4C4 R4C5 R5C5")'),
            E("ColumnIndexer", 'ColumnIndexer("R2C3")'),
            E("RowIndexer", 'RowIndexer("R2C3")'),
            E("BoxIndexer", 'BoxIndexer("R2C3")'),
            E("ValueIndexing", 'ValueIndexing("R1C1 R3C2 R3C3 R3C4 R3C5")'),
        ),
    ),
    Room(
        "dots",
        "Dots and signs between cells",
        "Marks on an edge, and what holds where there is no mark.",
        (
            E("Difference", 'Difference("R1C1 R1C2"), Difference("R3C3 R4C3", 3)'),
            E("Ratio", 'Ratio("R1C1 R1C2"), Ratio("R3C3 R4C3", 3)'),
            E("XV", 'XV("R1C1 R1C2", 10), XV("R3C3 R4C3", 5)'),
            E("Greater", 'Greater("R1C1 R1C2"), Greater("R4C3 R3C3")'),
            E(
                "StrictKropki",
                'StrictKropki(), Difference("R1C1 R1C2"), Ratio("R3C3 R3C4")',
                "Puzzle.empty(Shape(4, 4, range(1, 10)))",
            ),
            E("StrictXV", 'StrictXV(), XV("R1C1 R1C2", 10)', NINE),
            E("StrictRatio", 'StrictRatio(), Ratio("R1C1 R1C2"), Ratio("R3C3 R3C4", 3)', NINE),
            E("NonConsecutive", "NonConsecutive()"),
            E("Minimum", 'Minimum("R2C2"), Minimum("R4C5")'),
            E("Maximum", 'Maximum("R2C2"), Maximum("R4C5")'),
        ),
    ),
    Room(
        "clues",
        "Clues outside the grid",
        "Numbers at the edge about a row, a column or a diagonal.",
        (
            E("LittleKiller", 'LittleKiller("R4C1 R3C2 R2C3 R1C4", 11)'),
            E("Sandwich", 'Sandwich("R1C1 R1C2 R1C3 R1C4 R1C5 R1C6", 9)'),
            E("XSum", 'XSum("R1C1 R1C2 R1C3 R1C4 R1C5 R1C6", 12)'),
            E("Skyscraper", 'Skyscraper("R1C1 R2C1 R3C1 R4C1 R5C1 R6C1", 4)'),
            E("HiddenSkyscraper", 'HiddenSkyscraper("R1C1 R1C2 R1C3 R1C4 R1C5 R1C6", 2)'),
            E("NumberedRoom", 'NumberedRoom("R1C1 R1C2 R1C3 R1C4 R1C5 R1C6", 5)'),
            E("Lunchbox", 'Lunchbox("R1C1 R1C2 R2C2 R3C2", 7)'),
            E("FullRank", 'FullRank("R1C1 R1C2 R1C3 R1C4", 5)', "Puzzle.empty(4)"),
            E("NoRankTies", 'NoRankTies(), FullRank("R1C1 R1C2 R1C3 R1C4", 7)', "Puzzle.empty(Shape.latin(4))"),
        ),
    ),
    Room(
        "chess",
        "Moves and distances",
        "Cells a chess move or a walk apart, in all of the grid.",
        (
            E("AntiKnight", "AntiKnight()", NINE),
            E("AntiKing", "AntiKing()"),
            E("Leaper", "Leaper(a=1, b=3)", NINE),
            E("Taxicab", "Taxicab(distance=4)", NINE),
            E("AntiTaxicab", "AntiTaxicab()", "Puzzle.empty(Shape.latin(5))"),
            E("DiagonalNonConsecutive", "DiagonalNonConsecutive()", NINE),
            E("Knightmare", "Knightmare(sums=(5, 15))", NINE),
        ),
    ),
    Room(
        "board",
        "Regions and the whole board",
        "Diagonals, extra boxes, grids inside a board, regions that are not known, patterns over all 2 x 2 squares.",
        (
            E("Diagonal", "Diagonal(rising=True), Diagonal(rising=False)"),
            E("Windoku", "Windoku()", NINE),
            E("DisjointGroups", "DisjointGroups()"),
            E("RegionSameValues", "RegionSameValues()", 'Puzzle.empty(Shape.irregular("1122 1122 3344 3344"))'),
            E(
                "SubGrid",
                'SubGrid("R1C1", 4, 4, box=(2, 2)), SubGrid("R3C3", 4, 4, box=(2, 2)), '
                'Unused("R1C5 R1C6 R2C5 R2C6 R5C1 R5C2 R6C1 R6C2")',
                "Puzzle.empty(Shape(6, 6, (1, 2, 3, 4), lines=False))",
            ),
            E("Black", 'Black("R1C1 R2C2"), Renban("R1C2 R1C3 R1C4 R1C5 R1C6")'),
            E(
                "Unused",
                'SubGrid("R1C1", 4, 4, box=(2, 2)), Unused("R1C5 R2C5 R3C5 R4C5")',
                "Puzzle.empty(Shape(4, 5, (1, 2, 3, 4), lines=False))",
            ),
            E("GlobalEntropy", "GlobalEntropy()", NINE),
            E("GlobalMod", "GlobalMod()", NINE),
            E("DutchFlatmates", "DutchFlatmates()", NINE),
            E("ConnectedValues", "ConnectedValues((1,), size=7)", SIGNS),
            E("ChaosConstruction", "ChaosConstruction()", LATIN),
            E("ChaosArrow", 'ChaosConstruction(), ChaosArrow("R1C3", (("CC6", "CC7", "CC8"),))', LATIN),
            E("ChaosCount", 'ChaosConstruction(), ChaosCount("R1C2", ("CC1", "CC2", "CC5", "CC9"))', LATIN),
            E("Doppelganger", "Doppelganger()", "Puzzle.empty(Shape(4, 4, (0, 1, 2, 3, 4), Shape.square(4).regions))"),
        ),
    ),
    Room(
        "own",
        "Relations, words, and other grids",
        "Pairs and combinations that are listed, words along cells, alternatives, extra cells, grids of other games.",
        (
            E("Pair", 'Pair("R1C1 R2C2 R3C3", ((1, 3), (3, 5), (5, 1)), name="Odd wheel")'),
            E("Relation", 'Relation("R1C1 R2C2 R3C3", ((1, 2, 4), (2, 3, 6)), name="Two ways")'),
            E("Regex", 'Regex("R1C1 R2C1 R3C1 R4C1", "[1-3]*[4-6]+")'),
            E(
                "Line",
                """
Line.of(
    "R1C1 R2C2 R3C3 R3C4",
    lambda odd, value: (odd + value) % 2,
    start=0,
    accept=lambda odd: odd == 0,
    values=range(1, 7),
    name="Even sum",
)
""",
            ),
            E(
                "MachineLine",
                """
MachineLine(
    ("R1C1 R1C2 R1C3 R1C4".split(),),
    Machine(2, (0,), (1,), [(0, value, 0) for value in range(1, 7)] + [(0, 5, 1)]),
    name="Ends with 5",
)
""",
            ),
            E("Condition", 'Condition("R1C1 * R2C2 == 12 or abs(R3C3 - R3C4) >= 4")'),
            E("AnyOf", 'AnyOf((Thermo("R1C1 R2C2"), KillerCage("R5C5 R5C6", 4)))'),
            E("AllOf", 'AnyOf((AllOf((Thermo("R1C1 R2C2"), OneOf("R3C3", (2,)))), OneOf("R1C1", (6,))))'),
            E("ExtraCells", 'ExtraCells("V", 2), KillerCage("V1 V2 R1C1", 6)'),
            E(
                "NumberPath",
                "NumberPath(board.shape.names)",
                "Puzzle.empty(Shape(4, 4, range(1, 17), lines=False))",
            ),
            E("Singles", "Singles((1, 1, 2, 3, 2, 3, 3, 1, 3, 2, 1, 1, 4, 3, 4, 2))", SIGNS),
            E("Balance", "Balance()", SIGNS),
        ),
    ),
)
"""The pages of the gallery, in order; each kind of rule is on one of them."""


def examples() -> dict[str, Example]:
    """Return the example of each kind of rule, by the name of its class."""
    return {example.kind: example for room in ROOMS for example in room.examples}
