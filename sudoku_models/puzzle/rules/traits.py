"""What kinds of rules say about themselves beside their meaning: where to place them, and how to split them.

Each is an attribute of the class (``placing``, ``split``); see ``Rule`` for the others, which are plain texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ...dataclass import dataclass

if TYPE_CHECKING:
    from .rule_base import Rule

Split = Callable[[Any], Iterator["Rule"]]
"""Returns several weaker rules that together say the same as a rule."""


@dataclass(frozen=True)
class Placing:
    """Where rules of a kind lie on a board, and what they state there.

    ``place`` is a ``line``, a line grown from its ``middle``, a ``cage``, a ``couple`` of neighbours, a ``single``
    cell, a ``row or column``, one seen from ``outside``, a ``diagonal``, or some cells ``anywhere``; with ``least`` to
    ``most`` cells, on boards for easy puzzles ``easy`` (the same), in at least so many ``regions``. ``number`` is the
    field whose ``value`` follows from the values of the cells (None: nothing can be stated there). ``grows`` says that
    with such a place every beginning of it, or every inner part of a line grown from its middle, keeps the rule too.
    """

    place: str
    least: int = 0
    most: int = 0
    number: str = ""
    value: Callable[[Sequence[int]], int | None] | None = None
    easy: tuple[int, int] | None = None
    grows: bool = False
    regions: int = 1


def neighbours(size: int) -> Split:
    """Split a line into each run of ``size`` neighbours."""

    def split(rule: Any) -> Iterator[Rule]:
        cells = rule.cells
        return (replace(rule, cells=cells[i : i + size]) for i in range(len(cells) - size + 1))

    return split


def within(size: int) -> Split:
    """Split a line into every two cells that are less than ``size`` places apart."""

    def split(rule: Any) -> Iterator[Rule]:
        line = enumerate(rule.cells)
        return (replace(rule, cells=(a, b)) for (i, a), (k, b) in combinations(line, 2) if k - i < size)

    return split


def every_two(rule: Any) -> Iterator[Rule]:
    """Split a line into every two cells."""
    return within(len(rule.cells))(rule)


def mirrored(rule: Any) -> Iterator[Rule]:
    """Split a line into every two cells equally far from the middle."""
    cells = rule.cells
    return (replace(rule, cells=(cells[i], cells[-1 - i])) for i in range(len(cells) // 2))


def inner(rule: Any) -> Iterator[Rule]:
    """Split a line into every inner cell with the two ends."""
    first, *between, last = rule.cells
    return (replace(rule, cells=(first, cell, last)) for cell in between)
