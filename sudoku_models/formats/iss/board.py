"""The board of a constraint string, and the context in which its constraints are read: cells, lines, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache, partial
from math import isqrt

from ...dataclass import dataclass
from ...errors import FormatError
from ...model import Domain, domain
from ...puzzle.rules.board import Board
from ...puzzle.rules.steps import Steps
from ...puzzle.shape import Shape, boxes_of, shared_shape
from ..regions import grouped
from .notation import Token, decoded, every

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

_OF_BOARD = frozenset({"Shape", "RegionSize", "NoBoxes", "Jigsaw"})
"""The types that state the board itself."""


def board_of(tokens: Sequence[Token]) -> IssBoard:
    """Read the board from the tokens at the top level; raise FormatError for an impossible one."""
    frame = _frame(tuple([token for token in tokens if token.type in _OF_BOARD]))
    if not frame.shape.lines and (wrong := sorted(NEEDS_LINES.intersection(token.type for token in every(tokens)))):
        raise FormatError(f"{', '.join(wrong)} in a raw grid, which has no rows, columns and boxes")
    return IssBoard(frame.board, frame.region_size, frame.box, frame.window, known=frame.known)


@lru_cache(maxsize=64)
def _frame(tokens: tuple[Token, ...]) -> IssBoard:
    """Return the board that tokens state, of which each puzzle has its own ``steps`` and ``ways``."""
    by_type = grouped((token.type, token) for token in tokens)
    shapes = {_shape_of(token.arguments) for token in by_type.get("Shape", [])} or {_shape_of(("9x9",))}
    if len(shapes) > 1:
        raise FormatError("the string states two different Shapes: one is expected")
    height, width, values, raw = shapes.pop()
    side = max(height, width)
    if raw:
        return IssBoard(Board(Shape(height, width, values, (), None, False)), side)
    size = _region_size(by_type, side, height * width)
    box = box_of(height, width, size)
    boxes = boxes_of(height, width, box) if box and "NoBoxes" not in by_type else ()
    pieces = _pieces(by_type["Jigsaw"][-1], height, width, len(values), size) if "Jigsaw" in by_type else ()
    shape = shared_shape(height, width, values, (*boxes, *pieces), box if boxes and not pieces else None, True)
    window = box_of(height, width, size if "RegionSize" in by_type else len(values))
    return IssBoard(Board(shape), size, box, window)


def _shape_of(arguments: Sequence[str]) -> tuple[int, int, Domain, bool]:
    sides, span, kind = (*arguments, "", "", "")[:3]
    match = _SIDES.match(sides)
    if not match or max(map(int, match.groups())) > LARGEST or len(arguments) > 3:
        raise FormatError(f"Shape {'~'.join(arguments)[:40]}: RxC with 1 to {LARGEST} rows and columns is expected")
    if kind not in ("", "Raw", "Sudoku"):
        raise FormatError(f"Shape: the kind of grid {kind[:20]!r} is not known: Raw is expected")
    height, width = int(match[1]), int(match[2])
    ends = _RANGE.match(span) if span else None
    if span and not ends:
        raise FormatError(f"Shape: the values {span[:20]!r}: n, 0-n or 1-n is expected")
    low, high = (int(ends[1] or "1"), int(ends[2])) if ends else (1, max(height, width))
    least = 1 if kind == "Raw" else max(height, width)
    if not least <= high - low + 1 <= LARGEST:
        raise FormatError(f"Shape: {max(high - low + 1, 0)} values: {least} to {LARGEST} are expected")
    return height, width, domain(range(low, high + 1)), kind == "Raw"


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


def _pieces(token: Token, height: int, width: int, values: int, size: int) -> tuple[tuple[int, ...], ...]:
    layout = token.arguments[-1] if token.arguments else ""
    if len(layout) != height * width:
        raise FormatError(f"Jigsaw: a layout of {len(layout)} characters for {height * width} cells")
    groups = grouped((label, cell) for cell, label in enumerate(layout))
    if len(groups) == 1:
        return ()
    odd = [cells for cells in groups.values() if len(cells) != size]
    if len(odd) > 1 or any(not (len(cells) < max(height, width) or len(cells) > values) for cells in odd):
        sizes = ", ".join(str(len(cells)) for cells in odd[:5])
        raise FormatError(f"Jigsaw: pieces of {sizes} cells: pieces of {size} cells are expected")
    return tuple(tuple(cells) for cells in groups.values() if len(cells) == size)


LARGEST_NUMBER = 1_000_000
MOST_ARGUMENTS = 5_000
SIGNS = "123456789abcdefg"
"""Row and column numbers 1 to 16, one character each."""
_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])\Z")
_EXTRA = re.compile(r"((?:V|CC|DG)[A-Z]*)([1-9][0-9]{0,3})?\Z")
_LINE = re.compile(r"([RC])([1-9a-gA-G])\Z")
_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,6})\Z")

_rules_left = partial(Steps, 20_000, "more than {} rules, with templates expanded")
Move = tuple[str, int, int]
"""The rows and columns by which cells of a group ("" is the grid) are moved."""


@dataclass(frozen=True)
class IssBoard:
    """The board being read or written, with its extra cells, the size of regions, and (height, width) of such boxes.

    ``window`` is (height, width) of the extra boxes of a Windoku: boxes of the size stated by RegionSize, otherwise
    with as many cells as there are values. ``move`` is the distance by which the cells of a template are moved.
    ``steps`` limits the work for all patterns and automata, ``ways`` for nondeterministic automata, ``rules`` how many
    there are, with templates expanded, so that nested templates stay small. ``known`` holds the
    names of cells by their texts; it raises FormatError for a text that is no cell, or is moved off the board.
    """

    board: Board
    region_size: int
    box: Box | None = None
    window: Box | None = None
    ties: bool = False
    move: Move | None = None
    steps: Steps = field(default_factory=Steps, compare=False)
    ways: Steps = field(default_factory=Steps, compare=False)
    rules: Steps = field(default_factory=_rules_left, compare=False)
    known: _Named = field(default=None, compare=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.known is None:
            vars(self)["known"] = _Named(self.board, self.move)

    @property
    def shape(self) -> Shape:
        return self.board.shape

    @property
    def values(self) -> Domain:
        return self.board.values

    def moved(self, move: Move | None) -> IssBoard:
        """Return the board as it is read at a place of a template."""
        made = object.__new__(IssBoard)
        vars(made).update(vars(self), move=move, known=_Named(self.board, move))
        return made

    def cells(self, arguments: Sequence[str], least: int = 1) -> tuple[str, ...]:
        """Return cells; raise FormatError if there are fewer than ``least``, or too many."""
        if not least <= len(arguments) <= MOST_ARGUMENTS:
            raise FormatError(f"{len(arguments)} cells: {least} to {MOST_ARGUMENTS} are expected")
        return tuple(map(self.known.__getitem__, arguments))

    def line(self, text: str) -> tuple[str, ...]:
        """Return the cells of a row (R1) or column (C1)."""
        match = _LINE.match(text)
        if not match:
            raise FormatError(f"{text[:20]!r} is not a row or column: R1 or C1 is expected")
        try:
            return self.board.line(f"{match[1]}{SIGNS.index(match[2].lower()) + 1}")
        except ValueError as error:
            raise FormatError(str(error)) from None

    def written(self, name: str) -> str:
        """Write a cell's name; raise FormatError for an extra cell that the notation cannot name."""
        group, row, column = self.board.place(name)
        if not group:
            return f"R{SIGNS[row]}C{SIGNS[column]}"
        if not (group[0] == "V" and len(group) > 1) and group not in ("CC", "DGC", "DGR", "DGB", "DGZ"):
            raise FormatError(f"the extra cell {name} cannot be written: V and capital letters are expected")
        return name

    def write(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.written, names))


class _Named(dict[str, str]):
    """The names of cells by their texts, found when they are first asked for: see ``IssBoard.known``."""

    def __init__(self, board: Board, move: Move | None) -> None:
        self._board, self._move = board, move
        if move is None:
            self.update(_cells_of(board.shape.height, board.shape.width))

    def __missing__(self, text: str) -> str:
        name = cell_name(text)
        try:
            group, row, column = self._board.place(name)
        except KeyError:
            raise FormatError(f"{text[:30]!r} is not a cell of the board") from None
        if self._move is not None:
            origin, down, right = self._move
            if group != origin:
                raise FormatError(f"{text} is in another group than the origin of its Replicate")
            moved = self._board.at(group, row + down, column + right)
            if moved is None:
                raise FormatError(f"Replicate moves {text} off the board")
            name = moved
        if len(text) <= 12:  # the number of an extra cell may be long
            self[text] = name
        return name


@lru_cache(maxsize=64)
def _cells_of(height: int, width: int) -> dict[str, str]:
    return {f"R{SIGNS[r]}C{SIGNS[c]}": f"R{r + 1}C{c + 1}" for r in range(height) for c in range(width)}


@lru_cache(maxsize=4096)
def cell_name(text: str) -> str:
    """Return the name of a cell as used in puzzles; raise FormatError for anything but a cell."""
    match = _CELL.match(text)
    if match:
        row, column = (SIGNS.index(sign.lower()) + 1 for sign in match.groups())
        return f"R{row}C{column}"
    if _EXTRA.match(text):
        return text
    raise FormatError(f"{text[:30]!r} is not a cell: R1C1 or an extra cell such as VA1 is expected")


def is_cell(text: str) -> bool:
    """Return whether an argument looks like a cell rather than a number."""
    return bool(_CELL.match(text) or _EXTRA.match(text))


def number(text: str, low: int = 0, high: int = LARGEST_NUMBER) -> int:
    """Parse a plain decimal number from ``low`` to ``high``."""
    if not _NUMBER.match(text) or not low <= int(text) <= high:
        raise FormatError(f"{text[:20]!r}: a number from {low} to {high} is expected")
    return int(text)


def numbers(text: str, low: int = 0, high: int = LARGEST_NUMBER) -> list[int]:
    return [number(part, low, high) for part in text.split("_")]


def segments(board: IssBoard, arguments: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Parse lists of cells separated by the argument ``-``; a list may be empty if an NFA allows it."""
    found: list[list[str]] = [[]]
    for argument in arguments:
        if argument == "-":
            found.append([])
        else:
            found[-1].append(argument)
    return tuple(board.cells(part, 0) for part in found)


def groups(arguments: Sequence[str]) -> Iterable[tuple[str, list[str]]]:
    """Yield the groups of a Pair or NFA with their names: ``_name`` names the next group, "" ends one."""
    name = ""
    found: list[str] = []
    for argument in (*arguments, ""):
        if argument and not argument.startswith("_"):
            found.append(argument)
            continue
        if found:
            yield name, found
        name, found = (decoded(argument[1:]) if argument else name), []
