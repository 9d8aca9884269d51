"""Cages that are drawn line by line: the cells that an outline passes through, and those inside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from ...puzzle.drawn import Mark
from .paper import QUARTER, Paper, Place


class Cage(NamedTuple):
    """A drawn cage, and the points of its small numbers."""

    mark: Mark
    sums: tuple[str, ...]


def cages_drawn(
    outline: Mapping[str, Any], small: Mapping[str, Any], paper: Paper, known: Collection[frozenset[Place]]
) -> list[Cage]:
    """Return the cages whose outlines are drawn, except ``known`` ones; a connected outline is one cage."""
    found = []
    for number, cells in enumerate(_groups(outline, paper), start=1):
        whole = cells | _enclosed(cells)
        if any(cells <= group for group in known):
            continue
        sums = {key: item for key, item in small.items() if paper.place(paper.index(key)) in whole}
        texts = [str(item[0]).strip() for item in sums.values() if isinstance(item, list) and item]
        places = sorted(whole)
        centre = tuple(sum(axis) / len(places) + 0.5 for axis in zip(*places, strict=True))
        names = tuple(f"R{row + 1}C{column + 1}" for row, column in places)
        mark = Mark(f"cage {number}", (centre[0], centre[1]), text=" ".join(texts)[:40], cells=names)
        found.append(Cage(mark, tuple(sums)))
    return found


def _groups(outline: Mapping[str, Any], paper: Paper) -> list[set[Place]]:
    """Return the cells of the board that each connected outline passes through."""
    beside: dict[int, set[int]] = defaultdict(set)
    for key in outline:
        ends = [paper.index(end) for end in key.split(",")]
        if len(ends) == 2 and all(paper.kind(end) == QUARTER for end in ends):
            beside[ends[0]].add(ends[1])
            beside[ends[1]].add(ends[0])
    groups, left = [], set(beside)
    while left:
        waiting, reached = [min(left)], {min(left)}
        while waiting:
            more = beside[waiting.pop()] - reached
            reached |= more
            waiting += more
        left -= reached
        places = {paper.place(point) for point in reached}
        inside = {(r, c) for r, c in places if 0 <= r < paper.height and 0 <= c < paper.width}
        groups += [inside] if inside else []
    return groups


def _enclosed(cells: set[Place]) -> set[Place]:
    """Return the cells that are enclosed by other cells."""
    rows, columns = ({place[axis] for place in cells} for axis in (0, 1))
    box = {(r, c) for r in range(min(rows) - 1, max(rows) + 2) for c in range(min(columns) - 1, max(columns) + 2)}
    start = (min(rows) - 1, min(columns) - 1)
    outside, waiting = {start}, [start]
    while waiting:
        r, c = waiting.pop()
        for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if near in box and near not in cells and near not in outside:
                outside.add(near)
                waiting.append(near)
    return box - cells - outside
