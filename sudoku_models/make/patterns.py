"""Which cells have clues together: the symmetries of a pattern, and patterns given as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import meant
from ..puzzle import Shape

Move = Callable[[int, int, int, int], tuple[int, int]]

_MOVES: dict[str, Move] = {
    "half-turn": lambda r, c, h, w: (h - 1 - r, w - 1 - c),
    "quarter-turn": lambda r, c, h, w: (c, h - 1 - r),
    "horizontal": lambda r, c, h, w: (h - 1 - r, c),
    "vertical": lambda r, c, h, w: (r, w - 1 - c),
    "diagonal": lambda r, c, h, w: (c, r),
    "antidiagonal": lambda r, c, h, w: (h - 1 - c, w - 1 - r),
}
SYMMETRIES: dict[str, tuple[str, ...]] = {
    "none": (),
    **{name: (name,) for name in _MOVES},
    "both": ("horizontal", "vertical"),
    "diagonals": ("diagonal", "antidiagonal"),
    "full": ("horizontal", "vertical", "diagonal"),
}
"""The symmetries of clues by name: ``half-turn`` is the usual one; ``horizontal`` reflects top to bottom,

``vertical`` left to right, ``diagonal`` at the main diagonal; ``both`` and ``diagonals`` are two reflections each, and
``full`` all eight turns and reflections.
"""


def orbits(shape: Shape, symmetry: str) -> list[tuple[int, ...]]:
    """Return the cells that have clues together; ValueError for a symmetry that this board does not have."""
    if symmetry not in SYMMETRIES:
        one = f"one of {', '.join(SYMMETRIES)} is expected{meant(str(symmetry), SYMMETRIES)}"
        raise ValueError(f"the symmetry {symmetry!r}: {one}")
    moves = [_MOVES[name] for name in SYMMETRIES[symmetry]]
    h, w = shape.height, shape.width
    turning = {"quarter-turn", "diagonal", "antidiagonal"} & set(SYMMETRIES[symmetry])
    if turning and h != w:
        raise ValueError(f"the symmetry {symmetry!r} needs a square board: this one has {h} rows and {w} columns")
    found: dict[int, tuple[int, ...]] = {}
    for cell in range(shape.cells):
        if cell not in found:
            found.update(dict.fromkeys(orbit := _orbit(cell, moves, h, w), orbit))
    return list(dict.fromkeys(found.values()))


def _orbit(cell: int, moves: Iterable[Move], h: int, w: int) -> tuple[int, ...]:
    moves, reached = tuple(moves), [cell]
    for place in reached:
        for move in moves:
            r, c = move(*divmod(place, w), h, w)
            if r * w + c not in reached:
                reached.append(r * w + c)
    return tuple(sorted(reached))


def pattern_cells(pattern: str | Iterable[int], shape: Shape) -> frozenset[int]:
    """Return the cells of a pattern: their numbers, or a text with a character for each cell, ``.``, ``0`` or ``-`` if
    open.

    ValueError for a text of another length and for a cell that is not on the board.
    """
    if isinstance(pattern, str):
        signs = "".join(pattern.split())
        if len(signs) != shape.cells:
            raise ValueError(f"a pattern of {len(signs)} signs: {shape.cells} are expected, one for each cell")
        return frozenset(i for i, sign in enumerate(signs) if sign not in ".0-")
    cells = frozenset(pattern)
    wrong = [cell for cell in cells if not 0 <= cell < shape.cells]
    if wrong:
        raise ValueError(f"cell {wrong[0]} of the pattern: 0 to {shape.cells - 1} are possible")
    return cells


def sums(sizes: Iterable[int]) -> set[int]:
    """Return the total numbers of cells that groups of these sizes can have together."""
    bits = 1
    for size in sizes:
        bits |= bits << size
    return {number for number in range(bits.bit_length()) if bits >> number & 1}
