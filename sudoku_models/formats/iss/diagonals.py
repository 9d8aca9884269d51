"""Reads the ISS clues outside the grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from ...errors import FormatError
from ...puzzle import rules as r
from ...puzzle.rules.rule_base import Rule
from .context import IssContext, Reader, number

Arguments = tuple[str, ...]


def _two_ended(kind: Any, low: int = 1) -> Reader:
    def read(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
        """Yield a rule for each end of a line that has a clue."""
        if not 1 <= len(arguments) <= 3:
            raise FormatError("a line and clues at its ends are expected")
        cells = context.line(arguments[0])
        for clue, line in zip(arguments[1:], (cells, cells[::-1]), strict=False):
            if clue:
                yield kind(context, line, number(clue, low))

    return read


def _plain(kind: Any) -> Callable[[IssContext, tuple[str, ...], int], Rule]:
    def make(context: IssContext, cells: tuple[str, ...], clue: int) -> Rule:
        found: Rule = kind(cells, clue)
        return found

    return make


def _full_rank(context: IssContext, cells: tuple[str, ...], clue: int) -> Rule:
    if clue > 4 * context.shape.width:
        raise FormatError(f"the rank {clue}: 1 to {4 * context.shape.width} are possible")
    return r.FullRank(cells, clue, context.ties)


def _sandwich(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) != 2:
        raise FormatError("a sum and a line are expected")
    yield r.Sandwich(context.line(arguments[1]), number(arguments[0]))


def _little_killer(context: IssContext, arguments: Arguments) -> Iterator[Rule]:
    if len(arguments) != 2:
        raise FormatError("a sum and a cell are expected")
    found = diagonals(context.shape.height, context.shape.width).get(context.grid_cell(arguments[1]))
    if found is None:
        raise FormatError(f"no diagonal starts at {arguments[1]}")
    yield r.LittleKiller(found, number(arguments[0]))


@lru_cache(maxsize=64)
def diagonals(height: int, width: int) -> dict[str, tuple[str, ...]]:
    """Return every diagonal of two or more cells, by its only legal start."""
    starts = [(i, 1, 1, 1) for i in range(1, height)]
    starts += [(i, width, -1, -1) for i in range(2, height)]
    starts += [(1, i, 1, -1) for i in range(2, width + 1)]
    starts += [(height, i, -1, 1) for i in range(2, width)]
    found: dict[str, tuple[str, ...]] = {}
    known: set[frozenset[str]] = set()
    for row, column, down, right in starts:
        cells = []
        while 1 <= row <= height and 1 <= column <= width:
            cells.append(f"R{row}C{column}")
            row, column = row + down, column + right
        if len(cells) > 1 and frozenset(cells) not in known and cells[0] not in found:
            known.add(frozenset(cells))
            found[cells[0]] = tuple(cells)
    return found


OUTSIDE: dict[str, Reader] = {
    "XSum": _two_ended(_plain(r.XSum)),
    "Skyscraper": _two_ended(_plain(r.Skyscraper)),
    "FullRank": _two_ended(_full_rank),
    "HiddenSkyscraper": _two_ended(_plain(r.HiddenSkyscraper), 0),
    "NumberedRoom": _two_ended(_plain(r.NumberedRoom), 0),
    "Sandwich": _sandwich,
    "LittleKiller": _little_killer,
}
"""Clues outside the grid: allowed in Or and And, not in Replicate; at the top level the last clue at an end wins."""
