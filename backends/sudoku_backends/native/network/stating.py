"""How each kind of constraint is stated in the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import prod
from typing import Any, cast

from sudoku_models.engine.machine_code.language import zeros
from sudoku_models.lowering.negation import flat, pushed
from sudoku_models.model import OPERATORS as RELATIONS
from sudoku_models.model.constraint import Constraint
from sudoku_models.model.kinds import *

from ..kernel import layout
from ..machine import address, machine
from . import diagrams, pairs
from .draft import KEPT_FRAMES, Draft, House, Ints, Occurrences, Rows, numbers, words_of

OPERATORS = {
    "==": (layout.EQUAL, 0), "<=": (layout.AT_MOST, 0), "<": (layout.AT_MOST, -1), "!=": (layout.UNEQUAL, 0),
    ">=": (layout.AT_LEAST, 0), ">": (layout.AT_LEAST, 1),
}  # fmt: skip
"""Operators of counts, and what is added to the right side."""

SUMS = {"==": layout.EQUAL, "<=": layout.AT_MOST, "!=": layout.UNEQUAL}
"""Operators of sums in the network."""

LONG_WORD = 9
"""Automata over more variables than this are not multiplied with used sets of values."""


def state(draft: Draft, c: Constraint) -> None:
    """State a constraint: in the network, or in the part of a disjunction that is being built."""
    _STATE[type(c)](draft, c)


def _and(draft: Draft, c: And) -> None:
    for part in c.parts:
        state(draft, part)


def _negation(draft: Draft, c: Not | Implies) -> None:
    found = pushed(c, draft.domains)
    state(draft, opposite(found.part, draft) if isinstance(found, Not) else found)


def opposite(c: Constraint, draft: Draft) -> Constraint:
    """Return a constraint that holds exactly when an Element or a MinMax does not."""
    if isinstance(c, Element):
        inside = [i for i in draft.domains[c.i] if 0 <= i < len(c.xs)]
        outside = InDomain(c.i, [i for i in draft.domains[c.i] if i not in inside])
        return Or(outside, *(And(InDomain(c.i, (i,)), _compared(c.xs[i], "!=", c.y)) for i in inside))
    assert isinstance(c, MinMax)
    parts: list[Constraint] = []
    for end, beyond, before in ((c.lo, "<", ">"), (c.hi, ">", "<")):
        if end is not None:
            parts += [_compared(x, beyond, end) for x in c.xs]
            parts.append(And(*(_compared(x, before, end) for x in c.xs)))
    return Or(*parts)


def _compared(x: str, op: str, y: str | int) -> Constraint:
    return Compare(x, op, y) if isinstance(y, str) else Linear((1,), (x,), op, y)


def _all_different(draft: Draft, c: AllDifferent) -> None:
    if draft.inside is not None:
        for x, y in combinations(c.xs, 2):
            pairs.add_pair(draft, Compare(x, "!=", y))
        return
    house = House.of(draft.ids(c.xs))
    for number in house.xs:
        draft.peers[number] |= house.whole & ~(1 << number)
    if house not in draft.houses:
        draft.house_words.extend((len(house.xs), *house.xs))
        draft.house_words[0] += 1
    draft.houses.append(house)


def _in_domain(draft: Draft, c: InDomain) -> None:
    draft.among(draft.index[c.x], draft.mask(c.values))


def _compare(draft: Draft, c: Compare) -> None:
    x, y = draft.index[c.x], draft.index[c.y]
    if x == y:
        if not c.holds({c.x: 0}):
            draft.never()
    elif draft.inside is None and c.op == "!=" and c.c == 0:
        draft.peers[x] |= 1 << y
        draft.peers[y] |= 1 << x
    else:
        pairs.add_pair(draft, c)


def _linear(draft: Draft, c: Linear) -> None:
    """Bring a sum into the form of the network: each variable once, and == , <= or !=."""
    if c.op in SUMS and len(set(c.xs)) == len(c.xs) > 1 and 0 not in c.coeffs:
        add_sum(draft, SUMS[c.op], draft.ids(c.xs), c.coeffs, c.k)
        return
    terms: dict[str, int] = {}
    for a, x in zip(c.coeffs, c.xs, strict=True):
        terms[x] = terms.get(x, 0) + a
    terms = {x: a for x, a in terms.items() if a}
    op, k = c.op, c.k
    if op in (">", ">="):
        terms = {x: -a for x, a in terms.items()}
        op, k = ("<" if op == ">" else "<="), -k
    if op == "<":
        op, k = "<=", k - 1
    holds = RELATIONS[op]
    if not terms:
        if not holds(0, k):
            draft.never()
    elif len(terms) == 1:
        ((x, a),) = terms.items()
        draft.among(draft.index[x], draft.mask(v for v in draft.domains[x] if holds(a * v, k)))
    else:
        add_sum(draft, SUMS[op], draft.ids(terms), tuple(terms.values()), k)


def add_sum(draft: Draft, op: int, xs: tuple[int, ...], weights: tuple[int, ...], k: int) -> None:
    """Add a sum; within a disjunction, it is stated immediately."""
    room = sum(map(abs, weights)) * layout.MOST_BITS + 1
    words = (op, max(-room, min(room, k - draft.base * sum(weights))), len(xs), *xs, *weights)
    if draft.inside is None:
        draft.sums.extend(words)
    else:
        state_sums(draft, draft.inside, numbers(words), xs)


def state_sums(draft: Draft, rows: Rows, sums: Ints, xs: Sequence[int] | None = None) -> None:
    """State sums as rows; ``xs`` are their variables if these are few, since reading all peers may take long."""
    draft.has_sums = True
    words, work = words_for(draft), bytearray(8 * len(sums))
    if draft.skipped & layout.SKIP_CLIQUES:
        xs = ()
    peers = peer_bits(tuple(draft.peers), words) if xs is None else _peers_of(draft, xs, words)
    given = address(sums), len(sums), address(draft.start), address(peers), words, address(work)
    draft.grow(rows, 2 * len(sums), machine().state_sums, *given)


def _peers_of(draft: Draft, xs: Sequence[int], words: int) -> memoryview:
    """Return ``peer_bits`` of some variables, and none for others."""
    found = memoryview(zeros(8 * words * len(draft.peers))).cast("q")
    for x in xs:
        found[words * x : words * (x + 1)] = numbers(words_of((draft.peers[x],), words))
    return found


def words_for(draft: Draft) -> int:
    """Return the number of words of a bit set of variables."""
    return max(1, -(-len(draft.start) // layout.WORD))


@lru_cache(KEPT_FRAMES)
def peer_bits(peers: tuple[int, ...], words: int) -> Ints:
    """Return bit sets of variables as words, one after the other."""
    return numbers(words_of(peers, words))


def _table(draft: Draft, c: Table) -> None:
    if not c.xs:
        if not c.holds({}):
            draft.never()
    elif len(c.xs) == 1:
        (x,) = c.xs
        draft.among(draft.index[x], draft.mask(v for v in draft.domains[x] if c.holds({x: v})))
    elif len(c.xs) == 2 and c.xs[0] != c.xs[1]:
        pairs.add_pair(draft, c)
    else:
        add_words(draft, c)


def add_words(draft: Draft, c: Table) -> None:
    """Add a table over several variables as a diagram of its tuples."""
    xs = draft.ids(c.xs)
    masks = tuple([draft.start[x] for x in xs])
    key = id(c.tuples), c.allowed, masks
    known = draft.memo.get(key)  # a model may have thousands of tables of the same tuples
    if known is None:
        known = draft.memo[key] = diagrams.of_tuples(c.tuples, c.allowed, draft.base, masks), c
    diagrams.add_diagram(draft, xs, known[0])


def _regular(draft: Draft, c: Regular) -> None:
    xs = draft.ids(c.xs)
    if not xs:
        if not c.holds({}):
            draft.never()
        return
    diagram = diagrams.of_automaton(c.automaton, draft.base, tuple([draft.whole[x] for x in xs]))
    if draft.inside is None and 3 <= len(xs) <= LONG_WORD:
        draft.words.append((xs, diagram))
    else:
        diagrams.add_diagram(draft, xs, diagram)


def _number(draft: Draft, op: str, y: str | int) -> tuple[int, int, int]:
    """Return the operator, variable and shift of a number that is compared with a count."""
    code, shift = OPERATORS[op]
    if isinstance(y, str):
        return code, draft.index[y], draft.base + shift
    return code, -1, max(-(10**9), min(10**9, y + shift))


def _count(draft: Draft, c: Count) -> None:
    xs, mask = draft.ids(c.xs), draft.mask(c.values)
    op, y, shift = _number(draft, c.op, c.y)
    if (op, y, shift) == (layout.AT_LEAST, -1, 1) and mask & (mask - 1):
        _clause(draft, dict.fromkeys(xs, mask))
        return
    counting = Occurrences(xs, mask, op, y, shift)
    draft.longest = max(draft.longest, len(xs))
    if draft.inside is not None:
        add_counting(draft, counting, [0])
    else:
        key = frozenset(xs) if len(set(xs)) == len(xs) else id(c)
        draft.counts[key] = (*draft.counts.get(key, ()), counting)


def add_counting(draft: Draft, c: Occurrences, ways: list[int]) -> None:
    """Add a count; ``ways`` are the ways to cut its cells into all-different groups, in the form of the record."""
    scope = c.xs if c.y < 0 else (*c.xs, c.y)
    draft.add(layout.COUNTED, [len(c.xs), c.mask, c.op, c.y, c.shift, *c.xs, *ways], scope, 1)


def _n_value(draft: Draft, c: NValue) -> None:
    xs = draft.ids(dict.fromkeys(c.xs))
    draft.add(layout.DISTINCT, [len(xs), *_number(draft, c.op, c.y), *xs], draft.ids(c.scope), 1)


def _element(draft: Draft, c: Element) -> None:
    y, mask = (draft.index[c.y], 0) if isinstance(c.y, str) else (-1, draft.mask((c.y,)))
    shift = max(-(10**9), min(10**9, draft.base))
    record = [len(c.xs), draft.index[c.i], y, mask, shift, *draft.ids(c.xs)]
    draft.add(layout.CHOSEN, record, draft.ids(c.scope), 1)


def _min_max(draft: Draft, c: MinMax) -> None:
    record = [len(c.xs)]
    for end in (c.lo, c.hi):
        if end is None:
            record += [-1, 0]
        elif isinstance(end, str):
            record += [draft.index[end], 1]
        else:
            mask = draft.mask((end,))
            if not mask:
                draft.never()
                return
            record += [-1, mask]
    draft.add(layout.EXTREMES, [*record, *draft.ids(c.xs)], draft.ids(c.scope), 1)


def _connected(draft: Draft, c: Connected) -> None:
    starts = [0]
    flat: list[int] = []
    for place in range(len(c.xs)):
        flat += c.neighbours[place]
        starts.append(len(flat))
    draft.most_places = max(draft.most_places, len(c.xs))
    xs = draft.ids(c.xs)
    if draft.inside is None:
        draft.groups.append((len(draft.pool), xs))
    draft.add(layout.JOINED, [len(xs), draft.mask(c.values), 0, len(xs), *xs, *starts, *flat], xs, 2)


def _same_bag(draft: Draft, c: MultisetEqual) -> None:
    xs = draft.ids((*c.xs, *c.ys))
    values = 0
    for x in xs:
        values |= draft.start[x]
    draft.add(layout.SAME_BAG, [len(c.xs), values, *xs], xs, 1)


def _lex_less(draft: Draft, c: LexLess) -> None:
    if not c.xs:
        if c.strict:
            draft.never()
        return
    xs = draft.ids((*c.xs, *c.ys))
    draft.add(layout.IN_ORDER, [len(c.xs), int(c.strict), *xs], xs, 1, int(len(set(xs)) == len(xs)))


def _lex_less_where(draft: Draft, c: LexLessWhere) -> None:
    y = (draft.index[c.y], *map(draft.mask, ((1,), (0,)))) if isinstance(c.y, str) else (-1, c.y == 1, c.y == 0)
    lists = [one[: 1 + len(c.xs)] for one in c.lists]
    xs = draft.ids((*c.xs, *chain.from_iterable(lists)))
    head = len(c.xs), draft.mask((c.first,)), *y, c.ties, len(lists)
    draft.add(layout.LESS_WHERE, [*head, *map(len, lists), *xs], xs if y[0] < 0 else (*xs, y[0]), 2)


def _no_subset_sum(draft: Draft, c: NoSubsetSum) -> None:
    if draft.base < 0 or not 0 <= c.total < layout.MOST_BITS or len(set(c.xs)) < len(c.xs):
        _and(draft, And(c.parts(draft.domains)))
    else:
        xs = draft.ids(c.xs)
        draft.add(layout.NO_SUBSET_SUM, [len(xs), draft.base, c.total, *xs], xs, 1)


# ---------------------------------------------------------------- disjunctions

MOST_PAIRS = 4096
MOST_OPTIONS = 60
"""A hidden variable chooses among at most so many parts: each is a bit of a word, and one more is for none of them."""


def _or(draft: Draft, c: Constraint) -> None:
    """State an Or: as a relation if it is small, otherwise as parts of which one holds."""
    c = pushed(c, draft.domains)
    parts = _open_parts(draft, flat(c))
    if parts is None:
        return
    if len(parts) == 1:
        state(draft, parts[0])
        return
    scope = dict.fromkeys([x for part in parts for x in part.scope])
    if not scope:
        if not any(part.holds({}) for part in parts):
            draft.never()
    elif len(scope) == 1:
        (x,) = scope
        draft.among(draft.index[x], draft.mask(v for v in draft.domains[x] if any(p.holds({x: v}) for p in parts)))
    elif len(scope) == 2 and prod([len(draft.domains[x]) for x in scope]) <= MOST_PAIRS:
        pairs.add_pair(draft, Or(parts))
    elif all(type(part) is InDomain for part in parts):
        masks: dict[int, int] = {}
        for part in cast("list[InDomain]", parts):
            number = draft.index[part.x]
            masks[number] = masks.get(number, 0) | draft.mask(part.values)
        _clause(draft, masks)
    elif draft.inside is not None:
        _chosen(draft, parts)
    else:
        _either(draft, parts)


def _open_parts(draft: Draft, parts: list[Constraint]) -> list[Constraint] | None:
    """Return the parts that their variables' domains do not contradict; None if these make one of them hold anyway."""
    kept = []
    for part in parts:
        if isinstance(part, InDomain):
            values = draft.start[draft.index[part.x]]
            shared = values & draft.mask(part.values)
            if shared == values:
                return None
            if not shared:
                continue
        kept.append(part)
    return kept


def _clause(draft: Draft, masks: dict[int, int]) -> None:
    """State that at least one of some variables has a value of its mask."""
    record = [len(masks), *(n for pair in masks.items() for n in pair)]
    draft.add(layout.CLAUSE, record, masks, 0, 1)


def _chosen(draft: Draft, parts: list[Constraint]) -> None:
    """State an Or within a part: a hidden variable chooses one of its parts if the outer part holds, otherwise none.

    What the parts demand is stated later, next to the outer disjunction.
    """
    if len(parts) > MOST_OPTIONS:
        parts = [*parts[: MOST_OPTIONS - 1], Or(parts[MOST_OPTIONS - 1 :])]
    choice = draft.hidden(len(parts) + 1)
    draft.among(choice, (1 << len(parts)) - 1)
    full = (1 << len(parts) + 1) - 1
    draft.pending += [(choice, full & ~(1 << i), part) for i, part in enumerate(parts)]


def state_pending(draft: Draft) -> None:
    """State what hidden variables choose: the variable does not have the value, or the part holds."""
    while draft.pending:
        choice, other, part = draft.pending.pop()
        _either(draft, flat(part), (choice, other))


def _either(draft: Draft, options: list[Constraint], literal: tuple[int, int] | None = None) -> None:
    """Add a disjunction; with ``literal``, a variable having a value of a mask is another option."""
    leaves = Rows()
    starts, outer = [0], draft.inside
    xs = dict.fromkeys([x for option in options for x in draft.ids(option.scope)])
    if literal:
        draft.inside = leaves
        draft.among(*literal)
        starts.append(leaves.count)
    for option in options:
        draft.inside = leaves
        state(draft, option)
        starts.append(leaves.count)
    draft.inside = outer
    scope = xs | dict.fromkeys(leaves.variables())
    draft.either.append((starts, leaves, tuple(scope)))


_STATE: dict[type[Constraint], Callable[[Draft, Any], None]] = {
    And: _and, Not: _negation, Implies: _negation, Or: _or, AllDifferent: _all_different, InDomain: _in_domain,
    Compare: _compare, Linear: _linear, Table: _table, Regular: _regular, Count: _count, NValue: _n_value,
    Element: _element, MinMax: _min_max, Connected: _connected, MultisetEqual: _same_bag, LexLess: _lex_less,
    LexLessWhere: _lex_less_where, NoSubsetSum: _no_subset_sum,
}  # fmt: skip
