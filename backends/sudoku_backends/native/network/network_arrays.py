"""The network of a model as arrays, and the memory that one search of it needs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, groupby
from typing import NamedTuple, TypeAlias

from sudoku_models.dataclass import dataclass
from sudoku_models.engine.contract import Block
from sudoku_models.engine.machine_code.language import place_of, size_of, zeros
from sudoku_models.lowering.house_sums import bits_in
from sudoku_models.model import AllDifferent, Constraint, InDomain, Model

from ..kernel import layout
from ..kernel.joined import ROWS_OF_PLACES
from ..machine import address, machine
from .draft import CLIQUE_BITS, KEPT_FRAMES, Draft, House, Ints, NetworkRow, Sum, new_row, numbers, packed, words_of
from .pairs import add_relations
from .reductions import reduce
from .stating import add_sum, state, state_pending

Floats: TypeAlias = "array[float]"

NET, MEM = ({name: place_of(kind, name) for name in kind._fields} for kind in (layout.Net, layout.Mem))
"""The places of numbers and sections in the two arrays by name."""

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
    _add_houses(draft)
    return _arrays(draft)


def _add_houses(draft: Draft) -> None:
    """Add the rows HOUSE and LOCKED of each house that is worth it; they share their record.

    With spare values, a house is worth it only if it is not a sum and has three or more variables.
    """
    sums = {frozenset(c.terms) for c in draft.sums if c.op == "=="}
    at, records = len(draft.pool), list[bytes]()
    for xs, full, record in house_records(tuple(draft.houses), tuple(draft.start)):
        if full or (len(xs) > 2 and frozenset(xs) not in sums):
            draft.rows.append(new_row(NetworkRow, (layout.HOUSE, at, xs, 0 if full else 1, 0)))
            draft.rows.append(new_row(NetworkRow, (layout.LOCKED, at, xs, 1, 0)))
            draft.longest = max(draft.longest, len(record) // 8)
            records.append(record)
            at += len(record) // 8
    draft.pool.frombytes(b"".join(records))


@lru_cache(KEPT_FRAMES)
def house_records(houses: tuple[House, ...], start: tuple[int, ...]) -> list[tuple[tuple[int, ...], bool, bytes]]:
    """Return each house of several variables with some masks: its variables, whether it is full, and its record."""
    found = []
    for house in dict.fromkeys(houses):
        xs, union = house.xs, house.union(start)
        full = union.bit_count() == len(xs)
        if len(xs) > 1:
            found.append((xs, full, packed((len(xs), union, int(full), *xs))))
    return found


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


def _arrays(draft: Draft) -> Network:
    """Write all constraints into one array: the pool of records, then each section."""
    disjunctions, parts = _disjunctions(draft, len(draft.rows)) if draft.either else ([], [])
    rows = [*draft.rows, *disjunctions, *parts]
    main, n, net = len(rows) - len(parts), len(draft.start), draft.pool
    words = max(1, -(-n // layout.WORD))
    top = max([m.bit_length() for m in {*draft.start} if m < 1 << CLIQUE_BITS], default=1) or 1
    row = 16 + max(draft.longest, words)
    header = {
        "variables": n, "words": words, "table_bits": top, "constraints": main, "queue": main + 1, "row": row,
        "objective": draft.objective,
    }  # fmt: skip
    for name, number in header.items():
        net[NET[name]] = number
    kinds, records, scopes, priorities, idempotent = zip(*rows, strict=True) if rows else ((),) * 5
    scope_at = [*accumulate(map(len, scopes), initial=0)]
    sections: dict[str, Sequence[int]] = {
        "kinds": kinds, "records": records, "priorities": priorities, "idempotent": idempotent,
        "scope_at": scope_at, "scopes": [*chain.from_iterable(scopes)],
        "watch_at": [0] * (n + 2), "watches": [0] * scope_at[main],
    }  # fmt: skip
    made = {
        "peer_bits": peer_bits(tuple(draft.peers), words),
        **(tables_of(top) if draft.has_cliques else NO_TABLES)._asdict(),
    }
    place = len(net)
    for name, section in chain(sections.items(), made.items()):
        net[NET[name]] = place
        place += len(section)
    net.frombytes(packed([*chain.from_iterable(sections.values())]))
    for array_of in made.values():
        net += array_of
    return Network(
        draft.base, draft.model.names, net, numbers(draft.start), _memory(draft, n, main, row),
        _watched(net, main, n), len(rows), draft.done, draft.objective >= 0,
    )  # fmt: skip


def _watched(net: Ints, main: int, n: int) -> Floats:
    """List the constraints of each variable in a network; return its weight, then what a failure adds.

    The first ``main`` constraints are queued; a variable is weighed by the number of these, except houses.
    """
    number, begin = numbers([0] * (n + 1)), address(net)
    kinds, scope_at, scopes, watch_at, watches = [
        begin + 8 * net[NET[name]] for name in ("kinds", "scope_at", "scopes", "watch_at", "watches")
    ]
    machine().watch(kinds, scope_at, scopes, main, n, watch_at, watches, address(number))
    most = float(max(1, *number))
    return array("d", [1.0 + k / most for k in number])


def _memory(draft: Draft, n: int, main: int, row: int) -> dict[str, int]:
    """Return the length of each section of the memory.

    A list of changes is as long as there are values: each entry stands for at least one that was removed.
    """
    changes = sum(map(int.bit_count, draft.start)) + n + 8
    return {
        "stack": (n + 2) * n, "decided": n + 2, "decision": n + 2, "waiting": 3 * (main + 1), "heads": 3, "tails": 3,
        "queued": main, "change_list": changes, "inner_changes": changes, "scratch": n, "union": n,
        "flags": ROWS_OF_PLACES * draft.most_places + 1,
        "rows": row * layout.ROWS_IN_ALL, "live": draft.most_nodes + 1,
        "order": draft.most_nodes + 1, "ends": draft.longest + 4, "kept": n,
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
