"""Checking an LRAT proof: each lemma comes with the clauses that show it, so that nothing has to be searched for.

The format is that of Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp (Efficient certified RAT verification,
2017): ``number literals 0 hints 0`` adds a clause, ``number d numbers 0`` deletes some. This is the part of a check
that has to be trusted for the proof; it is kept small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Clause = tuple[int, ...]

Clauses = Callable[[int], "Clause | None"]
"""The clause of a number; None when there is none (any more)."""


class NotProved(Exception):
    """A proof does not show what it claims; the message says where and why."""


@dataclass(frozen=True)
class Line:
    """A line of a proof: a clause with its hints, or with ``deleted`` the numbers of clauses that go."""

    number: int
    clause: Clause = ()
    hints: tuple[int, ...] = ()
    deleted: tuple[int, ...] | None = None


def parse_lrat(text: str) -> list[Line]:
    """Read an LRAT proof; NotProved, with the line's number, when it is malformed."""
    lines = []
    for at, row in enumerate(text.splitlines(), 1):
        words = row.split()
        if not words or words[0] == "c":
            continue
        try:
            lines.append(_line(words))
        except ValueError:
            raise NotProved(f"line {at} of the proof is not LRAT: {row[:80]!r}") from None
    return lines


def _line(words: Sequence[str]) -> Line:
    number = int(words[0])
    if words[1:2] == ["d"]:
        numbers = list(map(int, words[2:]))
        if numbers.index(0) != len(numbers) - 1:
            raise ValueError
        return Line(number, deleted=tuple(numbers[:-1]))
    numbers = list(map(int, words[1:]))
    middle = numbers.index(0)
    if numbers.index(0, middle + 1) != len(numbers) - 1:
        raise ValueError
    return Line(number, tuple(numbers[:middle]), tuple(numbers[middle + 1 : -1]))


def check_lrat(formula: Sequence[Clause], lines: Iterable[Line], look: Callable[[], None] = lambda: None) -> int:
    """Check that a proof refutes a list of clauses; return how many lemmas were checked. NotProved when it does not.

    ``look`` is called at each lemma; what it raises ends the check.
    """
    added: dict[int, Clause] = {}
    gone: set[int] = set()
    size = len(formula)
    last, checked = size, 0

    def clause_of(number: int) -> Clause | None:
        if number in gone:
            return None
        return formula[number - 1] if 1 <= number <= size else added.get(number)

    for line in lines:
        look()
        if line.deleted is not None:
            for number in line.deleted:
                if clause_of(number) is None:
                    raise NotProved(f"lemma {line.number}: clause {number} is deleted, but there is none")
                gone.add(number)
            continue
        if line.number <= last:
            raise NotProved(f"lemma {line.number} comes after number {last}: numbers have to rise")
        _check(line, clause_of, lambda: (*range(1, size + 1), *added))
        added[line.number], last, checked = line.clause, line.number, checked + 1
        if not line.clause:
            return checked
    raise NotProved("the proof ends without the empty clause")


def _check(line: Line, clause_of: Clauses, numbers: Callable[[], Iterable[int]]) -> None:
    """Check one lemma by its hints: by unit propagation, else as a resolution asymmetric tautology."""
    false = set(line.clause)
    if any(-x in false for x in false):
        return
    negative = next((k for k, hint in enumerate(line.hints) if hint < 0), len(line.hints))
    if _refuted(line, false, line.hints[:negative], clause_of):
        return
    if not line.clause:
        raise NotProved(f"lemma {line.number} does not follow by its hints")
    _check_pivot(line, false, line.hints[negative:], clause_of, numbers())


def _refuted(line: Line, false: set[int], hints: Iterable[int], clause_of: Clauses) -> bool:
    """Propagate along hints; True once a clause is violated. ``false`` gets the literals that became false."""
    for hint in hints:
        clause = clause_of(hint)
        if clause is None:
            raise NotProved(f"lemma {line.number}: the hint {hint} is no clause")
        left = {x for x in clause if x not in false}
        if not left:
            return True
        if len(left) > 1 or -next(iter(left)) in false:
            raise NotProved(f"lemma {line.number}: the hint {hint} is not unit")
        false.add(-next(iter(left)))
    return False


def _check_pivot(line: Line, false: set[int], hints: Sequence[int], clause_of: Clauses, numbers: Iterable[int]) -> None:
    """Every clause with the negation of the first literal leads to a contradiction, by the hints after its number."""
    groups: dict[int, list[int]] = {}
    for hint in hints:
        if hint < 0:
            current = groups.setdefault(-hint, [])
        else:
            current.append(hint)
    pivot = line.clause[0]
    for number in numbers:
        clause = clause_of(number)
        if clause is None or -pivot not in clause:
            continue
        if number not in groups:
            raise NotProved(
                f"lemma {line.number} does not follow by its hints: none is for clause {number}, which has {-pivot}"
            )
        rest = {x for x in clause if x != -pivot}
        if any(-x in false and x not in false for x in rest):
            continue
        if not _refuted(line, false | rest, groups[number], clause_of):
            raise NotProved(f"lemma {line.number}: the hints for clause {number} lead to no contradiction")
