"""Diagrams: words letter by letter, in layers of nodes; nodes with the same rest of the word are one."""

from __future__ import annotations

import struct
import threading
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, chain
from operator import or_

from sudoku_models.engine.machine_code.language import zeros
from sudoku_models.lowering.house_sums import bits_in
from sudoku_models.model import Automaton

from ..backend import BEYOND
from ..kernel import layout, word_diagrams
from ..machine import address, machine
from .draft import Draft, Ints, numbers

FEW_STATES = 1_000
"""The number of states for which room is made first: most diagrams have no more."""

KEPT = 512
"""The number of diagrams of each sort kept from model to model: most puzzles share words with others."""

MOST_DIFFERENT = 20_000
"""The most states of a diagram whose words have no letter twice."""

Arrow = tuple[int, int, int]
"""A state, a letter (as the value of a variable), and the next state."""


class WordDiagram:
    """Words of ``length`` letters as the kernel ``diagram`` reads them; ``flat`` is empty when there is no word."""

    def __init__(self, length: int, flat: Ints) -> None:
        self.length, self.flat = length, flat

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self.flat[0]

    @cached_property
    def letters(self) -> int:
        return reduce(or_, self.flat[3 + self.length + self.nodes + 1 :: 2], 0)

    @cached_property
    def different(self) -> WordDiagram | None:
        """The words that have no letter twice; None if that makes the diagram too large."""
        if not len(self.flat):
            return self
        return written("read_different", self.length, self.letters, MOST_DIFFERENT, self.flat, self.length)


SCRATCH = threading.local()
"""Memory in which each thread builds diagrams; new memory for each would take longer than most diagrams do."""


def written(entry: str, length: int, letters: int, most: int, *given: Ints | int) -> WordDiagram | None:
    """Return the diagram of the words that a kernel reads with at most some states; None if it needs more."""
    room = 0
    while room < most:
        room = min(most, 8 * room or FEW_STATES)
        sizes = sizes_for(room, length, letters)
        scratch = _scratch(sum(sizes))
        scratch[: word_diagrams.BEGIN] = numbers((0, 0, room, sizes[2]))
        places = list(accumulate(sizes, initial=0))[:-1]
        memory = [address(scratch) + 8 * place for place in places]
        inputs = [part if isinstance(part, int) else address(part) for part in given]
        if getattr(machine(), entry)(*inputs, *memory[:4]):
            size = machine().finished(*memory[:4], length, *memory[4:])
            return WordDiagram(length, array("q", scratch[places[-1] : places[-1] + size].tobytes()))
    return None


def _scratch(words: int) -> memoryview:
    found: memoryview | None = getattr(SCRATCH, "memory", None)
    if found is None or len(found) < words:
        found = SCRATCH.memory = memoryview(zeros(8 * words)).cast("q")
    return found


def sizes_for(room: int, length: int, letters: int) -> tuple[int, ...]:
    """Return how long the arrays of ``word_diagrams`` are, from ``states`` to ``out``, with room for some states."""
    slots = 1 << (2 * room).bit_length()
    arrows = 2 * room * max(1, letters.bit_count())
    return (
        word_diagrams.BEGIN + word_diagrams.ROW * room,
        arrows,
        slots,
        length + 1,
        length,
        2 * length + 8 + room + arrows,
    )


def add_diagram(draft: Draft, xs: Sequence[int], diagram: WordDiagram) -> None:
    """Add the constraint that the values of some variables are a word of a diagram."""
    if not len(diagram.flat):
        draft.never()
        return
    known = draft.memo.get(diagram)
    if known is None:
        known = draft.memo[diagram] = _placed(draft, diagram)
    length = len(xs)
    draft.add(layout.DIAGRAM, [length, known, *xs], xs, 2 if length > 4 else 1, int(len(set(xs)) == length))


def _placed(draft: Draft, diagram: WordDiagram) -> int:
    """Write a diagram into the pool."""
    draft.most_nodes = max(draft.most_nodes, diagram.nodes)
    draft.most_arrows = max(draft.most_arrows, len(diagram.flat) // 2)
    place = len(draft.pool)
    draft.pool += diagram.flat
    return place


@lru_cache(KEPT)
def of_automaton(automaton: Automaton, base: int, domains: tuple[int, ...]) -> WordDiagram:
    """Return the words of an automaton, at least one letter long, within some masks."""
    return _accepted(automaton.states, automaton.start, automaton.accepting, automaton.arrows, base, domains)


@lru_cache(KEPT)
def of_tuples(rows: tuple[tuple[int, ...], ...], allowed: bool, base: int, domains: tuple[int, ...]) -> WordDiagram:
    """Return the diagram of some tuples of values, or of all other tuples, within some masks."""
    number: dict[tuple[int, ...], int] = {(): 0}
    arrows: list[Arrow] = []
    for row in rows:
        for end in range(1, len(row) + 1):
            if row[:end] not in number:
                number[row[:end]] = len(number)
                arrows.append((number[row[: end - 1]], row[end - 1], number[row[:end]]))
    if allowed:
        return _accepted(len(number), 0, [number[row] for row in rows], sorted(arrows), base, domains)
    other, after = len(number), {(source, value): target for source, value, target in arrows}
    letters = [base + bit for bit in bits_in(reduce(or_, domains))]
    sources = sorted({0, other, *(source for source, _, _ in arrows)})
    others = [(source, value, after.get((source, value), other)) for source in sources for value in letters]
    return _accepted(other + 1, 0, [other], others, base, domains)


def _accepted(
    states: int, start: int, accepting: Iterable[int], arrows: Sequence[Arrow], base: int, domains: tuple[int, ...]
) -> WordDiagram:
    """Return the words within some masks that lead to accepting states; the arrows are in the order of the states."""
    flags = [0] * states
    for state in accepting:
        flags[state] = 1
    triples = _numbered(arrows)
    begin = [start, states, len(triples) // 3, base, *flags, *[0] * (states + 1)]
    read = numbers(begin) + triples
    letters, length = reduce(or_, domains), len(domains)
    made = written("read_automaton", length, letters, states * length + 1, read, numbers(domains), length)
    assert made is not None
    return made


def _numbered(arrows: Sequence[Arrow]) -> Ints:
    """Return arrows one after the other, except those with letters that no variable can have."""
    try:
        return numbers(chain.from_iterable(arrows))
    except struct.error:  # a letter beyond 64 bits
        return numbers(chain.from_iterable(arrow for arrow in arrows if -BEYOND < arrow[1] < BEYOND))
