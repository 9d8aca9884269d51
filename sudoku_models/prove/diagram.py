"""Layered diagrams: a constraint read value by value, with its states as auxiliary variables of a formula.

The source of the idea is the encoding of Regular by Bacchus (GAC via unit propagation, 2007).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from .formula import Clause, FlatFormula, TooLarge
from .looking import Look

Digit = tuple[tuple[int, int], ...]
"""The choices at one place of a word: pairs of a value and its literal; exactly one literal is true."""

State = Hashable
Step = Callable[[int, State, int], State]
"""From a place, a state and a value to the next state."""

Arrows = dict[int, int]
"""For a state: where each value leads, for values that lead anywhere."""

Layer = Sequence[int | None]
"""The literals of the states of a layer; None if the only state needs no literal."""

MOST_STATES = 200_000
FEW = 8
"""For up to this number of states in a layer, clauses state that no two are true together."""


def state_diagram(
    formula: FlatFormula,
    digits: Sequence[Digit],
    start: State,
    step: Step,
    accepts: Callable[[State], bool],
    guard: Clause,
) -> None:
    """Add clauses stating that the word of ``digits`` leads from ``start`` to an accepted state.

    ``guard`` is part of each clause, so that they bind only if all its literals are false. Any accepted assignment of
    the digits extends to the auxiliary variables: the states on its path are true, the others false. TooLarge if there
    are too many states.
    """
    arrows = merged(_explored(digits, start, step, formula.look), accepts)
    if arrows is None:
        formula.add(guard)
        return
    sizes = [*map(len, arrows), 1]
    layers = [_named(formula, size, first=not i, last=i == len(digits)) for i, size in enumerate(sizes)]
    for digit, steps, here, after in zip(digits, arrows, layers, layers[1:], strict=False):
        _join(formula, digit, steps, here, after, guard)


def _explored(digits: Sequence[Digit], start: State, step: Step, look: Look) -> list[dict[State, dict[int, State]]]:
    """Follow every value from every reachable state, layer by layer."""
    layer, arrows, states = [start], [], 0
    for place, digit in enumerate(digits):
        look()
        values = dict.fromkeys(value for value, _ in digit)
        found = {state: {value: step(place, state, value) for value in values} for state in layer}
        arrows.append(found)
        layer = list(dict.fromkeys(after for steps in found.values() for after in steps.values()))
        states += len(layer)
        if states > MOST_STATES:
            raise TooLarge(
                f"a constraint has more than {MOST_STATES:,} states, which is more than a certificate may have"
            )
    arrows.append({state: {} for state in layer})
    return arrows


def merged(arrows: list[dict[State, dict[int, State]]], accepts: Callable[[State], bool]) -> list[list[Arrows]] | None:
    """Return the smallest diagram of the same words: equivalent states are merged, dead ones are left out.

    The states of each layer are numbered in the order in which they are reached from the first. None if no word is
    accepted.
    """
    number: dict[State, int] = {state: 0 for state in arrows[-1] if accepts(state)}
    layers: list[list[Arrows]] = []
    for layer in reversed(arrows[:-1]):
        found: dict[tuple[tuple[int, int], ...], int] = {}
        before = {}
        for state, steps in layer.items():
            ways = tuple((value, number[after]) for value, after in steps.items() if after in number)
            if ways:
                before[state] = found.setdefault(ways, len(found))
        layers.append([dict(ways) for ways in found])
        number = before
    if not number:
        return None
    start = next(iter(arrows[0]))
    return _renumbered(layers[::-1], number[start]) if start in number else None


def _renumbered(layers: list[list[Arrows]], start: int) -> list[list[Arrows]]:
    """Number the states of each layer as they are reached; unreachable ones are left out."""
    order, made = [start], []
    for layer in layers:
        met: dict[int, int] = {}
        for state in order:
            for after in layer[state].values():
                met.setdefault(after, len(met))
        made.append([{value: met[after] for value, after in layer[state].items()} for state in order])
        order = list(met)
    return made


def _named(formula: FlatFormula, size: int, first: bool, last: bool) -> Layer:
    if first or last or size == 1:
        return [None] * size
    return [formula.fresh() for _ in range(size)]


def _join(
    formula: FlatFormula, digit: Digit, steps: Sequence[Arrows], here: Layer, after: Layer, guard: Clause
) -> None:
    """State how a digit leads from the states of a layer to those of the next."""
    for literal, arrows in zip(here, steps, strict=True):
        source = () if literal is None else (-literal,)
        for value, x in digit:
            if value not in arrows:
                formula.add((*guard, *source, -x))
            elif (target := after[arrows[value]]) is not None:
                formula.add((*guard, *source, -x, target))
    named = [literal for literal in here if literal is not None]
    if named:
        _support_digit(formula, digit, steps, named, guard)
    _support_states(formula, steps, named, [literal for literal in after if literal is not None], guard)


def _support_digit(
    formula: FlatFormula, digit: Digit, steps: Sequence[Arrows], here: Sequence[int], guard: Clause
) -> None:
    """State that a value needs a state in which it leads on."""
    for value, x in digit:
        formula.add((*guard, -x, *(s for s, arrows in zip(here, steps, strict=True) if value in arrows)))


def _support_states(
    formula: FlatFormula, steps: Sequence[Arrows], here: Sequence[int], after: Sequence[int], guard: Clause
) -> None:
    """State that one state of a layer is true (if few, only one) and has a predecessor; for states with literals."""
    if not after:
        return
    formula.add((*guard, *after))
    if len(after) <= FEW:
        for k, a in enumerate(after):
            for b in after[:k]:
                formula.add((*guard, -a, -b))
    if not here:
        return
    before: list[list[int]] = [[] for _ in after]
    for s, arrows in zip(here, steps, strict=True):
        for state in dict.fromkeys(arrows.values()):
            before[state].append(s)
    for literal, sources in zip(after, before, strict=True):
        formula.add((*guard, -literal, *sources))
