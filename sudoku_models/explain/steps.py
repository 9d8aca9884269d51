"""Steps: what follows, and the reason: the atoms used and the cells whose candidates are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from ..engine.switches import Part, SwitchAnswer, Switches, minimal
from ..model import Model, Variable
from .atoms import Atom, bits
from .ladder import ALL, LARGE, Fact, Ladder, Level, Stage

if TYPE_CHECKING:
    from .patterns.board import Pattern


@dataclass(frozen=True)
class ExactlyOne:
    """A cell, or a value in a house (``owner`` is its atom, -1 for a cell): one of its ``members`` is true."""

    owner: int
    members: tuple[Fact, ...]


class Tree:
    """The smallest tree of singles that refutes a candidate, within the houses of a reason and the cells it reads.

    ``order`` are the parts of the tree, each after those that it rests on, with the member that it forces; the last one
    forces None: it has no member left. ``false_by`` says which true candidate sees a false one. Without a tree, both
    are empty.
    """

    def __init__(self, ladder: Ladder, step: Step) -> None:
        assert step.trial is not None
        houses = [(a, frozenset(ladder.atoms[a].cells), ladder.atoms[a].house) for a in step.atoms]
        known = {step.trial[0]}.union(*(cells for _, cells, _ in houses))
        self.masks = {c: step.before[c] for c in known}
        self.houses = [(number, cells) for number, cells, _ in houses]
        self.parts = [ExactlyOne(-1, tuple((c, b) for b in bits(self.masks[c]))) for c in step.reads if c in known]
        for number, cells, house in reversed(houses):  # boxes first
            for b in bits(house.values) if house is not None and house.exact else ():
                self.parts.append(ExactlyOne(number, tuple((c, b) for c in sorted(cells) if self.masks[c] >> b & 1)))
        self.false_by: dict[Fact, Fact] = {}
        self._true_by: dict[Fact, int] = {}
        last = self._refuted(step.trial)
        self.order = [] if last is None else list(self._needed(last, None, set()))

    def _seen(self, literal: Fact) -> Iterator[Fact]:
        cell, bit = literal
        yield from ((cell, b) for b in bits(self.masks[cell]) if b != bit)
        for _, house in self.houses:
            if cell in house:
                yield from ((c, bit) for c in house if c != cell and self.masks[c] >> bit & 1)

    def _refuted(self, supposed: Fact) -> int | None:
        """Return the index of what runs out of members at the lowest cost; None if nothing does."""
        users: dict[Fact, list[int]] = defaultdict(list)
        for number, part in enumerate(self.parts):
            for member in part.members:
                users[member].append(number)
        left = [len(part.members) for part in self.parts]
        cost = [1] * len(left)
        queue = [(0, -1, supposed, -1)]
        while queue:
            spent, end, literal, number = heappop(queue)
            if end >= 0:
                return end
            if literal in self._true_by:
                continue
            self._true_by[literal] = number
            for other in self._seen(literal):
                if other in self.false_by:
                    continue
                self.false_by[other] = literal
                for w in users[other]:
                    left[w] -= 1
                    cost[w] += spent
                    if left[w] == 0:
                        heappush(queue, (cost[w], w, other, w))
                    elif left[w] == 1:
                        forced = next(m for m in self.parts[w].members if m not in self.false_by)
                        heappush(queue, (cost[w], -1, forced, w))
        return None

    def _needed(self, number: int, forced: Fact | None, seen: set[int]) -> Iterator[tuple[ExactlyOne, Fact | None]]:
        for member in self.parts[number].members:
            sees = self.false_by[member] if member != forced else None
            by = self._true_by[sees] if sees else -1
            if by >= 0 and by not in seen:
                seen.add(by)
                yield from self._needed(by, sees, seen)
        yield self.parts[number], forced

    def atoms(self) -> list[int]:
        """Return the numbers of the houses that the tree needs.

        In some of them, a value has no other place left; through the others, a value excludes another candidate.
        """
        found = {part.owner for part, _ in self.order} - {-1}
        for part, forced in sorted(self.order, key=lambda used: self.parts.index(used[0])):
            for member in (m for m in part.members if m != forced):
                cell, other = self.false_by[member][0], member[0]
                shared = [a for a, house in self.houses if {cell, other} <= house]
                if cell != other and not found & {*shared}:
                    found.add(shared[0])
        return sorted(found)


# ----------------------------------------------------------------------------
# Steps: what follows, and the reason: the atoms used and the cells whose candidates are read.


T = TypeVar("T")


@dataclass(frozen=True)
class Step:
    """Facts that share a reason.

    ``facts`` are the removed candidates, ``atoms`` the numbers of the atoms used, ``reads`` the cells whose missing
    candidates are premises, ``before`` the candidates before the step. Without any one of these atoms, or with all
    candidates of any one of these cells, the facts do not follow by this reasoning. ``trial`` is the supposed
    candidate, ``pattern`` the pattern that players know.
    """

    level: Level
    facts: frozenset[Fact]
    atoms: tuple[int, ...]
    reads: frozenset[int]
    before: tuple[int, ...]
    trial: Fact | None = None
    pattern: Pattern | None = field(default=None, repr=False, compare=False)

    @cached_property
    def placed(self) -> dict[int, int]:
        """The cells with one candidate left after the step, by number, and the bit of the value."""
        if self.pattern and self.pattern.sets:
            literal = self.pattern.sets.bit_length() - 1
            return {literal % len(self.before): literal // len(self.before)}
        gone: dict[int, int] = {}
        for cell, bit in self.facts:
            gone[cell] = gone.get(cell, 0) | 1 << bit
        left = {cell: self.before[cell] & ~mask for cell, mask in gone.items()}
        return {cell: mask.bit_length() - 1 for cell, mask in left.items() if mask and not mask & (mask - 1)}

    @property
    def contradiction(self) -> bool:
        """Return whether a cell has no candidate left."""
        gone = {cell: sum(1 << b for c, b in self.facts if c == cell) for cell, _ in self.facts}
        return any(not self.before[cell] & ~mask for cell, mask in gone.items())


def needed(members: Iterable[T], fails: Callable[[list[T]], bool]) -> list[T]:
    """Leave out members, large blocks first, as long as ``fails`` holds for the rest; the result is minimal."""
    every = list(members)
    return minimal(every, lambda some: some if fails(some) else None, max(1, len(every) // 2))


class Reasoner:
    """Finds the reasons of what a stage removes."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self._kept: Switches | None = None

    def steps(self, stage: Stage) -> Iterator[Step]:
        """Yield the steps of a stage: each fact once, facts that share a reason together."""
        left = set(stage.facts)
        for number, facts in stage.by.items():
            for step in self._of_atom(stage, number, facts):
                if new := step.facts & left:
                    left -= new
                    yield Step(step.level, frozenset(new), step.atoms, step.reads, step.before)
        if not stage.by:
            for fact in sorted(left):
                yield self.trial(stage, fact)

    def step(self, stage: Stage, fact: Fact) -> Step:
        """Return the step of a stage that removes a candidate."""
        if not stage.by:
            return self.trial(stage, fact)
        able = [number for number, facts in stage.by.items() if fact in facts]
        number = min(able, key=self._is_large)
        return next(step for step in self._of_atom(stage, number, stage.by[number]) if fact in step.facts)

    def easy(self, stage: Stage) -> frozenset[Fact]:
        """Return the removals of a stage for which the reason is quickly found: all but those of large atoms alone."""
        return frozenset().union(*(facts for number, facts in stage.by.items() if not self._is_large(number)))

    def _is_large(self, number: int) -> bool:
        return len(self.ladder.atoms[number].cells) >= LARGE

    def _of_atom(self, stage: Stage, number: int, facts: frozenset[Fact]) -> Iterator[Step]:
        """Group what an atom removes by the cells that must be read for it."""
        atom, left = self.ladder.atoms[number], set(facts)
        groups: dict[frozenset[int], set[Fact]] = {}
        for reads in self._choices(atom, stage):
            found = left & self._from(number, stage, reads)
            for fact in found:
                least = needed(sorted(reads), lambda some, fact=fact: fact in self._from(number, stage, some))  # type: ignore[misc]
                groups.setdefault(frozenset(least), set()).add(fact)
            left -= found
            if not left:
                break
        for reads_, mine in groups.items():
            yield Step(stage.level, frozenset(mine), (number,), reads_, stage.before)

    def _choices(self, atom: Atom, stage: Stage) -> Iterator[Sequence[int]]:
        """Yield choices of cells that may be read at the level of a stage; finally all of them."""
        k = stage.level[1]
        narrowed = [c for c in atom.cells if stage.before[c] != self.ladder.full[c]]
        if k == 0:
            yield ()
        elif k < ALL:
            small = [c for c in atom.cells if stage.before[c].bit_count() <= k]
            yield from combinations(narrowed if atom.house is None else small, k)
        yield narrowed

    def _from(self, number: int, stage: Stage, reads: Iterable[int]) -> frozenset[Fact]:
        """Return what an atom removes from the candidates of a stage if only some cells are read."""
        cells, read = self.ladder.atoms[number].cells, frozenset(reads)
        masks = [stage.before[c] if c in read else self.ladder.full[c] for c in cells]
        found = self.ladder.revised(number, masks, True)
        gone = self.ladder.facts(number, masks, found)
        return frozenset((c, b) for c, b in gone if stage.before[c] >> b & 1)

    def trial(self, stage: Stage, fact: Fact) -> Step:
        """Return the reason why a candidate fails: the atoms, and the cells that must be read.

        These are the needs of the trial's rounds, from a smallest tree if there is one; those of a nested trial are
        what an engine needs.
        """
        if stage.level[0] == 4:
            return self._proved(stage, fact, range(len(self.ladder.atoms)), range(len(stage.before)))
        before, strong = stage.before, stage.level[0] == 3
        assumed_first = sorted(range(len(self.ladder.atoms)), key=lambda a: not self.ladder.atoms[a].is_assumed)
        every = self._smallest(stage, fact) or assumed_first  # what comes first is left out first
        atoms = needed(every, lambda some: self.ladder.fails(before, fact, some, None, strong))
        cells = dict.fromkeys(c for a in atoms for c in self.ladder.atoms[a].cells if c != fact[0])
        narrowed = [c for c in cells if before[c] != self.ladder.full[c]]
        reads = needed(narrowed, lambda some: self.ladder.fails(before, fact, atoms, some, strong))
        return Step(stage.level, frozenset([fact]), tuple(atoms), frozenset(reads), before, fact)

    def _smallest(self, stage: Stage, fact: Fact) -> list[int]:
        """Return the houses of the smallest tree of singles that refutes a candidate, if houses are enough."""
        if not all(atom.house for atom in self.ladder.atoms):
            return []
        every = tuple(range(len(self.ladder.atoms)))
        whole = Step(stage.level, frozenset([fact]), every, frozenset(range(len(stage.before))), stage.before, fact)
        return Tree(self.ladder, whole).atoms()

    def refuted(self, before: Sequence[int], fact: Fact, atoms: Iterable[int], reads: Iterable[int]) -> bool:
        """Return whether an engine proves that a candidate fails by some atoms when some cells are read."""
        return self._asked(before, fact, atoms, reads).values is None

    def _asked(self, before: Sequence[int], fact: Fact, atoms: Iterable[int], reads: Iterable[int]) -> SwitchAnswer:
        """Suppose a candidate; an engine keeps all atoms, of which some hold."""
        ladder = self.ladder
        ladder.check_time()
        if self._kept is None or len(self._kept.parts) < len(ladder.atoms):
            base = Model([Variable(x, values) for x, values in ladder.domains.items()])
            parts = [Part(atom.label, atom.stated) for atom in ladder.atoms]
            self._kept = Switches(base, parts, budget=ladder.budget)
        self._kept.limit(ladder.budget.left)
        left = {fact[0]: 1 << fact[1], **{c: before[c] for c in reads if c != fact[0]}}
        named = {ladder.names[c]: tuple(b + ladder.low for b in bits(mask)) for c, mask in left.items()}
        return self._kept.ask(tuple(atoms), named)

    def _proved(self, stage: Stage, fact: Fact, atoms: Iterable[int], reads: Iterable[int]) -> Step:
        """Return a reason among some atoms and cells, each proved by an engine to be needed."""
        before = stage.before
        cells = [c for c in reads if c != fact[0] and before[c] != self.ladder.full[c]]
        kept = needed(
            self._asked(before, fact, atoms, cells).core, lambda some: self.refuted(before, fact, some, cells)
        )
        few = needed(cells, lambda some: self.refuted(before, fact, kept, some))
        return Step(stage.level, frozenset([fact]), tuple(kept), frozenset(few), before, fact)
