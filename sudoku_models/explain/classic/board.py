"""The classic board in arrays: 729 literals, 324 base variables, and the tables that link them.

A *literal* is a candidate: cell * 9 + value - 1. A *base variable* takes exactly one of its nine literals: a cell (0 to
80), or the place of a value in a house (81 + 9 * house + value - 1; houses 0 to 8 are rows, then columns, then boxes).
A *state* has for each base variable the mask of its remaining literals, bit i for its i-th one.
"""

from __future__ import annotations

from array import array
from functools import cache
from pathlib import Path
from typing import Any

from ...engine.machine_code.language import Ints, Kernels, bits
from ...engine.machine_code.library import Library, NoMachineCode

LITERALS, VARIABLES, BITS, FAMILIES, NUMBER = 0, 2916, 5832, 8748, 9396
"""Offsets in the table: the 9 literals of each base variable, the 4 base variables of each literal (its cell, row,
column, box), its bits in these, the 9 base variables of each family, and the number of each technique.

A family are the cells of a house (from NAKED), the values of a house (from HIDDEN), or the rows or columns of a value
(from FISH).
"""

NAKED, HIDDEN, FISH, ALL_FAMILIES = 0, 27, 54, 72
"""The first families of each kind, and the number of all."""

NAMES = (
    "last value of a house", "hidden single in a box", "hidden single in a line", "direct pointing", "direct claiming",
    "direct hidden pair", "naked single", "direct hidden triple", "pointing", "claiming", "naked pair", "X-wing",
    "hidden pair", "naked triple", "swordfish", "hidden triple", "XY-wing", "XYZ-wing", "naked quad", "jellyfish",
    "hidden quad", "aligned pair exclusion", "bidirectional cycle", "chain on one value", "forcing chain",
    "aligned triplet exclusion", "Nishio", "multiple forcing chain", "dynamic forcing chain",
    "dynamic forcing chain with patterns", "nested forcing chain",
)  # fmt: skip
"""The techniques, in order."""

UNIQUE_NAMES = ("unique rectangle or loop", "bivalue universal grave")
"""The techniques that assume one solution; their positions follow those of the others."""

TECHNIQUE = 1000
"""A step is the position of its technique times this, plus its number in tenths."""

NUMBERS = (
    10, 12, 15, 17, 19, 20, 23, 25, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 50, 52, 54, 62, 65, 66, 71, 75, 75,
    80, 85, 90, 95,
)  # fmt: skip
"""The number of each technique, in tenths; the length of a chain adds to it."""


@cache
def table() -> tuple[int, ...]:
    """Return the tables, one after the other."""
    rows = [[9 * r + c for c in range(9)] for r in range(9)]
    columns = [[9 * r + c for r in range(9)] for c in range(9)]
    boxes = [[27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in range(9)] for b in range(9)]
    houses = rows + columns + boxes
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
    flat += range(81, 324)
    flat += [81 * kind + 9 * line + v for kind in (1, 2) for v in range(9) for line in range(9)]
    return (*flat, *NUMBERS)


# ----------------------------------------------------------------------------
# Basic operations of all kernels of classic boards: mark literals, remove them and record when. See the top for the
# terms.

KERNELS = Kernels()
"""All kernels of classic boards by name."""

kernel = KERNELS.mark

COUNT = 729
"""The place in the memory of marks where their number is."""

MOST_STAGES = 1000
"""The number of stages for which a log has room: each removes a candidate."""

BIG = 1 << 20
"""The cost of something that has no refutation."""

STUCK, BROKEN = 1 << 20, 1 << 21
"""Added to the number of stages: nothing is left to remove; a base variable has no candidate left."""


@kernel
def is_left(state: Ints, literal: int) -> int:
    return state[literal // 9] >> literal % 9 & 1


@kernel
def drop(board: Ints, state: Ints, literal: int, when: Ints, stage: int) -> None:
    """Remove a candidate and record the stage."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        state[w] = state[w] & ~board[BITS + i]
    when[literal] = stage


@kernel
def drop_seen(board: Ints, state: Ints, literal: int, when: Ints, stage: int) -> None:
    """Remove all candidates that share a base variable with one."""
    for i in range(4 * literal, 4 * literal + 4):
        w = board[VARIABLES + i]
        for place in bits(state[w] & ~board[BITS + i]):
            drop(board, state, board[LITERALS + 9 * w + place], when, stage)


@kernel
def drop_marked(board: Ints, state: Ints, marked: Ints, when: Ints, stage: int) -> None:
    """Remove the marked candidates and unmark them."""
    for literal in range(729):
        if marked[literal] and is_left(state, literal):
            drop(board, state, literal, when, stage)
        marked[literal] = 0
    marked[COUNT] = 0


@kernel
def write_marked(board: Ints, state: Ints, placed: Ints, marked: Ints, when: Ints, stage: int) -> None:
    """Fill in the marked literals, remove what they see, and unmark them."""
    for literal in range(729):
        if marked[literal] and placed[literal // 9] == 0 and is_left(state, literal):
            placed[literal // 9] = 1
            drop_seen(board, state, literal, when, stage)
        marked[literal] = 0
    marked[COUNT] = 0


@kernel
def mark_one(literal: int, marked: Ints) -> None:
    marked[COUNT] += 1 - marked[literal]
    marked[literal] = 1


@kernel
def mark(board: Ints, w: int, places: int, marked: Ints) -> None:
    """Mark literals of a base variable."""
    for place in bits(places):
        mark_one(board[LITERALS + 9 * w + place], marked)


@kernel
def is_broken(state: Ints) -> int:
    """Return whether a base variable has no candidate left."""
    for w in range(324):
        if state[w] == 0:
            return 1
    return 0


# ----------------------------------------------------------------------------
# The kernels of classic boards, as machine code if llvmlite is installed (extra ``fast``), otherwise as plain
# Python.

FILES = ("board", "patterns", "chains", "se")
ENTRIES = {
    "drop_marked": "mmmmi",
    "nested_size": "mmiiimmm",
    "se_path": "mmmmiimmmm",
    "tree_size": "mmiiim",
}
"""Kernels that are called from outside, with their parameters: m means memory, i an integer."""


def kernels() -> Kernels:
    from . import se  # noqa: F401  # which imports all of them

    return KERNELS


LIBRARY = Library("classic", ENTRIES, [Path(__file__).with_name(f"{name}.py") for name in FILES], kernels)


class Machine:
    """Runs kernels on the board's tables, as machine code or as plain Python: the results are the same."""

    def __init__(self, compiled: bool) -> None:
        self.compiled = compiled
        self._kernels = LIBRARY.load() if compiled else LIBRARY.plain()
        self._tables = array("q", table()) if compiled else list(table())
        self._board = self._tables.buffer_info()[0] if isinstance(self._tables, array) else self._tables

    def memory(self, size: int) -> Any:
        """Return memory filled with zeros."""
        return array("q", bytes(8 * size)) if self.compiled else [0] * size

    def run(self, name: str, *arguments: Any) -> int:
        """Run a kernel on the board's tables, then memory and numbers."""
        given = [a.buffer_info()[0] if isinstance(a, array) else a for a in arguments]
        return int(getattr(self._kernels, name)(self._board, *given))


@cache
def machine(compiled: bool = True) -> Machine:
    """Return the machine: compiled if possible, which takes some seconds the first time."""
    try:
        return Machine(compiled)
    except NoMachineCode:
        return machine(False)
