"""Counts over the same variables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..kernel import layout
from . import diagrams
from .draft import Counting, Draft
from .frame import House
from .stating import add_counting

MOST_CELLS = 8
MOST_STATES = 2_000
MOST_WAYS = 3


def counts_together(draft: Draft) -> int:
    """Counts over the same few variables, compared with numbers, are read by one automaton."""
    done = 0
    for key, group in draft.counts.items():
        fixed = [c for c in group if c.y < 0 and c.op != layout.UNEQUAL]
        xs = group[0].xs
        if fixed and len(xs) <= MOST_CELLS and (len(fixed) > 1 or len(xs) <= 4):
            layers = _automaton(tuple(draft.start[x] for x in xs), tuple((c.mask, c.op, c.shift) for c in fixed))
            if layers is not None:
                diagrams.add_diagram(draft, xs, layers)
                draft.counts[key] = [c for c in group if c not in fixed or _worth_keeping(c)]
                done += 1
    return done


def _worth_keeping(c: Counting) -> bool:
    """A count of one value, which needs places, knows more about peers than the automaton."""
    return c.mask & (c.mask - 1) == 0 and c.op != layout.AT_MOST


@lru_cache(diagrams.KEPT)
def _automaton(domains: tuple[int, ...], group: tuple[tuple[int, int, int], ...]) -> diagrams.Layers | None:
    """Return the words that satisfy counts, each a mask, an operator and a number; None: too many states."""

    def step(i: int, state: diagrams.State) -> Mapping[diagrams.State, int]:
        left = len(domains) - i - 1
        found: dict[diagrams.State, int] = {}
        for bit in diagrams.bits_of(domains[i]):
            assert isinstance(state, tuple)
            after = _after(state, bit, group, left)
            if after is not None:
                found[after] = found.get(after, 0) | bit
        return found

    layers = diagrams.explored(len(domains), (0,) * len(group), step, MOST_STATES)
    return None if layers is None else diagrams.merged(layers, None)


def _after(
    counted: tuple[int, ...], bit: int, group: tuple[tuple[int, int, int], ...], left: int
) -> tuple[int, ...] | None:
    """Return what is counted after one more letter; None when one of the counts cannot come out right any more."""
    found = []
    for before, (mask, op, wanted) in zip(counted, group, strict=True):
        number = before + bool(mask & bit)
        if (op in (layout.EQUAL, layout.AT_MOST) and number > wanted) or (
            op in (layout.EQUAL, layout.AT_LEAST) and number + left < wanted
        ):
            return None
        found.append(min(number, wanted) if op == layout.AT_LEAST else number)
    return tuple(found)


def counts_alone(draft: Draft) -> None:
    """Add the counts that are left, each with ways to cut its cells into groups that are all different."""
    for group in draft.counts.values():
        for c in group:
            add_counting(draft, c, _ways(draft, c))


def _ways(draft: Draft, c: Counting) -> list[int]:
    if c.mask & (c.mask - 1) or len(set(c.xs)) < len(c.xs):
        return [0]
    used: set[int] = set()
    ways = [way for _ in range(MOST_WAYS) if (way := _way(draft, c.xs, used))]
    flat = [len(ways)]
    for way in ways:
        flat += [len(way), *(n for xs in way for n in (len(xs), *xs))]
    return flat


def _way(draft: Draft, xs: tuple[int, ...], used: set[int]) -> list[list[int]]:
    """Cut variables by houses that were not used before, the one with most of them first; empty when none helps."""
    left = sum([1 << x for x in xs])
    groups: list[list[int]] = []
    near = [house for house in draft.houses if (house.whole & left).bit_count() > 1]
    while left:
        unused = [house for house in near if house.whole not in used]
        best = max(unused, key=lambda house: (house.whole & left).bit_count(), default=House((), 0))
        if (best.whole & left).bit_count() < 2:
            break
        used.add(best.whole)
        groups.append([x for x in xs if best.whole & left & (1 << x)])
        left &= ~best.whole
    return groups and groups + [[x] for x in xs if left & (1 << x)]
