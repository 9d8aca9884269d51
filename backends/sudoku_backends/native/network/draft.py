"""What is known of a model while its network is built.

The houses of a board stand first in the model of a puzzle, and many puzzles have the same board. What follows from them
alone, a frame, is found once, kept, and used unchanged by each network, unless something narrows what a house can hold.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, compress, product
from operator import is_
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.machine_code.language import size_of
from sudoku_models.model import AllDifferent, And, Compare, Constraint, Domain, InDomain, Linear, Model, Or, Table

from ..kernel import layout

if TYPE_CHECKING:
    from .diagrams import WordDiagram

Ints = NDArray[np.int64]
Masks = tuple[int, ...]
"""For each value of a variable, by its bit, a mask."""

CLIQUE_BITS = 11
"""A variable with a value this far or further above the least value of the model is in no clique of a sum."""

MANY = 200
"""The number of rows from which a constraint is evaluated on all rows together."""

KEPT = 64
"""The number of frames that are kept."""

KEPT_MASKS = 1_024

# ---------------------------------------------------------------- numbers and bit sets


def numbers(values: Iterable[int]) -> Ints:
    """Return whole numbers as an array that may be written to."""
    found = packed(values)
    return np.frombuffer(bytearray(found), np.int64) if found else np.empty(0, np.int64)


def packed(values: Iterable[int]) -> bytes:
    """Return whole numbers as words of 64 bits: three times as fast as ``array`` and numpy read a list."""
    listed = values if isinstance(values, list | tuple) else list(values)
    return pack(f"{len(listed)}q", *listed)


def mask_of(values: Iterable[int], base: int) -> int:
    """Return the mask of values, by their distance from ``base``; those outside of a word are left out."""
    found = 0
    for value in values:
        if 0 <= value - base < layout.MOST_BITS:
            found |= 1 << (value - base)
    return found


known_mask = lru_cache(KEPT_MASKS)(mask_of)
"""The same for tuples, kept from model to model."""


def words_of(sets: Sequence[int], words: int) -> bytes:
    """Return bit sets of variables as words, one set after the other."""
    low = (1 << layout.WORD) - 1
    if words == 2:
        return packed([word for bits in sets for word in (bits & low, bits >> layout.WORD)])
    return packed([bits >> layout.WORD * w & low for bits in sets for w in range(words)])


# ---------------------------------------------------------------- houses and frames


class House(NamedTuple):
    """Variables that are all different, and the same as a bit set."""

    xs: tuple[int, ...]
    whole: int

    @staticmethod
    def of(xs: tuple[int, ...]) -> House:
        """Return variables as a house."""
        return House(xs, sum([1 << x for x in xs]))

    def union(self, masks: Sequence[int]) -> int:
        """Return the values that the variables can have, together."""
        found = 0
        for x in self.xs:
            found |= masks[x]
        return found


def with_peers(peers: list[int], house: House) -> None:
    """Add to the peers of each variable those that it has in a house."""
    for x in house.xs:
        peers[x] |= house.whole & ~(1 << x)


class NetworkRow(NamedTuple):
    """A constraint of the network: its kind, where its record lies in the pool, its variables, how it is queued."""

    kind: int
    record: int
    scope: tuple[int, ...]
    priority: int
    idempotent: int


new_row = tuple.__new__
"""Makes a row twice as fast as ``NetworkRow`` does: a network has hundreds."""


def columns_of(rows: Sequence[NetworkRow]) -> tuple[bytes, ...]:
    """Return rows as columns: kinds, records, priorities, idempotence, lengths of the scopes, and these in turn."""
    if not rows:
        return (b"",) * 6
    kinds, records, scopes, priorities, idempotent = zip(*rows, strict=True)
    listed = kinds, records, priorities, idempotent, [*map(len, scopes)], [*chain.from_iterable(scopes)]
    return tuple(map(packed, listed))


class HouseRows(NamedTuple):
    """Houses in the network: their records, which begin at 0 here, and two rows for each as columns."""

    pool: bytes
    columns: tuple[bytes, ...]
    number: int
    longest: int

    @staticmethod
    def of(houses: Sequence[tuple[House, int]], words: int) -> HouseRows:
        """Return the rows HOUSE and LOCKED of each house and its values; they share their record."""
        pool: list[int] = []
        rows: list[NetworkRow] = []
        low = (1 << layout.WORD) - 1
        for (xs, whole), union in houses:
            full = union.bit_count() == len(xs)
            rows.append(new_row(NetworkRow, (layout.HOUSE, len(pool), xs, 0 if full else 1, 0)))
            rows.append(new_row(NetworkRow, (layout.LOCKED, len(pool), xs, 1, 0)))
            pool += [len(xs), union, int(full), *xs, *[whole >> layout.WORD * w & low for w in range(words)]]
        longest = max([3 + len(house.xs) + words for house, _ in houses], default=0)
        return HouseRows(packed(pool), columns_of(rows), len(rows), longest)

    def columns_at(self, place: int) -> tuple[bytes, ...]:
        """Return the columns with the records from a place of the pool on."""
        kinds, records, *others = self.columns
        return kinds, (np.frombuffer(records, np.int64) + place).tobytes(), *others

    def followed_by(self, other: HouseRows) -> HouseRows:
        """Return the rows of both."""
        pairs = zip(self.columns, other.columns_at(len(self.pool) // 8), strict=True)
        columns = tuple([one + more for one, more in pairs])
        number, longest = self.number + other.number, max(self.longest, other.longest)
        return HouseRows(self.pool + other.pool, columns, number, longest)


@dataclass(frozen=True)
class Frame:
    """The houses of one length that stand first in a model, over its first variables, ``cells``.

    ``masks`` are the values that each of these can have at first, ``unions`` those of each house; ``full`` is whether
    each house has as many variables as values.
    """

    stated: tuple[Constraint, ...]
    cells: tuple[object, ...]
    base: int
    masks: tuple[int, ...]
    houses: tuple[House, ...]
    peers: tuple[int, ...]
    unions: tuple[int, ...]
    full: bool
    rows: dict[int, HouseRows] = field(default_factory=dict, compare=False)
    sets: dict[int, bytes] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(model: Model, base: int) -> Frame:
        """Return the frame of a model; the last ones are kept."""
        key = id(model.constraints[0]) if model.constraints else 0
        found = _FRAMES.get(key)
        if found is None or not found.is_of(model, base):
            if len(_FRAMES) >= KEPT:
                _FRAMES.pop(next(iter(_FRAMES), 0), None)
            found = _FRAMES[key] = Frame._made(model, base)
        return found

    @staticmethod
    def _made(model: Model, base: int) -> Frame:
        stated: tuple[Constraint, ...] = ()
        for c in model.constraints:
            if not _goes_on(stated, c):
                break
            stated += (c,)
        index = model.index
        houses = tuple([House.of(tuple([index[x] for x in c.scope])) for c in stated])
        cells = model.variables[: max([x + 1 for house in houses for x in house.xs], default=0)]
        masks = tuple([known_mask(v.domain, base) for v in cells])
        peers, unions = [0] * len(cells), tuple([house.union(masks) for house in houses])
        for house in houses:
            with_peers(peers, house)
        full = all(union.bit_count() == len(house.xs) > 1 for house, union in zip(houses, unions, strict=True))
        return Frame(stated, cells, base, masks, houses, tuple(peers), unions, full)

    def is_of(self, model: Model, base: int) -> bool:
        """Return whether it is the frame of a model: the same houses over the same variables, and no more."""
        stated, number = model.constraints, len(self.stated)
        return (
            base == self.base
            and stated[:number] == self.stated
            and len(model.variables) >= len(self.cells)
            and all(map(is_, model.variables, self.cells))
            and not any(_goes_on(self.stated, c) for c in stated[number : number + 1])
        )

    @cached_property
    def wholes(self) -> frozenset[int]:
        """The houses as bit sets."""
        return frozenset(house.whole for house in self.houses)

    @cached_property
    def houses_with(self) -> tuple[int, ...]:
        """For each variable, its houses as the bits of their numbers."""
        found = [0] * len(self.cells)
        for number, house in enumerate(self.houses):
            for x in house.xs:
                found[x] |= 1 << number
        return tuple(found)

    def peers_in(self, words: int, peers: list[int]) -> array[int]:
        """Return peers as bit sets of a number of words each; those that the frame has too are kept."""
        kept = self.sets.get(words)
        if kept is None:
            kept = self.sets[words] = words_of(self.peers, words)
        before = self.peers + (0,) * (len(peers) - len(self.peers))
        found = array("q", kept)
        found.frombytes(bytes(8 * words * (len(peers) - len(self.peers))))
        changed = [x for x, (old, new) in enumerate(zip(before, peers, strict=True)) if old != new]
        if 2 * len(changed) > len(peers):
            return array("q", words_of(peers, words))
        for x in changed:
            found[words * x : words * (x + 1)] = array("q", words_of((peers[x],), words))
        return found

    def rows_in(self, words: int) -> HouseRows:
        """Return the rows of all houses, with bit sets of variables of a number of words."""
        found = self.rows.get(words)
        if found is None:
            found = self.rows[words] = HouseRows.of([*zip(self.houses, self.unions, strict=True)], words)
        return found


_FRAMES: dict[int, Frame] = {}
"""The frames kept, by the identity of the first constraint: a frame has its houses, so that is not used again."""


def _goes_on(stated: Sequence[Constraint], c: Constraint) -> bool:
    """Return whether a run of houses continues with a constraint."""
    return type(c) is AllDifferent and (not stated or len(c.xs) == len(stated[0].scope))


# ---------------------------------------------------------------- the draft


class Sum(NamedTuple):
    """``sum(coefficient * variable) op k``, with == , <= or !=, over two or more different variables."""

    terms: dict[int, int]
    op: str
    k: int


class Occurrences(NamedTuple):
    """The number of ``xs`` in a mask, ``op`` a number, given by its variable (or -1) and shift; see ``counters``."""

    xs: tuple[int, ...]
    mask: int
    op: int
    y: int
    shift: int
    scope: tuple[int, ...]


class Draft:
    """Variables by number, and constraints as they are known so far. Values are bits: ``value - base``."""

    def __init__(self, model: Model) -> None:
        self.model, self.index = model, model.index
        self._number = self.index.__getitem__
        self.domains: dict[str, Domain] = model.domains
        self.base = base = min([values[0] for values in model.variables.unlike if values], default=0)
        self.frame = frame = Frame.of(model, base)
        others = [known_mask(v.domain, base) for v in model.variables[len(frame.cells) :]]
        self.start = [*frame.masks, *others]
        self.bits = max(self.start, default=0).bit_length()
        self.peers: list[int] = [*frame.peers, *[0] * len(others)]
        self.pool = array("q", bytes(size_of(layout.Net)))
        self.rows: list[NetworkRow] = []
        self.either: list[tuple[list[int], list[NetworkRow], tuple[int, ...]]] = []
        self.inside: list[NetworkRow] | None = None
        self.memo: dict[Any, Any] = {}
        self.most_nodes = self.longest = self.most_places = 0
        self.has_cliques = False
        self.houses: list[House] = list(frame.houses)
        self.equal: list[tuple[int, int]] = []
        self.pairs: dict[tuple[int, int], list[tuple[Masks, Masks]]] = {}
        self.sums: list[Sum] = []
        self.cages: dict[frozenset[int], int] = {}
        self.counts: dict[Any, list[Occurrences]] = {}
        self.words: list[tuple[tuple[int, ...], WordDiagram]] = []
        self.objective = -1
        self.pending: list[tuple[int, int, Constraint]] = []
        self.done: dict[str, int] = {}

    @cached_property
    def houses_with(self) -> list[int]:
        """For each variable, its houses as the bits of their numbers; use it only when all houses are known."""
        found = list(self.frame.houses_with)
        found += [0] * (len(self.start) - len(found))
        for number in range(len(self.frame.houses), len(self.houses)):
            for x in self.houses[number].xs:
                found[x] |= 1 << number
        return found

    def unions(self) -> tuple[int, ...]:
        """Return the values that each house of the frame can hold, computed again if its variables have lost values."""
        frame = self.frame
        now = tuple(self.start[: len(frame.cells)])
        if now == frame.masks:
            return frame.unions
        narrowed = sum([1 << x for x, (old, new) in enumerate(zip(frame.masks, now, strict=True)) if old != new])
        pairs = zip(frame.houses, frame.unions, strict=True)
        found = tuple([house.union(now) if house.whole & narrowed else union for house, union in pairs])
        return frame.unions if found == frame.unions else found

    def mask(self, values: Iterable[int]) -> int:
        """Return the mask of values; those outside of the span of the model are left out."""
        return known_mask(values, self.base) if type(values) is tuple else mask_of(values, self.base)

    def ids(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of variables."""
        return tuple(map(self._number, names))

    def are_different(self, xs: Collection[int]) -> bool:
        """Return whether variables are known to be all different."""
        peers, whole, common = self.peers, 0, -1
        for x in xs:
            bit = 1 << x
            whole |= bit
            common &= peers[x] | bit
        return whole.bit_count() == len(xs) and not whole & ~common

    def hidden(self, values: int) -> int:
        """Add a variable that the model does not have, with bits from 0."""
        self.start.append((1 << values) - 1)
        self.peers.append(0)
        return len(self.start) - 1

    def add(self, kind: int, record: Sequence[int], scope: Iterable[int], priority: int, idempotent: int = 0) -> None:
        """Add a constraint, to the network or to the part of a disjunction that is being built."""
        pool = self.pool
        row = new_row(NetworkRow, (kind, len(pool), tuple(dict.fromkeys(scope)), priority, idempotent))
        pool.frombytes(packed(record))
        if len(record) > self.longest:
            self.longest = len(record)
        (self.rows if self.inside is None else self.inside).append(row)

    def never(self) -> None:
        """Add a constraint that cannot hold."""
        self.add(layout.NEVER, [], [], 0)

    def among(self, x: int, mask: int) -> None:
        """Let a variable have only values of a mask."""
        if self.inside is None:
            self.start[x] &= mask
        else:
            self.add(layout.ALLOWED, [x, mask], [x], 0, 1)

    def remembered(self, key: Any, make: Callable[[], Any], *alive: Any) -> Any:
        """Return what was made under a key, or make it; keep ``alive``, since the key may contain their ids."""
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = (make(), alive)
        return found[0]

    def rows_of(self, c: Constraint, scope: tuple[str, ...]) -> list[tuple[int, ...]]:
        """Return the choices from the domains of a few variables under which a constraint holds."""
        at = {x: i for i, x in enumerate(scope)}
        key = ("rows", shape_of(c, at), tuple(self.domains[x] for x in scope))

        def make() -> list[tuple[int, ...]]:
            chosen = list(product(*(self.domains[x] for x in scope)))
            if len(chosen) < MANY:
                return [row for row in chosen if c.holds(dict(zip(scope, row, strict=True)))]
            columns = dict(zip(scope, np.array(chosen, np.int64).T, strict=True))
            return list(compress(chosen, c.holds_many(columns).tolist()))

        found: list[tuple[int, ...]] = self.remembered(key, make, c)
        return found


def shape_of(c: Constraint, at: dict[str, int]) -> Any:
    """Return a constraint with places for variables: equal for the same constraint on other variables."""
    match c:
        case InDomain():
            return "in", at[c.x], c.values
        case Compare():
            return "compare", at[c.x], c.op, at[c.y], c.c
        case Table():
            return "table", tuple(at[x] for x in c.xs), id(c.tuples), c.allowed
        case Linear():
            return "linear", c.coeffs, tuple(at[x] for x in c.xs), c.op, c.k
        case Or() | And():
            return type(c).__name__, tuple(shape_of(part, at) for part in c.parts)
    return type(c).__name__, id(c)
