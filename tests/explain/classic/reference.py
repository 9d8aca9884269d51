"""Classic boards for the tests of both scales, and their solutions."""

from __future__ import annotations

from functools import cache

from sudoku_models import Puzzle, solve

EASY = "...26.7.168..7..9.19...45..82.1...4...46.29...5...3.28..93...74.4..5..367.3.18..."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CHAINS = ".....9......3..52..5.48...1.21...674.67.5..9.3........2.....7...1.6.4..........3."
RECTANGLE = "...5..49.1..9...733...1.8...976.3....3.7....52..8......8.3....7.1.......4.5..6..."
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def masks_of(line: str) -> list[int]:
    """Return the candidates of 81 cells, bit v for the value v + 1."""
    return [1 << int(sign) - 1 if sign.isdigit() else 511 for sign in line]


@cache
def solution(line: str) -> tuple[int, ...]:
    grid = solve(Puzzle.parse(line)).grid
    assert grid
    return tuple(v or 0 for v in grid.values)
