"""The smallest tree of singles that refutes a candidate, within the houses of a reason and the cells that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from .atoms import bits
from .ladder import Fact, Ladder

if TYPE_CHECKING:
    from .steps import Step


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

    def false_members(self, look: ExactlyOne) -> list[Fact]:
        """Return the members of something in the tree without the one that it forces."""
        if look is self.last:
            return list(look.members)
        forced = {literal for literal, number in self.true_by.items() if number >= 0 and self.looks[number] is look}
        return [member for member in look.members if member not in forced]
