"""The context for reading single constraints, and parsers for their arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ...errors import FormatError
from ...model import Domain
from ...puzzle.rules.board import Board
from ...puzzle.rules.rule_base import Rule
from ...puzzle.rules.steps import Steps
from ...puzzle.shape import Shape
from .iss_board import BoardText
from .tokens import decoded

LARGEST = 1_000_000
MOST_ARGUMENTS = 5_000
SIGNS = "123456789abcdefg"
"""Row and column numbers 1 to 16, one character each."""
_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])\Z")
_EXTRA = re.compile(r"((?:V|CC|DG)[A-Z]*)([1-9][0-9]{0,3})?\Z")
_LINE = re.compile(r"([RC])([1-9a-gA-G])\Z")
_NUMBER = re.compile(r"(?:0|-?[1-9][0-9]{0,6})\Z")

Move = tuple[str, int, int]
"""The rows and columns by which cells of a group ("" is the grid) are moved."""


@dataclass(frozen=True)
class IssContext:
    """The board being read, with its extra cells, and the distance by which the cells of a template are moved.

    ``steps`` limits the work for all patterns and automata, ``ways`` for nondeterministic automata.
    """

    text: BoardText
    board: Board
    ties: bool = False
    move: Move | None = None
    steps: Steps = field(default_factory=Steps, compare=False)
    ways: Steps = field(default_factory=Steps, compare=False)

    @property
    def shape(self) -> Shape:
        """The shape of the grid."""
        return self.text.shape

    @property
    def values(self) -> Domain:
        """The values of the grid."""
        return self.shape.values

    def cell(self, text: str) -> str:
        """Return the name of a cell; raise FormatError if there is no such cell, or if it is moved off the board."""
        name = cell_name(text)
        if self.move is None and name in self.board:
            return name
        try:
            group, row, column = self.board.place(name)
        except KeyError:
            raise FormatError(f"{text[:30]!r} is not a cell of the board") from None
        if self.move is None:
            return name
        if group != self.move[0]:
            raise FormatError(f"{text} is in another group than the origin of its Replicate")
        moved = self.board.at(group, row + self.move[1], column + self.move[2])
        if moved is None:
            raise FormatError(f"Replicate moves {text} off the board")
        return moved

    def cells(self, arguments: Sequence[str], least: int = 1) -> tuple[str, ...]:
        """Return cells; raise FormatError if there are fewer than ``least``, or too many."""
        if not least <= len(arguments) <= MOST_ARGUMENTS:
            raise FormatError(f"{len(arguments)} cells: {least} to {MOST_ARGUMENTS} are expected")
        return tuple(map(self.cell, arguments))

    def grid_cell(self, text: str) -> str:
        """Return a cell of the grid."""
        found = self.cell(text)
        if self.board.place(found)[0]:
            raise FormatError(f"{text} is not a cell of the grid")
        return found

    def line(self, text: str) -> tuple[str, ...]:
        """Return the cells of a row (R1) or column (C1)."""
        match = _LINE.match(text)
        if not match:
            raise FormatError(f"{text[:20]!r} is not a row or column: R1 or C1 is expected")
        try:
            return self.board.line(f"{match[1]}{SIGNS.index(match[2].lower()) + 1}")
        except ValueError as error:
            raise FormatError(str(error)) from None

    def need_digits(self) -> None:
        """Raise FormatError unless the values are 1 to 9."""
        if self.values != tuple(range(1, 10)):
            raise FormatError(f"the values 1 to 9 are expected, not {self.values[0]} to {self.values[-1]}")


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


def number(text: str, low: int = 0, high: int = LARGEST) -> int:
    """Parse a plain decimal number from ``low`` to ``high``."""
    if not _NUMBER.match(text) or not low <= int(text) <= high:
        raise FormatError(f"{text[:20]!r}: a number from {low} to {high} is expected")
    return int(text)


def expect_none(arguments: Sequence[str]) -> None:
    """Raise FormatError for arguments that are not empty."""
    if any(arguments):
        raise FormatError(f"no arguments are expected, not {'~'.join(arguments)[:30]}")


def numbers(text: str, low: int = 0, high: int = LARGEST) -> list[int]:
    """Parse numbers joined by ``_``."""
    return [number(part, low, high) for part in text.split("_")]


def segments(context: IssContext, arguments: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Parse lists of cells separated by the argument ``-``; a list may be empty if an NFA allows it."""
    return tuple(context.cells(part, 0) for part in _parted(arguments, lambda text: text == "-"))


def groups(arguments: Sequence[str]) -> Iterable[tuple[str, list[str]]]:
    """Yield the groups of a Pair or NFA with their names: ``_name`` names the next group, "" ends one."""
    name, found = "", list[str]()
    for argument in (*arguments, ""):
        if argument and not argument.startswith("_"):
            found.append(argument)
            continue
        if found:
            yield name, found
        name, found = (decoded(argument[1:]) if argument else name), []


def _parted(arguments: Sequence[str], ends: Callable[[str], bool]) -> Iterable[list[str]]:
    found = list[str]()
    for argument in arguments:
        if ends(argument):
            yield found
            found = []
        else:
            found.append(argument)
    yield found


Reader = Callable[[IssContext, tuple[str, ...]], Iterable[Rule]]
