"""Diagrams: words letter by letter, in layers of nodes; nodes with the same rest of the word are one.

A layer is a list of nodes, a node a tuple of arrows, an arrow the number of a node in the next layer and a mask of
letters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from sudoku_models.model import Automaton

from ..kernel import layout
from .draft import Draft

KEPT = 256
"""Diagrams of each sort that are kept from model to model: most puzzles have words that others have too."""

State = Hashable
Node = tuple[tuple[int, int], ...]
Step = Callable[[int, State], Mapping[State, int]]
"""By layer and state: the states that follow, each with the mask of letters that lead there."""


class Layers(list[list[Node]]):
    """The layers of a diagram, which nobody changes any more."""

    @cached_property
    def different(self) -> Layers | None:
        """The words that have no letter twice; None when that makes the diagram too large."""
        return of_different_letters(self)

    @cached_property
    def flat(self) -> list[int]:
        """The diagram in the form that the kernel ``diagram`` reads."""
        starts: list[int] = []
        arrows_at, node = [0], 0
        flat: list[int] = []
        for layer in self:
            starts.append(node)
            after = node + len(layer)
            for arrows in layer:
                for to, mask in arrows:
                    flat += (mask, after + to)
                arrows_at.append(len(flat) // 2)
            node = after
        arrows_at.append(len(flat) // 2)
        return [node + 1, *starts, node, node + 1, *arrows_at, *flat]


def explored(
    length: int, start: State, step: Step, most: int | None = None
) -> list[dict[State, Mapping[State, int]]] | None:
    """Follow all letters from a start; None when there are more states than ``most``."""
    layers: list[dict[State, Mapping[State, int]]] = []
    states: Iterable[State] = (start,)
    size = 0
    for i in range(length):
        layer = {state: step(i, state) for state in states}
        layers.append(layer)
        states = dict.fromkeys(after for arrows in layer.values() for after in arrows)
        size += len(layer)
        if most is not None and size > most:
            return None
    return layers


def merged(layers: Sequence[Mapping[State, Mapping[State, int]]], accepting: Collection[State] | None) -> Layers:
    """Drop states from which no accepting one (None: any last one) is reached, and merge those with the same arrows."""
    made = Layers([] for _ in layers)
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


def add_diagram(draft: Draft, xs: Sequence[int], layers: Layers) -> None:
    """Add the constraint that the values of some variables are a word of a diagram."""
    if not all(layers):
        draft.never()
    elif xs:
        place = draft.remembered(("diagram", id(layers)), lambda: _placed(draft, layers), layers)
        length = len(xs)
        draft.longest = max(draft.longest, length)
        record = [length, place, *xs]
        draft.add(layout.DIAGRAM, record, xs, 2 if length > 4 else 1, int(len(set(xs)) == length))


def _placed(draft: Draft, layers: Layers) -> int:
    """Write a diagram into the pool."""
    draft.most_nodes = max(draft.most_nodes, layers.flat[0])
    place = len(draft.pool)
    draft.pool += layers.flat
    return place


def bit_of(value: int, base: int) -> int:
    """Return the bit of a value, 0 outside of the span of a model."""
    return 1 << (value - base) if 0 <= value - base < layout.MOST_BITS else 0


@lru_cache(KEPT)
def of_automaton(automaton: Automaton, base: int, domains: tuple[int, ...]) -> Layers:
    """Return the words of an automaton within some masks."""
    by_state: dict[State, dict[int, int]] = {}
    for state, value, after in automaton.arrows:
        bit = bit_of(value, base)
        if bit:
            arrows = by_state.setdefault(state, {})
            arrows[after] = arrows.get(after, 0) | bit

    def step(i: int, state: State) -> Mapping[State, int]:
        letters = domains[i]
        return {to: mask & letters for to, mask in by_state.get(state, {}).items() if mask & letters}

    layers = explored(len(domains), automaton.start, step)
    assert layers is not None
    return merged(layers, automaton.accepting)


@lru_cache(KEPT)
def of_tuples(rows: tuple[tuple[int, ...], ...], allowed: bool, base: int, domains: tuple[int, ...]) -> Layers:
    """Return the diagram of some tuples of values, or of all others, within some masks."""
    bits = [tuple([bit_of(value, base) for value in row]) for row in rows]
    inside = [row for row in bits if all(b & d for b, d in zip(row, domains, strict=True))]
    return _kept(inside, len(domains)) if allowed else _others(inside, domains)


def _kept(rows: Sequence[tuple[int, ...]], length: int) -> Layers:
    """Merge from the last letter: prefixes with the same rests are one node."""
    made = Layers([] for _ in range(length))
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
    """The words that are none of some: a prefix of these, or already different from them all."""
    known = {row[:i] for row in rows for i in range(len(domains) + 1)}
    whole = set(rows)

    def step(i: int, state: Any) -> Mapping[State, int]:
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
    assert layers is not None
    return merged(layers, None)


@lru_cache(KEPT)
def of_order(domains: tuple[int, ...], strict: bool) -> Layers:
    """Return the words of two lists, read in turn, in which the first list comes first."""

    def step(i: int, state: State) -> Mapping[State, int]:
        """Equal so far (0), the letter of the first list just read, or decided (-1)."""
        if state == -1:
            return {-1: domains[i]}
        assert isinstance(state, int)
        if i % 2 == 0:
            return {bit: bit for bit in bits_of(domains[i])}
        return {0: domains[i] & state, -1: domains[i] & ~(2 * state - 1)}

    layers = explored(len(domains), 0, step)
    assert layers is not None
    return merged(layers, (-1,) if strict else (-1, 0))


def bits_of(mask: int) -> list[int]:
    """Return the bits of a mask, each as a mask of its own, from the lowest."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


def of_different_letters(layers: Layers) -> Layers | None:
    """Return the words of a diagram that have no letter twice; None when that makes it too large."""
    if not all(layers):
        return layers

    def step(i: int, state: Any) -> Mapping[State, int]:
        node, used = state
        return {(to, used | bit): bit for to, mask in layers[i][node] for bit in bits_of(mask & ~used)}

    made = explored(len(layers), (0, 0), step, 20_000)
    return None if made is None else merged(made, None)
