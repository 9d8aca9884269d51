"""Formats of single programs for 9 x 9 boards: killer puzzles on one line in two forms, sdx and ss.

Killer, short: 81 characters; a pointer joins its cell to the cage of a neighbour, a head holds the sum: 0-9, A-Z =
10-35, a-j = 36-45. Long: ``3x3:`` ``d`` or nothing ``:k:``, 81 times sum * 256 + cage number, each and ``:``.
sdx: nine rows of nine words; a single digit is a given, ``u`` and a digit is the solver's entry, longer words are the
solver's candidates, which are not part of the puzzle. ss: nine rows between drawn bars.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.puzzle import Puzzle
from ...puzzle.shape import Shape
from ..cells import Options
from ..format import ALL, Format, cells_text, each
from ..regions import grouped
from ..source import Line
from .grid import read_grids
from .line import Found, each_board

LONG, SHORT, SDX = "killer", "killer-short", "sdx"

_POINTERS = {
    "<": (0, -1),
    ">": (0, 1),
    "^": (-1, 0),
    "v": (1, 0),
    "`": (-1, -1),
    "'": (-1, 1),
    ",": (1, -1),
    ".": (1, 1),
}
_SUMS = string.digits + string.ascii_uppercase + "abcdefghij"
_LONG = re.compile(r"3x3:(d?):k:((?:\d{1,6}:){80}\d{1,6}):?\Z", re.IGNORECASE)
_LIKE_LONG = re.compile(r"3x3:d?:k:", re.IGNORECASE)
_MOST = 1_000
"""The largest length of a killer puzzle, in characters including blanks."""
_NOTE = re.compile(r"\s#.*", re.DOTALL)
_ROW = re.compile(r"[<>^v`',.0-9A-Za-j]{9}\Z")
_SHORT = re.compile(r"[<>^v`',.0-9A-Za-j]{81}\Z")
_CERTAIN = re.compile(r"[<>^`']")
_LIKELY = re.compile(r"[v,]")
_NINE = Shape.square(9)


def is_killer(text: str) -> bool:
    """Return whether a line is a killer puzzle in one of the two forms, or a row of one with unmistakable pointers."""
    bare = bare_killer(text)
    if _LIKE_LONG.match(bare):
        return True
    certain = bool(_CERTAIN.search(bare))
    return (bool(_SHORT.match(bare)) and (certain or _leads(bare))) or (certain and bool(_ROW.match(bare)))


def bare_killer(text: str) -> str:
    """Remove blanks and a comment (# after a blank) from a line, of which only the length of a killer is examined."""
    return "".join(_NOTE.sub("", text[:_MOST]).split())


def _leads(text: str) -> bool:
    """Return whether 81 characters, with pointers that occur in other texts too (v and comma), all lead to a sum."""
    try:
        return bool(_LIKELY.search(text)) and all(_head(text, cell) >= 0 for cell in range(81))
    except FormatError:
        return False


def read_killer(text: str, lines: Iterator[Line], options: Options) -> Puzzle:
    """Read either form from a line; pointers may also be in nine lines of nine.

    Raises FormatError for loops, pointers that leave the board, and inconsistent numbers.
    """
    text = bare_killer(text)
    while len(text) < 81 and (following := next(lines, None)):
        text += bare_killer(following[1] or "")
    text = bare_killer(text)
    rules = _long(text) if _LIKE_LONG.match(text) else _short(text)
    return Puzzle(_NINE, (None,) * 81, rules=tuple(rules))


def _long(text: str) -> Iterator[r.Rule]:
    match = _LONG.match(text)
    if not match:
        raise FormatError("a killer puzzle in the long form: 3x3::k: and 81 numbers between colons are expected")
    cages: dict[int, list[int]] = {}
    totals: dict[int, int] = {}
    for cell, number in enumerate(map(int, match[2].split(":"))):
        total, cage = divmod(number, 256)
        if total and totals.setdefault(cage, total) != total:
            raise FormatError(f"cage {cage} has two sums: {totals[cage]} and {total}", cell=_NINE.names[cell])
        if total:
            cages.setdefault(cage, []).append(cell)
    if match[1]:
        yield from (r.Diagonal(False), r.Diagonal(True))
    for cage, cells in cages.items():
        yield _cage(cells, totals[cage])


def _short(text: str) -> Iterator[r.Rule]:
    if len(text) != 81:
        raise FormatError(f"{len(text)} characters: a killer puzzle has 81 pointers and sums")
    cages = grouped((_head(text, cell), cell) for cell in range(81))
    for head, cells in sorted(cages.items(), key=lambda item: item[1][0]):
        total = _SUMS.index(text[head])
        if total or len(cells) > 1:
            yield _cage(cells, total or None)


def _head(text: str, cell: int) -> int:
    """Follow the pointers from a cell to the one that holds the sum."""
    start = cell
    for _ in range(81):
        if text[cell] not in _POINTERS:
            if text[cell] not in _SUMS:
                raise FormatError(f"{text[cell]!r} is neither a pointer nor a sum", cell=_NINE.names[cell])
            return cell
        row, column = (a + b for a, b in zip(divmod(cell, 9), _POINTERS[text[cell]], strict=True))
        if not (0 <= row < 9 and 0 <= column < 9):
            raise FormatError("the pointer leaves the board", cell=_NINE.names[cell])
        cell = row * 9 + column
    raise FormatError("the pointers form a loop", cell=_NINE.names[start])


def _cage(cells: Iterable[int], total: int | None) -> r.KillerCage:
    return r.KillerCage(tuple(_NINE.names[cell] for cell in cells), total)


def write_killer_long(puzzle: Puzzle) -> str:
    """Write the long form; raise FormatError for what it cannot hold: cages without a sum, givens, other rules."""
    diagonals = [rule for rule in puzzle.rules if isinstance(rule, r.Diagonal)]
    cages = _cages(puzzle, [rule for rule in puzzle.rules if not isinstance(rule, r.Diagonal)], LONG)
    if len({rule.rising for rule in diagonals}) == 1:
        raise FormatError("a single diagonal cannot be written in the format killer: only both or none")
    if len(cages) > 255 or any(total is None for _, total in cages):
        raise FormatError("a cage without a sum, or more than 255 cages, cannot be written in the format killer")
    numbers = [0] * 81
    for number, (cells, total) in enumerate(cages, start=1):
        for cell in cells:
            numbers[cell] = (total or 0) * 256 + number
    return f"3x3:{'d' if diagonals else ''}:k:" + "".join(f"{number}:" for number in numbers)


def write_killer_short(puzzle: Puzzle) -> str:
    """Write the short form; raise FormatError for what it cannot hold: cages in several pieces, givens, other rules."""
    signs = ["0"] * 81
    for cells, total in _cages(puzzle, puzzle.rules, SHORT):
        signs[cells[0]] = _SUMS[total or 0]
        left, reached = set(cells[1:]), [cells[0]]
        for goal in reached:  # every other cell points to one that leads to the first
            for sign, (down, right) in _POINTERS.items():
                row, column = goal // 9 - down, goal % 9 - right
                cell = row * 9 + column
                if 0 <= row < 9 and 0 <= column < 9 and cell in left:
                    left.discard(cell)
                    signs[cell] = sign
                    reached.append(cell)
        if left:
            raise FormatError(f"the cage of {_NINE.names[cells[0]]} is in several pieces: pointers cannot join it")
    return "".join(signs)


def _cages(puzzle: Puzzle, rules: Iterable[r.Rule], name: str) -> list[tuple[list[int], int | None]]:
    """Return the cells, in order, and the sum of each cage; raise FormatError if the puzzle has anything else."""
    if puzzle.shape != _NINE:
        raise FormatError(f"{puzzle.shape} cannot be written in the format {name}: 9 x 9 is expected")
    if puzzle.clues or puzzle.candidates:
        raise FormatError(f"givens and candidates cannot be written in the format {name}")
    found: list[tuple[list[int], int | None]] = []
    seen: set[int] = set()
    for rule in rules:
        if not isinstance(rule, r.KillerCage):
            raise FormatError(f"the rule {type(rule).__name__} cannot be written in the format {name}")
        cells = sorted(map(_NINE.cell, rule.cells))
        if seen.intersection(cells) or len(set(cells)) < len(cells):
            raise FormatError(f"cages that share a cell cannot be written in the format {name}")
        if rule.total is not None and not 1 <= rule.total <= 45:
            raise FormatError(f"the sum {rule.total} of a cage cannot be written in the format {name}")
        seen.update(cells)
        found.append((cells, rule.total))
    return found


KILLER_FORMAT = Format(
    LONG,
    "9 x 9 cages with sums, one puzzle on each line: 3x3::k: and 81 numbers",
    read=each_board(read_killer),
    write=each(LONG, write_killer_long),
    tells=is_killer,
    turn=8,
    holds=ALL,
)
KILLER_SHORT_FORMAT = Format(
    SHORT,
    "9 x 9 cages with sums, one puzzle on each line: 81 pointers and sums",
    read=each_board(read_killer),
    write=each(SHORT, write_killer_short),
    holds=ALL,
)

_WORD = re.compile(r"[1-9]{1,9}\Z|u[1-9]\Z|[.0]\Z")


def is_sdx(text: str) -> bool:
    """Return whether a line is a row with an entry of the solver."""
    words = text.split()
    return len(words) == 9 and all(map(_WORD.match, words)) and any(word[0] == "u" for word in words)


def read_sdx(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read boards of nine rows of words: a cell with an entry or candidates is open."""
    shape = options.square(9)

    def rows() -> Iterator[Line]:
        for number, text in lines:
            words = (text or "").split()
            open_or_given = (word if len(word) == 1 or not _WORD.match(word) else "." for word in words)
            yield number, None if text is None else " ".join(open_or_given)

    return read_grids(rows(), replace(options, shape=shape))


def write_sdx(puzzle: Puzzle) -> str:
    """Write nine lines, with all candidates in open cells; raise FormatError for boards other than 9 x 9."""
    if puzzle.shape.cells != 81 or not puzzle.shape.is_square:
        raise FormatError(f"sdx holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
    words = ["123456789" if value is None else str(value) for value in puzzle.givens]
    return "".join(" ".join(words[i : i + 9]) + "\n" for i in range(0, len(words), 9))


SDX_FORMAT = Format(
    SDX,
    "nine lines of nine words: a given, u and an entry, or candidates",
    read=read_sdx,
    write=each(SDX, write_sdx),
    tells=is_sdx,
    turn=11,
    extensions=(".sdx",),
    states_boxes=False,
)


def write_ss(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write boards of nine lines between bars and dashes."""
    for i, puzzle in enumerate(puzzles):
        if puzzle.shape != Shape.square(9):
            raise FormatError(f"ss holds 9 x 9 puzzles: {puzzle.shape} cannot be written")
        line = cells_text(puzzle.givens, puzzle.shape, symbols)
        rows = ["|" + "|".join(line[j : j + 3] for j in range(r, r + 9, 3)) + "|" for r in range(0, 81, 9)]
        bands = "\n|---+---+---|\n".join("\n".join(rows[r : r + 3]) for r in (0, 3, 6))
        yield ("\n" if i else "") + f"*-----------*\n{bands}\n*-----------*\n"


SS_FORMAT = Format(
    "ss",
    "nine lines between drawn bars, as Simple Sudoku prints them",
    read=read_grids,
    write=write_ss,
    extensions=(".ss",),
)
