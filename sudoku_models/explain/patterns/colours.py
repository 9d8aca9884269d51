"""Colours: the cells joined by two places of a value in a house, coloured in turn; one colour is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from .board import Found, Pattern, State
from .chains import linked_by, two_colours
from .links import Link


@dataclass(frozen=True)
class Side:
    """The cells of one colour, and all the cells that they see."""

    cells: int
    near: int


def colours(state: State) -> Found:
    """Yield simple colours (wrap and trap), and multi-colours of two parts."""
    for b in (b for b in range(state.board.values) if state.at(b, -1) & state.wanted):
        graph, joined = linked_by(state, b)
        parts = [(_side(state, one), _side(state, other)) for one, other in two_colours(graph)]
        for part in parts:
            yield from _simple(state, b, part, joined)
        for one, other in combinations(parts, 2):
            yield from _multi(state, b, one, other, joined)


def _side(state: State, cells: list[int]) -> Side:
    near = 0
    for c in cells:
        near |= state.board.peers[c]
    return Side(sum(1 << c for c in cells), near)


def _made(
    state: State, bit: int, name: str, cost: float, out: int, why: str, joined: tuple[Link, ...], *sides: int
) -> Pattern:
    roles = ("one side", "other side", "third side")
    parts = tuple((role, state.at(bit, cells)) for role, cells in zip(roles, sides, strict=False))
    inside = state.at(bit, sum(sides))
    lines = tuple((link.a, link.b, "strong") for link in joined if link.a & inside and link.b & inside)
    places = tuple((link.where, bit) for link in joined if link.a & inside and link.b & inside)
    also = ("simple colours",) if name.startswith("simple") else ()
    return Pattern(name, cost, state.at(bit, out), why, parts, lines, places=places, also=also)


def _simple(state: State, bit: int, part: tuple[Side, Side], joined: tuple[Link, ...]) -> Found:
    value, (one, two) = state.value(bit), part
    for false, true in (part, part[::-1]):
        if false.cells & false.near:
            why = f"two of {state.names(false.cells)} see each other, so that {value} is not in that colour"
            sides = false.cells, true.cells
            yield _made(state, bit, "simple colours, wrap", 4.6, false.cells, why, joined, *sides)
    if state.at(bit, out := one.near & two.near & ~one.cells & ~two.cells):
        why = f"{value} is in all of {state.names(one.cells)} or in all of {state.names(two.cells)}"
        yield _made(state, bit, "simple colours, trap", 4.5, out, why, joined, one.cells, two.cells)


def _multi(
    state: State, bit: int, first: tuple[Side, Side], second: tuple[Side, Side], joined: tuple[Link, ...]
) -> Found:
    value = state.value(bit)
    for (p, far), (q, end) in _turns(first, second):
        every = p.cells | far.cells | q.cells | end.cells
        if p.near & q.cells and state.at(bit, out := far.near & end.near & ~every):
            why = f"{value} is not in both {state.names(p.cells)} and {state.names(q.cells)}"
            why = f"{why}, so it is in {state.names(far.cells)} or in {state.names(end.cells)}"
            yield _made(state, bit, "multi-colours", 5.5, out, why, joined, far.cells, end.cells, p.cells | q.cells)
    for part, (q, end) in ((first, second), (second, first)):
        for false in part:
            if false.near & q.cells and false.near & end.cells:
                sides = false.cells, q.cells, end.cells
                why = f"{state.names(false.cells)} see both colours of {state.names(q.cells | end.cells)}"
                whole = sum(side.cells for side in part if side is not false) | false.cells
                yield _made(state, bit, "multi-colours", 5.6, false.cells, why, joined, whole, *sides[1:])


def _turns(
    first: tuple[Side, Side], second: tuple[Side, Side]
) -> Iterator[tuple[tuple[Side, Side], tuple[Side, Side]]]:
    for one in (first, (first[1], first[0])):
        for other in (second, (second[1], second[0])):
            yield one, other
