"""Irregular regions: a line of givens, then a line with the region label of each cell (or both on one line)."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isqrt

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..cells import FILLERS, from_symbols
from ..format import REGIONS, Format
from ..lettering import cells_text
from ..options import Options
from ..regions import shape_of_labels
from ..source import Line, too_long
from .line import Found, as_format_error, is_skipped

_BETWEEN = " \t;,:|"
_LABELS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CELLS = 81
_SYMBOLS = frozenset(string.digits + string.ascii_letters + FILLERS) - {" "}
_LONGEST = 2 * len(_LABELS) ** 2 + 9


def is_jigsaw(text: str) -> bool:
    """Return whether a line holds the cells of a board and then the labels of its regions."""
    text = text.strip() if len(text) <= 2 * _LONGEST else ""
    side = isqrt(len(text) // 2)
    cells, labels = text[: side * side], text[side * side :].strip(_BETWEEN)
    if side < 4 or len(labels) != side * side or len(text) > 2 * side * side + 9 or not _SYMBOLS.issuperset(cells):
        return False
    if side * side == _CELLS:
        return set(Counter(labels).values()) == {side} and not set(cells).difference("0123456789.")
    return is_layout(labels)


def is_layout(text: str) -> bool:
    """Return whether a line holds labels of n connected regions of n cells; givens or a solution never do."""
    labels = text.strip() if len(text) <= _LONGEST else ""
    side = isqrt(len(labels))
    if side < 4 or side * side != len(labels) or not labels.isalnum() or set(Counter(labels).values()) != {side}:
        return False
    return all(len(_connected(labels, labels.index(label), side)) == side for label in set(labels))


def _connected(labels: str, start: int, side: int) -> set[int]:
    """Return the cells with the label of ``start`` that are connected to it by edges."""
    found, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        near = [
            cell - side,
            cell + side,
            *([cell - 1] if cell % side else []),
            *([cell + 1] if (cell + 1) % side else []),
        ]
        for other in near:
            if 0 <= other < len(labels) and labels[other] == labels[start] and other not in found:
                found.add(other)
                waiting.append(other)
    return found


def read_jigsaws(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read puzzles of one or two lines each; a puzzle that cannot be read becomes a FormatError."""
    for number, text in lines:
        if text is None:
            yield number, too_long()
        elif not is_skipped(text):
            try:
                yield number, _puzzle(text.strip(), lines, options)
            except ValueError as error:
                yield number, as_format_error(error)


def _puzzle(text: str, lines: Iterator[Line], options: Options) -> Puzzle:
    half = len(text) // 2
    if isqrt(len(text)) ** 2 == len(text):
        cells, labels = text, _following(lines)
    else:
        cells, labels = text[: isqrt(half) ** 2], text[isqrt(half) ** 2 :].strip(_BETWEEN)
    side = isqrt(len(cells))
    if len(labels) != len(cells) or not 1 <= side <= len(_LABELS):
        raise FormatError(f"{len(cells)} cells and {len(labels)} region labels: as many labels as cells are expected")
    counts = Counter(labels)
    wrong = next((label for label, count in counts.items() if count != side), None)
    if wrong is not None:
        raise FormatError(f"region {wrong!r} has {counts[wrong]} cells: {side} are expected")
    shape = shape_of_labels(side, labels)
    return Puzzle(shape, from_symbols(cells, shape, replace(options, shape=None)))


def _following(lines: Iterator[Line]) -> str:
    return next((text.strip() for _, text in lines if text is not None and not is_skipped(text)), "")


def write_jigsaw(puzzle: Puzzle, cells: str) -> str:
    """Write the line of givens, and a line of labels; raise FormatError for other regions."""
    shape = puzzle.shape
    sizes = {len(region) for region in shape.regions}
    if not shape.is_square or sizes != {shape.width} or len(shape.regions) != shape.width or None in shape.region_of:
        raise FormatError(f"{shape} cannot be written in the format jigsaw: n regions of n cells are expected")
    if shape.width > len(_LABELS) or len(cells) != shape.cells:
        raise FormatError(f"{shape} cannot be written in the format jigsaw, which has one character for each cell")
    return f"{cells}\n" + "".join(_LABELS[region or 0] for region in shape.region_of) + "\n"


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the givens on one line and the region labels on another."""
    for puzzle in puzzles:
        yield write_jigsaw(puzzle, cells_text(puzzle.givens, puzzle.shape, symbols))


JIGSAW = Format(
    "jigsaw",
    "a line of givens, then a line with the region label of each cell",
    read=read_jigsaws,
    write=write_all,
    tells=is_jigsaw,
    turn=9,
    holds=frozenset([REGIONS]),
)
