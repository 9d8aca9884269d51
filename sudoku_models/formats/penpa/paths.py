"""Joins pieces of lines to complete lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...puzzle.drawn import Point

Piece = tuple[Point, Point]


def joined(pieces: Sequence[Piece]) -> list[tuple[Point, ...]]:
    """Join pieces at points where exactly two meet; a line ends where one or more than two meet.

    A closed line begins and ends at its first point. Points inside a straight stretch are left out.
    """
    at: dict[Point, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces):
        for end in piece:
            at[end].append(number)
    left, found = set(range(len(pieces))), []
    ends = [point for point in sorted(at) if len(at[point]) != 2]
    for start in (*ends, *sorted(at)):
        while any(number in left for number in at[start]):
            found.append(_straightened(_walked(start, pieces, at, left)))
    return found


def _walked(start: Point, pieces: Sequence[Piece], at: dict[Point, list[int]], left: set[int]) -> list[Point]:
    points = [start]
    while (number := next((number for number in at[points[-1]] if number in left), None)) is not None:
        left.discard(number)
        first, second = pieces[number]
        points.append(second if points[-1] == first else first)
        if len(at[points[-1]]) != 2:
            break
    return points


def _straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    kept = list(points[:1])
    for point, following in zip(points[1:], [*points[2:], None], strict=True):
        if following is None or not _are_in_line(kept[-1], point, following):
            kept.append(point)
    return tuple(kept)


def _are_in_line(a: Point, b: Point, c: Point) -> bool:
    return abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) < 1e-9
