"""Minimal reasons and smallest repairs of a contradiction: each is a minimal hitting set of all of the others.

A *reason* is a set of parts without a solution, a *repair* a set of parts without which there is one; both minimal.
After MARCO (Liffiton, Previti, Malik and Marques-Silva, 2016) and the trees of Reiter (1987).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Protocol

from ..engine.switches import SwitchAnswer

Members = frozenset[int]

VAIN = 4
"""After this number of questions that little work did not answer, no further ones are asked with little work."""

MOST_TOGETHER = 3
"""The most rules that are left out together before the search among all parts begins."""

MOST_TRIED = 150
"""The most choices of rules that are tried so."""


class PartsOracle(Protocol):
    """What is asked whether some parts have a solution together: ``engine.switches.Switches``."""

    def ask(self, numbers: tuple[int, ...]) -> SwitchAnswer:
        """Return a solution of some parts, or those of them that contradict each other."""

    def attempt(self, numbers: tuple[int, ...]) -> SwitchAnswer | None:
        """Return the same if little work is enough, and None otherwise."""

    def holds(self, number: int, values: Mapping[str, int]) -> bool:
        """Tell whether values satisfy a part."""


class HittingSets:
    """The sets that have a member in common with every known set, smallest first, each once.

    ``sets`` grows while they are asked for. No set is returned that contains one of ``done``, which were settled.
    """

    def __init__(self) -> None:
        self.sets: list[Members] = []
        self.done: list[Members] = []
        self._waiting: list[tuple[int, int, Members, Members]] = [(0, 0, frozenset(), frozenset())]
        self._made = 0

    def next(self) -> Members | None:
        """Return a smallest set that hits all; None when there is no further one."""
        while self._waiting:
            _, _, chosen, excluded = heapq.heappop(self._waiting)
            if any(chosen >= done for done in self.done):
                continue
            missed = next((found for found in self.sets if not found & chosen), None)
            if missed is None:
                self._push(chosen, excluded)  # it comes again, unless it is settled or missed by then
                return chosen
            for member in sorted(missed - excluded):
                self._push(chosen | {member}, excluded)
                excluded |= {member}
        return None

    def _push(self, chosen: Members, excluded: Members) -> None:
        self._made += 1
        heapq.heappush(self._waiting, (len(chosen), self._made, chosen, excluded))


class Duality:
    """Searches for reasons and repairs among ``size`` parts, which contradict each other when all are in force.

    ``preferred`` are parts in the order in which they are tried as a repair alone. ``rules`` are those that an author
    gives up first: several of them are tried together before the parts in ``last`` are tried alone.
    """

    def __init__(
        self,
        asking: PartsOracle,
        size: int,
        preferred: Sequence[int] | None = None,
        rules: Sequence[int] = (),
        last: Sequence[int] = (),
    ) -> None:
        self.preferred, self.rules, self.last = range(size) if preferred is None else preferred, rules, last
        self.candidate: Members | None = None
        self._hard: set[int] = set()
        self.asking, self.every = asking, frozenset(range(size))
        self.reasons: list[Members] = []
        self.repaired: dict[Members, Mapping[str, int]] = {}
        self._repairs, self._reasons = HittingSets(), HittingSets()
        self._rough: dict[Members, Members] = {}
        self._broken: list[int] = []

    @property
    def repaired_in_order(self) -> list[Members]:
        """The repairs that are settled, smallest first: none of that size is missing before the last one."""
        return self._repairs.done

    @property
    def reasons_in_order(self) -> list[Members]:
        """The reasons that are settled, smallest first."""
        return self._reasons.done

    def first_repair(self) -> Members | None:
        """Return a smallest repair; None when there is none. What is met on the way may hold more than a reason does.

        A part of which little work does not tell whether it is needed is kept: a contradiction serves as well as a
        reason in proving that a repair is a smallest one.
        """
        while (chosen := self._repairs.next()) is not None:
            if self.candidate is not None and len(chosen) >= len(self.candidate):
                self._repairs.done.append(self.candidate)
                return self.candidate
            answer = self.asking.ask(tuple(sorted(self.every - chosen)))
            if answer.values is not None:
                self._repaired(chosen, answer.values)
                self._repairs.done.append(chosen)
                return chosen
            self._contradicts(frozenset(answer.core), frozenset())
            if not chosen and (single := self.single_repair(self.preferred)):
                return single
            if not chosen:
                self.candidate = self.rules_together()
                if single := self.single_repair(self.last):
                    return single
            if self.candidate is None:
                self._contradicts(*self.cut_down(answer.core))
        return None

    def rules_together(self) -> Members | None:
        """Return a few rules without which there is a solution, found with little work; fewer parts may do.

        What contradicts without some of them, others have to be left out for as well: most choices are never asked.
        """
        vain, sizes = 0, range(2, MOST_TOGETHER + 1)
        chosen = [frozenset(some) for size in sizes for some in combinations(self.rules, size)]
        chosen.sort(key=lambda some: (len(some), len(some & self._hard)))
        for some in islice((some for some in chosen if all(some & known for known in self._repairs.sets)), MOST_TRIED):
            answer = self.asking.attempt(tuple(sorted(self.every - some)))
            vain += answer is None
            if answer and answer.values is not None:
                self._repaired(some, answer.values)
                return some
            if answer:
                self._contradicts(frozenset(answer.core), frozenset())
            elif vain > VAIN * MOST_TOGETHER:
                return None
        return None

    def single_repair(self, numbers: Iterable[int]) -> Members | None:
        """Return one of some parts without which there is a solution, if there is one that little work finds.

        Only a part of everything known to contradict can be one.
        """
        left = frozenset.intersection(*self._repairs.sets)
        for part in numbers:
            answer = self.asking.attempt(tuple(sorted(self.every - {part}))) if part in left else None
            if answer and answer.values is not None:
                smallest = min(self._repairs.sets, key=len)
                self._contradicts(smallest, frozenset([part]))
                self._repaired(repair := frozenset([part]), answer.values)
                self._repairs.done.append(repair)
                return repair
            if answer:
                left &= frozenset(answer.core)
                self._contradicts(frozenset(answer.core), frozenset())
            elif part in left:
                self._hard.add(part)
        return None

    def _contradicts(self, kept: Members, needed: Members) -> None:
        self._rough[kept] = self._rough.get(kept, frozenset()) | needed
        if kept not in self._repairs.sets:
            self._repairs.sets.append(kept)

    @property
    def contradiction(self) -> Members | None:
        """The smallest set of parts known to contradict each other; None when nothing is known."""
        return min((*self.reasons, *self._rough), key=len, default=None)

    def first_reason(self) -> Members | None:
        """Return a minimal reason within the smallest contradiction that is known; None when nothing is known."""
        known = self.contradiction
        if known is None or known in self.reasons:
            return known
        kept, needed = known, self._rough[known]
        for most in (VAIN, 4 * VAIN):  # little work of each part, before much is spent on one
            kept, needed = self.cut_down(tuple(sorted(kept)), needed, most)
            self._rough[kept] = needed
        reason = self.shrunk(tuple(sorted(kept)), needed)
        self._met(reason)
        return reason

    def found(self) -> Iterator[tuple[str, Members]]:
        """Yield "reason" or "repair" with its members: repairs in order of size, reasons as they are met between."""
        while (chosen := self._repairs.next()) is not None:
            answer = self.asking.ask(tuple(sorted(self.every - chosen)))
            if answer.values is not None:
                self._repaired(chosen, answer.values)
                self._repairs.done.append(chosen)
                yield "repair", chosen
            else:
                reason = self.shrunk(answer.core)
                self._met(reason)
                yield "reason", reason

    def smallest_reasons(self) -> Iterator[Members]:
        """Yield all minimal reasons in order of size; it takes longer than ``found``, which meets them as they come."""
        while (chosen := self._reasons.next()) is not None:
            answer = self.asking.ask(tuple(sorted(chosen)))
            if answer.values is None:
                self._met(chosen)
                self._reasons.done.append(chosen)
                yield chosen
            else:
                kept, values = self.grown(chosen, answer.values)
                self._repaired(self.every - kept, values)

    def _met(self, reason: Members) -> None:
        if reason not in self.reasons:
            self.reasons.append(reason)
            self._repairs.sets.append(reason)

    def _repaired(self, repair: Members, values: Mapping[str, int]) -> None:
        if repair not in self.repaired:
            self.repaired[repair] = values
            self._reasons.sets.append(repair)

    def shrunk(self, numbers: tuple[int, ...], needed: Members = frozenset()) -> Members:
        """Return a minimal reason among parts that contradict each other, by deletion; some are known to be needed."""
        waiting, kept = [i for i in numbers if i not in needed], [i for i in numbers if i in needed]
        while waiting:
            tried = waiting.pop()
            if self._has_known_solution((*kept, *waiting)):
                kept.append(tried)
                continue
            answer = self.asking.ask((*kept, *waiting))
            if answer.values is not None:
                kept.append(tried)
                self._broken.append(sum(1 << i for i in self.every if not self.asking.holds(i, answer.values)))
            else:
                waiting = [i for i in waiting if i in answer.core]
        return frozenset(kept)

    def _has_known_solution(self, numbers: Iterable[int]) -> bool:
        """Tell whether a solution that was met satisfies some parts: then nothing has to be asked."""
        mask = sum(1 << i for i in numbers)
        return any(not broken & mask for broken in self._broken)

    def cut_down(
        self, numbers: tuple[int, ...], known: Members = frozenset(), most: int = VAIN
    ) -> tuple[Members, Members]:
        """Return what is left of parts that contradict each other after little work, and those proved to be needed.

        From the last part on, and then from the first: where it is hard to tell of rules, it may be easy of givens.
        After this number of vain questions each the others are not asked.
        """
        waiting, kept, needed = [i for i in numbers if i not in known], list(known), list(known)
        for place in (-1, 0):
            vain = 0
            while waiting and vain < most:
                tried = waiting.pop(place)
                answer = self.asking.attempt((*kept, *waiting))
                if answer is None or answer.values is not None:
                    kept.append(tried)
                    needed += [tried] if answer else []
                    vain += answer is None
                else:
                    waiting = [i for i in waiting if i in answer.core]
                    kept = [i for i in kept if i in answer.core]
        return frozenset((*kept, *waiting)), frozenset(needed)

    def grown(self, numbers: Members, values: Mapping[str, int]) -> tuple[Members, Mapping[str, int]]:
        """Return as many parts as can be added to some that have a solution, and a solution of all."""
        kept = {i for i in self.every if self.asking.holds(i, values)} | numbers
        for number in sorted(self.every - kept):
            if number in kept:
                continue
            answer = self.asking.ask((*sorted(kept), number))
            if answer.values is not None:
                values = answer.values
                kept |= {i for i in self.every if self.asking.holds(i, values)}
        return frozenset(kept), values
