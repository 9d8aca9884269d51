"""The uniform ladder: what follows from which atoms at which level, in stages that do not depend on any order.

Level 1.k: one atom, with the candidates of k of its cells read (1.0: none; 1.all: as many as needed). Level 2.d:
suppose a candidate; a contradiction is reached within d rounds, in each of which every atom is made consistent from one
snapshot (houses: singles). Level 3.d: the same with exactly consistent houses. Level 4.j: within the trial, candidates
are removed by trials of at most j rounds. A stage is everything that the cheapest level finds, applied together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.budget import Budget
from ..engine.machine_code.flat import flat
from ..engine.machine_code.language import Kernels, zeros
from ..engine.machine_code.library import Library, NoMachineCode, address, forbidden, possible
from ..errors import LimitReached, WrongAnswer
from ..model import Model
from ..model.domain import fields_only
from ..puzzle import Puzzle
from .atoms import CHOSEN, Atom, Masks, Narrowed, Packed, bits, packed, words_of
from .kernel import layout, stages
from .stating import Users, stating_of, users_of

ALL = 9
"""The number of level 1.all."""
NUMBERS = (*CHOSEN, ALL)
"""The numbers of cells that are read at the levels 1.k."""
ANY = 1000
"""More rounds than there are."""
ROUNDS = (2, 3, 4, 5, 6, 8, 10, 14, 20, ANY)
STRONG_ROUNDS = (2, 3, 4, 6, 10, ANY)
INNER_ROUNDS = (2, 4, 8, ANY)

WORK = 3_000_000
"""How much work compiled kernels do between two looks at the clock."""
PLAIN_WORK = 20_000
"""The same in plain Python."""
MOST_PLAIN = 150_000
"""The most work in plain Python before kernels are compiled: about as much as can be done in a tenth of a second."""
LARGE = 100
"""Reasons by atoms with at least this number of cells take long to find: such steps are told last."""
COMPILING = 2.5
"""Seconds that must be left for compiling, which takes two, once on a machine."""

EVERY = 1 << 30
"""More stages than there are."""
CONTRADICTION = 2
"""What the kernel ``sweep`` returns if nothing is left."""

STEPS = "the steps of the ladder"
"""The name used when steps lead to a wrong result."""

MOST_CLOSED, MOST_PAIRS = 1 << 27, 1 << 25
"""The most numbers of what is left of candidates, and of pairs of them; they take room as they are met."""

MOST_APART = 50_000
"""A set of values is a number with a bit for each number between the least and the greatest value."""

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
    return f"{kind}.any" if number == ANY else f"{kind}.{number}"


RUNGS: tuple[Level, ...] = tuple(
    (kind, number)
    for kind, numbers in enumerate((NUMBERS, ROUNDS, STRONG_ROUNDS, INNER_ROUNDS), 1)
    for number in numbers
)
"""All levels, from the lowest to the highest."""

SIMPLE: Level = (1, ALL)
"""The highest level without trials."""
TRIALS: Level = (3, ANY)
"""The highest level without trials inside trials."""
HIGHEST: Level = (4, ANY)
"""The highest level there is."""


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

    def __getstate__(self) -> dict[str, Any]:
        return {**fields_only(self), "found_by": partial(dict, self.by)}


@dataclass(frozen=True)
class Log:
    """Stages that were found together: their ``levels``, the candidates ``left`` after them, and what makes them."""

    levels: list[Level]
    left: tuple[int, ...]
    stages: Callable[[], Iterable[Stage]]


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
        work, if the code is not kept yet. All give the same stages. ``assume_unique`` adds atoms that hold only in a
        puzzle with one solution, ``for_hints`` those that no rating counts. ValueError for values that are more than
        ``MOST_APART`` apart.
        """
        self.budget = budget or Budget(time_limit).start()
        self._kernels, self._for_hints, self._work, self._compiled = kernels, for_hints, 0, False
        stating = stating_of(problem, self.check_time, for_hints, assume_unique)
        if (span := max(map(int.bit_length, stating.full), default=0)) > MOST_APART:
            raise ValueError(f"values up to {span - 1:,} apart: steps are found up to {MOST_APART:,}")
        self._assuming = stating if assume_unique else None
        self.problem, self.names, self.low = problem, stating.names, stating.low
        self.index, self.domains = stating.index, stating.domains
        self.take(stating.atoms, stating.full, stating.users, stating.packed)
        self._stated = len(stating.atoms)

    def __reduce__(self) -> tuple[Any, ...]:
        stated = self.problem, None, self._kernels, self._assuming is not None, None, self._for_hints
        return Ladder, stated, self.atoms[self._stated :]

    def __setstate__(self, assumed: tuple[Atom, ...]) -> None:
        self.take((*self.atoms, *assumed), self.full)

    def take(
        self,
        atoms: Iterable[Atom],
        full: Iterable[int],
        users: Users | None = None,
        packed: list[Packed] | None = None,
    ) -> None:
        """Replace the atoms by others, over cells with all their candidates ``full``."""
        self.atoms, self.full = tuple(atoms), tuple(full)
        self.users = users or users_of(self.atoms, len(self.names))
        self._packed: list[Packed] = [] if packed is None else packed
        self._memory: Memory | None = None

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

    def check_facts(self, facts: Iterable[Fact], solution: Mapping[str, int]) -> None:
        """Raise WrongAnswer if a candidate is removed that the only solution has."""
        for cell, bit in facts:
            x = self.names[cell]
            if solution[x] == bit + self.low:
                raise WrongAnswer(f"{STEPS} remove {x} = {solution[x]}, which the only solution has", STEPS)

    def limit(self, seconds: float | None) -> None:
        """Allow this many seconds from now on; None for no limit."""
        self.budget = Budget(seconds).start()

    def done(self) -> None:
        """Have no limit from now on, and forget what only more trials would need."""
        self.limit(None)
        if self._memory is not None:
            self._memory.forget()

    # ---- memory and kernels

    @property
    def memory(self) -> Memory:
        """The memory of the kernels, on which one walk at a time works."""
        if self._memory is None:
            if not self._packed:
                bands = ROUNDS, STRONG_ROUNDS, INNER_ROUNDS
                self._packed.append(packed(self.atoms, self.full, self.low, self.users, bands))
            self._memory = Memory(self._packed[0])
        return self._memory

    @property
    def is_fast(self) -> bool:
        """Whether kernels are compiled, from now on if they were not before."""
        if not self._compiled and self._kernels is not False:
            if forbidden() or self.memory.packed.is_wide:
                self._kernels = False
            elif LIBRARY.is_kept:
                self._compiled = True
            elif not possible():
                self._kernels = False
            elif self._kernels or max(self._work, self.memory.packed.heaviest) > MOST_PLAIN:
                self._compiled = self.budget.left is None or self.budget.left > COMPILING
        return self._compiled

    def _call(self, kernel: str, *more: int) -> int:
        """Call a kernel once, which works until a part of the budget of work is used up."""
        memory = self.memory
        if self.is_fast:
            memory["budget"] = WORK
            try:
                return memory.compiled(kernel, *more)
            except NoMachineCode:
                self._kernels, self._compiled = False, False
        memory["budget"] = PLAIN_WORK
        try:
            return memory.plain(kernel, self.check_time, *more)
        finally:
            self._work += PLAIN_WORK - memory["budget"]

    def _run(self, kernel: str, *more: int, unfinished: int = 0) -> int:
        """Call a kernel until it has finished; LimitReached if time is up."""
        done = unfinished
        while done == unfinished:
            self.check_time()
            done = self._call(kernel, *more)
        return done

    # ---- stages

    def stages(self, state: Sequence[int], highest: Level = HIGHEST) -> Iterator[Stage]:
        """Yield stage after stage until nothing up to the ``highest`` level is left to remove.

        A contradiction ends them with a stage whose facts leave some cell without a candidate. LimitReached if time is
        up. Many stages may be found before the first one is yielded.
        """
        for log in self.logs(state, highest):
            yield from log.stages()

    def logs(self, state: Sequence[int], highest: Level = HIGHEST) -> Iterator[Log]:
        """Yield the same stages, as many together as were found together: nested ones and assumed ones one by one."""
        masks: Sequence[int] = tuple(state)
        self.check_time()
        while all(masks):
            self.assumed(masks)
            before = masks
            for log in self._walked(masks, range(len(self.atoms)), highest, 1 if self._assuming else EVERY):
                yield log
                masks = log.left
            if masks is before or not self._assuming:
                stage = self._nested(masks, highest)
                if stage is None:
                    return
                yield Log([stage.level], stage.after, partial(iter, [stage]))
                masks = stage.after

    def stage(self, masks: Sequence[int], highest: Level = HIGHEST, among: Iterable[int] | None = None) -> Stage | None:
        """Return the cheapest stage; None if nothing up to the ``highest`` level is left to remove.

        With ``among``, only these atoms remove something on their own.
        """
        if among is None:
            self.assumed(masks)
            among = range(len(self.atoms))
        logs = self._walked(masks, among, highest, 1)
        return next((stage for log in logs for stage in log.stages()), None) or self._nested(masks, highest)

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

    def _walked(self, state: Sequence[int], among: Iterable[int], highest: Level, most: int) -> Iterator[Log]:
        """Walk from some candidates by levels up to ``highest``, without nested trials, for at most some stages.

        ``among`` are the atoms that may remove something on their own. Stages before a limit are yielded before
        LimitReached is raised. The kernel logs for each stage its rung, the candidates after it, and what atoms left of
        their cells.
        """
        memory, masks = self.memory, state
        last = sum(level <= highest for level in RUNGS if level < (4, 0)) - 1
        entry = memory.packed.entry
        known: Any = np.full(len(self.atoms), stages.IDLE)
        known[np.fromiter(among, np.intp)] = stages.UNKNOWN
        while most > 0:
            before = memory.begin(masks).copy()
            memory.keep_closed(before)
            memory["able"], memory["phase"], memory["logged"] = known, 0, 0
            stopped = None
            try:
                full = self._run("walk", last, min(most, len(memory["log"]) // entry)) == stages.FULL_LOG
            except LimitReached as limit:
                full, stopped = False, limit
            logged = memory["logged"]
            most -= logged if full else most
            known = memory["able"].copy()  # another walk may use the memory before this one goes on
            if logged:
                log = memory["log"][: logged * entry].reshape(logged, entry).copy()
                masks = log[-1, 1 : 1 + len(before)]
                levels = [RUNGS[rung] for rung in log[:, 0].tolist()]
                yield Log(levels, tuple(masks.tolist()), partial(self._staged, memory, levels, before, log[:, 1:]))
            if stopped is not None:
                raise stopped

    def _staged(self, memory: Memory, levels: Sequence[Level], before: Any, log: Any) -> Iterator[Stage]:
        """Yield the stages of a log that was written in some memory."""
        for level, entry in zip(levels, log, strict=True):
            then, left = entry[: len(before)], entry[len(before) :]
            by = partial(memory.by_atoms, before, left) if level <= SIMPLE else dict
            yield Stage(level, tuple(before.tolist()), tuple(then.tolist()), by)
            before = then

    def _nested(self, masks: Sequence[int], highest: Level) -> Stage | None:
        """Return what fails by trials of the fewest inner rounds within a trial."""
        if highest < (4, 0) or not is_open(masks):
            return None
        places = [(c, b) for c, mask in enumerate(masks) if mask & (mask - 1) for b in bits(mask)]
        states = dict[Fact, Any]()
        for fact in places:
            left = supposed(masks, fact)
            if self.follow(left) is None:
                states[fact] = np.array(left)
        self.memory.keep_closed(np.array(masks))
        self.memory.keep_pairs(places)
        for inner in (band for band in INNER_ROUNDS if (4, band) <= highest):
            swept = {fact: self._swept(fact, left, inner) for fact, left in states.items()}
            states = {fact: left for fact, left in swept.items() if left is not None}
            if failed := [fact for fact in places if fact not in states]:
                return Stage.of((4, inner), masks, failed)
        return None

    def _swept(self, fact: Fact, state: Any, inner: int) -> Any:
        """Return what trials of up to ``inner`` rounds leave where a candidate is supposed; None if they contradict
        it.
        """
        memory = self.memory
        dom = memory.begin(state)
        memory["fact"] = fact[0] * memory.packed.bits + fact[1]
        return None if self._run("sweep", inner) == CONTRADICTION else dom.copy()

    # ---- single atoms, and some of them together

    def facts(self, number: int, masks: Masks, found: Narrowed) -> frozenset[Fact]:
        """Return the candidates that an atom removes: all of them if nothing is left."""
        cells = self.atoms[number].cells
        left = found or [0] * len(cells)
        return frozenset((c, b) for c, old, new in zip(cells, masks, left, strict=True) for b in bits(old & ~new))

    def revised(self, number: int, masks: Sequence[int], strong: bool) -> Narrowed:
        """Return what an atom leaves of the candidates of its own cells; of a house its singles, unless ``strong``."""
        self.check_time()
        memory, cells = self.memory, list(self.atoms[number].cells)
        if not all(masks):
            return None
        dom = memory.begin(0)
        dom[cells] = masks
        memory.queue([number])
        return dom[cells].tolist() if self._call("round_of", memory.dom, int(strong), 0) else None

    def reading(self, number: int, masks: Sequence[int], k: int) -> frozenset[Fact]:
        """Return what an atom removes when k of its cells are read (ALL: all of them), over all choices of these."""
        memory, mine = self.memory, [masks[c] for c in self.atoms[number].cells]
        memory.begin(masks)
        memory["able"][number] = stages.UNKNOWN
        every = stages.EVERY if k == ALL else k
        if self._run("examined", number, every, unfinished=stages.UNFINISHED) == 0:
            return frozenset()
        part = slice(*memory.packed.starts[number : number + 2])
        return self.facts(number, mine, memory["left"][part].tolist())

    def fails_in(
        self,
        masks: Sequence[int],
        fact: Fact,
        using: Iterable[int] | None = None,
        strong: bool = False,
        most: int = ANY,
    ) -> int | None:
        """Return the round in which a supposed candidate fails by some atoms; None if it does not within ``most``."""
        return self.follow(supposed(masks, fact), using, strong, most)

    def fails(
        self, before: Sequence[int], fact: Fact, atoms: Iterable[int], reads: Iterable[int] | None, strong: bool
    ) -> bool:
        """Return whether a supposed candidate fails by some atoms when some cells are read (None: all)."""
        state = list(before if reads is None else self.full)
        for c in reads or ():
            state[c] = before[c]
        return self.fails_in(state, fact, atoms, strong) is not None

    def follow(
        self, state: list[int], using: Iterable[int] | None = None, strong: bool = False, most: int = ANY
    ) -> int | None:
        """Make some atoms (None: all) consistent in rounds, each from one snapshot, at most so many.

        Return the round in which they fail; None if none does, and then ``state`` becomes what they leave. What the
        last round allowed would remove is not removed.
        """
        self.check_time()
        memory = self.memory
        dom = memory.begin(state)
        atoms = range(len(self.atoms)) if using is None else list(using)
        memory["use"] = 0
        memory["use"][atoms] = 1
        memory.queue(atoms)
        try:
            number = self._call("follow", memory.dom, most, int(strong))
        finally:
            memory["use"] = 1
        if number < layout.FAR:
            return number
        state[:] = dom.tolist()
        return None


def is_open(masks: Sequence[int]) -> bool:
    """Return whether a cell has several candidates, and none has none. A full board may be wrong: then a single atom
    shows it.
    """
    return all(masks) and any(mask & (mask - 1) for mask in masks)


def supposed(masks: Sequence[int], fact: Fact) -> list[int]:
    """Return candidates of which one is true."""
    found = list(masks)
    found[fact[0]] = 1 << fact[1]
    return found


def after(masks: Sequence[int], facts: Iterable[Fact]) -> list[int]:
    """Return candidates without some facts."""
    found = list(masks)
    for cell, bit in facts:
        found[cell] &= ~(1 << bit)
    return found


# ----------------------------------------------------------------------------
# The kernels, and the memory of a walk.

ENTRIES = {"walk": "mmii", "examined": "mmii", "round_of": "mmiii", "follow": "mmiii", "sweep": "mmi"}


def _kernels() -> Kernels:
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .kernel.layout import KERNELS

    return KERNELS


LIBRARY = Library("ladder", ENTRIES, sorted((Path(__file__).parent / "kernel").glob("*.py")), _kernels)


AT_WORK: ContextVar[tuple[Packed, Callable[[], object]]] = ContextVar("AT_WORK")
"""The problem of the kernel that runs as plain Python, and what looks at the clock: it may raise LimitReached."""


@lru_cache(maxsize=1)
def plain_kernels() -> dict[str, Callable[..., Any]]:
    """Return the kernels as plain Python, in which each node that is made consistent is a look at the clock."""
    found = flat(_kernels())
    revise = found["revise"]

    def looking(net: Any, mem: Any, node: int, at: int, top: int) -> int:
        AT_WORK.get()[1]()
        return int(revise(net, mem, node, at, top))

    def loosely(net: Any, mem: Any, n: int, at: int, record: int) -> int:
        left = AT_WORK.get()[0].loose[net[record]].revise([mem[i] for i in range(at, at + n)])
        for i, mask in enumerate(left or ()):
            mem[at + i] = mask
        return int(left is not None)

    found.update(revise=looking, loosely=loosely)
    return found


class Memory:
    """The memory of one walk: ``memory["dom"]`` is an array, if it is the name of a section, otherwise a number."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self._words = words_of(packed.first, packed.size, packed.net.dtype)
        self.dom = packed.fields["dom"].start
        self._flat = [words if packed.is_wide else memoryview(words) for words in (packed.net, self._words)]
        self._addresses = packed.net.ctypes.data, self._words.ctypes.data
        self["use"] = 1
        self._kept_for: Any = None
        self._rooms: list[Any] = []

    def __getitem__(self, name: str) -> Any:
        return self._words[self.packed.fields[name]]

    def __setitem__(self, name: str, value: Any) -> None:
        self._words[self.packed.fields[name]] = value

    def begin(self, masks: Any) -> Any:
        """Write the candidates that a kernel starts from; return where they lie. Nothing is queued or begun."""
        self["dom"] = masks
        for name in ("flags", "is_touched", "queued", "at", "choosing", "found", "since"):
            self[name] = 0
        return self["dom"]

    def keep_closed(self, masks: Any) -> None:
        """Forget what was left of candidates, alone or in pairs, unless it was from these masks or wider ones."""
        if self._kept_for is None or (masks & ~self._kept_for).any():
            self.forget()
        self._kept_for = masks
        self._room("kept", 2 * len(self["number"]), MOST_CLOSED)

    def keep_pairs(self, facts: Sequence[Fact]) -> None:
        """Have room for what is left of pairs of these candidates, or of more that were given before."""
        if not self["pairs"]:
            self["number"] = 0  # those of forgotten candidates might lie outside of the new room
            self["number"][[cell * self.packed.bits + bit for cell, bit in facts]] = range(1, len(facts) + 1)
            self._room("pairs", len(facts) * (len(facts) + 1) // 2 + 1, MOST_PAIRS)

    def _room(self, name: str, rows: int, most: int) -> None:
        """Have room for what is known of some suppositions and what is left of each cell, if it is not too much."""
        size = rows * (len(self["dom"]) + 1)
        if not self[name] and size <= most and not self.packed.is_wide:
            self._rooms.append(zeros(8 * size))
            self[name] = address(self._rooms[-1])

    def forget(self) -> None:
        """Forget what trials have left."""
        self["kept"] = self["pairs"] = 0
        self._rooms.clear()

    def queue(self, atoms: Collection[int]) -> None:
        """Queue atoms, which are looked at first."""
        queued = list(atoms)
        self["queue"][: len(queued)] = queued
        self["flags"][queued] = 1
        self["queued"] = len(queued)

    def by_atoms(self, before: Any, left: Any) -> dict[int, frozenset[tuple[int, int]]]:
        """Return the candidates that each atom removes: ``left`` is what it leaves of its cells, -1 if all."""
        packed = self.packed
        gone, found = before[packed.members] & ~left, {}
        for a in sorted(set(np.searchsorted(packed.starts, np.flatnonzero(gone), "right").tolist())):
            part = slice(packed.starts[a - 1], packed.starts[a])
            pairs = zip(packed.members[part].tolist(), gone[part].tolist(), strict=True)
            found[a - 1] = frozenset([(c, b) for c, mask in pairs if mask for b in bits(mask)])
        return found

    def compiled(self, kernel: str, *more: int) -> int:
        """Call a kernel as machine code; NoMachineCode where there is none."""
        return int(getattr(LIBRARY.load(), kernel)(*self._addresses, *more))

    def plain(self, kernel: str, look: Callable[[], object], *more: int) -> int:
        """Call a kernel as plain Python; what ``look`` raises ends it."""
        token = AT_WORK.set((self.packed, look))
        try:
            return int(plain_kernels()[kernel](*self._flat, *more))
        finally:
            AT_WORK.reset(token)
