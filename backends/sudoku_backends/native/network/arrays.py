"""The network of a model as arrays, and the memory that one search of it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_models.model import InDomain, Model

from ..kernel import layout
from ..kernel.joined import ROWS_OF_PLACES
from ..kernel.paired import ROWS_OF_PAIRS
from ..machine import machine
from ..numbered import Numbered, without_wide
from .disjunctions import state_pending
from .draft import Draft, Masks, Row, Sum
from .frame import Block, House, block_of, numbers, split, together, union_of
from .pairs import KEPT, add_relation
from .reductions import reduce
from .stating import add_sum, state, state_pairs
from .sums import MOST_BITS, tables_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Network:
    """A model for the kernel: ``net`` is its array of constants, and the rest is what a search begins with.

    ``start`` are the masks of the variables, the hidden ones last; ``sections`` the lengths of those of the memory;
    ``weights`` what each variable weighs at first. ``done`` says how often each reduction found something to do.
    """

    base: int
    names: tuple[str, ...]
    net: Ints
    start: Ints
    sections: dict[int, int]
    weights: Floats
    constraints: int
    done: dict[str, int]
    improves: bool
    numbered: tuple[Numbered, ...] = ()

    def values(self, bits: Ints) -> list[tuple[int, ...]]:
        """Return solutions as values of the stated variables, from rows of bit numbers."""
        values = bits[:, : self.stated] + self.base
        for one in self.numbered:
            pairs = zip(values[:, one.a].tolist(), values[:, one.b].tolist(), strict=True)
            values[:, one.x] = [one.numbers[pair] for pair in pairs]
        return [tuple(row) for row in values.tolist()]

    @property
    def stated(self) -> int:
        """How many variables the model has."""
        return len(self.names)

    @property
    def variables(self) -> int:
        """How many variables there are, hidden ones too."""
        return len(self.start)

    @cached_property
    def memory_size(self) -> int:
        """The length of the memory of a search."""
        return layout.MEM_HEADER + sum(self.sections.values())

    @cached_property
    def header(self) -> Ints:
        """What the memory of a search begins with: the places of its sections."""
        found = np.zeros(layout.MEM_HEADER, np.int64)
        place = layout.MEM_HEADER
        for section, size in self.sections.items():
            found[section] = place
            place += size
        found[layout.CHANGES] = found[layout.CHANGE_LIST]
        found[layout.BOUND] = layout.IMPOSSIBLE // 2
        return found


def network_of(model: Model, without: frozenset[str] = frozenset(), skipped: int = 0) -> Network:
    """Build the network of a model; ``without`` names reductions that are left out, ``skipped`` has SKIP_ bits."""
    model, groups = without_wide(model, layout.MOST_BITS)
    draft = Draft(model)
    draft.pool[layout.SKIP] = skipped
    beside = model.constraints[len(draft.framed) :]
    for c in beside:
        if isinstance(c, InDomain):
            state(draft, c)
    for c in beside:
        if not isinstance(c, InDomain):
            state(draft, c)
    for group in groups:
        state_pairs(draft, group)
    state_pending(draft, state)
    reduce(draft, without)
    _add_pairs(draft)
    for total in draft.sums:
        add_sum(draft, total)
    _add_objective(draft)
    return replace(_arrays(draft, _houses(draft)), numbered=tuple(chain.from_iterable(groups)))


def _add_pairs(draft: Draft) -> None:
    """Add the relations; variables that differ anyway need no further != ."""
    for (x, y), (forth, back) in draft.pairs.items():
        if (draft.peers[x] >> y) & 1:
            forth, back = _different(forth), _different(back)
        add_relation(draft, x, y, forth, back)


@lru_cache(KEPT)
def _different(masks: Masks) -> Masks:
    return tuple([m & ~(1 << i) for i, m in enumerate(masks)])


def _houses(draft: Draft) -> Block:
    """Return the rows of the houses, those of the frame first as they are kept where nothing changes them."""
    frame, count, words = draft.frame, len(draft.frame.houses), _words(draft)
    unions = _unions(draft)
    kept = unions is frame.unions and frame.full
    listed = [] if kept else [*zip(frame.houses, unions, strict=True)]
    own = dict.fromkeys(draft.houses[count:])
    if kept:
        own = dict.fromkeys([house for house in own if house.whole not in frame.wholes])
    listed += [(house, union_of(house, draft.start)) for house in own]
    sums = {frozenset(c.terms) for c in draft.sums if c.op == "=="} if listed else set()
    chosen = [(house, union) for house, union in listed if _is_worth(house, union, sums)]
    if kept and not chosen:
        return frame.block(words)
    made = block_of(tuple([house for house, _ in chosen]), tuple([union for _, union in chosen]), words)
    return together(frame.block(words), made) if kept else made


def _unions(draft: Draft) -> tuple[int, ...]:
    """Return the values that each house of the frame can hold, found anew where a variable has lost some."""
    before, now = draft.frame.masks, tuple(draft.start[: draft.stated])
    if now == before:
        return draft.frame.unions
    narrowed = sum([1 << x for x, (old, new) in enumerate(zip(before, now, strict=True)) if old != new])
    pairs = zip(draft.frame.houses, draft.frame.unions, strict=True)
    return tuple([union_of(house, draft.start) if house.whole & narrowed else union for house, union in pairs])


def _is_worth(house: House, union: int, sums: set[frozenset[int]]) -> bool:
    """Tell whether a house is a row: one with values to spare only if it is no sum and has three variables or more."""
    size = len(house.xs)
    return size > 1 and (union.bit_count() == size or (size > 2 and frozenset(house.xs) not in sums))


def _add_objective(draft: Draft) -> None:
    objective = draft.model.objective
    if objective is None:
        return
    sign = 1 if objective.minimizes else -1
    draft.objective = len(draft.rows)
    terms = {draft.index[x]: sign * c for x, c in objective.terms.items()}
    add_sum(draft, Sum(terms, "<=", 0), layout.BELOW)


def _words(draft: Draft) -> int:
    return max(1, -(-len(draft.start) // layout.WORD))


def _beside_houses(draft: Draft, houses: int) -> tuple[list[Row], int]:
    """Return all other constraints, disjunctions last and behind these their parts; and how many there are of parts."""
    rows = list(draft.rows)
    main = len(rows) + houses + len(draft.either)
    parts: list[Row] = []
    for starts, leaves, scope in draft.either:
        first = main + len(parts)
        parts += leaves
        rows.append(Row(layout.EITHER, len(draft.pool), scope, 2, 0))
        draft.pool += [len(starts) - 1, *starts, *range(first, first + len(leaves))]
    return rows + parts, len(parts)


def _arrays(draft: Draft, houses: Block) -> Network:
    """Write all constraints into one array: the pool of records, that of the houses, then section by section."""
    rows, parts = _beside_houses(draft, houses.columns.shape[1])
    total, before, n, words = len(rows) + houses.columns.shape[1], len(draft.rows), len(draft.start), _words(draft)
    main = total - parts
    columns = _columns(rows, houses, before, len(draft.pool))
    scope_at = np.zeros(total + 1, np.int64)
    np.add.accumulate(columns.lengths, out=scope_at[1:])
    watched = int(scope_at[main])
    top = max([m.bit_length() for m in {*draft.start} if m < 1 << MOST_BITS], default=1) or 1
    tables = tables_of(top)
    peers = sum(map(int.bit_count, draft.peers))
    sections: dict[int, Ints | int] = {
        layout.KINDS: columns.kinds, layout.RECORDS: columns.records, layout.PRIORITIES: columns.priorities,
        layout.IDEMPOTENT: columns.idempotent, layout.SCOPE_AT: scope_at, layout.SCOPES: columns.scopes,
        layout.WATCH_AT: n + 2, layout.WATCHES: watched, layout.PEER_AT: n + 1, layout.PEERS: peers,
        layout.PEER_BITS: _words_of(draft.peers, words),
        layout.SUMS: tables.sums, layout.SETS_AT: tables.sets_at, layout.SETS: tables.sets,
    }  # fmt: skip
    row = 16 + max(draft.longest, houses.longest, words)
    header = {
        layout.VARIABLES: n, layout.WORDS: words, layout.TABLE_BITS: top, layout.CONSTRAINTS: main,
        layout.QUEUE: main + 1, layout.ROW: row, layout.OBJECTIVE: draft.objective,
    }  # fmt: skip
    for place, number in header.items():
        draft.pool[place] = number
    net = _joined(draft.pool, houses.pool, sections)
    _list(net, main, n, words)
    return Network(
        draft.base, draft.model.names, net, numbers(draft.start),
        _memory(draft, n, main, total, row), _weights(columns, main, n), total, draft.done, draft.objective >= 0,
    )  # fmt: skip


class _Columns(NamedTuple):
    """What is known of each constraint, in the order of the constraints; and the scopes one after the other."""

    kinds: Ints
    records: Ints
    priorities: Ints
    idempotent: Ints
    lengths: Ints
    scopes: Ints


def _columns(rows: list[Row], houses: Block, before: int, place: int) -> _Columns:
    """Return the columns, those of the houses set in behind so many others; their pool begins at a place."""
    kinds, records, scopes, priorities, idempotent = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    lengths = list(map(len, scopes))
    own = numbers((*kinds, *records, *priorities, *idempotent, *lengths)).reshape(5, len(rows))
    columns = np.concatenate((own[:, :before], houses.columns, own[:, before:]), axis=1)
    columns[1, before : before + houses.columns.shape[1]] += place
    middle, flat = sum(lengths[:before]), numbers(chain.from_iterable(scopes))
    all_scopes = np.concatenate((flat[:middle], houses.scopes, flat[middle:]))
    return _Columns(columns[0], columns[1], columns[2], columns[3], columns[4], all_scopes)


def _words_of(sets: list[int], words: int) -> Ints:
    if words == 2:
        low = (1 << layout.WORD) - 1
        return numbers([word for bits in sets for word in (bits & low, bits >> layout.WORD)])
    return numbers([word for bits in sets for word in split(bits, words)])


def _joined(pool: list[int], houses: Ints, sections: dict[int, Ints | int]) -> Ints:
    """Put the sections behind the pool, and their places into its header; a number leaves as much room, or a place."""
    place = len(pool) + len(houses)
    sizes = [max(1, part) if isinstance(part, int) else len(part) for part in sections.values()]
    for section, size in zip(sections, sizes, strict=True):
        pool[section] = place
        place += size
    net = np.empty(place, np.int64)
    net[: len(pool)] = numbers(pool)
    net[len(pool) : len(pool) + len(houses)] = houses
    for (section, part), size in zip(sections.items(), sizes, strict=True):
        if not isinstance(part, int):
            net[pool[section] : pool[section] + size] = part
    return net


def _list(net: Ints, main: int, n: int, words: int) -> None:
    """Fill in the lists of watches and of peers."""
    start, places = net.ctypes.data, net[: layout.NET_HEADER].tolist()

    def at(section: int) -> int:
        return start + 8 * int(places[section])

    machine().list_watches(
        at(layout.SCOPE_AT), at(layout.SCOPES), main, n, at(layout.WATCH_AT), at(layout.WATCHES)
    )  # fmt: skip
    machine().list_peers(at(layout.PEER_BITS), n, words, at(layout.PEER_AT), at(layout.PEERS))


def _memory(draft: Draft, n: int, main: int, rows: int, row: int) -> dict[int, int]:
    """Return the length of each section of the memory.

    A list of changes is as long as there are values: each entry stands for at least one that was removed.
    """
    changes = sum(map(int.bit_count, draft.start)) + n + 8
    return {
        layout.STACK: (n + 2) * n, layout.DECIDED: n + 2, layout.DECISION: n + 2, layout.WAITING: 3 * (main + 1),
        layout.HEADS: 3, layout.TAILS: 3, layout.QUEUED: main, layout.CHANGE_LIST: changes,
        layout.INNER_CHANGES: changes, layout.SCRATCH: n, layout.UNION: n,
        layout.FLAGS: max(ROWS_OF_PLACES * draft.most_places, ROWS_OF_PAIRS * layout.MOST_BITS) + 1,
        layout.ROWS: row * layout.ROWS_IN_ALL, layout.LAST_PART: rows, layout.LIVE: draft.most_nodes + 1,
        layout.ORDER: draft.most_nodes + 1, layout.ENDS: draft.longest + 4, layout.KEPT: n,
    }  # fmt: skip


def _weights(columns: _Columns, main: int, n: int) -> Floats:
    """Return the weights at first: by how many constraints a variable is in; then what a failure adds."""
    plain = np.repeat(columns.kinds[:main] > layout.LOCKED, columns.lengths[:main])
    degree = np.bincount(columns.scopes[: len(plain)][plain], minlength=n)
    weights = np.ones(n + 1)
    weights[:n] += degree / max(1.0, degree.max(initial=0))
    return weights
