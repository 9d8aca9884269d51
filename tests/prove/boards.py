"""Puzzles and models that the tests of certificates share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sudoku_models import Model, Puzzle, Shape, Variable
from sudoku_models.model import AllDifferent, Linear, Objective
from sudoku_models.prove.files import Missing
from sudoku_models.puzzle.rules import KillerCage, Thermo

SMALL = "1..." + "..2." + "...3" + ".4.."
"""A 4x4 puzzle with one solution."""

CLASSIC = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
"""A 9x9 puzzle with one solution."""

CLASH = "1..1" + "." * 12
"""Two equal givens in a row."""


def ruled() -> Puzzle:
    """Return a 4x4 puzzle without givens, with rules and two solutions."""
    cages = KillerCage(("R3C3", "R4C3"), 6), KillerCage(("R4C1", "R4C2"), 3), KillerCage(("R1C4", "R2C4"), 6)
    return Puzzle(Shape.square(4), (None,) * 16, rules=(Thermo(("R1C1", "R1C2", "R1C3")), *cages))


def knapsack() -> Model:
    """Return a small model with an objective."""
    xs = [Variable(name, range(4)) for name in "abc"]
    parts = [Linear((3, 4, 5), xs, "<=", 15), AllDifferent(xs)]
    return Model(xs, parts, Objective("maximize", (5, 6, 8), xs))


def reader(files: Mapping[str, str]) -> Callable[[str], bytes]:
    """Return a function that reads the files of a certificate that are in memory."""

    def read(name: str) -> bytes:
        if name not in files:
            raise Missing(f"{name} is missing")
        return files[name].encode()

    return read
