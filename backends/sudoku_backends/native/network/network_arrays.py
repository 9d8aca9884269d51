"""The network of a model as arrays, and the memory that one search of it needs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple, TypeAlias

from sudoku_models.dataclass import dataclass
from sudoku_models.engine.contract import Block
from sudoku_models.engine.machine_code.language import place_of, size_of, zeros
from sudoku_models.lowering.house_sums import bits_in
from sudoku_models.model import AllDifferent, Constraint, InDomain, Model

from ..kernel import layout
from ..kernel.joined import ROWS_OF_PLACES
from ..machine import address, machine
from .draft import CLIQUE_BITS, KEPT_FRAMES, Draft, House, Ints, NetworkRow, Sum, numbers, packed, words_of
from .pairs import add_relations
from .reductions import reduce
from .stating import add_sum, state, state_pending

Floats: TypeAlias = "array[float]"

NET, MEM = ({name: place_of(kind, name) for name in kind._fields} for kind in (layout.Net, layout.Mem))
"""The places of numbers and sections in the two arrays by name."""

WATCHED = tuple(NET[name] for name in ("kinds", "scope_at", "scopes", "watch_at", "watches"))

FEW = 16
"""Up to this number of solutions are handed on without numpy."""


@dataclass(frozen=True)
class Network:
    """A model for the kernel: ``net`` is its array of constants, and the rest is what a search begins with.

    ``start`` has the masks of the variables, hidden ones last; ``sections`` the lengths of the sections of the memory;
    ``weights`` the initial weight of each variable; ``done`` how often each reduction found something to do.
    """

    base: int
    names: tuple[str, ...]
    net: Ints
    start: Ints
    sections: dict[str, int]
    weights: Floats
    constraints: int
    done: dict[str, int]
    improves: bool

    def block(self, bits: Ints, count: int) -> Block:
        """Return solutions over the stated variables, from rows of bit numbers: few as tuples, many as an array."""
        n, stated, base = self.variables, self.stated, self.base
        if count <= FEW:
            return [tuple([bit + base for bit in bits[n * row : n * row + stated]]) for row in range(count)]
        import numpy as np

        return np.frombuffer(bits, np.int64, count * n).reshape(count, n)[:, :stated] + base

    @property
    def stated(self) -> int:
        """The number of variables of the model."""
        return len(self.names)

    @property
    def variables(self) -> int:
        """The number of variables, including hidden ones."""
        return len(self.start)

    @property
    def address(self) -> int:
        """Where the array of constants lies."""
        return address(self.net)

    def memory(self) -> memoryview:
        """Return memory for a search, all zero but its header; of a large one, only what is used takes room."""
        header = numbers(self.header)
        size = 8 * (len(header) + sum(self.sections.values()))
        found = memoryview(zeros(size)).cast("q")
        found[: len(header)] = header
        return found

    @cached_property
    def header(self) -> list[int]:
        """The beginning of the memory of a search: the places of its sections, of which the stack is the first."""
        found = [0] * (size_of(layout.Mem) // 8)
        place = len(found)
        for section, size in self.sections.items():
            found[MEM[section]] = place
            place += size
        found[MEM["changes"]], found[MEM["bound"]] = found[MEM["change_list"]], layout.IMPOSSIBLE // 2
        return found


def network_of(model: Model, without: frozenset[str] = frozenset(), skipped: int = 0) -> Network:
    """Build the network of a model; ``without`` names reductions to leave out, ``skipped`` has SKIP_ bits."""
    draft = Draft(model)
    draft.pool[NET["skip"]] = skipped
    stated: Sequence[Constraint] = model.constraints
    if model.counts[InDomain]:
        stated = sorted(stated, key=lambda c: type(c) is not InDomain)
    for c in stated:
        if type(c) is not AllDifferent:  # these are the draft's houses
            state(draft, c)
    state_pending(draft)
    reduce(draft, without)
    add_relations(draft)
    for total in draft.sums:
        add_sum(draft, total)
    _add_objective(draft)
    return _arrays(draft)


class HouseRows(NamedTuple):
    """The rows HOUSE and LOCKED of some houses, which share their record, as words of the sections of a network.

    ``records`` and ``ends`` count from the first record in the pool and from the first variable in ``scopes``.
    """

    pool: bytes
    longest: int
    records: list[int]
    ends: list[int]
    kinds: bytes
    priorities: bytes
    idempotent: bytes
    scopes: bytes


def _rows_of_houses(draft: Draft) -> HouseRows:
    """Return the rows of the houses that are worth them: with spare values, those with more than two variables that
    are not a sum.
    """
    found = known_houses(tuple(draft.houses), tuple(draft.start))
    if not all(full for _, _, full in found):
        sums = {frozenset(c.terms) for c in draft.sums if c.op == "=="}
        found = tuple([x for x in found if x[2] or (len(x[0]) > 2 and frozenset(x[0]) not in sums)])
    return house_rows(found)


@lru_cache(KEPT_FRAMES)
def known_houses(houses: tuple[House, ...], start: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int, bool], ...]:
    """Return each house of several variables with some masks: its variables, their values, and whether it is full."""
    unions = [(house.xs, house.union(start)) for house in dict.fromkeys(houses) if len(house.xs) > 1]
    return tuple([(xs, union, union.bit_count() == len(xs)) for xs, union in unions])


@lru_cache(KEPT_FRAMES)
def house_rows(houses: tuple[tuple[tuple[int, ...], int, bool], ...]) -> HouseRows:
    """Return the rows of houses, of which the variables and values are known: the same for all puzzles on a board."""
    records = [(len(xs), union, int(full), *xs) for xs, union, full in houses]
    sizes = [*map(len, records)]
    scopes = [xs for xs, _, _ in houses for _ in range(2)]
    priorities = [place for _, _, full in houses for place in (0 if full else 1, 1)]
    return HouseRows(
        packed(chain.from_iterable(records)), max(sizes, default=0),
        [at for at in accumulate(sizes[:-1], initial=0) for _ in range(2)] if houses else [],
        [*accumulate(map(len, scopes))], packed([layout.HOUSE, layout.LOCKED] * len(houses)), packed(priorities),
        bytes(16 * len(houses)), packed(chain.from_iterable(scopes)),
    )  # fmt: skip


def _add_objective(draft: Draft) -> None:
    objective = draft.model.objective
    if objective is None:
        return
    sign = 1 if objective.minimizes else -1
    draft.objective = len(draft.rows)
    terms = {draft.index[x]: sign * c for x, c in objective.terms.items()}
    add_sum(draft, Sum(terms, "<=", 0), layout.BELOW)


@lru_cache(KEPT_FRAMES)
def peer_bits(peers: tuple[int, ...], words: int) -> Ints:
    """Return bit sets of variables as words, one after the other."""
    return numbers(words_of(peers, words))


def _disjunctions(draft: Draft, main: int) -> tuple[list[NetworkRow], list[NetworkRow]]:
    """Return disjunctions and their parts, which come last, after ``main`` constraints; records enter the pool."""
    rows: list[NetworkRow] = []
    parts: list[NetworkRow] = []
    first = main + len(draft.either)
    for starts, leaves, scope in draft.either:
        rows.append(NetworkRow(layout.EITHER, len(draft.pool), scope, 2, 0))
        draft.pool.extend((len(starts) - 1, *starts, *range(first, first + len(leaves))))
        parts += leaves
        first += len(leaves)
    return rows, parts


def _columns(rows: Sequence[NetworkRow]) -> Sequence[Sequence[Any]]:
    """Return the kinds of rows, their records, their variables, their priorities, and which are idempotent."""
    return tuple(zip(*rows, strict=True)) if rows else ((),) * 5


def _arrays(draft: Draft) -> Network:
    """Write all constraints into one array: the pool of records, then each section."""
    houses, net, n = _rows_of_houses(draft), draft.pool, len(draft.start)
    longest, at, first = max(draft.longest, houses.longest), len(net), len(draft.rows) + len(houses.records)
    net.frombytes(houses.pool)
    disjunctions, parts = _disjunctions(draft, first) if draft.either else ([], [])
    kinds, records, scopes, priorities, idempotent = _columns(draft.rows)
    last = _columns([*disjunctions, *parts])
    ends = [*accumulate(map(len, scopes), initial=0)]
    ends += [ends[-1] + end for end in houses.ends]
    ends += [*accumulate(map(len, last[2]), initial=ends.pop())]
    main, rows, words = first + len(disjunctions), len(ends) - 1, max(1, -(-n // layout.WORD))
    top = max([m.bit_length() for m in {*draft.start} if m < 1 << CLIQUE_BITS], default=1) or 1
    row = 16 + max(longest, words)
    header = {
        "variables": n, "words": words, "table_bits": top, "constraints": main, "queue": main + 1, "row": row,
        "objective": draft.objective,
    }  # fmt: skip
    for name, number in header.items():
        net[NET[name]] = number
    made: dict[str, bytes | Ints] = {
        "kinds": packed(kinds) + houses.kinds + packed(last[0]),
        "records": packed([*records, *[at + record for record in houses.records], *last[1]]),
        "priorities": packed(priorities) + houses.priorities + packed(last[3]),
        "idempotent": packed(idempotent) + houses.idempotent + packed(last[4]),
        "scope_at": packed(ends),
        "scopes": packed([*chain.from_iterable(scopes)]) + houses.scopes + packed([*chain.from_iterable(last[2])]),
        "watch_at": bytes(8 * (n + 2)),
        "watches": bytes(8 * ends[main]),
        "peer_bits": peer_bits(tuple(draft.peers), words),
        **(tables_of(top) if draft.has_cliques else NO_TABLES)._asdict(),
    }
    place = len(net)
    for name, section in made.items():
        net[NET[name]] = place
        place += memoryview(section).nbytes // 8
    net.frombytes(b"".join(made.values()))
    return Network(
        draft.base, draft.model.names, net, numbers(draft.start), _memory(draft, n, main, row, longest),
        _watched(net, main, n), rows, draft.done, draft.objective >= 0,
    )  # fmt: skip


def _watched(net: Ints, main: int, n: int) -> Floats:
    """List the constraints of each variable in a network; return its weight, then what a failure adds.

    The first ``main`` constraints are queued.
    """
    weights, begin = array("d", bytes(8 * (n + 1))), address(net)
    kinds, scope_at, scopes, watch_at, watches = [begin + 8 * net[place] for place in WATCHED]
    machine().watch(kinds, scope_at, scopes, main, n, watch_at, watches, address(weights))
    return weights


def _memory(draft: Draft, n: int, main: int, row: int, longest: int) -> dict[str, int]:
    """Return the length of each section of the memory.

    A list of changes is as long as there are values: each entry stands for at least one that was removed.
    """
    changes = sum(map(int.bit_count, draft.start)) + n + 8
    return {
        "stack": (n + 2) * n, "decided": n + 2, "decision": n + 2, "waiting": 3 * (main + 1), "heads": 3, "tails": 3,
        "queued": main, "change_list": changes, "inner_changes": changes, "scratch": n, "union": n,
        "flags": ROWS_OF_PLACES * draft.most_places + 1,
        "rows": row * layout.ROWS_IN_ALL, "live": draft.most_nodes + 1,
        "order": draft.most_nodes + 1, "passed": draft.most_arrows + 1, "ends": longest + 4, "kept": n,
    }  # fmt: skip


# ---------------------------------------------------------------- tables of sums


class SumTables(NamedTuple):
    """Tables about sums of different numbers, for all masks of a given number of bits.

    ``sums``: by number and mask, the sums of a given number of different bits of the mask, as a mask.

    ``sets_at``: by number and sum (65 places for each number), where the masks with that number of bits and that sum
    begin in ``sets``.
    """

    sums: Ints
    sets_at: Ints
    sets: Ints


NO_TABLES = SumTables(*[numbers(())] * 3)
"""For a network without a clique in a sum."""


@lru_cache(maxsize=12)
def tables_of(bits: int) -> SumTables:
    """Return the tables for masks of a given number of bits."""
    kept = {key: [*masks] for key, masks in groupby(sorted(range(1 << bits), key=_count_and_sum), _count_and_sum)}
    listed = [kept.get((count, total), []) for count in range(bits + 1) for total in range(64)]
    starts = [*accumulate(map(len, listed), initial=0)]
    sets_at = [starts[64 * count : 64 * count + 65] for count in range(bits + 1)]
    sums, sets = map(chain.from_iterable, (_sums(bits), listed))
    return SumTables(numbers(sums), numbers(chain.from_iterable(sets_at)), numbers(sets))


def _count_and_sum(mask: int) -> tuple[int, int]:
    """Return the number of a mask's bits, and the sum of their numbers."""
    return mask.bit_count(), sum(bits_in(mask))


def _sums(bits: int) -> list[list[int]]:
    """Return the sums of r different bits of a mask: without its highest bit, or of r - 1 others and that bit."""
    sums = [[1]] + [[0] for _ in range(bits)]
    for b in range(bits):
        before = [[0] * (1 << b), *sums]
        sums = [
            one + [s | other << b for s, other in zip(one, less, strict=True)]
            for less, one in zip(before, sums, strict=False)
        ]
    return sums
