"""Diagrams: words letter by letter, in layers of nodes; nodes with the same rest of the word are one.

A layer is a list of nodes, a node a tuple of arrows, an arrow the number of a node in the next layer and a mask of
letters.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, chain
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.model import Automaton

from ..backend import BEYOND
from ..kernel import layout, word_diagrams
from ..machine import machine
from .draft import Draft, numbers

Ints = NDArray[np.int64]
FEW_STATES = 1_000
"""The number of states for which room is made first: most diagrams have no more."""

KEPT = 256
"""The number of diagrams of each sort kept from model to model: most puzzles share words with others."""

MOST_DIFFERENT = 20_000
"""The most states of a diagram whose words have no letter twice."""

State = Hashable
Node = tuple[tuple[int, int], ...]
Layers = list[list[Node]]
Step = Callable[[int, State], Mapping[State, int]]
"""By layer and state: the states that follow, each with the mask of letters that lead there."""


class WordDiagram:
    """Words of ``length`` letters as the kernel ``diagram`` reads them; ``flat`` is empty when there is no word."""

    def __init__(self, length: int, flat: Ints) -> None:
        self.length, self.flat = length, flat

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(self.flat[0])

    @cached_property
    def letters(self) -> int:
        """The letters of all words together."""
        pairs = self.flat[3 + self.length + self.nodes + 1 :: 2]
        return int(np.bitwise_or.reduce(pairs, initial=0))

    @cached_property
    def different(self) -> WordDiagram | None:
        """The words that have no letter twice; None if that makes the diagram too large."""
        if not len(self.flat):
            return self
        return written("read_different", self.length, self.letters, MOST_DIFFERENT, self.flat, self.length)


def diagram_of(layers: Layers) -> WordDiagram:
    """Return layers as a diagram."""
    starts: list[int] = []
    arrows_at, node = [0], 0
    flat: list[int] = []
    for layer in layers:
        starts.append(node)
        after = node + len(layer)
        for arrows in layer:
            for to, mask in arrows:
                flat += (mask, after + to)
            arrows_at.append(len(flat) // 2)
        node = after
    arrows_at.append(len(flat) // 2)
    found = [node + 1, *starts, node, node + 1, *arrows_at, *flat]
    return WordDiagram(len(layers), numbers(found if all(layers) else ()))


def written(entry: str, length: int, letters: int, most: int, *given: Ints | int) -> WordDiagram | None:
    """Return the diagram of the words that a kernel reads with at most some states; None if it needs more."""
    for room in sorted({min(FEW_STATES, most), most}):
        sizes = sizes_for(room, length, letters)
        scratch = np.empty(sum(sizes), np.int64)
        scratch[: word_diagrams.BEGIN] = 0, 0, room, sizes[2]
        places = list(accumulate(sizes, initial=0))[:-1]
        scratch[places[2] : places[3]] = 0
        memory = [scratch.ctypes.data + 8 * place for place in places]
        inputs = [part if isinstance(part, int) else part.ctypes.data for part in given]
        if getattr(machine(), entry)(*inputs, *memory[:4]):
            size = machine().finished(*memory[:4], length, *memory[4:])
            return WordDiagram(length, scratch[places[-1] : places[-1] + size].copy())
    return None


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


def explored(length: int, start: State, step: Step) -> list[dict[State, Mapping[State, int]]]:
    """Follow all letters from a start."""
    layers: list[dict[State, Mapping[State, int]]] = []
    states: Iterable[State] = (start,)
    for i in range(length):
        layer = {state: step(i, state) for state in states}
        layers.append(layer)
        states = dict.fromkeys(after for arrows in layer.values() for after in arrows)
    return layers


def merged(layers: Sequence[Mapping[State, Mapping[State, int]]], accepting: Collection[State] | None) -> Layers:
    """Drop states from which no accepting one (None: any last one) is reached, and merge those with the same arrows."""
    made: Layers = [[] for _ in layers]
    classes: dict[State, int] | None = None if accepting is None else dict.fromkeys(accepting, 0)
    for i in range(len(layers) - 1, -1, -1):
        numbers: dict[Any, int] = {}
        before: dict[State, int] = {}
        for state, arrows in layers[i].items():
            node = _node(arrows, classes)
            if node:
                before[state] = numbers.setdefault(node, len(numbers))
        made[i] = list(numbers)
        classes = before
    return made


def _node(arrows: Mapping[State, int], classes: Mapping[State, int] | None) -> tuple[tuple[int, int], ...]:
    found: dict[int, int] = {}
    for after, mask in arrows.items():
        number = 0 if classes is None else classes.get(after, -1)
        if mask and number >= 0:
            found[number] = found.get(number, 0) | mask
    return tuple(sorted(found.items()))


def add_diagram(draft: Draft, xs: Sequence[int], diagram: WordDiagram) -> None:
    """Add the constraint that the values of some variables are a word of a diagram."""
    if not len(diagram.flat):
        draft.never()
        return
    place = draft.remembered(("diagram", id(diagram)), lambda: _placed(draft, diagram), diagram)
    length = len(xs)
    draft.longest = max(draft.longest, length)
    record = [length, place, *xs]
    draft.add(layout.DIAGRAM, record, xs, 2 if length > 4 else 1, int(len(set(xs)) == length))


def _placed(draft: Draft, diagram: WordDiagram) -> int:
    """Write a diagram into the pool."""
    draft.most_nodes = max(draft.most_nodes, diagram.nodes)
    place = len(draft.pool)
    draft.pool.frombytes(diagram.flat.tobytes())
    return place


def bit_of(value: int, base: int) -> int:
    """Return the bit of a value, 0 outside of the span of a model."""
    return 1 << (value - base) if 0 <= value - base < layout.MOST_BITS else 0


@lru_cache(KEPT)
def of_automaton(automaton: Automaton, base: int, domains: tuple[int, ...]) -> WordDiagram:
    """Return the words of an automaton, at least one letter long, within some masks."""
    flags = [0] * automaton.states
    for state in automaton.accepting:
        flags[state] = 1
    arrows = _arrows(automaton)
    begin = [automaton.start, automaton.states, len(arrows) // 3, base, *flags, *[0] * (automaton.states + 1)]
    read = np.concatenate((numbers(begin), arrows))
    letters, length = reduce(or_, domains), len(domains)
    most = automaton.states * length + 1
    made = written("read_automaton", length, letters, most, read, numbers(domains), length)
    assert made is not None
    return made


def _arrows(automaton: Automaton) -> Ints:
    """Return the arrows of an automaton, except those with letters that no variable can have."""
    try:
        return numbers(chain.from_iterable(automaton.arrows))
    except struct.error:  # a letter beyond 64 bits
        possible = (arrow for arrow in automaton.arrows if -BEYOND < arrow[1] < BEYOND)
        return numbers(chain.from_iterable(possible))


@lru_cache(KEPT)
def of_counts(domains: tuple[int, ...], group: tuple[tuple[int, int, int], ...], most: int) -> WordDiagram | None:
    """Return the words whose numbers of letters in some masks lie between a least and a greatest number for each mask.

    They have up to eight letters, and there are up to fifteen counts; None if there are more than ``most`` states.
    """
    letters, length, counts = reduce(or_, domains), len(domains), numbers(chain.from_iterable(group))
    return written("read_counts", length, letters, most, counts, len(group), numbers(domains), length)


@lru_cache(KEPT)
def of_tuples(rows: tuple[tuple[int, ...], ...], allowed: bool, base: int, domains: tuple[int, ...]) -> WordDiagram:
    """Return the diagram of some tuples of values, or of all other tuples, within some masks."""
    bits = [tuple([bit_of(value, base) for value in row]) for row in rows]
    inside = [row for row in bits if all(b & d for b, d in zip(row, domains, strict=True))]
    return diagram_of(_kept(inside, len(domains)) if allowed else _others(inside, domains))


def _kept(rows: Sequence[tuple[int, ...]], length: int) -> Layers:
    """Merge from the last letter: prefixes with the same rests are one node."""
    made: Layers = [[] for _ in range(length)]
    current: dict[tuple[int, ...], int] = dict.fromkeys(rows, 0)
    for i in range(length - 1, -1, -1):
        groups: dict[tuple[int, ...], dict[int, int]] = {}
        for prefix, number in current.items():
            arrows = groups.setdefault(prefix[:-1], {})
            arrows[number] = arrows.get(number, 0) | prefix[-1]
        numbers: dict[Any, int] = {}
        current = {p: numbers.setdefault(tuple(sorted(a.items())), len(numbers)) for p, a in groups.items()}
        made[i] = list(numbers)
    return made


def _others(rows: Sequence[tuple[int, ...]], domains: Sequence[int]) -> Layers:
    """Return layers of the words other than some: prefixes of these, or words already different from all of them."""
    known = {row[:i] for row in rows for i in range(len(domains) + 1)}
    whole = set(rows)

    def step(i: int, state: Any) -> Mapping[State, int]:
        """Return the letters read so far while some row begins with them, otherwise "other"."""
        if state == "other":
            return {"other": domains[i]}
        found: dict[State, int] = {}
        rest = domains[i]
        while rest:
            bit = rest & -rest
            rest ^= bit
            after = (*state, bit)
            if after not in whole:
                to = after if after in known else "other"
                found[to] = found.get(to, 0) | bit
        return found

    layers = explored(len(domains), (), step)
    return merged(layers, None)
