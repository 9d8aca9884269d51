"""Relations between two variables: for each value of one, the values that the other can have with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain
from operator import and_, or_
from typing import Any

from sudoku_models.lowering.house_sums import bits_in
from sudoku_models.lowering.negation import form_of
from sudoku_models.model import And, Compare, Constraint, InDomain, Or, Table

from ..kernel import layout
from .draft import Draft, Masks, packed

KEPT = 512
"""The number of relations that are kept from model to model."""

KEPT_RELATIONS = 4_096
RELATIONS: dict[Any, tuple[Masks, Masks, Constraint]] = {}
"""The masks of relations by what they state and of which domains, kept from model to model with the constraint, since
the key may contain ids of its parts."""


def add_pair(draft: Draft, c: Constraint) -> None:
    """Add a constraint over two variables: immediately within a disjunction, otherwise with others of the same two."""
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
        found = RELATIONS[key] = (*_masks(draft, c, a, b), c)
    forth, back, _ = found
    x, y = draft.index[a], draft.index[b]
    if draft.inside is not None:
        draft.add(layout.RELATION, [x, y, _place(draft, forth), _place(draft, back)], (x, y), 0, 1)
    elif x < y:
        draft.pairs.setdefault((x, y), []).append((forth, back))
    else:
        draft.pairs.setdefault((y, x), []).append((back, forth))


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
    known: dict[tuple[int, int], tuple[tuple[Masks, Masks], tuple[Masks, Masks]]] = {}
    peers = draft.peers
    for (x, y), listed in draft.pairs.items():
        if len(listed) > 1:
            done += len(listed) - 1
            one = listed[0]
            for other in listed[1:]:
                one = _both(one[0], other[0]), _both(one[1], other[1])
            listed[:] = [one]
        if peers[x] >> y & 1:
            one = listed[0]
            key = id(one[0]), id(one[1])
            found = known.get(key)
            if found is None:
                found = known[key] = one, (_different(one[0]), _different(one[1]))
            if found[0][0] != found[1][0]:
                done += 1
                listed[0] = found[1]
    return done


@lru_cache(KEPT)
def _both(one: Masks, other: Masks) -> Masks:
    return tuple([p & q for p, q in zip(one, other, strict=True)])


@lru_cache(KEPT)
def _different(masks: Masks) -> Masks:
    return tuple([m & ~(1 << i) for i, m in enumerate(masks)])


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
    known: dict[tuple[int, int], tuple[int, int]] = {}
    listed: list[tuple[int, ...]] = []
    for pair, relations in draft.pairs.items():
        for forth, back in relations:
            key = id(forth), id(back)
            places = known.get(key)
            if places is None:
                places = known[key] = _place(draft, forth), _place(draft, back)
            listed.append(pair + places)
    at, rows = len(draft.pool), draft.rows
    words: list[int] = []
    for x, y, _, _ in listed:
        words += (layout.RELATION, at, 0, 1, 2, x, y)
        at += 4
    rows.words.frombytes(packed(words))
    rows.count += len(listed)
    draft.pool.frombytes(packed([*chain.from_iterable(listed)]))
    draft.longest = max(draft.longest, 4 if listed else 0)
