"""The uniform ladder: what follows from which atoms at which level, in stages that do not depend on any order.

Level 1.k: one atom, with the candidates of k of its cells read (1.0: none; 1.all: as many as needed). Level 2.d:
suppose a candidate; a contradiction is reached within d rounds, in each of which every atom is made consistent from one
snapshot (houses: singles). Level 3.d: the same with exactly consistent houses. Level 4.j: within the trial, candidates
are removed by trials of at most j rounds. A stage is everything that the cheapest level finds, applied together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

from ..engine.budget import Budget
from ..engine.machine_code.library import NoMachineCode, forbidden, possible
from ..errors import LimitReached
from ..model import Model
from ..puzzle import Puzzle
from .atoms import PULSE, Atom, Masks, Narrowed, bits
from .compiled_ladder import is_ready
from .stating import Stating, Users, of_shape, users_of

if TYPE_CHECKING:
    from .atom_arrays import Packed
    from .compiled_ladder import Quick

ALL = 9
"""The number of level 1.all."""
NUMBERS = (0, 1, 2, 3, ALL)
"""The numbers of cells that are read at the levels 1.k."""
ROUNDS = (2, 3, 4, 5, 6, 8, 10, 14, 20, 1000)
STRONG_ROUNDS = (2, 3, 4, 6, 10, 1000)
INNER_ROUNDS = (2, 4, 8, 1000)
MOST_CHOICES = 20_000
"""The most choices of cells that are read; an atom with more is left to level 1.all."""

MOST_PLAIN = 3_000
"""The most atoms made consistent in plain Python before kernels, which may have to be compiled, take over."""
WIDE = 256
"""An atom of n cells counts as n * n of this many, at least as one."""
LARGE = 100
"""Reasons by atoms with at least this number of cells take long to find: such steps are told last."""
SLOW = 32
"""Atoms with at least this number of cells are left to the kernels from the start, even if these must be compiled
first: in plain Python the 512 cells of unknown regions with side 16 took two minutes, and compiling takes two
seconds.
"""
COMPILING = 2.5
"""Seconds that must be left for compiling, which takes two, once on a machine."""

MOST_REMEMBERED = 20_000
"""The most answers of an atom that are remembered."""

LONG = 70
"""Names of atoms with more characters are shortened in sentences."""

Level = tuple[int, int]
Fact = tuple[int, int]
"""A candidate that is removed: the number of its cell, the bit of its value."""


def level_text(level: Level) -> str:
    """Format a level: 1.0, 1.2, 1.all, 2.4, 2.any."""
    kind, number = level
    if kind == 1 and number == ALL:
        return "1.all"
    return f"{kind}.any" if number == 1000 else f"{kind}.{number}"


RUNGS: tuple[Level, ...] = tuple(
    (kind, number)
    for kind, numbers in enumerate((NUMBERS, ROUNDS, STRONG_ROUNDS, INNER_ROUNDS), 1)
    for number in numbers
)
"""All levels, from the lowest to the highest."""

SIMPLE: Level = (1, ALL)
"""The highest level without trials."""
TRIALS: Level = (3, 1000)
"""The highest level without trials inside trials."""
HIGHEST: Level = (4, 1000)
"""The highest level there is."""

TRIALS_OF = {2: 7, 3: 8}
"""By kind of trials: the phase with which kernels begin them."""


@dataclass(frozen=True)
class Stage:
    """All steps of the cheapest level: ``before`` are the candidates that it starts from, ``after`` those it leaves."""

    level: Level
    before: tuple[int, ...]
    after: tuple[int, ...]
    found_by: Callable[[], dict[int, frozenset[Fact]]] = field(default=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls, level: Level, before: Sequence[int], facts: Iterable[Fact], by: dict[int, frozenset[Fact]] | None = None
    ) -> Stage:
        """Return a stage that removes ``facts``; ``by`` is what each single atom removes."""
        return cls(level, tuple(before), tuple(after(before, facts)), lambda: by or {})

    @cached_property
    def facts(self) -> frozenset[Fact]:
        """The removed candidates."""
        pairs = enumerate(zip(self.before, self.after, strict=True))
        return frozenset((c, b) for c, (old, new) in pairs if old != new for b in bits(old & ~new))

    @cached_property
    def by(self) -> dict[int, frozenset[Fact]]:
        """What each single atom removes; empty for trials."""
        return self.found_by()


@dataclass
class Counted:
    """The numbers of stages at each level, the candidates at the end, and the limit that was reached."""

    counts: list[int]
    left: Sequence[int]
    limit: str = ""


class Ladder:
    """The atoms of a problem, and what follows from them."""

    def __init__(
        self,
        problem: Puzzle | Model,
        time_limit: float | None = None,
        kernels: bool | None = None,
        assume_unique: bool = False,
        budget: Budget | None = None,
        for_hints: bool = False,
    ) -> None:
        """State a problem; ``time_limit`` (seconds), or the ``budget`` of a job, covers everything that is asked of it.

        ``kernels``: True for compiled code from the start, False for none, None for plain Python until there is much
        work. All give the same stages. If there is no compiler, or an atom has no compiled form, everything is plain.
        ``assume_unique`` adds atoms that hold only in a puzzle with one solution, ``for_hints`` those that no rating
        counts.
        """
        self.budget = budget or Budget(time_limit).start()
        self._kernels, self._plainly = kernels, 0
        self._compiled: Quick | None = None
        self.packed: list[Packed] = []
        if isinstance(problem, Puzzle) and not problem.rules and not assume_unique:
            stating = of_shape(problem.shape)
        else:
            stating = Stating(problem, self.check_time, for_hints)
        self._assuming = stating if assume_unique else None
        self.problem, self.names, self.low = problem, stating.names, stating.low
        self.index = stating.index
        self.take(stating.atoms, stating.full, stating.users)
        self.packed, self._stated = stating.packed, len(stating.atoms)

    def take(self, atoms: Iterable[Atom], full: Iterable[int], users: Users | None = None) -> None:
        """Replace the atoms by others, over cells with all their candidates ``full``."""
        self.atoms, self.full = tuple(atoms), tuple(full)
        self.packed, self._compiled = [], None
        self.users = users or users_of(self.atoms, len(self.names))
        self._memo: dict[int, dict[tuple[int, ...], Narrowed]] = defaultdict(dict)
        self._weak: dict[int, dict[tuple[int, ...], Narrowed]] = defaultdict(dict)

    def start(self) -> list[int]:
        """Return the candidates that the givens leave."""
        found = list(self.full)
        given = {} if isinstance(self.problem, Model) else self.problem.domains
        for x, values in given.items():
            found[self.index[x]] &= self.mask(values)
        return found

    def mask(self, values: Iterable[int]) -> int:
        """Return values as a mask; values below the lowest of any cell are left out."""
        return sum(1 << (v - self.low) for v in values if v >= self.low)

    def label(self, number: int) -> str:
        """Return the name of an atom; one that lists many cells has their number instead."""
        atom = self.atoms[number]
        short = f"{atom.label.split(' (')[0]} ({len(atom.cells)} cells)"
        return atom.label if len(atom.label) <= LONG else short

    def cells_of(self, number: int) -> list[int]:
        """Return the cells of all that an atom states: more than its own, if it is implied by houses and cages."""
        stated = {self.index[x] for c in self.atoms[number].stated for x in c.scope if x in self.index}
        return sorted(stated.union(self.atoms[number].cells))

    def check_time(self) -> None:
        """Raise LimitReached if time is up."""
        if self.budget.expired:
            raise LimitReached("time limit")

    def limit(self, seconds: float | None) -> None:
        """Allow this many seconds from now on; None for no limit."""
        self.budget = Budget(seconds).start()

    @property
    def quick(self) -> Quick | None:
        """The compiled form; None if there is none, or while plain Python is enough."""
        if self._compiled is None and self._kernels is not False and self._is_due():
            from .atom_arrays import NotPacked
            from .compiled_ladder import Quick

            try:
                self._compiled = Quick(self, {2: ROUNDS, 3: STRONG_ROUNDS, 4: INNER_ROUNDS})
            except (NotPacked, NoMachineCode):
                self._kernels = False
        return self._compiled

    def _is_due(self) -> bool:
        if not self._kernels and self._plainly < MOST_PLAIN:
            return False
        if is_ready() and not forbidden():
            return True
        if not possible():
            self._kernels = False
            return False
        left = self.budget.left
        return (left is None or left > COMPILING) and self._plainly >= MOST_PLAIN

    def revised(self, number: int, masks: Sequence[int], strong: bool) -> Narrowed:
        """Return what an atom leaves of the candidates of its own cells; cached."""
        house = self.atoms[number].house is not None
        weak = not strong and house
        memo, key = (self._weak if weak else self._memo)[number], tuple(masks)
        if key in memo:
            return memo[key]
        self.check_time()
        if len(memo) > MOST_REMEMBERED:
            memo.clear()
        large = len(key) >= SLOW and not house
        self._plainly = MOST_PLAIN if large else self._plainly + max(1, len(key) ** 2 // WIDE)
        quick = self.quick if large else None if weak else self._compiled
        pulse = PULSE.set(self.check_time)
        try:
            found = quick.revised(number, key) if quick else self.atoms[number].how.revise(key, not weak)
        finally:
            PULSE.reset(pulse)
        memo[key] = found
        return found

    def stages(self, state: Sequence[int], highest: Level = HIGHEST, together: bool = False) -> Iterator[Stage]:
        """Yield stage after stage until nothing up to the ``highest`` level is left to remove.

        A contradiction ends them with a stage whose facts leave some cell without a candidate. LimitReached if time is
        up. ``together`` is for those who want the whole path: kernels find many stages before the first one is yielded.
        """
        masks: Sequence[int] = tuple(state)
        dirty = set(range(len(self.atoms)))
        nested = tuple(band for band in INNER_ROUNDS if (4, band) <= highest)
        self.check_time()
        while all(masks):
            quick = self.quick if together and not self._assuming else None
            if quick is None:
                stage = self.stage(masks, dirty, highest if is_open(masks) else min(highest, SIMPLE))
            else:
                for stage in quick.stages(masks, dirty, self.rung(highest)):
                    yield stage
                    masks = stage.after
                stage = self.trials(masks, 4, nested) if is_open(masks) else None
            if stage is None:
                return
            yield stage
            waiting = dirty if stage.level < SIMPLE else set()  # atoms that have more to remove at a higher level
            dirty = waiting | self._touched(stage)
            masks = stage.after

    def counted(self, masks: Sequence[int], highest: Level = TRIALS) -> Counted:
        """Return how many stages there are at each level, and the candidates that they leave."""
        found = Counted([0] * len(RUNGS), masks)
        self.check_time()
        if not self._assuming and (quick := self.quick) is not None:
            found = quick.counted(masks, self.rung(highest))
            if highest <= TRIALS or found.limit:
                return found
        try:
            for stage in self.stages(found.left, highest, together=True):
                found.counts[RUNGS.index(stage.level)] += 1
                found.left = stage.after
        except LimitReached as stopped:
            found.limit = str(stopped)
        return found

    def _touched(self, stage: Stage) -> set[int]:
        """Return the atoms of the cells that a stage changes."""
        pairs = enumerate(zip(stage.before, stage.after, strict=True))
        return {a for cell, (old, new) in pairs if old != new for a in self.users[cell]}

    def rung(self, highest: Level) -> int:
        """Return the position of the highest level that is no higher than another one, nested trials left out."""
        return sum(level <= highest for level in RUNGS if level < (4, 0)) - 1

    def stage(self, masks: Sequence[int], dirty: Iterable[int] | None = None, highest: Level = HIGHEST) -> Stage | None:
        """Return the cheapest stage; ``dirty`` are the atoms that may remove something on their own (None: all)."""
        new = self.assumed(masks)
        found = self.single(masks, range(len(self.atoms)) if dirty is None else {*dirty, *new})
        if found is not None:
            return found if found.level <= highest else None
        for kind, bands in ((2, ROUNDS), (3, STRONG_ROUNDS), (4, INNER_ROUNDS)):
            if kind <= highest[0]:
                stage = self.trials(masks, kind, tuple(band for band in bands if (kind, band) <= highest))
                if stage is not None:
                    return stage
        return None

    def assumed(self, masks: Sequence[int], with_loops: bool = False) -> range:
        """Add what uniqueness forbids for these candidates; return the numbers of all atoms of that kind.

        Loops serve hints alone: there are many, and no level needs them.
        """
        if self._assuming is None:
            return range(0)
        left = {x: [b + self.low for b in bits(mask)] for x, mask in zip(self.names, masks, strict=True)}
        if self._assuming.assume(left, with_loops):
            self.take(self._assuming.atoms, self.full)
        return range(self._stated, len(self.atoms))

    def single(self, masks: Sequence[int], dirty: Iterable[int]) -> Stage | None:
        """Return the steps of single atoms at the cheapest productive level 1.k."""
        if (quick := self.quick) is not None:
            return next(quick.stages(masks, dirty, self.rung(SIMPLE), 1), None)
        able: dict[int, frozenset[Fact]] = {}
        for number in sorted(dirty):
            self.check_time()
            mine = [masks[cell] for cell in self.atoms[number].cells]
            found = self.revised(number, mine, True)
            facts = self.facts(number, mine, found)
            if facts:
                able[number] = facts
        if self.quick is not None:
            return self.single(masks, dirty)  # the remaining work is too much for plain Python
        for k in NUMBERS:
            by = able if k == ALL else {a: facts for a in able if (facts := self.reading(a, masks, k))}
            if by:
                return Stage.of((1, k), masks, chain.from_iterable(by.values()), by)
        return None

    @property
    def most_read(self) -> list[int]:
        """By atom: the most of its cells that are chosen to be read."""
        return [max(k for k in NUMBERS[:-1] if self._may_read(a, k)) for a in range(len(self.atoms))]

    def _may_read(self, number: int, k: int) -> bool:
        """Return whether all choices of k cells of an atom may be tried."""
        return self.atoms[number].house is not None or comb(len(self.atoms[number].cells), k) <= MOST_CHOICES

    def facts(self, number: int, masks: Masks, found: Narrowed) -> frozenset[Fact]:
        """Return the candidates that an atom removes: all of them if nothing is left."""
        cells = self.atoms[number].cells
        left = found or [0] * len(cells)
        return frozenset((c, b) for c, old, new in zip(cells, masks, left, strict=True) for b in bits(old & ~new))

    def reading(self, number: int, masks: Sequence[int], k: int) -> frozenset[Fact]:
        """Return what an atom removes when k of its cells are read, over all choices of these."""
        atom = self.atoms[number]
        mine = [masks[cell] for cell in atom.cells]
        if atom.house is not None:
            return self.facts(number, mine, atom.house.subsets(mine, k)) if k else frozenset()
        full = [self.full[cell] for cell in atom.cells]
        narrowed = [i for i, mask in enumerate(mine) if mask != full[i]]
        if k > len(narrowed) or not self._may_read(number, k):
            return frozenset()
        kept = list(mine)
        for chosen in combinations(narrowed, k):
            self.check_time()
            found = self.revised(number, [mine[i] if i in chosen else full[i] for i in range(len(mine))], True)
            if found is None:
                return self.facts(number, mine, None)
            kept = [a & b for a, b in zip(kept, found, strict=True)]
        return self.facts(number, mine, kept)

    def trials(self, masks: Sequence[int], kind: int, bands: Sequence[int]) -> Stage | None:
        """Suppose each candidate in turn; return those that fail within the fewest rounds."""
        if not bands:
            return None
        if (quick := self.quick) is not None:
            if kind < 4:
                return next(quick.stages(masks, (), self.rung((kind, bands[-1])), 1, TRIALS_OF[kind]), None)
            ways = quick.nested(masks, bands)
            return next((Stage.of((kind, band), masks, facts) for band, facts in ways if facts), None)
        for first in (bands[0], bands[-1]):  # the shortest trials first: most stages need no others
            facts, band = self._failing(masks, kind, bands, first)
            if facts:
                return Stage.of((kind, band), masks, facts)
        return None

    def _failing(self, masks: Sequence[int], kind: int, bands: Sequence[int], best: int) -> tuple[frozenset[Fact], int]:
        """Return the candidates that fail within the fewest rounds, at most ``best``, and that number of rounds."""
        failed: list[tuple[Fact, int]] = []
        for cell, mask in enumerate(masks):
            if mask & (mask - 1):
                self.check_time()
                for bit in bits(mask):
                    depth = self.depth(masks, cell, bit, kind, best)
                    if depth is not None:
                        best = min(best, next(band for band in bands if depth <= band))
                        failed.append(((cell, bit), depth))
        return frozenset(fact for fact, depth in failed if depth <= best), best

    def depth(self, masks: Sequence[int], cell: int, bit: int, kind: int, limit: int) -> int | None:
        """Return the round in which a supposed candidate fails (for a nested trial: the inner rounds); None if it does
        not.
        """
        state = list(masks)
        state[cell] = 1 << bit
        if kind < 4:
            return self.follow(state, set(self.users[cell]), limit, kind == 3)
        if self.follow(state, set(self.users[cell]), 1000, False) is not None:
            return INNER_ROUNDS[0]
        return next((j for j in INNER_ROUNDS if j <= limit and self._nested(list(state), j)), None)

    def _nested(self, state: list[int], inner: int) -> bool:
        """Return whether a state fails when trials of at most ``inner`` rounds also remove candidates."""
        while True:
            removed = list(self._fallen(state, inner))
            if not removed:
                return False
            touched = set()
            for cell, bit in removed:
                state[cell] &= ~(1 << bit)
                touched |= set(self.users[cell])
            if not all(state) or self.follow(state, touched, 1000, False) is not None:
                return True

    def _fallen(self, state: Sequence[int], inner: int) -> Iterator[Fact]:
        for cell, mask in enumerate(state):
            if mask & (mask - 1):
                for bit in bits(mask):
                    self.check_time()
                    if self.depth(state, cell, bit, 2, inner) is not None:
                        yield cell, bit

    def fails(self, state: Sequence[int], strong: bool, using: Iterable[int]) -> bool:
        """Return whether some atoms, applied until nothing changes, leave a cell without candidates."""
        if (quick := self.quick) is not None:
            return quick.fails(state, strong, using)
        atoms = frozenset(using)
        return self.follow(list(state), set(atoms), 1000, strong, atoms) is not None

    def follow(
        self, state: list[int], dirty: set[int], limit: int, strong: bool, using: frozenset[int] | None = None
    ) -> int | None:
        """Make atoms consistent in rounds, each from one snapshot, in place; return the round in which they fail."""
        for number in range(1, limit + 1):
            if using is not None:
                dirty &= using
            if not dirty:
                return None
            new: dict[int, int] = {}
            for a in dirty:
                cells = self.atoms[a].cells
                found = self.revised(a, [state[cell] for cell in cells], strong)
                if found is None:
                    return number
                for cell, mask in zip(cells, found, strict=True):
                    if mask != state[cell]:
                        new[cell] = new.get(cell, state[cell]) & mask
            dirty = set()
            for cell, mask in new.items():
                if not mask:
                    return number
                state[cell] = mask
                dirty.update(self.users[cell])
        return None


def is_open(masks: Sequence[int]) -> bool:
    """Return whether a cell has several candidates, and none has none. A full board may be wrong: then a single atom
    shows it.
    """
    return all(masks) and any(mask & (mask - 1) for mask in masks)


def after(masks: Sequence[int], facts: Iterable[Fact]) -> list[int]:
    """Return candidates without some facts."""
    found = list(masks)
    for cell, bit in facts:
        found[cell] &= ~(1 << bit)
    return found
