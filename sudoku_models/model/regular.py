"""The core constraint Regular: the values along a list of variables form a word that an automaton accepts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import Any

from ..dataclass import dataclass
from .constraint import Constraint, Domains, Values
from .domain import fields_only, integer
from .expression import VariableLike, names_of

MOST_STATES = 100_000

Arrow = tuple[int, int, int]
"""(state, value, next state)"""


@dataclass(frozen=True)
class Automaton:
    """A deterministic finite automaton over integers: ``states`` are numbered from 0; missing arrows are dead ends."""

    states: int
    start: int
    accepting: tuple[int, ...]
    arrows: tuple[Arrow, ...]

    def __init__(self, states: int, start: int, accepting: Iterable[int], arrows: Iterable[Iterable[int]]) -> None:
        vars(self).update(states=integer(states), start=integer(start))
        vars(self).update(accepting=tuple(sorted(set(map(integer, accepting)))))
        vars(self).update(arrows=tuple(sorted({tuple(map(integer, arrow)) for arrow in arrows})))
        self._validate()

    def _validate(self) -> None:
        if not 0 <= self.start < self.states or self.states > MOST_STATES:
            raise ValueError(
                f"an automaton of {self.states} states that starts in {self.start}: up to {MOST_STATES} are possible"
            )
        if any(len(arrow) != 3 for arrow in self.arrows):
            raise ValueError("an arrow of an automaton is (state, value, next state)")
        named = {state for arrow in self.arrows for state in (arrow[0], arrow[2])} | set(self.accepting)
        if any(not 0 <= state < self.states for state in named):
            raise ValueError(f"an automaton names a state that is not among its {self.states}")
        if len({arrow[:2] for arrow in self.arrows}) < len(self.arrows):
            raise ValueError("an automaton has two arrows for one state and value")

    @cached_property
    def _hash(self) -> int:
        return hash((self.states, self.start, self.accepting, self.arrows))

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def from_step(
        cls,
        step: Callable[[Any, int], Any],
        start: Hashable,
        values: Iterable[int],
        accept: Callable[[Any], bool],
        length: int,
    ) -> Automaton:
        """Tabulate a step function: ``step(state, value)`` returns the next state, or None for a dead end.

        The states that words of up to ``length`` values reach are explored. Raises ValueError above 100,000 states.
        """
        alphabet = tuple(dict.fromkeys(map(integer, values)))
        numbers: dict[Any, int] = {start: 0}
        arrows: list[Arrow] = []
        layer = [start]
        for _ in range(length):
            fresh = []
            for state, value in product(layer, alphabet):
                after = step(state, value)
                if after is None:
                    continue
                if after not in numbers:
                    numbers[after] = len(numbers)
                    fresh.append(after)
                    if len(numbers) > MOST_STATES:
                        raise ValueError(f"the step function reaches more than {MOST_STATES} states")
                arrows.append((numbers[state], value, numbers[after]))
            layer = fresh
        accepting = tuple(number for state, number in numbers.items() if accept(state))
        return cls._known(len(numbers), accepting, tuple(sorted(arrows)))

    @classmethod
    def _known(cls, states: int, accepting: tuple[int, ...], arrows: tuple[Arrow, ...], start: int = 0) -> Automaton:
        """Return an automaton that is known to be sound: numbers in order, no arrow twice."""
        made = object.__new__(cls)
        vars(made).update(states=states, start=start, accepting=accepting, arrows=arrows)
        return made

    def complement(self, values: Iterable[int]) -> Automaton:
        """Return the automaton of all other words over some values: missing arrows lead to a state more than here."""
        alphabet, sink, after = sorted({*values}), self.states, self.next
        arrows = tuple([(a, v, after.get((a, v), sink)) for a in range(sink + 1) for v in alphabet])
        accepting = set(range(sink + 1)) - set(self.accepting)
        return self._known(sink + 1, tuple(sorted(accepting)), arrows, self.start)

    @cached_property
    def next(self) -> Mapping[tuple[int, int], int]:
        """The next state by (state, value)."""
        return {(a, value): b for a, value, b in self.arrows}

    def accepts(self, word: Iterable[int]) -> bool:
        """Return whether a word leads from the start to an accepting state."""
        state: int | None = self.start
        arrows = self.next
        for value in word:
            state = arrows.get((state, value))  # type: ignore[arg-type]  # None leads nowhere
        return state in self.accepting

    __getstate__ = fields_only


@dataclass(frozen=True)
class Regular(Constraint):
    """The values of ``xs``, in order, form a word that ``automaton`` accepts."""

    xs: tuple[str, ...]
    automaton: Automaton

    def __init__(self, xs: Iterable[VariableLike], automaton: Automaton) -> None:
        if not isinstance(automaton, Automaton):
            raise TypeError(f"{automaton!r} is not an automaton")
        vars(self).update(xs=names_of(xs), automaton=automaton)

    @property
    def size(self) -> int:
        return len(self.xs) + len(self.automaton.arrows)

    def holds(self, values: Values) -> bool:
        return self.automaton.accepts(map(values.__getitem__, self.xs))

    def possible(self, domains: Domains) -> bool:
        """Return whether some word of the remaining values is accepted; this is exact."""
        states, arrows = {self.automaton.start}, self.automaton.next
        for x in self.xs:
            steps = (arrows.get((state, value)) for state in states for value in domains[x])
            states = {state for state in steps if state is not None}
        return not states.isdisjoint(self.automaton.accepting)
