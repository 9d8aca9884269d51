"""What kinds of rules say about themselves beside their meaning: where to place them, and how to split them.

Each is an attribute of the class (``placing``, ``split``); see ``Rule`` for the others, which are plain texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rule_base import Rule

Split = Callable[[Any], Iterator["Rule"]]
"""Returns several weaker rules that together say the same as a rule."""


@dataclass(frozen=True)
class Placing:
    """Where rules of a kind can be placed at random: ``line``, ``cage``, ``couple``, ``single``, ``outside``, ...

    A line or a cage has ``least`` to ``most`` cells, on boards for easy puzzles ``easy`` (the same). ``number`` is the
    field that takes the number that holds there; it is one of ``values``, or any number.
    """

    place: str
    least: int = 0
    most: int = 0
    number: str = ""
    values: tuple[int, ...] = ()
    easy: tuple[int, int] | None = None


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
