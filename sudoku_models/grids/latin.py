"""Latin squares with further clues: futoshiki, kenken, towers (skyscrapers), quasigroup completion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..puzzle import Puzzle
from ..puzzle.rules import Calculation, Difference, Greater, NonConsecutive, Skyscraper
from .cell_groups import Rows, blank, board, lines, named

Clues = Sequence[int | None]


def quasigroup(givens: Rows) -> Puzzle:
    """A Latin square to complete (quasigroup with holes): every row and column holds every value once."""
    return board(givens, lines=True)


def futoshiki(givens: Rows, greater: Iterable[tuple[str, str]]) -> Puzzle:
    """A Latin square with signs between cells: in each pair the first cell is greater than the second."""
    return quasigroup(givens).with_rules(*(Greater(tuple(pair)) for pair in greater))


def consecutive(givens: Rows, marked: Iterable[tuple[str, str]]) -> Puzzle:
    """A Latin square with marks between neighbours with consecutive values; other neighbours are not consecutive."""
    dots = dict.fromkeys(tuple(sorted(pair)) for pair in marked)
    return quasigroup(givens).with_rules(NonConsecutive(spare_dots=True), *map(Difference, dots))


def kenken(side: int, cages: Iterable[tuple[str, str, int]], givens: Rows | None = None) -> Puzzle:
    """A Latin square with cages (calcudoku): each a list of cells "R1C1 R1C2", an operation + - * or /, its result."""
    return quasigroup(givens or blank(side, side)).with_rules(
        *(Calculation(tuple(cells.split()), op, total) for cells, op, total in cages)
    )


def towers(givens: Rows, seen: Mapping[str, Clues]) -> Puzzle:
    """A Latin square of towers: ``seen`` gives the number visible from top, bottom, left and right (None: no clue)."""
    puzzle, n = quasigroup(givens), len(givens)
    open_: Clues = [None] * n
    if unknown := set(seen) - {"top", "bottom", "left", "right"}:
        raise ValueError(f"{min(unknown)!r} is not a side: top, bottom, left or right is expected")
    rows, columns = list(map(named, lines(n, n)))[:n], list(map(named, lines(n, n)))[n:]
    ways = {"left": rows, "right": [x[::-1] for x in rows], "top": columns, "bottom": [x[::-1] for x in columns]}
    clues = [(line, k) for side in ways for line, k in zip(ways[side], seen.get(side, open_), strict=True)]
    return puzzle.with_rules(*(Skyscraper(line, k) for line, k in clues if k is not None))
