"""Words: a constraint read value by value, stated by what is still possible after each of them.

Two prefixes of a word with the same continuations are treated as one, so that the result does not depend on how the
reading is done: the states of a place are its sets of continuations, numbered in the order in which they are met.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from .clauses import PlainClauses, Unstatable

Letter = list[tuple[int, int]]
"""What may be read at a place: values with their literals, exactly one of which is true."""

Reading = Callable[[int, Hashable, int], Hashable]
"""From a place, a state and a value to the next state; None if the word is lost."""

Rows = list[list[tuple[int, ...]]]
"""By place and state: where each value leads, as the number of a state of the next place; LOST if nowhere."""

LOST = -1

MANY = 1_000_000
"""Words with more states than this are given up."""

AT_MOST_ONE = 8
"""If there are more states than this, it is not stated that no two hold together."""


def read(
    clauses: PlainClauses,
    word: Sequence[Letter],
    start: Hashable,
    reading: Reading,
    good: Callable[[Hashable], bool],
    wanted: bool,
    unless: tuple[int, ...],
) -> None:
    """Write that the word ends well (``wanted`` false: that it does not), unless a literal of ``unless`` is true."""

    def fine(state: Hashable) -> bool:
        """Return whether the word may end in a state."""
        return (state is not None and good(state)) == wanted

    rows = _in_order(_rows(clauses, word, start, reading, fine))
    if rows is None:
        clauses.say(*unless)
        return
    sizes = [len(row) for row in rows[1:]]
    states = [[clauses.new() for _ in range(size)] if size > 1 else [] for size in sizes]
    names: list[list[int]] = [[], *states, []]
    for at, letter in enumerate(word):
        after = len(rows[at + 1]) if at + 1 < len(word) else 1
        _write(clauses, letter, rows[at], names[at], names[at + 1], after, unless)


def _rows(
    clauses: PlainClauses, word: Sequence[Letter], start: Hashable, reading: Reading, fine: Callable[[Hashable], bool]
) -> Rows | None:
    """Return the continuations from each place, with the start as the only first state; None if none ends well."""
    met: list[set[Hashable]] = [{start}]
    room = MANY
    for at, letter in enumerate(word):
        values = {value for value, _ in letter}
        after: set[Hashable] = set()
        for s in met[-1]:
            clauses.look()
            clauses.step(len(values))
            after.update(None if s is None else reading(at, s, value) for value in values)
            if room < len(after):
                raise Unstatable(f"a constraint, stated again, has more than {MANY:,} states")
        met.append(after)
        room -= len(after)
    kind = {state: 0 if fine(state) else LOST for state in met[-1]}
    found: Rows = []
    for at in range(len(word) - 1, -1, -1):
        numbers: dict[tuple[int, ...], int] = {}
        before = {}
        for state in met[at]:
            clauses.step(len(word[at]))
            ways = tuple(kind[None if state is None else reading(at, state, value)] for value, _ in word[at])
            before[state] = LOST if set(ways) <= {LOST} else numbers.setdefault(ways, len(numbers))
        found.insert(0, list(numbers))
        kind = before
    return None if kind[start] == LOST else found


def _in_order(rows: Rows | None) -> Rows | None:
    """Number the states of each place in the order in which they are met: state by state, value by value."""
    if not rows:
        return rows
    order, found = [0], []
    for at, row in enumerate(rows):
        ways = [row[old] for old in order]
        order = list(dict.fromkeys(to for way in ways for to in way if to != LOST))
        new = {old: number for number, old in enumerate(order)} if at + 1 < len(rows) else {0: 0}
        found.append([tuple(new.get(to, LOST) for to in way) for way in ways])
    return found


def _write(
    clauses: PlainClauses,
    letter: Letter,
    rows: list[tuple[int, ...]],
    here: list[int],
    there: list[int],
    after: int,
    unless: tuple[int, ...],
) -> None:
    """Write how the states before a letter (named unless there is only one) and those after it are related."""
    for s, row in enumerate(rows):
        source = [-here[s]] if here else []
        for (_, x), to in zip(letter, row, strict=True):
            if to == LOST:
                clauses.say(*unless, *source, -x)
            elif there:
                clauses.say(*unless, *source, -x, there[to])
    if here:
        for k, (_, x) in enumerate(letter):
            clauses.step(len(rows))
            clauses.say(*unless, -x, *(here[s] for s, row in enumerate(rows) if row[k] != LOST))
    if there:
        _alternatives(clauses, there, unless)
        for to in range(after if here else 0):
            clauses.step(len(rows) * len(letter))
            clauses.say(*unless, -there[to], *(here[s] for s, row in enumerate(rows) if to in row))


def _alternatives(clauses: PlainClauses, there: list[int], unless: tuple[int, ...]) -> None:
    """Write that one of the states holds and, if there are few, that no two do."""
    clauses.say(*unless, *there)
    if len(there) <= AT_MOST_ONE:
        for k, one in enumerate(there):
            for other in there[:k]:
                clauses.say(*unless, -one, -other)
