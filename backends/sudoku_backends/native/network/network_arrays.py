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
from sudoku_models.model.logic import StatedConstraints

from ..kernel import layout
from ..kernel.joined import ROWS_OF_PLACES
from ..machine import address, machine
from .draft import KEPT_FRAMES, Draft, Ints, numbers
from .pairs import add_relations
from .reductions import reduce
from .stating import add_sum, peer_bits, state, state_pending, state_sums, words_for

Floats: TypeAlias = "array[float]"

NET, MEM = ({name: place_of(kind, name) for name in kind._fields} for kind in (layout.Net, layout.Mem))
"""The places of numbers and sections in the two arrays by name."""

BEGUN: dict[Any, tuple[Draft, tuple[StatedConstraints, ...]]] = {}
"""Drafts with blocks of constraints by what they begin with, and the blocks, since the key contains their ids."""

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
    draft = _begun(model, skipped)
    _state_all(draft, model.constraints.others)
    state_pending(draft)
    reduce(draft, without)
    add_relations(draft)
    return _arrays(draft)


def _begun(model: Model, skipped: int) -> Draft:
    """Return a draft with the blocks of constraints that models of a shape share, which is kept for other models."""
    draft, blocks = Draft(model, skipped), model.constraints.blocks
    if blocks:
        key = model.names, draft.base, bytes(draft.start), (*draft.houses,), skipped, *map(id, blocks)
        found = BEGUN.get(key)
        if found is None:
            if len(BEGUN) >= KEPT_FRAMES:
                BEGUN.clear()
            for block in blocks:
                _state_all(draft, block)
            found = BEGUN[key] = draft, blocks
        draft = found[0].on(model)
    return draft


def _state_all(draft: Draft, constraints: Sequence[Constraint]) -> None:
    if draft.model.counts[InDomain]:
        constraints = sorted(constraints, key=lambda c: type(c) is not InDomain)
    for c in constraints:
        if type(c) is not AllDifferent:  # these are the draft's houses
            state(draft, c)


def _state_sums_and_houses(draft: Draft) -> None:
    """State the sums, of which the last is the objective, and the houses."""
    objective, rows, sums = draft.model.objective, draft.rows, draft.sums
    if objective is not None:
        sign = 1 if objective.minimizes else -1
        add_sum(draft, layout.BELOW, draft.ids(objective.terms), tuple([sign * c for c in objective.terms.values()]), 0)
    if sums:
        state_sums(draft, rows, sums)
    if objective is not None:
        draft.objective = rows.count - 1
    houses = draft.house_words
    draft.grow(rows, 5 * len(houses), machine().state_houses, address(houses), address(draft.start))


def _state_disjunctions(draft: Draft) -> tuple[int, int]:
    """State disjunctions, and after them their parts, which are not queued; return the number of rows before these, and
    of the variables in them.
    """
    rows, pool = draft.rows, draft.pool
    main = rows.count + len(draft.either)
    first = main
    for starts, leaves, scope in draft.either:
        rows.words.extend((layout.EITHER, len(pool), 2, 0, len(scope), *scope))
        pool.extend((len(starts) - 1, *starts, *range(first, first + leaves.count)))
        first += leaves.count
    queued = len(rows.words) - 5 * main
    for _, leaves, _ in draft.either:
        rows.words += leaves.words
    rows.count = first
    return main, queued


def _arrays(draft: Draft) -> Network:
    """Write all constraints into one array: the pool of records, then each section."""
    _state_sums_and_houses(draft)
    main, queued = _state_disjunctions(draft)
    net, n, count, words = draft.pool, len(draft.start), draft.rows.count, words_for(draft)
    top = max([m.bit_length() for m in {*draft.start} if m < 1 << layout.CLIQUE_BITS], default=1) or 1
    row = 16 + max(draft.longest, words)
    columns = dict.fromkeys(("kinds", "records", "priorities", "idempotent"), count) | {
        "scope_at": count + 1, "scopes": len(draft.rows.words) - 5 * count, "watch_at": n + 2, "watches": queued,
    }  # fmt: skip
    kept = _peers(draft, words) | (tables_of(top) if draft.has_sums else NO_TABLES)._asdict()
    header = {
        "variables": n, "words": words, "table_bits": top, "constraints": main, "queue": main + 1, "row": row,
        "objective": draft.objective, "skip": draft.skipped,
    }  # fmt: skip
    place = len(net)
    for name, size in (columns | {name: len(section) for name, section in kept.items()}).items():
        header[name] = place
        place += size
    for name, number in header.items():
        net[NET[name]] = number
    net.frombytes(bytes(8 * sum(columns.values())))
    net.frombytes(b"".join(kept.values()))
    weights = array("d", bytes(8 * (n + 1)))
    machine().laid_out(address(net), address(draft.rows.words), count, address(weights))
    return Network(
        draft.base, draft.model.names, net, draft.start, _memory(draft, n, main, row, draft.longest), weights, count,
        draft.done, draft.objective >= 0,
    )  # fmt: skip


def _peers(draft: Draft, words: int) -> dict[str, Ints]:
    """Return where the peers with each value begin, and the peers: with any value, then with some values."""
    blocks, starts = [draft.peers], [0] * layout.WORD
    for value in {bit for bit, _ in draft.apart}:
        starts[value] = len(blocks) * len(draft.peers) * words
        blocks.append([bits | draft.apart.get((value, x), 0) for x, bits in enumerate(draft.peers)])
    return {"peer_at": numbers(starts), "peer_bits": peer_bits(tuple(chain.from_iterable(blocks)), words)}


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
"""For a network without a sum."""


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
