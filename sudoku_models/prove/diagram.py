"""Layered diagrams: a constraint read value by value, its states as auxiliary variables of a formula.

The source of the idea is the encoding of Regular by Bacchus (GAC via unit propagation, 2007).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from .formula import Clause, Formula, Look, TooLarge

Digit = tuple[tuple[int, int], ...]
"""What one place of a word may be: pairs of a value and the literal that says so; just one of them is true."""

State = Hashable
Step = Callable[[int, State, int], State]
"""From a place, a state and a value to the next state."""

Layer = dict[State, int | None]
"""The live states of a layer with their literals; None where the only state needs no literal."""

MOST_STATES = 200_000
FEW = 8
"""Of up to so many states of a layer it is said that no two are true at once."""


def state_diagram(
    formula: Formula, digits: Sequence[Digit], start: State, step: Step, accepts: Callable[[State], bool], guard: Clause
) -> None:
    """Add clauses which say that the word of ``digits`` leads from ``start`` to a state that is accepted.

    ``guard`` stands in each clause, so that they bind only where all its literals are false. Any assignment of the
    digits that is accepted extends to the auxiliary variables: the states that it passes are true, the others false.
    TooLarge when there are too many states.
    """
    arrows = _explored(digits, start, step, formula.look)
    live = _live(arrows, accepts)
    if start not in live[0]:
        formula.add(guard)
        return
    layers = [_named(formula, states, first=not i, last=i == len(digits)) for i, states in enumerate(live)]
    for digit, steps, here, after in zip(digits, arrows, layers, layers[1:], strict=False):
        _join(formula, digit, steps, here, after, guard)


def _explored(digits: Sequence[Digit], start: State, step: Step, look: Look) -> list[dict[State, dict[int, State]]]:
    """Follow every value from every state that is reached, layer by layer."""
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


def _live(arrows: list[dict[State, dict[int, State]]], accepts: Callable[[State], bool]) -> list[list[State]]:
    """Return the states of each layer from which an accepted one is reached."""
    live = [[state for state in arrows[-1] if accepts(state)]]
    for layer in reversed(arrows[:-1]):
        after = set(live[-1])
        live.append([state for state, steps in layer.items() if not after.isdisjoint(steps.values())])
    return live[::-1]


def _named(formula: Formula, states: list[State], first: bool, last: bool) -> Layer:
    if first or last or len(states) == 1:
        return dict.fromkeys(states)
    return {state: formula.fresh() for state in states}


def _join(
    formula: Formula,
    digit: Digit,
    steps: dict[State, dict[int, State]],
    here: Layer,
    after: Layer,
    guard: Clause,
) -> None:
    """Say how a digit leads from the states of a layer to those of the next."""
    for state, literal in here.items():
        source = () if literal is None else (-literal,)
        for value, x in digit:
            _follow(formula, (*guard, *source, -x), steps[state][value], after)
    _support_digit(formula, digit, steps, here, after, guard)
    _support_states(formula, steps, here, after, guard)


def _follow(formula: Formula, clause: Clause, state: State, after: Layer) -> None:
    if state not in after:
        formula.add(clause)
    elif (target := after[state]) is not None:
        formula.add((*clause, target))


def _support_digit(
    formula: Formula, digit: Digit, steps: dict[State, dict[int, State]], here: Layer, after: Layer, guard: Clause
) -> None:
    """A value needs a state in which it leads on; said where every state has a literal."""
    if None in here.values():
        return
    for value, x in digit:
        formula.add((*guard, -x, *(here[s] or 0 for s in here if steps[s][value] in after)))


def _support_states(
    formula: Formula, steps: dict[State, dict[int, State]], here: Layer, after: Layer, guard: Clause
) -> None:
    """One state of a layer is true, only one, and each has one before it."""
    named = {state: literal for state, literal in after.items() if literal is not None}
    if not named:
        return
    formula.add((*guard, *named.values()))
    if len(named) <= FEW:
        pairs = list(named.values())
        for k, a in enumerate(pairs):
            for b in pairs[:k]:
                formula.add((*guard, -a, -b))
    if None in here.values():
        return
    for state, literal in named.items():
        formula.add((*guard, -literal, *(here[s] or 0 for s in here if state in steps[s].values())))
