"""Steps: what follows, and the reason: the atoms used and the cells whose candidates are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from ..engine.switches import Part, Switches, minimal
from ..model import Model, Variable
from .atoms import Atom, Either, GroupAtom, Loose, bits, union
from .ladder import ALL, LARGE, Fact, Ladder, Level, Stage
from .stating import Stating
from .uniqueness import ASSUMED

if TYPE_CHECKING:
    from .patterns.board import Pattern


@dataclass(frozen=True)
class ExactlyOne:
    """A cell, or a value in a house: exactly one of its ``members`` (cell, bit) is true."""

    members: tuple[Fact, ...]


class Tree:
    """The smallest tree of singles that refutes a candidate, within the houses of a reason and the cells it reads."""

    def __init__(self, ladder: Ladder, step: Step) -> None:
        """Find the tree: ``looked`` is what it uses, () if there is none; ``last`` has the contradiction."""
        assert step.trial is not None
        atoms = [ladder.atoms[a] for a in step.atoms]
        known = {c for atom in atoms for c in atom.cells} | {step.trial[0]}
        self.before = step.before
        self.masks = {c: step.before[c] for c in known}
        self.numbers, self.houses = step.atoms, [frozenset(atom.cells) for atom in atoms]
        self.looks = [ExactlyOne(tuple((c, b) for b in bits(self.masks[c]))) for c in step.reads if c in known]
        self.owners = [-1] * len(self.looks)
        for number, atom, house in reversed([*zip(step.atoms, atoms, self.houses, strict=True)]):  # boxes first
            if atom.house is not None and atom.house.exact:
                for b in bits(atom.house.values):
                    places = tuple((c, b) for c in sorted(house) if self.masks[c] >> b & 1)
                    self.looks.append(ExactlyOne(places))
                    self.owners.append(number)
        self.users: dict[Fact, list[int]] = {}
        for number, look in enumerate(self.looks):
            for member in look.members:
                self.users.setdefault(member, []).append(number)
        self.true_by: dict[Fact, int] = {}
        self.false_by: dict[Fact, Fact] = {}
        last = self._refuted(step.trial)
        self.used = [] if last is None else sorted(self._used(last))
        self.looked = tuple(self.looks[i] for i in self.used)
        self.last = None if last is None else self.looks[last]

    def _seen(self, literal: Fact) -> Iterator[Fact]:
        cell, bit = literal
        yield from ((cell, b) for b in bits(self.masks[cell]) if b != bit)
        for house in self.houses:
            if cell in house:
                yield from ((c, bit) for c in house if c != cell and self.masks[c] >> bit & 1)

    def _refuted(self, supposed: Fact) -> int | None:
        """Return the index of what runs out of members at the lowest cost; None if nothing does."""
        left = [len(look.members) for look in self.looks]
        cost = [1] * len(left)
        queue, done = [(0, -1, supposed, -1)], set[Fact]()
        while queue:
            spent, end, literal, number = heappop(queue)
            if end >= 0:
                return end
            if literal in done:
                continue
            done.add(literal)
            self.true_by[literal] = number
            for other in self._seen(literal):
                if other in self.false_by:
                    continue
                self.false_by[other] = literal
                for w in self.users.get(other, ()):
                    left[w] -= 1
                    cost[w] += spent
                    if left[w] == 0:
                        heappush(queue, (cost[w], w, other, w))
                    elif left[w] == 1:
                        forced = next(m for m in self.looks[w].members if m not in self.false_by)
                        heappush(queue, (cost[w], -1, forced, w))
        return None

    def _used(self, last: int) -> set[int]:
        """Return the indexes of what a contradiction uses; each one forces the one member that it does not falsify."""
        found, waiting = set[int](), list(self.looks[last].members)
        found.add(last)
        while waiting:
            sees = self.false_by[waiting.pop()]
            number = self.true_by[sees]
            if number >= 0 and number not in found:
                found.add(number)
                waiting += [member for member in self.looks[number].members if member != sees]
        return found

    def atoms(self) -> list[int]:
        """Return the numbers of the houses in the tree: those where values run out of places, and those where
        one sees.
        """
        found = {self.owners[i] for i in self.used} - {-1}
        for look in self.looked:
            for cell, other in ((self.false_by[member][0], member[0]) for member in self.false_members(look)):
                shared = [a for a, house in zip(self.numbers, self.houses, strict=True) if {cell, other} <= house]
                if cell != other and not found & {*shared}:
                    found.add(shared[0])
        return sorted(found)

    def in_order(self) -> list[tuple[int, Fact | None]]:
        """Return the indexes of what the tree uses, each after those that it rests on, with what each forces."""
        found, seen = list[tuple[int, Fact | None]](), set[int]()

        def visit(number: int, forced: Fact | None) -> None:
            for member in self.looks[number].members:
                sees = self.false_by[member] if member != forced else None
                by = self.true_by[sees] if sees else -1
                if by >= 0 and by not in seen:
                    seen.add(by)
                    visit(by, sees)
            found.append((number, forced))

        if self.last is not None:
            visit(next(i for i, look in enumerate(self.looks) if look is self.last), None)
        return found

    def false_members(self, look: ExactlyOne) -> list[Fact]:
        """Return the members of something in the tree without the one that it forces."""
        if look is self.last:
            return list(look.members)
        forced = {literal for literal, number in self.true_by.items() if number >= 0 and self.looks[number] is look}
        return [member for member in look.members if member not in forced]


# ----------------------------------------------------------------------------
# Steps: what follows, and the reason: the atoms used and the cells whose candidates are read.


T = TypeVar("T")

MOST_ASKED = 200
"""The most cells of an atom for which an engine is asked."""


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

    @property
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
                groups.setdefault(self._least(number, stage, fact, least), set()).add(fact)
            left -= found
            if not left:
                break
        for reads_, mine in groups.items():
            yield Step(stage.level, frozenset(mine), (number,), reads_, stage.before)

    def _least(self, number: int, stage: Stage, fact: Fact, reads: Sequence[int]) -> frozenset[int]:
        """Return the cells that must be read for a fact, of those that the atom needs to find it.

        An atom that is applied piece by piece may use more than is necessary: then an engine is asked, except for atoms
        so large that stating them would take minutes.
        """
        atom, ladder = self.ladder.atoms[number], self.ladder
        wide = len(atom.cells) > MOST_ASKED
        if wide or not reads or not isinstance(atom.how, GroupAtom | Loose | Either):
            return frozenset(reads)

        def follows(some: Iterable[int]) -> bool:
            ladder.check_time()
            left = {fact[0]: 1 << fact[1], **{c: stage.before[c] for c in some if c != fact[0]}}
            named = {ladder.names[c]: tuple(b + ladder.low for b in bits(mask)) for c, mask in left.items()}
            return self._switches.ask((number,), named).values is None

        return frozenset(needed(sorted(reads), follows))

    def _choices(self, atom: Atom, stage: Stage) -> Iterator[Sequence[int]]:
        """Yield choices of cells that may be read at the level of a stage; finally all of them."""
        k = stage.level[1]
        narrowed = [c for c in atom.cells if stage.before[c] != self.ladder.full[c]]
        if k == 0:
            yield ()
        elif atom.house is not None and k < ALL:
            small = [c for c in atom.cells if stage.before[c].bit_count() <= k]
            yield from (
                chosen for chosen in combinations(small, k) if union(stage.before[c] for c in chosen).bit_count() == k
            )
            yield from self._hidden(atom, stage, k)
        elif k < ALL:
            yield from combinations(narrowed, k)
        yield narrowed

    def _hidden(self, atom: Atom, stage: Stage, k: int) -> Iterator[Sequence[int]]:
        """Yield, for each k cells that are the only places of k values, the other cells."""
        house = atom.house
        if house is None or not house.exact:
            return
        for chosen in combinations(atom.cells, k):
            others = [c for c in atom.cells if c not in chosen]
            if (house.values & ~union(stage.before[c] for c in others)).bit_count() == k:
                yield others

    def _from(self, number: int, stage: Stage, reads: Iterable[int]) -> frozenset[Fact]:
        """Return what an atom removes from the candidates of a stage if only some cells are read."""
        cells, read = self.ladder.atoms[number].cells, frozenset(reads)
        masks = [stage.before[c] if c in read else self.ladder.full[c] for c in cells]
        found = self.ladder.revised(number, masks, True)
        gone = self.ladder.facts(number, masks, found)
        return frozenset((c, b) for c, b in gone if stage.before[c] >> b & 1)

    def trial(self, stage: Stage, fact: Fact) -> Step:
        """Return the reason why a candidate fails: the atoms, and the cells that must be read.

        First the needs of the trial's rounds are found, from a smallest tree if there is one; then an engine proves
        that nothing less is enough.
        """
        if stage.level[0] == 4:
            return self._proved(stage, fact, range(len(self.ladder.atoms)), range(len(stage.before)))
        strong = stage.level[0] == 3
        every = self._smallest(stage, fact) or self._assuming_little(stage, fact)
        atoms = needed(every, lambda some: self.fails(stage.before, fact, some, None, strong))
        cells = dict.fromkeys(c for a in atoms for c in self.ladder.atoms[a].cells if c != fact[0])
        narrowed = [c for c in cells if stage.before[c] != self.ladder.full[c]]
        reads = needed(narrowed, lambda some: self.fails(stage.before, fact, atoms, some, strong))
        return self._proved(stage, fact, atoms, reads)

    def _assuming_little(self, stage: Stage, fact: Fact) -> list[int]:
        """Return all atoms except those assumptions that the trial of a candidate does not need within its rounds."""
        atoms, ladder = self.ladder.atoms, self.ladder
        plain = [a for a, atom in enumerate(atoms) if atom.part != ASSUMED]
        assumed = [a for a, atom in enumerate(atoms) if atom.part == ASSUMED]

        def fails(some: Iterable[int]) -> bool:
            ladder.check_time()
            using, state = frozenset([*plain, *some]), list(stage.before)
            state[fact[0]] = 1 << fact[1]
            dirty = set(ladder.users[fact[0]])
            return ladder.follow(state, dirty, stage.level[1], stage.level[0] == 3, using) is not None

        return plain + (needed(assumed, fails) if assumed else [])

    def _smallest(self, stage: Stage, fact: Fact) -> list[int]:
        """Return the houses of the smallest tree of singles that refutes a candidate, if houses are enough."""
        if not all(atom.house for atom in self.ladder.atoms):
            return []
        every = tuple(range(len(self.ladder.atoms)))
        whole = Step(stage.level, frozenset([fact]), every, frozenset(range(len(stage.before))), stage.before, fact)
        return Tree(self.ladder, whole).atoms()

    def fails(
        self, before: Sequence[int], fact: Fact, atoms: Iterable[int], reads: Iterable[int] | None, strong: bool
    ) -> bool:
        """Return whether a supposed candidate fails by some atoms when some cells are read (None: all)."""
        self.ladder.check_time()
        state = list(before)
        if reads is not None:
            read = set(reads)
            state = [mask if c in read else self.ladder.full[c] for c, mask in enumerate(before)]
        state[fact[0]] = 1 << fact[1]
        return self.ladder.fails(state, strong, atoms)

    @property
    def _switches(self) -> Switches:
        """All atoms, in an engine that keeps them."""
        if self._kept is None or len(self._kept.parts) < len(self.ladder.atoms):
            self._kept = self._all_stated()
        return self._kept

    def _all_stated(self) -> Switches:
        stating = Stating(self.ladder.problem)
        base = Model([Variable(x, stating.domains[x]) for x in stating.domains])
        return Switches(base, [Part(atom.label, atom.stated) for atom in self.ladder.atoms])

    def refuted(self, before: Sequence[int], fact: Fact, atoms: Iterable[int], reads: Iterable[int]) -> bool:
        """Return whether an engine proves that a candidate fails by some atoms when some cells are read."""
        ladder = self.ladder
        ladder.check_time()
        left = {**{c: before[c] for c in reads}, fact[0]: 1 << fact[1]}
        domains = {ladder.names[c]: tuple(b + ladder.low for b in bits(mask)) for c, mask in left.items()}
        return self._switches.ask(tuple(atoms), domains).values is None

    def _proved(self, stage: Stage, fact: Fact, atoms: Iterable[int], reads: Iterable[int]) -> Step:
        """Return a reason among some atoms and cells, each proved by an engine to be needed."""
        ladder = self.ladder
        there = {ladder.names[fact[0]]: (fact[1] + ladder.low,)}
        left = {c: tuple(b + ladder.low for b in bits(stage.before[c])) for c in reads if c != fact[0]}

        def fails(some: Sequence[int], read: Iterable[int]) -> bool:
            ladder.check_time()
            return self._switches.ask(some, {**there, **{ladder.names[c]: left[c] for c in read}}).values is None

        every = self._switches.ask(atoms, {**there, **{ladder.names[c]: values for c, values in left.items()}}).core
        kept = needed(every, lambda some: fails(some, left))
        cells = needed([c for c in left if stage.before[c] != ladder.full[c]], lambda some: fails(kept, some))
        kept = needed(kept, lambda some: fails(some, cells))
        return Step(stage.level, frozenset([fact]), tuple(kept), frozenset(cells), stage.before, fact)
