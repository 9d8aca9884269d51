"""What is known of a model while its network is built."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from functools import cached_property, lru_cache
from itertools import chain
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_models.engine.machine_code.language import size_of
from sudoku_models.model import AllDifferent, Constraint, Domain, Model

from ..kernel import layout
from ..machine import address

if TYPE_CHECKING:
    from .diagrams import WordDiagram

Ints: TypeAlias = "array[int]"
"""Words of 64 bits. No numpy: one puzzle alone does without loading it."""
Masks = tuple[int, ...]
"""For each value of a variable, by its bit, a mask."""
Relation = tuple[Masks, Masks]
"""The masks of a second variable by bit of the first, and the other way round."""

KEPT_MASKS = 1_024

KEPT_FRAMES = 64
"""The number of boards, as their houses, that are kept from model to model."""

# ---------------------------------------------------------------- numbers and bit sets


def numbers(values: Iterable[int]) -> Ints:
    """Return whole numbers as an array."""
    return array("q", packed(values))


def packed(values: Iterable[int]) -> bytes:
    """Return whole numbers as words of 64 bits: three times as fast as ``array`` reads a list."""
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


def words_of(bit_sets: Iterable[int], words: int) -> list[int]:
    """Return bit sets of variables as words, one set after the other."""
    shifts, word = range(0, layout.WORD * words, layout.WORD), (1 << layout.WORD) - 1
    return [bits >> shift & word for bits in bit_sets for shift in shifts]


# ---------------------------------------------------------------- houses and rows


class House(NamedTuple):
    """Variables that are all different, and the same as a bit set."""

    xs: tuple[int, ...]
    whole: int

    @staticmethod
    def of(xs: tuple[int, ...]) -> House:
        """Return variables as a house."""
        return House(xs, sum([1 << x for x in xs]))


@lru_cache(KEPT_FRAMES)
def frame_of(names: tuple[str, ...], scopes: tuple[tuple[str, ...], ...]) -> tuple[list[House], list[int], Ints]:
    """Return houses, for each variable those that differ from it as bits, and the houses as the kernel reads them: the
    same for all puzzles on a board.
    """
    index = {name: x for x, name in enumerate(names)}
    houses = [House.of(tuple([index[name] for name in scope])) for scope in scopes]
    peers = [0] * len(names)
    for house in houses:
        for x in house.xs:
            peers[x] |= house.whole & ~(1 << x)
    unlike = dict.fromkeys(houses)
    return houses, peers, numbers([len(unlike), *chain.from_iterable((len(xs), *xs) for xs, _ in unlike)])


class Rows:
    """Constraints of the network, ``count`` of them, in ``words`` as the kernel reads them; see ``kernel.rows``."""

    def __init__(self) -> None:
        self.words, self.count = array("q"), 0

    def variables(self) -> Iterator[int]:
        """Yield the variables of each row."""
        at = 0
        while at < len(self.words):
            yield from self.words[at + 5 : at + 5 + self.words[at + 4]]
            at += 5 + self.words[at + 4]


# ---------------------------------------------------------------- the draft


class Occurrences(NamedTuple):
    """The number of ``xs`` in a mask, ``op`` a number, given by its variable (or -1) and shift; see ``counters``."""

    xs: tuple[int, ...]
    mask: int
    op: int
    y: int
    shift: int


class Draft:
    """Variables by number, and constraints as they are known so far. Values are bits: ``value - base``."""

    def __init__(self, model: Model, skipped: int = 0) -> None:
        self.model, self.index, self.skipped = model, model.index, skipped
        self._number = self.index.__getitem__
        self.domains: dict[str, Domain] = model.domains
        self.base = base = min([values[0] for values in model.variables.unlike if values], default=0)
        unlike, variables = model.variables.unlike, model.variables
        single = len(unlike) == 1 and [known_mask(unlike[0], base)] * len(variables)
        self.start = numbers(single or [known_mask(v.domain, base) for v in variables])
        self.whole = self.start[:]  # what models share is made for these
        self.bits = max(self.start, default=0).bit_length()
        different = [c.xs for c in model.constraints if type(c) is AllDifferent]
        houses, peers, words = frame_of(model.names, tuple(different))
        self.houses, self.peers, self.house_words = [*houses], [*peers], words[:]
        self.pool = array("q", bytes(size_of(layout.Net)))
        self.rows = Rows()
        self.either: list[tuple[list[int], Rows, tuple[int, ...]]] = []
        self.inside: Rows | None = None
        self.memo: dict[Any, Any] = {}
        self.most_nodes = self.most_arrows = self.longest = self.most_places = 0
        self.has_sums = False
        self.pairs: dict[tuple[int, int], tuple[Relation, ...]] = {}
        self.apart: dict[tuple[int, int], int] = {}  # by bit and variable: others that cannot have that value too
        self.sums = array("q")  # as the kernel reads them
        self.groups: list[tuple[int, tuple[int, ...]]] = []  # the record and the cells of each JOINED
        self.counts: dict[Any, tuple[Occurrences, ...]] = {}
        self.words: list[tuple[tuple[int, ...], WordDiagram]] = []
        self.objective = -1
        self.pending: list[tuple[int, int, Constraint]] = []
        self.done: dict[str, int] = {}

    def on(self, model: Model) -> Draft:
        """Return a copy for another model with the same variables and houses."""
        made = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict | array):
                setattr(made, name, copy(value))
        made.model, made.rows = model, Rows()
        made.rows.words, made.rows.count = self.rows.words[:], self.rows.count
        return made

    @cached_property
    def houses_with(self) -> list[int]:
        """For each variable, its houses as the bits of their numbers; use it only when all houses are known."""
        found = [0] * len(self.start)
        for number, house in enumerate(self.houses):
            for x in house.xs:
                found[x] |= 1 << number
        return found

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

    def add(self, kind: int, record: list[int], scope: Iterable[int], priority: int, idempotent: int = 0) -> None:
        """Add a constraint, to the network or to the part of a disjunction that is being built."""
        pool, xs = self.pool, dict.fromkeys(scope)
        rows = self.rows if self.inside is None else self.inside
        rows.words.extend((kind, len(pool), priority, idempotent, len(xs), *xs))
        rows.count += 1
        pool.fromlist(record)  # short ones faster than ``packed``
        if len(record) > self.longest:
            self.longest = len(record)

    def grow(self, rows: Rows, room: int, stating: Callable[..., int], *given: int) -> None:
        """Let a kernel state constraints as rows; ``room`` is the most that rows or their records take."""
        pool, words = self.pool, rows.words
        grown = numbers((len(pool), len(words), rows.count, self.longest))
        pool.frombytes(bytes(8 * room))
        words.frombytes(bytes(8 * room))
        stating(*given, address(pool), address(words), address(grown))
        del pool[grown[0] :], words[grown[1] :]
        rows.count, self.longest = grown[2:]

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
