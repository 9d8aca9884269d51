"""The board of an ISS string: Shape, default boxes, irregular pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from ...errors import FormatError
from ...model import Domain, domain
from ...puzzle.shape import Shape
from .tokens import Token, every

Box = tuple[int, int]
"""The height and width of a box."""
LARGEST = 16
_SIDES = re.compile(r"([1-9][0-9]?)[xX]([1-9][0-9]?)\Z")
_RANGE = re.compile(r"(?:([01])-)?(0|[1-9][0-9]?)\Z")
NEEDS_LINES = frozenset(
    {
        *("NoBoxes", "RegionSize", "Jigsaw", "Windoku", "DisjointSets", "AntiKnight", "AntiKing", "Diagonal"),
        *("Doppelganger", "ChaosConstruction", "RegionSameValues", "FullRankTies", "Indexing", "XSum", "Skyscraper"),
        *("FullRank", "HiddenSkyscraper", "NumberedRoom", "Sandwich", "LittleKiller"),
    }
)
"""The types that are not allowed in a raw grid."""


@dataclass(frozen=True)
class BoardText:
    """The board described by the tokens: its shape, the region size, and (height, width) of boxes of that size.

    ``window`` is (height, width) of the extra boxes of a Windoku: boxes of the size stated by RegionSize, otherwise
    with as many cells as there are values.
    """

    shape: Shape
    region_size: int
    box: Box | None
    window: Box | None = None


def board_of(tokens: Sequence[Token]) -> BoardText:
    """Read the board from the tokens at the top level; raise FormatError for an impossible one."""
    by_type: dict[str, list[Token]] = {}
    for token in tokens:
        by_type.setdefault(token.type, []).append(token)
    height, width, values, raw = _shape(by_type.get("Shape", []))
    if raw:
        wrong = sorted(NEEDS_LINES.intersection(token.type for token in every(tokens)))
        if wrong:
            raise FormatError(f"{', '.join(wrong)} in a raw grid, which has no rows, columns and boxes")
        return BoardText(_made(height, width, values, (), None, False), max(height, width), None)
    size = _region_size(by_type, max(height, width), height * width)
    box = box_of(height, width, size)
    boxes = boxes_of(height, width, box) if box and "NoBoxes" not in by_type else ()
    pieces = _pieces(by_type["Jigsaw"][-1], height, width, len(values), size) if "Jigsaw" in by_type else ()
    only_boxes = box if boxes and not pieces else None
    window = box_of(height, width, size if "RegionSize" in by_type else len(values))
    return BoardText(_made(height, width, values, (*boxes, *pieces), only_boxes, True), size, box, window)


def _shape(tokens: Sequence[Token]) -> tuple[int, int, Domain, bool]:
    found = {_shape_of(token.arguments) for token in tokens} or {(9, 9, domain(range(1, 10)), False)}
    if len(found) > 1:
        raise FormatError("the string states two different Shapes: one is expected")
    return found.pop()


def _shape_of(arguments: Sequence[str]) -> tuple[int, int, Domain, bool]:
    sides, span, kind = (*arguments, "", "", "")[:3]
    match = _SIDES.match(sides)
    if not match or max(map(int, match.groups())) > LARGEST or len(arguments) > 3:
        raise FormatError(f"Shape {'~'.join(arguments)[:40]}: RxC with 1 to {LARGEST} rows and columns is expected")
    if kind not in ("", "Raw", "Sudoku"):
        raise FormatError(f"Shape: the kind of grid {kind[:20]!r} is not known: Raw is expected")
    height, width = int(match[1]), int(match[2])
    values = _values(span, max(height, width), 1 if kind == "Raw" else max(height, width))
    return height, width, values, kind == "Raw"


def _values(span: str, side: int, least: int) -> Domain:
    match = _RANGE.match(span) if span else None
    if span and not match:
        raise FormatError(f"Shape: the values {span[:20]!r}: n, 0-n or 1-n is expected")
    low, high = (int(match[1] or "1"), int(match[2])) if match else (1, side)
    if not least <= high - low + 1 <= LARGEST:
        raise FormatError(f"Shape: {max(high - low + 1, 0)} values: {least} to {LARGEST} are expected")
    return domain(range(low, high + 1))


def _region_size(by_type: Mapping[str, Sequence[Token]], default: int, cells: int) -> int:
    stated = by_type.get("RegionSize", [])
    if not stated:
        return default
    text = stated[-1].arguments[0] if len(stated[-1].arguments) == 1 else ""
    if not re.match(r"[1-9][0-9]{0,2}\Z", text) or int(text) > cells:
        raise FormatError(f"RegionSize {'~'.join(stated[-1].arguments)[:20]}: a number of cells is expected")
    return int(text)


def box_of(height: int, width: int, size: int) -> Box | None:
    """Return (height, width) of the most square boxes of ``size`` cells; None if no such boxes tile the board."""
    for h in range(isqrt(size), 1, -1):
        if size % h:
            continue
        w = size // h
        if height % h == 0 and width % w == 0:
            return h, w
        if height % w == 0 and width % h == 0:
            return w, h
    return None


@lru_cache(maxsize=64)
def boxes_of(height: int, width: int, box: Box) -> tuple[tuple[int, ...], ...]:
    """Return the boxes that tile a board, in row order, as cell numbers."""
    h, w = box
    corners = [(r, c) for r in range(0, height, h) for c in range(0, width, w)]
    return tuple(tuple((r + i) * width + c + j for i in range(h) for j in range(w)) for r, c in corners)


def _pieces(token: Token, height: int, width: int, values: int, size: int) -> tuple[tuple[int, ...], ...]:
    layout = token.arguments[-1] if token.arguments else ""
    if len(layout) != height * width:
        raise FormatError(f"Jigsaw: a layout of {len(layout)} characters for {height * width} cells")
    groups: dict[str, list[int]] = {}
    for cell, label in enumerate(layout):
        groups.setdefault(label, []).append(cell)
    if len(groups) == 1:
        return ()
    odd = [cells for cells in groups.values() if len(cells) != size]
    if len(odd) > 1 or any(not (len(cells) < max(height, width) or len(cells) > values) for cells in odd):
        sizes = ", ".join(str(len(cells)) for cells in odd[:5])
        raise FormatError(f"Jigsaw: pieces of {sizes} cells: pieces of {size} cells are expected")
    return tuple(tuple(cells) for cells in groups.values() if len(cells) == size)


@lru_cache(maxsize=128)
def _made(
    height: int,
    width: int,
    values: Domain,
    regions: tuple[tuple[int, ...], ...],
    box: Box | None,
    lines: bool,
) -> Shape:
    """Return the same object for equal arguments; common shapes are shared."""
    if lines and height == width and values == domain(range(1, width + 1)):
        if box and box[0] * box[1] == width:
            return Shape.square(width, box)
        if not regions:
            return Shape.latin(width)
    return Shape(height, width, values, regions, box, lines)
