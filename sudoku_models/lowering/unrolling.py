"""Read constraints letter by letter as automata, and turn the steps of the automata into tables.

A word is read by a deterministic automaton whose states are any hashable values; unrolled over the letters it is a
decision diagram. States from which no word is accepted are omitted, and states that accept the same words are merged,
so the tables are as small as this order of the variables allows. The letters before a state determine it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model import Constraint, Domain, InDomain, Table
from .rewrite import Scratch

Step = Callable[[int, Any, int], Any]
"""From (position of the letter, state, value) to the next state; None is a dead end."""

Arrows = dict[int, int]
"""From each value that may follow to the class of the next state."""

Edge = tuple[int, int, int]
"""(class before the letter, value, class after it)"""


@dataclass(frozen=True)
class Word:
    """The variables in reading order, and the automaton that reads them."""

    letters: tuple[str, ...]
    start: Hashable
    step: Step
    accepts: Callable[[Any], bool]

    def judged(self, name: str) -> Word:
        """Return the word with one more letter, which is 1 exactly if this word is accepted, otherwise 0."""
        last = len(self.letters)

        def step(place: int, state: Any, value: int) -> Any:
            if place < last:
                return _DEAD if state is _DEAD or (after := self.step(place, state, value)) is None else after
            return True if (state is not _DEAD and self.accepts(state)) == bool(value) else None

        return Word((*self.letters, name), self.start, step, lambda state: state is True)


class _Dead:
    """The state after a dead end, for a word that is read to its end."""


_DEAD = _Dead()


class TooLong(Exception):
    """A word has more steps than the limit allows."""


def steps(word: Word, domains: Mapping[str, Domain], most: int) -> int | None:
    """Return the number of steps of the automaton over these domains; None above ``most``."""
    try:
        return sum(len(arrows) for layer in _explored(word, domains, most) for arrows in layer.values())
    except TooLong:
        return None


def unrolled(word: Word, scratch: Scratch, most: int, hint: str = "state") -> list[Constraint]:
    """State a word by tables over each letter and the states before and after it."""
    if not word.letters:
        return [] if word.accepts(word.start) else [Table((), ())]
    layers = _merged(word, _explored(word, scratch.watched, most), scratch.check)
    if not layers[0]:
        return [InDomain(word.letters[0], ())]
    return _Tables(word.letters, layers, scratch, hint).made()


def _explored(word: Word, domains: Mapping[str, Domain], most: int) -> list[dict[Any, dict[int, Any]]]:
    """Return the steps that words over these domains may take, letter by letter."""
    layers: list[dict[Any, dict[int, Any]]] = []
    states, left = [word.start], most
    for place, letter in enumerate(word.letters):
        layer: dict[Any, dict[int, Any]] = {}
        for state in states:
            left -= len(domains[letter])
            if left < 0:
                raise TooLong
            after = ((value, word.step(place, state, value)) for value in domains[letter])
            layer[state] = {value: reached for value, reached in after if reached is not None}
        layers.append(layer)
        states = list(dict.fromkeys(reached for arrows in layer.values() for reached in arrows.values()))
    return layers


def _merged(
    word: Word, layers: Sequence[Mapping[Any, Mapping[int, Any]]], check: Callable[[], object]
) -> list[list[Arrows]]:
    """Return for each letter the classes of states before it, each by its arrows; dead states belong to none."""
    ends = {reached for arrows in layers[-1].values() for reached in arrows.values()}
    class_of = {state: 0 for state in ends if word.accepts(state)}
    found: list[list[Arrows]] = []
    for layer in reversed(layers):
        numbers: dict[tuple[tuple[int, int], ...], int] = {}
        before: dict[Any, int] = {}
        for state, arrows in layer.items():
            check()
            live = tuple((value, class_of[reached]) for value, reached in arrows.items() if reached in class_of)
            if live:
                before[state] = numbers.setdefault(live, len(numbers))
        found.append([dict(live) for live in numbers])
        class_of = before
    return found[::-1]


class _Tables:
    """Writes the layers as tables; a state that is unique, or equals the first letter's value, needs no variable."""

    def __init__(self, letters: Sequence[str], layers: Sequence[Sequence[Arrows]], scratch: Scratch, hint: str) -> None:
        self.letters, self.layers, self.scratch, self.hint = letters, layers, scratch, hint
        self.first = self._first_values()

    def _first_values(self) -> dict[int, int] | None:
        """Return the first letter's value in each state after it, if every state has a different one."""
        after = self.layers[0][0]
        several = len(self.layers) > 1 and len(self.layers[1]) > 1
        return (
            {state: value for value, state in after.items()}
            if several and len(set(after.values())) == len(after)
            else None
        )

    def made(self) -> list[Constraint]:
        """Return the tables; a letter on which nothing depends has none."""
        names: list[str | None] = [None, *map(self._name, range(1, len(self.layers))), None]
        found: list[Constraint] = []
        for place, letter in enumerate(self.letters):
            edges = [(a, v, b) for a, arrows in enumerate(self.layers[place]) for v, b in arrows.items()]
            if place <= 1 and self.first is not None:
                edges = [self._by_value(place, edge) for edge in edges]
            found += _table(names[place], letter, names[place + 1], edges, self.scratch)
        return found

    def _name(self, place: int) -> str | None:
        if place == 1 and self.first is not None:
            return self.letters[0]
        count = len(self.layers[place])
        return self.scratch.auxiliary(self.hint, tuple(range(count))) if count > 1 else None

    def _by_value(self, place: int, edge: Edge) -> Edge:
        assert self.first is not None
        a, value, b = edge
        return (a, value, self.first[b]) if place == 0 else (self.first[a], value, b)


def _table(before: str | None, letter: str, after: str | None, edges: list[Edge], scratch: Scratch) -> list[Constraint]:
    names = (before, letter, None if after == letter else after)
    places = [i for i, name in enumerate(names) if name is not None]
    rows = {tuple(edge[i] for i in places) for edge in edges}
    if len(places) > 1:
        return [Table([names[i] for i in places if names[i]], rows)]  # type: ignore[misc]
    values = {row[0] for row in rows}
    return [] if values.issuperset(scratch.domains[letter]) else [InDomain(letter, values)]
