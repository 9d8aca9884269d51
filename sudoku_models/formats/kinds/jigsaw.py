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
from ..format import REGIONS, Format, cells_text
from ..options import Options
from ..regions import shape_of_labels, touching
from ..source import Line
from .line import each_board, is_skipped

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
    groups: dict[str, list[tuple[int, int]]] = {}
    for cell, label in enumerate(labels):
        groups.setdefault(label, []).append(divmod(cell, side))
    return all(len(touching(places)) == 1 for places in groups.values())


def _puzzle(text: str, lines: Iterator[Line], options: Options) -> Puzzle:
    text = text.strip()
    half = len(text) // 2
    if isqrt(len(text)) ** 2 == len(text):
        following = (text.strip() for _, text in lines if text is not None and not is_skipped(text))
        cells, labels = text, next(following, "")
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


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write the givens on one line and the region labels on another; raise FormatError for other regions."""
    for puzzle in puzzles:
        shape, cells = puzzle.shape, cells_text(puzzle.givens, puzzle.shape, symbols)
        sizes = {len(region) for region in shape.regions}
        if (
            not shape.is_square
            or sizes != {shape.width}
            or len(shape.regions) != shape.width
            or None in shape.region_of
        ):
            raise FormatError(f"{shape} cannot be written in the format jigsaw: n regions of n cells are expected")
        if shape.width > len(_LABELS) or len(cells) != shape.cells:
            raise FormatError(f"{shape} cannot be written in the format jigsaw, which has one character for each cell")
        yield f"{cells}\n" + "".join(_LABELS[region or 0] for region in shape.region_of) + "\n"


JIGSAW = Format(
    "jigsaw",
    "a line of givens, then a line with the region label of each cell",
    read=each_board(_puzzle),
    write=write_all,
    tells=is_jigsaw,
    turn=9,
    holds=frozenset([REGIONS]),
)
