"""Check a DRAT proof: lemmas without hints, so that unit propagation must find why each follows.

The check of Wetzler, Heule and Hunt (DRAT-trim, 2014), forwards: by reverse unit propagation, else as a resolution
asymmetric tautology on the first literal. ``elaborated`` turns it into a proof with hints.

A long proof is accepted if each lemma follows by propagation from the clauses before it, deleted ones included: an
engine that need not be trusted searches for hints, and the check of proofs with hints judges them. What that does not
accept is checked here, first without deletions.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from .looking import Deadline, Look, Pace, never
from .lrat import Clause, NotProved, ProofLine, are_literals, check_lrat, lines_of, stated

FEW = 20
"""Proofs with at most this number of lemmas are checked in plain Python directly."""

Step = tuple[bool, Clause]
"""Whether a clause is added (or deleted), and the clause."""


def parse_drat(text: str, look: Look = never) -> list[Step]:
    """Parse a DRAT proof in text form; NotProved, with the line's number, if it is malformed."""
    steps = []
    for at, row, words in stated(text, look):
        try:
            numbers = list(map(int, words[words[0] == "d" :]))
            if numbers.index(0) != len(numbers) - 1:
                raise ValueError
        except ValueError:
            raise NotProved(f"line {at} of the proof is not DRAT: {row[:80]!r}") from None
        steps.append((words[0] != "d", tuple(numbers[:-1])))
    return steps


def check_drat(formula: Iterable[Clause], steps: Iterable[Step], look: Look = never) -> int:
    """Check that a proof refutes a formula; return the number of lemmas checked. NotProved if it does not.

    Deletions of clauses that are unit at the root are ignored, as all checkers do. ``look`` is called at each lemma,
    and on the way of long ones.
    """
    return sum(1 for _ in _checked(formula, steps, look))


def check_unhinted(
    formula: Sequence[Clause],
    numbers: array[int],
    variables: int,
    steps: Sequence[Step],
    look: Deadline,
    few: int | None,
) -> int:
    """Check that a proof refutes a formula; return the number of lemmas. NotProved if it does not.

    ``numbers`` are the literals of the formula, 0 after each clause. Compiled code is used for proofs with more lemmas
    than ``few``; None for never.
    """
    lemmas = [clause for added, clause in steps if added]
    if few is not None and len(lemmas) > few and _with_hints(formula, numbers, variables, lemmas, look):
        return len(lemmas)
    try:
        return check_drat(formula, ((True, clause) for clause in lemmas), look)
    except NotProved:
        if len(lemmas) == len(steps):
            raise
    return check_drat(formula, steps, look)


def _with_hints(
    formula: Sequence[Clause], numbers: array[int], variables: int, lemmas: Sequence[Clause], look: Deadline
) -> bool:
    """Return whether hints for all the lemmas were found, by an engine, with which they refute the formula."""
    from ..engine.machine_code.library import possible
    from ..engine.refutation import Cnf, derived

    cnf = Cnf(numbers, len(formula), variables)
    proof = derived(cnf, lemmas, look.left, every=True)
    if proof is None:
        return False
    if possible():
        from .lrat_fast import accepted, as_arrays

        if accepted(*as_arrays(formula), proof, look):
            return True
    try:
        return check_lrat(formula, lines_of(proof), look) > 0
    except NotProved:
        return False


def elaborated(formula: Iterable[Clause], steps: Iterable[Step], look: Look = never) -> list[ProofLine]:
    """Return the lemmas that the empty clause needs, with hints; NotProved if one does not follow."""
    return needed(list(_checked(formula, steps, look)))


def needed(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Return the lines on which the last one depends, in order."""
    wanted, found = {lines[-1].number} if lines else set(), []
    for line in reversed(lines):
        if line.number in wanted:
            found.append(line)
            wanted.update(map(abs, line.hints))
    return found[::-1]


def _checked(formula: Iterable[Clause], steps: Iterable[Step], look: Look) -> Iterator[ProofLine]:
    """Yield each lemma with hints, up to the empty clause."""
    state = _Propagation(formula, Pace(look))
    size = number = len(state.clauses)
    for added, clause in steps:
        look()
        if not are_literals(clause):
            raise NotProved(f"a clause of the proof has {str(clause)[:80]}: whole numbers other than 0 are expected")
        if not added:
            state.delete(clause)
            continue
        number += 1
        hints = state.implied(clause)
        if hints is None:
            hints = state.resolved(clause)
        if hints is None:
            raise NotProved(f"lemma {number - size} does not follow: {' '.join(map(str, clause[:20]))} 0")
        yield ProofLine(number, clause, tuple(hints))
        state.insert(number, clause)
        if not clause:
            return
    hints = state.implied(())
    if hints is None:
        raise NotProved("the proof ends without the empty clause")
    yield ProofLine(number + 1, (), tuple(hints))


class _Propagation:
    """Clauses with two watched literals each, and their permanent consequences."""

    def __init__(self, formula: Iterable[Clause], pace: Pace) -> None:
        self.pace = pace
        self.clauses: dict[int, list[int]] = {}
        self.watches: dict[int, list[int]] = {}
        self.numbers: dict[Clause, list[int]] = {}
        self.reason: dict[int, int] = {}
        self.trail: list[int] = []
        self.head, self.conflict = 0, 0
        for number, clause in enumerate(formula, 1):
            self.insert(number, clause)

    def insert(self, number: int, clause: Clause) -> None:
        """Add a clause and derive its permanent consequences."""
        self.pace.spend(len(clause) + 1)
        self.numbers.setdefault(tuple(sorted(set(clause))), []).append(number)
        literals = list(dict.fromkeys(clause))
        literals.sort(key=lambda x: -x in self.reason)
        self.clauses[number] = literals
        for x in literals[:2]:
            self.watches.setdefault(x, []).append(number)
        if self.conflict:
            return
        if not literals or -literals[0] in self.reason:
            self.conflict = number
        elif literals[0] not in self.reason and (len(literals) == 1 or -literals[1] in self.reason):
            self._settle(literals[0], number)
            self.conflict = self._propagate()

    def delete(self, clause: Clause) -> None:
        """Delete a clause, unless it is the reason for a permanent literal or is violated; NotProved if it does not
        exist.
        """
        numbers = self.numbers.get(tuple(sorted(set(clause))))
        if not numbers:
            raise NotProved(f"the proof deletes a clause that is not there: {' '.join(map(str, clause[:20]))} 0")
        if numbers[-1] == self.conflict or numbers[-1] in self.reason.values():
            return
        number = numbers.pop()
        self.pace.spend(len(self.reason))
        for x in self.clauses.pop(number)[:2]:
            self.watches[x].remove(number)

    def implied(self, clause: Clause) -> list[int] | None:
        """Return hints if assuming all literals false leads to a violated clause, otherwise None."""
        if self.conflict:
            return self._hints(self.conflict)
        for x in clause:
            if x in self.reason:
                return self._hints(self.reason[x], x)
        mark, head = len(self.trail), self.head
        for x in clause:
            if -x not in self.reason:
                self._settle(-x, 0)
        conflict = self._propagate()
        hints = self._hints(conflict) if conflict else None
        for x in self.trail[mark:]:
            del self.reason[x]
        del self.trail[mark:]
        self.head = head
        return hints

    def resolved(self, clause: Clause) -> list[int] | None:
        """Return hints if a clause is a resolution asymmetric tautology on its first literal, otherwise None.

        For each clause with the negation of that literal: its number, negated, then the hints of the resolvent.
        """
        found: list[int] = []
        for number, other in list(self.clauses.items()) if clause else ():
            self.pace.spend(len(other))
            if -clause[0] in other:
                resolvent = (*clause, *(x for x in other if x != -clause[0]))
                self.pace.spend(len(resolvent))
                hints = [] if any(-x in resolvent for x in resolvent) else self.implied(resolvent)
                if hints is None:
                    return None
                found += (-number, *hints)
        return found if clause else None

    def _settle(self, x: int, reason: int) -> None:
        self.reason[x] = reason
        self.trail.append(x)

    def _propagate(self) -> int:
        """Propagate unit clauses; return the number of a violated clause, or 0."""
        while self.head < len(self.trail):
            false = -self.trail[self.head]
            self.head += 1
            watching, self.watches[false] = self.watches.get(false, []), []
            for at, number in enumerate(watching):
                if not self._visit(number, false):
                    self.watches[false] += watching[at + 1 :]
                    return number
        return 0

    def _visit(self, number: int, false: int) -> bool:
        """Find another literal to watch, or set the last one; False if the clause is violated."""
        clause, reason = self.clauses[number], self.reason
        self.pace.spend(len(clause))
        if clause[0] == false and len(clause) > 1:
            clause[0], clause[1] = clause[1], false
        first = clause[0]
        if first not in reason:
            for k in range(2, len(clause)):
                if -clause[k] not in reason:
                    clause[1], clause[k] = clause[k], false
                    self.watches.setdefault(clause[1], []).append(number)
                    return True
        self.watches[false].append(number)
        if first in reason:
            return True
        if -first in reason or first == false:
            return False
        self._settle(first, number)
        return True

    def _hints(self, last: int, known: int = 0) -> list[int]:
        """Return the clauses that make ``last`` violated (or ``known`` true by it), in the order of the trail."""
        wanted, found = {-x for x in self.clauses[last] if x != known}, [last]
        self.pace.spend(len(self.trail))
        for x in reversed(self.trail):
            if x in wanted and self.reason[x]:
                found.append(self.reason[x])
                wanted.update(-y for y in self.clauses[self.reason[x]] if y != x)
        return found[::-1]
