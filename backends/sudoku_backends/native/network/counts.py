"""Counts over the same variables."""

from __future__ import annotations

from functools import lru_cache

from ..kernel import layout
from . import diagrams
from .draft import Draft, Occurrences, bits_in
from .stating import add_counting

MOST_CELLS = 8
MOST_COUNTS = 15
MOST_STATES = 2_000
MOST_WAYS = 3
KEPT = 1024
"""The number of lists of cells whose ways are kept from model to model."""
ANY = 15
"""Any number of letters: more than MOST_CELLS."""


def counts_together(draft: Draft) -> int:
    """Read counts over the same few variables, compared with numbers, by one automaton."""
    done = 0
    for key, group in draft.counts.items():
        fixed = [c for c in group if c.y < 0 and c.op != layout.UNEQUAL]
        xs = group[0].xs
        if xs and 0 < len(fixed) <= MOST_COUNTS and len(xs) <= MOST_CELLS and (len(fixed) > 1 or len(xs) <= 4):
            masks = tuple([draft.start[x] for x in xs])
            made = diagrams.of_counts(masks, tuple(map(_span, fixed)), MOST_STATES)
            if made is not None:
                diagrams.add_diagram(draft, xs, made)
                draft.counts[key] = [c for c in group if c not in fixed or _worth_keeping(c)]
                done += 1
    return done


def _span(c: Occurrences) -> tuple[int, int, int]:
    """Return a mask, and the least and the greatest number of letters that are in it."""
    least = 0 if c.op == layout.AT_MOST else c.shift
    return c.mask, least, ANY if c.op == layout.AT_LEAST else c.shift


def _worth_keeping(c: Occurrences) -> bool:
    """Return whether to keep a count: one of a value that needs places says more about peers than the automaton."""
    return c.mask & (c.mask - 1) == 0 and c.op != layout.AT_MOST


def counts_alone(draft: Draft) -> None:
    """Add the counts that are left, each with ways to cut its cells into groups that are all different."""
    for group in draft.counts.values():
        for c in group:
            add_counting(draft, c, _ways(draft, c))


def _ways(draft: Draft, c: Occurrences) -> list[int]:
    if c.mask & (c.mask - 1) or len(set(c.xs)) < len(c.xs):
        return [0]
    found: list[int] = draft.remembered(("ways", c.xs), lambda: _flat_ways(draft, c.xs))
    return found


def _flat_ways(draft: Draft, xs: tuple[int, ...]) -> list[int]:
    whole = sum([1 << x for x in xs])
    once = twice = 0
    for x in xs:
        twice |= once & draft.houses_with[x]
        once |= draft.houses_with[x]
    return listed_ways(xs, whole, tuple([draft.houses[i].whole & whole for i in bits_in(twice)]))


@lru_cache(KEPT)
def listed_ways(xs: tuple[int, ...], whole: int, shared: tuple[int, ...]) -> list[int]:
    """Return ways to cut variables into groups, as in a record, from the variables that each house shares with them."""
    unused = list(shared)
    ways = [way for _ in range(MOST_WAYS) if (way := _way(xs, whole, unused))]
    flat = [len(ways)]
    for way in ways:
        flat += [len(way), *(n for group in way for n in (len(group), *group))]
    return flat


def _way(xs: tuple[int, ...], left: int, unused: list[int]) -> list[list[int]]:
    """Cut variables by unused houses, the house with most of them first; return an empty list if none helps."""
    groups: list[list[int]] = []
    while left and unused:
        counts = [(house & left).bit_count() for house in unused]
        most = max(counts)
        if most < 2:
            break
        inside = unused.pop(counts.index(most)) & left
        groups.append([x for x in xs if inside & (1 << x)])
        left &= ~inside
    return groups and groups + [[x] for x in xs if left & (1 << x)]
