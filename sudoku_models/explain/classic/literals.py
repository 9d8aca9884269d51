"""The classic board in arrays: 729 literals, 324 base variables, and the tables that link them.

A *literal* is a candidate: cell * 9 + value - 1. A *base variable* takes exactly one of its nine literals: a cell (0 to
80), or the place of a value in a house (81 + 9 * house + value - 1; houses 0 to 8 are rows, then columns, then boxes).
A *state* has for each base variable the mask of its remaining literals, bit i for its i-th one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

LITERALS, VARIABLES, BITS, CELLS, NEXT_SIZE, NUMBER, HOUSES = 0, 2916, 5832, 8748, 8991, 10016, 10047
"""Offsets in the table: the 9 literals of each base variable, the 4 base variables of each literal (its cell, row,
column, box), its bits in these, the 9 cells of each house, the size to search next after each size without result,
the number of each technique, and the houses of each cell as bits.
"""

SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64, 96, 128, 192, 256, 512, 1024)
"""The sizes that are distinguished: a tree of 11 counts as one of 12."""

BEYOND = 2048
"""The number that follows the largest size."""

NAMES = (
    "last value of a house", "hidden single in a box", "hidden single in a line", "direct pointing", "direct claiming",
    "direct hidden pair", "naked single", "direct hidden triple", "pointing", "claiming", "naked pair", "X-wing",
    "hidden pair", "naked triple", "swordfish", "hidden triple", "XY-wing", "XYZ-wing", "naked quad", "jellyfish",
    "hidden quad", "aligned pair exclusion", "bidirectional cycle", "chain on one value", "forcing chain",
    "aligned triplet exclusion", "Nishio", "multiple forcing chain", "dynamic forcing chain",
    "dynamic forcing chain with patterns", "nested forcing chain",
)  # fmt: skip
"""The techniques, in order."""

NUMBERS = (
    10, 12, 15, 17, 19, 20, 23, 25, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 50, 52, 54, 62, 65, 66, 70, 75, 75,
    80, 85, 90, 95,
)  # fmt: skip
"""The number of each technique, in tenths; the length of a chain adds to it."""

ALL = 511
"""The mask of nine candidates."""


def cells_of_houses() -> list[list[int]]:
    """Return the cells of the 27 houses: rows, columns, boxes."""
    rows = [[9 * r + c for c in range(9)] for r in range(9)]
    columns = [[9 * r + c for r in range(9)] for c in range(9)]
    boxes = [[27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in range(9)] for b in range(9)]
    return rows + columns + boxes


@cache
def table() -> tuple[int, ...]:
    """Return the tables, one after the other."""
    houses = cells_of_houses()
    members = [[9 * cell + v for v in range(9)] for cell in range(81)]
    members += [[9 * cell + v for cell in house] for house in houses for v in range(9)]
    users: list[list[tuple[int, int]]] = [[] for _ in range(729)]
    for variable, literals in enumerate(members):
        for place, literal in enumerate(literals):
            users[literal].append((variable, 1 << place))
    flat = [literal for literals in members for literal in literals]
    flat += [variable for pairs in users for variable, _ in pairs]
    flat += [bit for pairs in users for _, bit in pairs]
    flat += [cell for house in houses for cell in house]
    flat += [next((size for size in SIZES if size > last), BEYOND) for last in range(SIZES[-1] + 1)]
    flat += NUMBERS
    return (*flat, *(sum(1 << h for h, house in enumerate(houses) if cell in house) for cell in range(81)))


def state_of(cells: Sequence[int]) -> list[int]:
    """Return the state of 81 masks of candidates, with bit v for the value v + 1."""
    board, found = table(), [0] * 324
    for literal in (9 * cell + v for cell, mask in enumerate(cells) for v in range(9) if mask >> v & 1):
        for i in range(4 * literal, 4 * literal + 4):
            found[board[VARIABLES + i]] |= board[BITS + i]
    return found


def masks_of(values: Iterable[int]) -> list[int]:
    """Return masks of candidates for 81 values, 0 for an open cell."""
    return [1 << value - 1 if value else ALL for value in values]
