"""Relations between two variables: for each value of one, the values that the other can have with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial, reduce
from operator import and_, or_
from typing import Any

from sudoku_models.lowering.house_sums import bits_in
from sudoku_models.lowering.negation import form_of
from sudoku_models.model import And, Compare, Constraint, InDomain, Or, Table

from ..kernel import layout
from .draft import Draft, Masks, Relation, numbers, packed

KEPT = 512
"""The number of relations that are kept from model to model."""

MOST_APART = 1_500
"""The most variables that have peers of their own for some values: there is a bit set for each value and variable."""

KEPT_RELATIONS = 4_096
RELATIONS: dict[Any, tuple[Relation, Relation, int, Constraint]] = {}
"""Relations, and the other way round, by what they state and of which domains, kept from model to model with the values
that they only bar from both variables at once, and the constraint, since the key may contain ids of its parts."""


def add_pair(draft: Draft, c: Constraint) -> None:
    """Add a constraint over two variables: immediately within a disjunction, otherwise with others of the same two.

    If it only says that both do not have some values at once, they become peers for these values.
    """
    shape: Any
    if type(c) is Table:
        (a, b), shape = c.xs, (id(c.tuples), c.allowed)
    elif type(c) is Compare:
        a, b, shape = c.x, c.y, (c.op, c.c)
    else:
        (a, b), shape = c.scope, form_of(c)
    key = (shape, draft.domains[a], draft.domains[b], draft.base, draft.bits)
    found = RELATIONS.get(key)
    if found is None:
        if len(RELATIONS) >= KEPT_RELATIONS:
            RELATIONS.clear()
        forth, back = _masks(draft, c, a, b)
        found = RELATIONS[key] = (forth, back), (back, forth), _barred(draft, forth, a, b), c
    x, y = draft.index[a], draft.index[b]
    if draft.inside is not None:
        draft.add(layout.RELATION, [x, y, *(_place(draft, masks) for masks in found[0])], (x, y), 0, 1)
    elif found[2] and len(draft.start) <= MOST_APART:
        apart = draft.apart
        for bit in bits_in(found[2]):
            apart[bit, x] = apart.get((bit, x), 0) | 1 << y
            apart[bit, y] = apart.get((bit, y), 0) | 1 << x
    else:
        pair, relation = ((x, y), found[0]) if x < y else ((y, x), found[1])
        draft.pairs[pair] = (*draft.pairs.get(pair, ()), relation)


def _barred(draft: Draft, forth: Masks, a: str, b: str) -> int:
    """Return the values that both variables cannot have at once, if nothing else is barred; otherwise 0."""
    left, right = draft.mask(draft.domains[a]), draft.mask(draft.domains[b])
    alike = sum([1 << bit for bit in bits_in(left & right) if not forth[bit] >> bit & 1])
    return alike if all(right & ~forth[bit] & ~(1 << bit) == 0 for bit in bits_in(left)) else 0


def _masks(draft: Draft, c: Constraint, a: str, b: str) -> tuple[Masks, Masks]:
    """Return the masks of the second variable by bit of the first, and the other way round."""
    forth, back = _forth(draft, c, a, b), [0] * draft.bits
    alike = dict.fromkeys(forth, 0)
    for bit, mask in enumerate(forth):
        alike[mask] |= 1 << bit
    for mask, bits in alike.items():
        for other in bits_in(mask):
            back[other] |= bits
    return tuple(forth), tuple(back)


def _forth(draft: Draft, c: Constraint, a: str, b: str) -> list[int]:
    """Return the masks of the second variable by bit of the first; those of parts are put together."""
    bits, base = draft.bits, draft.base
    if isinstance(c, And | Or) and c.parts:
        join = and_ if isinstance(c, And) else or_
        return list(map(partial(reduce, join), zip(*[_forth(draft, part, a, b) for part in c.parts], strict=True)))
    if isinstance(c, InDomain):
        allowed, left, right = draft.mask(c.values), draft.mask(draft.domains[a]), draft.mask(draft.domains[b])
        left, right = (left & allowed, right) if c.x == a else (left, right & allowed)
        return [right if left >> bit & 1 else 0 for bit in range(bits)]
    rows: Iterable[Sequence[int]]
    if isinstance(c, Table) and c.allowed and c.xs == (a, b):
        rows = [row for row in c.tuples if 0 <= row[0] - base < bits > row[1] - base >= 0]
    else:
        rows = [(v, w) for v in draft.domains[a] for w in draft.domains[b] if c.holds({a: v, b: w})]
    found = [0] * bits
    for v, w in rows:
        found[v - base] |= 1 << w - base
    return found


def joined_relations(draft: Draft) -> int:
    """Join the relations on the same two variables, and that these are different, into one."""
    done = 0
    known: dict[tuple[int, int], tuple[Relation, Relation]] = {}
    peers, apart = draft.peers, draft.apart
    barred = {bit for bit, _ in apart}
    for (x, y), listed in draft.pairs.items():
        if len(listed) > 1:
            done += len(listed) - 1
            one = listed[0]
            for other in listed[1:]:
                one = _both(one[0], other[0]), _both(one[1], other[1])
            draft.pairs[x, y] = listed = (one,)
        alike = -1 if peers[x] >> y & 1 else sum([1 << i for i in barred if apart.get((i, x), 0) >> y & 1])
        if alike:
            one = listed[0]
            found = known.get((id(one), alike))
            if found is None:
                found = known[id(one), alike] = one, (_without(one[0], alike), _without(one[1], alike))
            if found[0][0] != found[1][0]:
                done += 1
                draft.pairs[x, y] = (found[1],)
    return done


@lru_cache(KEPT)
def _both(one: Masks, other: Masks) -> Masks:
    return tuple([p & q for p, q in zip(one, other, strict=True)])


@lru_cache(KEPT)
def _without(masks: Masks, alike: int) -> Masks:
    return tuple([m & ~(1 << i & alike) for i, m in enumerate(masks)])


def _place(draft: Draft, masks: Masks) -> int:
    """Return the place of a list of masks; equal lists are kept once."""
    place = draft.memo.get(("masks", masks))
    if place is None:
        place = draft.memo["masks", masks] = len(draft.pool)
        draft.pool.frombytes(packed(masks))
    found: int = place
    return found


def add_relations(draft: Draft) -> None:
    """Add a row for each relation of a pair; relations that are the same objects share their masks in the pool."""
    known: dict[int, tuple[int, int]] = {}
    listed: list[int] = []
    for pair, relations in draft.pairs.items():
        for relation in relations:
            places = known.get(id(relation))
            if places is None:
                forth, back = relation
                places = known[id(relation)] = _place(draft, forth), _place(draft, back)
            listed += pair
            listed += places
    at, count, records = len(draft.pool), len(listed) // 4, numbers(listed)
    words = numbers((layout.RELATION, at, 0, 1, 2, 0, 0)) * count
    words[1::7], words[5::7], words[6::7] = numbers(range(at, at + 4 * count, 4)), records[::4], records[1::4]
    draft.rows.words += words
    draft.rows.count += count
    draft.pool += records
    draft.longest = max(draft.longest, 4 if listed else 0)
