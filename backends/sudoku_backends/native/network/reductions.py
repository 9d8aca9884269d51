"""What follows from several constraints together, as a list of reductions with names.

Each one adds constraints that hold in every solution, or states some constraints together instead of one by one: the
solutions stay the same, which tests check, and each can be left out (option ``without``) to measure what it is worth.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from sudoku_models.engine.contract import Derived
from sudoku_models.engine.machine_code.language import zeros
from sudoku_models.lowering.house_sums import MOST_LEFT, bits_in, room_for

from ..kernel import layout
from ..machine import address, machine
from . import diagrams
from .draft import Draft, Occurrences
from .pairs import joined_relations
from .stating import add_counting, words_for

KEPT = 4_096
"""The number of lists of sets of values kept from model to model, including lists of parts of the sets."""


SHORTEST, LONGEST = 3 + 2 * 2, 3 + 2 * MOST_LEFT
"""The least numbers of a stated sum, and the most of one that houses imply."""


class Reduction(NamedTuple):
    """A reduction: its name, what it finds, and a function that applies it and returns how often it applied."""

    name: str
    meaning: str
    apply: Callable[[Draft], int]


def different_letters(draft: Draft) -> int:
    """Let an automaton over variables that are all different read no letter twice."""
    done = 0
    for at, (xs, diagram) in enumerate(draft.words):
        if draft.are_different(xs):
            made = diagram.different
            if made is not None:
                draft.words[at] = (xs, made)
                done += 1
    return done


def sets_of_values(draft: Draft) -> int:
    """Give all-different variables with one symmetric relation between any two one of a few sets of values."""
    done = 0
    for masks, near in _same_relations(draft).items():
        left = _in_threes(near)
        while left:
            clique = _clique(left, near)
            for x in clique:
                left &= ~(1 << x)
            if len(clique) < 2:
                break  # the best connected variable has no neighbour left
            if len(clique) >= 3 and _add_sets(draft, clique, masks):
                done += 1
    return done


def _same_relations(draft: Draft) -> Mapping[tuple[int, ...], dict[int, int]]:
    """Return, for each symmetric relation, the variables that each variable has it with and differs from, as bits."""
    found: dict[tuple[int, ...], dict[int, int]] = {}
    peers = draft.peers
    for (x, y), relations in draft.pairs.items():
        for forth, back in relations if peers[x] >> y & 1 else ():
            if forth == back:
                near = found.setdefault(forth, {})
                near[x] = near.get(x, 0) | 1 << y
                near[y] = near.get(y, 0) | 1 << x
    return found


def _in_threes(near: Mapping[int, int]) -> int:
    """Return, as bits, the variables that have the relation with two others that also have it with each other."""
    found = 0
    for x, others in near.items():
        if not found >> x & 1:
            for y in bits_in(others) if others & (others - 1) else ():
                if both := others & near[y]:
                    found |= 1 << x | 1 << y | both
                    break
    return found


def _clique(left: int, near: Mapping[int, int]) -> list[int]:
    """Return variables that are all near each other, the best connected first."""
    clique: list[int] = []
    can = left
    while can:
        y = max(bits_in(can), key=lambda y: (near[y] & can).bit_count())
        clique.append(y)
        can &= near[y]
    return clique


@lru_cache(KEPT)
def _sets(union: int, size: int, masks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sets of values, as masks, in which any two values are in a relation."""
    if union.bit_count() < size:
        return ()
    if not size:
        return (0,)
    found: list[int] = []
    for bit in bits_in(union):
        union &= ~(1 << bit)
        found += [1 << bit | rest for rest in _sets(union & masks[bit], size - 1, masks)]
    return tuple(found)


def _add_sets(draft: Draft, clique: list[int], masks: tuple[int, ...]) -> bool:
    union = 0
    for x in clique:
        union |= draft.start[x]
    if union.bit_count() > 10:
        return False
    sets = _sets(union, len(clique), masks)
    draft.longest = max(draft.longest, len(clique))
    draft.add(layout.VALUE_SETS, [len(clique), len(sets), *clique, *sets], clique, 1)
    return True


def sizes_of_groups(draft: Draft) -> int:
    """Give a connected group whose cells are counted its size."""
    done = 0
    for record, xs in draft.groups:
        cells, mask = draft.pool[record : record + 2]
        sizes = [_size_of(c, cells) for c in draft.counts.get(frozenset(xs), ()) if c.mask == mask and c.y < 0]
        if sizes and len({*xs}) == cells:
            draft.pool[record + 2] = max(least for least, _ in sizes)
            draft.pool[record + 3] = min(most for _, most in sizes)
            done += 1
    return done


def _size_of(c: Occurrences, cells: int) -> tuple[int, int]:
    """Return the least and the greatest number that a count allows."""
    least = c.shift if c.op in (layout.EQUAL, layout.AT_LEAST) else 0
    return least, c.shift if c.op in (layout.EQUAL, layout.AT_MOST) else cells


# ---------------------------------------------------------------- counts

MOST_WAYS = 3
KEPT_WAYS = 1024
"""The number of lists of cells whose ways are kept from model to model."""


def counts_alone(draft: Draft) -> None:
    """Add the counts, each with ways to cut its cells into groups that are all different."""
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


@lru_cache(KEPT_WAYS)
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


# ---------------------------------------------------------------- sums of what cages leave of houses


def sums_of_houses(draft: Draft) -> int:
    """Add the sums that houses and cages imply; return their number."""
    houses, sums, words = draft.house_words, draft.sums, words_for(draft)
    if not (sums and houses[0]):
        return 0
    cages, room = len(sums) // SHORTEST + 1, room_for(houses[0], words)
    work = zeros(8 * (3 + (houses[0] + cages) * (1 + words) + words + cages + room))
    out = array("q", bytes(8 * LONGEST * room // (1 + 2 * words)))
    given = address(houses), address(sums), len(sums), address(draft.start), words
    found = machine().imply_sums(*given, address(work), address(out))
    sums += out[1 : out[0]]
    return found


# ---------------------------------------------------------------- all of them

REDUCTIONS = (
    Reduction("group-sizes", "connected groups of counted cells have a size", sizes_of_groups),
    Reduction(
        "joined-relations",
        "relations on the same two variables become one, which says that they differ too",
        joined_relations,
    ),
    Reduction("different-letters", "automata over different variables read no letter twice", different_letters),
    Reduction("house-sums", "sums of what cages leave of houses, or have outside of them", sums_of_houses),
    Reduction("value-sets", "sets of values of different variables, any two related alike, are listed", sets_of_values),
)
"""All reductions, in the order in which they are applied."""


def reduce(draft: Draft, without: frozenset[str]) -> None:
    """Apply all reductions except those left out; then state the constraints that waited for them."""
    for reduction in REDUCTIONS:
        if reduction.name not in without:
            done = reduction.apply(draft)
            if done:
                draft.done[reduction.name] = done
    for xs, diagram in draft.words:
        diagrams.add_diagram(draft, xs, diagram)
    counts_alone(draft)


def derived(done: Mapping[str, int]) -> tuple[Derived, ...]:
    """Return what was derived, from how often each reduction found something."""
    return tuple(Derived(one.name, done[one.name], one.meaning) for one in REDUCTIONS if one.name in done)
