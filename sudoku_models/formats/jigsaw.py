"""Irregular regions: a line of givens, then a line with the region's label of each cell (or both on one line)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .cells import from_symbols
from .line import Found, as_format_error, is_skipped
from .options import Options
from .regions import shape_of_labels
from .source import Line, too_long

_BETWEEN = " \t;,:|"
_LABELS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CELLS = 81


def is_jigsaw(text: str) -> bool:
    """Tell whether a line holds 81 cells and the labels of nine regions of nine cells."""
    if not 2 * _CELLS <= len(text.strip()) <= 2 * _CELLS + 9:
        return False
    cells, labels = text.strip()[:_CELLS], text.strip()[_CELLS:].strip(_BETWEEN)
    counts = Counter(labels)
    return not set(cells).difference("0123456789.") and len(labels) == _CELLS and set(counts.values()) == {9}


def read_jigsaws(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read puzzles of two lines each, or of one; a puzzle that cannot be read is a FormatError."""
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
    """Write a line of givens, as already written, and a line of labels; FormatError for other regions."""
    shape = puzzle.shape
    sizes = {len(region) for region in shape.regions}
    if not shape.is_square or sizes != {shape.width} or len(shape.regions) != shape.width or None in shape.region_of:
        raise FormatError(f"{shape} cannot be written in the format jigsaw: n regions of n cells are expected")
    if shape.width > len(_LABELS) or len(cells) != shape.cells:
        raise FormatError(f"{shape} cannot be written in the format jigsaw: one character a cell")
    return f"{cells}\n" + "".join(_LABELS[region or 0] for region in shape.region_of) + "\n"
