"""The network of a model as arrays, and the memory that one search of it needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.model import InDomain, Model

from ..kernel import layout
from ..machine import machine
from .disjunctions import state_pending
from .draft import Draft, Row, Sum
from .pairs import add_relation
from .reductions import reduce
from .stating import add_sum, state
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
    rows: tuple[Row, ...]
    done: dict[str, int]
    improves: bool

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
    draft = Draft(model)
    draft.pool[layout.SKIP] = skipped
    for c in model.constraints:
        if isinstance(c, InDomain):
            state(draft, c)
    for c in model.constraints:
        if not isinstance(c, InDomain):
            state(draft, c)
    state_pending(draft, state)
    reduce(draft, without)
    _add_pairs(draft)
    for total in draft.sums:
        add_sum(draft, total)
    _add_houses(draft)
    _add_objective(draft)
    return _arrays(draft)


def _add_pairs(draft: Draft) -> None:
    """Add the relations; variables that differ anyway need no further != ."""
    for (x, y), (forth, back) in draft.pairs.items():
        if (draft.peers[x] >> y) & 1:
            forth, back = ([m & ~(1 << i) for i, m in enumerate(masks)] for masks in (forth, back))
        add_relation(draft, x, y, forth, back)


def _add_houses(draft: Draft) -> None:
    """Add houses; one with values to spare only where it is no sum and has three variables or more."""
    sums = {frozenset(c.terms) for c in draft.sums if c.op == "=="}
    words = _words(draft)
    for house in dict.fromkeys(draft.houses):
        union = 0
        for x in house.xs:
            union |= draft.start[x]
        full = union.bit_count() == len(house.xs)
        if len(house.xs) < 2 or (not full and (len(house.xs) == 2 or frozenset(house.xs) in sums)):
            continue
        record = [len(house.xs), union, int(full), *house.xs, *split(house.whole, words)]
        draft.add(layout.HOUSE, record, house.xs, 0 if full else 1)
        draft.rows.append(draft.rows[-1]._replace(kind=layout.LOCKED, priority=1))


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


def split(bits: int, words: int) -> list[int]:
    """Return a bit set of variables as words."""
    return [(bits >> (layout.WORD * w)) & ((1 << layout.WORD) - 1) for w in range(words)]


def _with_parts(draft: Draft) -> list[Row]:
    """Return all constraints: disjunctions after the others, and behind these their parts."""
    rows = list(draft.rows)
    main = len(rows) + len(draft.either)
    parts: list[Row] = []
    for starts, leaves, scope in draft.either:
        first = main + len(parts)
        parts += leaves
        rows.append(Row(layout.EITHER, len(draft.pool), scope, 2, 0))
        draft.pool += [len(starts) - 1, *starts, *range(first, first + len(leaves))]
    return rows + parts


def _arrays(draft: Draft) -> Network:
    rows = _with_parts(draft)
    main, n, words = len(draft.rows) + len(draft.either), len(draft.start), _words(draft)
    top = max((m.bit_length() for m in draft.start if m < 1 << MOST_BITS), default=1) or 1
    tables = tables_of(top)
    scope_at = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row.scope) for row in rows], out=scope_at[1:])
    scopes = _array([x for row in rows for x in row.scope])
    watch_at, watches = _watches(scope_at, scopes, main, n)
    bits = _array([word for mask in draft.peers for word in split(mask, words)])
    peer_at, peers = _peers(bits, n, words)
    sections = {
        layout.KINDS: _array([row.kind for row in rows]),
        layout.RECORDS: _array([row.record for row in rows]),
        layout.PRIORITIES: _array([row.priority for row in rows]),
        layout.IDEMPOTENT: _array([row.idempotent for row in rows]),
        layout.SCOPE_AT: scope_at, layout.SCOPES: scopes, layout.WATCH_AT: watch_at, layout.WATCHES: watches,
        layout.PEER_AT: peer_at, layout.PEERS: peers, layout.PEER_BITS: bits,
        layout.SUMS: tables.sums, layout.SETS_AT: tables.sets_at, layout.SETS: tables.sets,
    }  # fmt: skip
    pool = _array(draft.pool)
    row = 16 + max(draft.longest, words)
    pool[[layout.VARIABLES, layout.WORDS, layout.TABLE_BITS, layout.CONSTRAINTS, layout.QUEUE]] = (
        n,
        words,
        top,
        main,
        main + 1,
    )
    pool[[layout.ROW, layout.OBJECTIVE]] = row, draft.objective
    net = _joined(pool, sections)
    return Network(
        draft.base, draft.model.names, net, _array(draft.start), _memory(draft, n, main, len(rows), row),
        _weights(rows[:main], n), tuple(rows), draft.done, draft.objective >= 0,
    )  # fmt: skip


def _array(values: Any) -> Ints:
    return np.array(values, np.int64)


def _joined(pool: Ints, sections: dict[int, Ints]) -> Ints:
    """Put the sections behind the pool, and their places into its header."""
    place = len(pool)
    for section, values in sections.items():
        pool[section] = place
        place += len(values)
    return np.concatenate([pool, *sections.values()])


def _watches(scope_at: Ints, scopes: Ints, main: int, n: int) -> tuple[Ints, Ints]:
    at, watches = np.empty(n + 2, np.int64), np.empty(max(1, len(scopes)), np.int64)
    machine().list_watches(scope_at.ctypes.data, scopes.ctypes.data, main, n, at.ctypes.data, watches.ctypes.data)
    return at, watches


def _peers(bits: Ints, n: int, words: int) -> tuple[Ints, Ints]:
    at, peers = np.empty(n + 1, np.int64), np.empty(max(1, n * n), np.int64)
    end = machine().list_peers(bits.ctypes.data, n, words, at.ctypes.data, peers.ctypes.data)
    return at, peers[:end]


def _memory(draft: Draft, n: int, main: int, rows: int, row: int) -> dict[int, int]:
    """Return the length of each section of the memory.

    A list of changes is as long as there are values: each entry stands for at least one that was removed.
    """
    changes = sum(mask.bit_count() for mask in draft.start) + n + 8
    return {
        layout.STACK: (n + 2) * n, layout.DECIDED: n + 2, layout.DECISION: n + 2, layout.WAITING: 3 * (main + 1),
        layout.HEADS: 3, layout.TAILS: 3, layout.QUEUED: main, layout.CHANGE_LIST: changes,
        layout.INNER_CHANGES: changes, layout.SCRATCH: n, layout.UNION: n, layout.FLAGS: 2 * draft.most_places + 1,
        layout.ROWS: row * layout.ROWS_IN_ALL, layout.LAST_PART: rows, layout.LIVE: draft.most_nodes + 1,
        layout.ORDER: draft.most_nodes + 1, layout.ENDS: draft.longest + 4, layout.KEPT: n,
    }  # fmt: skip


def _weights(rows: list[Row], n: int) -> Floats:
    """Return the weights at first: by how many constraints a variable is in; then what a failure adds."""
    plain = [x for row in rows if row.kind not in (layout.HOUSE, layout.LOCKED) for x in row.scope]
    degree = np.bincount(plain, minlength=n).astype(float) if plain else np.zeros(n)
    return np.append(1.0 + degree / max(1.0, degree.max(initial=0)), 1.0)
