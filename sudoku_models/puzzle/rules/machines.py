"""A line with a nondeterministic automaton, for automata that are too expensive to make deterministic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import accumulate

from ...model import And, Constraint, Domain, InDomain, Or
from ...model.domain import fields_only
from . import fields as f
from .board import Board, Filled
from .relations import BREAK
from .rule_base import Rule
from .yields import never

MOST_STATES = 1 << 16
MOST_WAYS = 200_000
"""The largest number of transitions between positions of a line, over all positions."""


@dataclass(frozen=True)
class Machine:
    """A nondeterministic finite automaton: several start states, and any number of transitions for each symbol.

    ``arrows`` are (state, symbol, next state); states count from 0 to ``states`` - 1. A word is accepted if some
    way of reading it ends in an accepting state.
    """

    states: int
    starts: tuple[int, ...]
    accepting: tuple[int, ...]
    arrows: tuple[tuple[int, int, int], ...]

    def __init__(
        self, states: int, starts: Iterable[int], accepting: Iterable[int], arrows: Iterable[Iterable[int]]
    ) -> None:
        vars(self).update(states=f.whole(states, 1, MOST_STATES), starts=tuple(sorted(set(map(f.whole, starts)))))
        vars(self).update(accepting=tuple(sorted(set(map(f.whole, accepting)))))
        vars(self).update(arrows=tuple(sorted({tuple(map(f.whole, arrow)) for arrow in arrows})))
        if any(len(arrow) != 3 for arrow in self.arrows):
            raise ValueError("an arrow of an automaton is (state, symbol, next state)")
        named = {state for a, _, b in self.arrows for state in (a, b)} | {*self.starts, *self.accepting}
        wrong = next((state for state in named if not 0 <= state < self.states), None)
        if wrong is not None:
            raise ValueError(f"an automaton names the state {wrong}: 0 to {self.states - 1} are possible")

    @cached_property
    def next(self) -> dict[tuple[int, int], frozenset[int]]:
        """The next states by (state, symbol)."""
        found: dict[tuple[int, int], set[int]] = {}
        for a, symbol, b in self.arrows:
            found.setdefault((a, symbol), set()).add(b)
        return {key: frozenset(states) for key, states in found.items()}

    def after(self, states: Iterable[int], symbol: int) -> frozenset[int]:
        """Return the states to which a symbol leads from any of these."""
        return frozenset().union(*(self.next.get((state, symbol), ()) for state in states))

    __getstate__ = fields_only


def _machine(value: object) -> Machine:
    if not isinstance(value, Machine):
        raise ValueError(f"{value!r:.60} is not a Machine")
    return value


class MachineLine(Rule):
    """The values along the cells form a word that the nondeterministic ``machine`` accepts.

    Between two segments the machine reads another symbol, the greatest value of the board plus 1. Use Line for a
    deterministic automaton: it propagates more.
    """

    sentence = "The values along the cells form a word that the nondeterministic automaton accepts."
    named = True
    drawing = "own line", ""
    segments: f.Segments = f.segments(shortest=0)
    machine: Machine = f.stated(_machine)
    name: str = f.text()

    def check(self, board: Board) -> None:
        _steps_along(self.machine, tuple(map(len, self.segments)), board.values)

    def ways(self, values: Domain) -> int:
        """Return the number of transitions along the cells; raise ValueError above 200,000."""
        steps, _ = _steps_along(self.machine, tuple(map(len, self.segments)), values)
        return sum(len(found) for step in steps for sources in step.values() for found in sources.values())

    def constraints(self, board: Board) -> Iterable[Constraint]:
        cells = [x for segment in self.segments for x in segment]
        steps, accepting = _steps_along(self.machine, tuple(map(len, self.segments)), board.values)
        reached: dict[int, str] = {}
        for place, (cell, step) in enumerate(zip(cells, steps, strict=True)):
            reached = {
                state: _truth(board, self._name(place, state), cell, sources, reached)
                for state, sources in step.items()
            }
        ends = [InDomain(reached[state], (1,)) for state in accepting]
        yield Or(ends) if ends else never(cells[0])

    def _name(self, place: int, state: int) -> str:
        return f"{self._digest}:{place + 1}:{state}"

    @cached_property
    def _digest(self) -> str:
        """A digest of the line and its machine, so that different lines have different variables."""
        return "m" + sha256(repr((self.segments, self.machine)).encode()).hexdigest()[:12]

    def judge(self, grid: Filled) -> bool:
        mark, states = grid.board.high + BREAK, set(self.machine.starts)
        for number, segment in enumerate(self.segments):
            for symbol in [*([mark] if number else []), *grid.along(segment)]:
                states = {b for a, s, b in self.machine.arrows if s == symbol and a in states}
        return not states.isdisjoint(self.machine.accepting)

    __getstate__ = fields_only


Step = dict[int, dict[int, tuple[int, ...]]]
"""For each state after a cell, the states before it, each with the values that lead from it."""


@lru_cache(maxsize=64)
def _steps_along(machine: Machine, lengths: tuple[int, ...], values: Domain) -> tuple[list[Step], tuple[int, ...]]:
    """Return the useful transitions along each cell, and the accepting states at the end.

    A symbol between segments is read together with the value before it (those at the beginning, with the start).
    """
    breaks, mark, total = Counter(accumulate(lengths[:-1])), values[-1] + BREAK, sum(lengths)
    states = _past(machine, frozenset(machine.starts), mark, breaks[0])
    steps: list[Step] = []
    ways = 0
    for place in range(1, total + 1):
        step: dict[int, dict[int, list[int]]] = {}
        for state in states:
            for value in values:
                for after in _past(machine, machine.after((state,), value), mark, breaks[place]):
                    step.setdefault(after, {}).setdefault(state, []).append(value)
                    ways += 1
            if ways > MOST_WAYS:
                raise ValueError(f"the automaton has more than {MOST_WAYS} transitions along its cells")
        steps.append({after: {a: tuple(vs) for a, vs in found.items()} for after, found in sorted(step.items())})
        states = frozenset(step)
    ends = tuple(sorted(states.intersection(machine.accepting)))
    return _useful(steps, ends), ends


def _past(machine: Machine, states: frozenset[int], mark: int, breaks: int) -> frozenset[int]:
    for _ in range(breaks):
        states = machine.after(states, mark)
    return states


def _useful(steps: list[Step], ends: Iterable[int]) -> list[Step]:
    """Remove the states from which no accepting state is reached."""
    kept: list[Step] = []
    wanted = set(ends)
    for step in reversed(steps):
        kept.append({after: sources for after, sources in step.items() if after in wanted})
        wanted = {state for sources in kept[-1].values() for state in sources}
    return kept[::-1]


def _truth(board: Board, name: str, cell: str, sources: dict[int, tuple[int, ...]], reached: dict[int, str]) -> str:
    """Return a variable that is 1 if a state is reached from one of ``sources`` by one of its values."""
    some: list[Constraint] = [InDomain(name, (0,))]
    none: list[Constraint] = []
    for state, values in sources.items():
        here, others = InDomain(cell, values), InDomain(cell, [v for v in board.domain(cell) if v not in values])
        before = reached.get(state)
        some.append(here if before is None else And([InDomain(before, (1,)), here]))
        none.append(Or([InDomain(name, (1,)), *([] if before is None else [InDomain(before, (0,))]), others]))
    return board.auxiliary(name, (0, 1), Or(some), *none)
