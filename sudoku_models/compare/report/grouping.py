"""Group puzzles by their file, their side, their clues, the kinds of their rules, or their rating."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...errors import meant
from ...puzzle import Puzzle
from ...puzzle.rules import each
from ...puzzle.rules.words import title_of
from ..rows import Row

if TYPE_CHECKING:
    from .report import Report

PATIENCE = 5.0
"""Seconds for the rating of a puzzle."""
MOST_RANGES = 6
"""If there are more different numbers of clues than this, they are grouped into this number of ranges."""


class RowGroup(NamedTuple):
    """A group: its position among the others, and its name."""

    order: tuple[int | str, ...]
    name: str


Grouping = Callable[["Report", Mapping[str, Row]], Mapping[str, RowGroup]]
"""From a report, and a row of each puzzle by its SHA-256, to the group of each."""


def groups_of(report: Report, by: str) -> dict[str, tuple[Row, ...]]:
    """Return the rows of each group by name, in order; ValueError for an unknown grouping."""
    grouping = GROUPINGS[named_grouping(by)]
    firsts: dict[str, Row] = {}
    for row in report.rows:
        firsts.setdefault(row.sha256, row)
    found = grouping(report, firsts)
    rows: dict[str, list[Row]] = {group.name: [] for group in sorted(set(found.values()))}
    for row in report.rows:
        rows[found[row.sha256].name].append(row)
    return {name: tuple(own) for name, own in rows.items()}


def named_grouping(by: str) -> str:
    """Return the name of a grouping; ValueError for an unknown grouping."""
    if by not in GROUPINGS:
        raise ValueError(f"puzzles are grouped by {', '.join(GROUPINGS)}, not by {by!r}{meant(by, GROUPINGS)}")
    return by


def _by_file(report: Report, firsts: Mapping[str, Row]) -> Mapping[str, RowGroup]:
    order = {source: i for i, source in enumerate(dict.fromkeys(row.source for row in firsts.values()))}
    return {sha: RowGroup((order[row.source],), row.source or "no file") for sha, row in firsts.items()}


def _by_side(report: Report, firsts: Mapping[str, Row]) -> Mapping[str, RowGroup]:
    return {sha: RowGroup((row.side,), f"{row.side} values") for sha, row in firsts.items()}


def _by_clues(report: Report, firsts: Mapping[str, Row]) -> Mapping[str, RowGroup]:
    """Return a group for each number of clues if there are few; otherwise ranges with about equally many puzzles."""
    numbers = sorted(row.clues for row in firsts.values())
    if len(set(numbers)) <= MOST_RANGES:
        return {sha: RowGroup((row.clues,), _clues(row.clues, row.clues)) for sha, row in firsts.items()}
    starts = sorted({numbers[len(numbers) * i // MOST_RANGES] for i in range(MOST_RANGES)})
    ends = [*(start - 1 for start in starts[1:]), numbers[-1]]
    groups = {}
    for sha, row in firsts.items():
        low, high = next((low, high) for low, high in zip(starts, ends, strict=True) if low <= row.clues <= high)
        groups[sha] = RowGroup((low,), _clues(low, high))
    return groups


def _clues(low: int, high: int) -> str:
    return f"{low} clue{'' if low == 1 else 's'}" if low == high else f"{low} to {high} clues"


def _by_rules(report: Report, firsts: Mapping[str, Row]) -> Mapping[str, RowGroup]:
    return {sha: _rules(report.boards.get(sha)) for sha in firsts}


def _rules(puzzle: Puzzle | None) -> RowGroup:
    if puzzle is None:
        return RowGroup((2, ""), "rules unknown")
    names = ", ".join(sorted({title_of(rule) for rule in each(puzzle.rules)}))
    return RowGroup((1, names), names) if names else RowGroup((0, ""), "no rules")


def _by_rating(report: Report, firsts: Mapping[str, Row]) -> Mapping[str, RowGroup]:
    return {sha: _rating(report.boards.get(sha)) for sha in firsts}


def _rating(puzzle: Puzzle | None) -> RowGroup:
    from ...explain import rate

    if puzzle is None:
        return RowGroup((2, 0, 0), "not rated: the puzzle was not kept")
    found = rate(puzzle, time_limit=PATIENCE)
    if found.end in ("contradiction", "several solutions"):
        return RowGroup((2, 1, 0), "not rated: not one solution")
    return RowGroup((0 if found.exact else 1, *found.level), str(found))


GROUPINGS: Mapping[str, Grouping] = {
    "file": _by_file,
    "side": _by_side,
    "clues": _by_clues,
    "rules": _by_rules,
    "rating": _by_rating,
}
"""The ways in which puzzles can be grouped."""
