"""Check an LRAT proof: each lemma comes with the clauses that prove it, so that nothing has to be searched for.

The format is that of Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp (Efficient certified RAT verification,
2017): ``number literals 0 hints 0`` adds a clause, ``number d numbers 0`` deletes some. This is the part of a check
that has to be trusted for the proof; it is kept small.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from .looking import Look, Pace, never, rows

Clause = tuple[int, ...]

Clauses = Callable[[int], "Clause | None"]
"""Returns the clause with a number; None if there is none (any more)."""

LONGEST_LINE = 20_000_000
"""The most characters that a line of a proof may have."""

MOST_LINES, MOST_NUMBERS = 2_000_000, 20_000_000
"""The most lines that a proof may have, and numbers: about 1 GB of memory."""

NO_NUMBER = "?"
"""Represents a line with characters that no number has, some of which Python would accept."""

_WHOLE = frozenset([int])
_PLAIN = re.compile(r"[-0-9d \t\r]*")


class NotProved(Exception):
    """A proof does not show what it claims; the message says where and why."""


@dataclass(frozen=True)
class ProofLine:
    """A line of a proof: a clause with its hints, or with ``deleted`` the numbers of clauses to delete.

    All are whole numbers and none is 0, which ends lists in files and is its own negation; ValueError otherwise.
    """

    number: int
    clause: Clause = ()
    hints: tuple[int, ...] = ()
    deleted: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        numbers = (self.number, *self.clause, *self.hints, *(self.deleted or ()))
        if not are_literals(numbers):
            raise ValueError(f"a line of a proof has {str(numbers)[:80]}: whole numbers other than 0 are expected")


def are_literals(numbers: Sequence[int]) -> bool:
    """Return whether all are whole numbers and none is 0."""
    return 0 not in numbers and _WHOLE.issuperset(map(type, numbers))


def parse_lrat(text: str, look: Look = never) -> list[ProofLine]:
    """Parse an LRAT proof; NotProved, with the line's number, if it is malformed."""
    lines = []
    for at, row, words in stated(text, look):
        try:
            lines.append(_line(words))
        except ValueError:
            raise NotProved(f"line {at} of the proof is not LRAT: {row[:80]!r}") from None
    return lines


def stated(text: str, look: Look) -> Iterator[tuple[int, str, list[str]]]:
    """Yield number, text and words of each line of a proof except comments; NotProved if one cannot be read."""
    lines = numbers = 0
    for at, row in rows(text, look):
        if len(row) > LONGEST_LINE:
            raise NotProved(f"line {at} of the proof has more than {LONGEST_LINE:,} characters")
        words = row.split()
        if not words or words[0] == "c":
            continue
        lines, numbers = lines + 1, numbers + len(words)
        if lines > MOST_LINES or numbers > MOST_NUMBERS:
            raise NotProved(f"the proof has more than {MOST_LINES:,} lines, or more than {MOST_NUMBERS:,} numbers")
        yield at, row, words if _PLAIN.fullmatch(row) else [NO_NUMBER]


def _line(words: Sequence[str]) -> ProofLine:
    number = int(words[0])
    if words[1:2] == ["d"]:
        numbers = list(map(int, words[2:]))
        if numbers.index(0) != len(numbers) - 1:
            raise ValueError
        return ProofLine(number, deleted=tuple(numbers[:-1]))
    numbers = list(map(int, words[1:]))
    middle = numbers.index(0)
    if numbers.index(0, middle + 1) != len(numbers) - 1:
        raise ValueError
    return ProofLine(number, tuple(numbers[:middle]), tuple(numbers[middle + 1 : -1]))


def lines_of(proof: Any) -> tuple[ProofLine, ...]:
    """Return a proof in numbers line by line; NotProved if its end is missing."""
    numbers, at, found = proof.tolist(), 0, []
    while at < len(numbers):
        try:
            middle = numbers.index(0, at)
            end = numbers.index(0, middle + 1)
        except ValueError:
            raise NotProved("the proof is cut off: of its last lemma literals, 0, hints and 0 are expected") from None
        if not numbers[at]:
            raise NotProved("the number of a lemma is 0")
        found.append(ProofLine(numbers[at], tuple(numbers[at + 1 : middle]), tuple(numbers[middle + 1 : end])))
        at = end + 1
    return tuple(found)


def check_lrat(formula: Sequence[Clause], lines: Iterable[ProofLine], look: Look = never) -> int:
    """Check that a proof refutes a list of clauses; return the number of lemmas checked. NotProved if it does not.

    ``look`` is called at each lemma, and during long ones; an exception from it ends the check.
    """
    pace = Pace(look)
    added: dict[int, Clause] = {}
    gone: set[int] = set()
    size = len(formula)
    last, checked = size, 0

    def clause_of(number: int) -> Clause | None:
        """Return the clause with a number; None if there is none, or it is deleted."""
        if number in gone:
            return None
        return formula[number - 1] if 1 <= number <= size else added.get(number)

    for line in lines:
        look()
        if line.deleted is not None:
            for number in line.deleted:
                if clause_of(number) is None:
                    raise NotProved(f"lemma {line.number}: clause {number} is deleted, but there is no such clause")
                gone.add(number)
            continue
        if line.number <= last:
            raise NotProved(f"lemma {line.number} comes after number {last}: numbers have to rise")
        _check(line, clause_of, lambda: chain(range(1, size + 1), added), pace)
        added[line.number], last, checked = line.clause, line.number, checked + 1
        if not line.clause:
            return checked
    raise NotProved("the proof ends without the empty clause")


def _check(line: ProofLine, clause_of: Clauses, numbers: Callable[[], Iterable[int]], pace: Pace) -> None:
    """Check one lemma by its hints: by unit propagation, otherwise as a resolution asymmetric tautology."""
    false = set(line.clause)
    if any(-x in false for x in false):
        return
    negative = next((k for k, hint in enumerate(line.hints) if hint < 0), len(line.hints))
    if _refuted(line, false, line.hints[:negative], clause_of, pace):
        return
    if not line.clause:
        raise NotProved(f"lemma {line.number} does not follow by its hints")
    groups = _by_clause(line.hints[negative:])
    for number in numbers():
        _check_pivot(line, false, groups, number, clause_of, pace)


def _refuted(line: ProofLine, false: set[int], hints: Iterable[int], clause_of: Clauses, pace: Pace) -> bool:
    """Propagate along hints; True once a clause is violated. ``false`` collects the literals that became false."""
    for hint in hints:
        clause = clause_of(hint)
        if clause is None:
            raise NotProved(f"lemma {line.number}: the hint {hint} is not a clause")
        pace.spend(len(clause) + 1)
        left = {x for x in clause if x not in false}
        if not left:
            return True
        if len(left) > 1 or -next(iter(left)) in false:
            raise NotProved(f"lemma {line.number}: the hint {hint} is not unit")
        false.add(-next(iter(left)))
    return False


def _by_clause(hints: Iterable[int]) -> dict[int, list[int]]:
    """Return the hints for each clause with the negation of the first literal: they follow its number, negated."""
    groups: dict[int, list[int]] = {}
    for hint in hints:
        if hint < 0:
            current = groups.setdefault(-hint, [])
        else:
            current.append(hint)
    return groups


def _check_pivot(
    line: ProofLine, false: set[int], groups: Mapping[int, list[int]], number: int, clause_of: Clauses, pace: Pace
) -> None:
    """Check that a clause with the negation of the lemma's first literal leads to a contradiction by its hints."""
    clause, pivot = clause_of(number), line.clause[0]
    pace.spend(len(clause or ()) + 1)
    if clause is None or -pivot not in clause:
        return
    if number not in groups:
        raise NotProved(
            f"lemma {line.number} does not follow by its hints: none is for clause {number}, which has {-pivot}"
        )
    rest = {x for x in clause if x != -pivot}
    if any(-x in false and x not in false for x in rest):
        return
    pace.spend(len(false))
    if not _refuted(line, false | rest, groups[number], clause_of, pace):
        raise NotProved(f"lemma {line.number}: the hints for clause {number} lead to no contradiction")
