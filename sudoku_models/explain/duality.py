"""Minimal reasons and smallest repairs of a contradiction: each is a minimal hitting set of all of the others.

A *reason* is a set of parts without a solution, a *repair* a set of parts whose removal leaves one; both are minimal.
After MARCO (Liffiton, Previti, Malik and Marques-Silva, 2016) and the trees of Reiter (1987).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, islice

from ..engine.switches import Switches, minimal
from ..errors import LimitReached

Members = frozenset[int]

VAIN = 4
"""After this number of questions that little work did not answer, no further ones are tried with little work."""

MOST_TOGETHER = 3
"""The most rules that are left out together before the search among all parts begins."""

MOST_TRIED = 150
"""The most combinations of rules that are tried in this way."""


class HittingSets:
    """The sets that have a member in common with every known set, smallest first, each once.

    ``sets`` may grow during the search. No set is returned that contains one of ``done``, which are settled.
    """

    def __init__(self) -> None:
        self.sets: list[Members] = []
        self.done: list[Members] = []
        self._waiting: list[tuple[int, int, Members, Members]] = [(0, 0, frozenset(), frozenset())]
        self._made = 0

    def next(self) -> Members | None:
        """Return a smallest set that hits all known sets; None if there is no other one."""
        while self._waiting:
            _, _, chosen, excluded = heapq.heappop(self._waiting)
            if any(chosen >= done for done in self.done):
                continue
            missed = next((found for found in self.sets if not found & chosen), None)
            if missed is None:
                self._push(chosen, excluded)  # it is returned again unless it is settled or no longer hits all sets
                return chosen
            for member in sorted(missed - excluded):
                self._push(chosen | {member}, excluded)
                excluded |= {member}
        return None

    def _push(self, chosen: Members, excluded: Members) -> None:
        self._made += 1
        heapq.heappush(self._waiting, (len(chosen), self._made, chosen, excluded))


class Duality:
    """Searches for reasons and repairs among ``size`` parts that contradict each other when all are in force.

    ``preferred`` are parts in the order in which each is tried as a repair. ``rules`` are those that an author
    gives up first: several of them are tried together before the parts in ``last`` are tried singly.
    """

    def __init__(
        self,
        asking: Switches,
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

    @property
    def repaired_in_order(self) -> list[Members]:
        """The repairs found, smallest first: all smaller ones than the last are among them."""
        return self._repairs.done

    @property
    def reasons_in_order(self) -> list[Members]:
        """The reasons found, smallest first."""
        return self._reasons.done

    def first_repair(self) -> Members | None:
        """Return a smallest repair; None if there is none. Contradictions found on the way need not be minimal.

        A part is kept if little work does not settle whether it is needed: a contradiction serves as well as a reason
        for proving that a repair is a smallest one.
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
        """Return a few rules whose removal leaves a solution, found with little work; fewer parts may be enough.

        If parts without some of the rules still contradict each other, others must be left out too, so most
        combinations are never tried.
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
        """Return one of some parts whose removal leaves a solution, if little work finds one.

        Only a part of every known contradiction can be one.
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
        """The smallest set of parts known to contradict each other; None if none is known."""
        return min((*self.reasons, *self._rough), key=len, default=None)

    def first_reason(self) -> Members | None:
        """Return a minimal reason within the smallest known contradiction; None if none is known."""
        known = self.contradiction
        if known is None or known in self.reasons:
            return known
        kept, needed = known, self._rough[known]
        for most in (VAIN, 4 * VAIN):  # a little work on each part, before much is spent on one
            kept, needed = self.cut_down(tuple(sorted(kept)), needed, most)
            self._rough[kept] = needed
        reason = self.shrunk(tuple(sorted(kept)), needed)
        self._met(reason)
        return self._second(reason)

    def _second(self, reason: Members) -> Members:
        """Shrink all parts once more, in the other order, while there is time; return the smaller reason."""
        with suppress(LimitReached):
            other = self.shrunk(self.asking.ask(tuple(sorted(self.every))).core[::-1])
            self._met(other)
            return min(reason, other, key=len)
        return reason

    def found(self) -> Iterator[tuple[str, Members]]:
        """Yield "reason" or "repair" with its members: repairs in order of size, reasons as they are found."""
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
        """Yield all minimal reasons in order of size; this takes longer than ``found``, which yields them in any
        order.
        """
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
        """Return a minimal reason among parts that contradict each other; some are known to be needed."""

        def contradict(some: list[int]) -> tuple[int, ...] | None:
            answer = self.asking.ask((*needed, *some))
            return answer.core if answer.values is None else None

        return needed.union(minimal([i for i in reversed(numbers) if i not in needed], contradict))

    def cut_down(
        self, numbers: tuple[int, ...], known: Members = frozenset(), most: int = VAIN
    ) -> tuple[Members, Members]:
        """Return contradictory parts reduced by little work, and those of them that are proved to be needed.

        Parts are tried from the last, then from the first: what is hard to settle for rules may be easy for givens.
        After ``most`` unsuccessful questions in either direction the rest is not tried.
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
        """Return as many parts as can be added to some that have a solution, and a solution of all of them."""
        kept = {i for i in self.every if self.asking.holds(i, values)} | numbers
        for number in sorted(self.every - kept):
            if number in kept:
                continue
            answer = self.asking.ask((*sorted(kept), number))
            if answer.values is not None:
                values = answer.values
                kept |= {i for i in self.every if self.asking.holds(i, values)}
        return frozenset(kept), values
