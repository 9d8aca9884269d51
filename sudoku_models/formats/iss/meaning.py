"""Writes rules without an ISS name as the core constraints that they yield."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from ...errors import FormatError
from ...model import (
    OPERATORS,
    AllDifferent,
    And,
    Automaton,
    Constraint,
    Domain,
    Element,
    InDomain,
    Linear,
    Or,
    Regular,
)
from ...puzzle import rules as r
from ...puzzle.rules.board import Board
from ...puzzle.rules.rule_base import Rule
from .board import IssBoard
from .notation import Token, code_of_machine, pair_key

MOST_TUPLES = 20_000


def tokens_of_constraints(rule: Rule, target: IssBoard) -> list[Token]:
    """Write a rule as the constraints that it yields; raise FormatError if the notation cannot express them."""
    board = Board(target.board.shape, target.board.rules, divide=False)
    found = list(rule.constraints(board))
    if board.auxiliaries:
        raise FormatError(f"{type(rule).__name__} cannot be written in this notation")
    try:
        return _grouped(token for constraint in found for token in _tokens(constraint, target))
    except _NotWritten as error:
        raise FormatError(f"{type(rule).__name__} cannot be written in this notation ({error})") from None


class _NotWritten(Exception):
    """Raised for a constraint that the notation cannot express."""


def _grouped(tokens: Iterable[Token]) -> list[Token]:
    """Combine all pairs with the same relation into one token."""
    found: dict[object, Token] = {}
    for token in tokens:
        key = token.arguments[0] if token.type == "Pair" else object()
        if key in found:
            token = Token("Pair", (*found[key].arguments, "", *token.arguments[2:]))
        found[key] = token
    return list(found.values())


def _tokens(constraint: Constraint, target: IssBoard) -> Iterator[Token]:
    if isinstance(constraint, InDomain):
        kept = [str(v) for v in constraint.values if v in target.board.domain(constraint.x)]
        yield Token("Given", ("_".join([target.written(constraint.x), *kept]),))
    elif isinstance(constraint, AllDifferent):
        yield Token("AllDifferent", target.write(constraint.xs))
    elif isinstance(constraint, Or):
        yield Token("Or", (), tuple(together(_grouped(_tokens(part, target))) for part in constraint.parts))
    elif isinstance(constraint, And):
        yield from (token for part in constraint.parts for token in _tokens(part, target))
    elif (
        isinstance(constraint, Linear)
        and constraint.op == "=="
        and (bool(constraint.xs) and all(abs(c) <= 100 for c in constraint.coeffs))
    ):
        weights = "" if set(constraint.coeffs) == {1} else "_=_" + "_".join(map(str, constraint.coeffs))
        yield Token("Sum", (f"{constraint.k}{weights}", *target.write(constraint.xs)))
    elif isinstance(constraint, Element) and isinstance(constraint.y, int):
        yield from _element(constraint, target)
    elif isinstance(constraint, Regular):
        yield nfa([tuple(constraint.xs)], constraint.automaton, target)
    else:
        yield _relation(constraint, target)


def _element(constraint: Element, target: IssBoard) -> Iterator[Token]:
    """Write a lookup as a relation for each place: if the index points to it, the number is there."""
    index, places = constraint.i, range(len(constraint.xs))
    yield from _tokens(InDomain(index, [v for v in target.board.domain(index) if v in places]), target)
    for place in target.board.domain(index):
        if place in places:
            x = constraint.xs[place]
            if x == index:
                kept = [v for v in target.board.domain(x) if v != place or v == constraint.y]
                yield from _tokens(InDomain(x, kept), target)
            else:
                rows = product(target.values, repeat=2)
                yield pair((index, x), [(a, b) for a, b in rows if a != place or b == constraint.y], target)


def _relation(constraint: Constraint, target: IssBoard) -> Token:
    """Write a constraint by trying all values of its scope: a pair as a key, more cells as an automaton."""
    scope = constraint.scope
    if len(scope) == 2:
        x, y = scope
        rows = [(a, b) for a, b in product(target.values, repeat=2) if constraint.holds({x: a, y: b})]
        return pair(scope, rows, target)
    if isinstance(constraint, Linear):
        return nfa([tuple(constraint.xs)], _linear_automaton(constraint, target.values), target)
    if prod(len(target.values) for _ in scope) > MOST_TUPLES or not scope:
        raise _NotWritten(f"{type(constraint).__name__} over {len(scope)} cells")
    return nfa([tuple(scope)], _tabulated(constraint, target.values), target)


def _linear_automaton(constraint: Linear, values: Domain) -> Automaton:
    """Write a linear constraint as an automaton with states (place, sum so far)."""
    count = len(constraint.coeffs)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        place, total = state
        return (place + 1, total + constraint.coeffs[place] * value) if place < count else None

    def accept(state: tuple[int, int]) -> bool:
        return state[0] == count and bool(OPERATORS[constraint.op](state[1], constraint.k))

    return Automaton.from_step(step, (0, 0), values, accept, count)


def _tabulated(constraint: Constraint, values: Domain) -> Automaton:
    """Write a constraint as an automaton whose states are the values so far."""
    scope = constraint.scope

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        return (*state, value) if len(state) < len(scope) else None

    def accept(state: tuple[int, ...]) -> bool:
        return len(state) == len(scope) and constraint.holds(dict(zip(scope, state, strict=True)))

    return Automaton.from_step(step, (), values, accept, len(scope))


def together(tokens: Sequence[Token]) -> Token:
    """Return one token that says what some say."""
    return tokens[0] if len(tokens) == 1 else Token("And", (), tuple(tokens))


def pair(cells: Iterable[str], rows: Iterable[tuple[int, int]], target: IssBoard, name: str = "_") -> Token:
    """Write a relation between neighbours in a list of cells."""
    low, high = target.values[0], target.values[-1]
    kept = [(a, b) for a, b in rows if low <= a <= high and low <= b <= high]
    return Token("Pair", (pair_key(kept, low, len(target.values)), name, *target.write(cells)))


def nfa(parts: Iterable[tuple[str, ...]], machine: Automaton | r.Machine, target: IssBoard, name: str = "_") -> Token:
    """Write an automaton along segments of cells, with a symbol between segments."""
    arguments = parted(parts, target)
    if isinstance(machine, Automaton):
        found = smaller(machine)
        machine = r.Machine(found.states, (found.start,), found.accepting, found.arrows)
    symbols = len(target.values) + ("-" in arguments)
    return Token("NFA", (code_of_machine(machine, target.values[0], symbols), name, *arguments))


def parted(segments: Iterable[Iterable[str]], target: IssBoard) -> tuple[str, ...]:
    """Write segments of cells, separated by the argument ``-``."""
    found = [argument for segment in segments for argument in ("-", *target.write(segment))]
    return tuple(found[1:])


def smaller(automaton: Automaton) -> Automaton:
    """Return an automaton with equal states merged."""
    from ...puzzle.rules.regex import deterministic

    table: dict[int, dict[int, int]] = {}
    for a, value, b in automaton.arrows:
        table.setdefault(value, {})[a] = 1 << b
    accepting = sum(1 << state for state in automaton.accepting)
    return deterministic(1 << automaton.start, table, accepting, automaton.states)
