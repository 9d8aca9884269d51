"""Patterns of one or two houses: singles, pointing and claiming, naked and hidden sets."""

from __future__ import annotations

from itertools import combinations

from ..atoms import bits
from .board import Board, Found, House, Pattern, State

SIZES = {2: "pair", 3: "triple", 4: "quad"}
NAKED, HIDDEN = {2: 3.0, 3: 3.6, 4: 5.0}, {2: 3.4, 3: 4.0, 4: 5.4}


def singles(state: State) -> Found:
    """A value with one place in a house, and a cell with one value."""
    board = state.board
    for house in board.houses:
        left = sum(1 for c in bits(house.cells) if c not in state.placed)
        for b in range(board.values) if left else ():
            place = state.places[b] & house.cells
            if place and not place & (place - 1):
                cell = place.bit_length() - 1
                yield hidden_single(board, house, cell, b, state.masks[cell], left == 1)
    for c in state.open:
        if found := naked_single(state, c):
            yield found


def naked_single(state: State, cell: int) -> Pattern | None:
    """Return the pattern of an open cell with one value; None if it has more."""
    mask = state.masks[cell]
    if cell in state.placed or not mask or mask & (mask - 1):
        return None
    node, why = state.cell(cell), "the only value that is left there"
    return Pattern("naked single", 2.3, state.common(node), why, (("single", node),), cells=1 << cell, sets=node)


def hidden_single(board: Board, house: House, cell: int, bit: int, mask: int, last: bool) -> Pattern:
    """Return the pattern of a value with one place in a house; ``last``: no other cell of it is open."""
    name, cost = ("full house", 1.0) if last else ("hidden single", 1.2 if house.kind == "box" else 1.5)
    node = 1 << board.literal(cell, bit)
    why = f"the last cell of {house.title}" if last else f"the only {bit + board.ladder.low} in {house.title}"
    places = ((house.atom, bit),)
    return Pattern(name, cost, board.node(cell, mask) & ~node, why, (("single", node),), places=places, sets=node)


def intersections(state: State) -> Found:
    """The places of a value in a house: what they all exclude falls."""
    for house in state.board.houses:
        for b in range(state.board.values):
            node = state.at(b, house.cells)
            if node & (node - 1) and state.common(node) & state.wanted:
                box = house.kind not in ("row", "column")
                name, cost = ("pointing", 2.6) if box else ("claiming", 2.8)
                why = f"in {house.title}, {state.value(b)} is in one of {state.names(state.places[b] & house.cells)}"
                also = (f"locked candidates, type {1 if box else 2}",)
                parts = (("base", node),)
                yield Pattern(name, cost, state.common(node), why, parts, places=((house.atom, b),), also=also)


def sets(state: State, size: int) -> Found:
    """Some cells of a house with as many values, and some values with as many cells there."""
    for house in state.board.houses:
        state.check()
        cells = [c for c in bits(house.cells) if c not in state.placed]
        if len(cells) >= size:
            yield from _naked(state, cells, size)
        if len(cells) > size:
            yield from _hidden(state, house, size)


def _naked(state: State, cells: list[int], size: int) -> Found:
    for some in combinations([c for c in cells if 1 < state.masks[c].bit_count() <= size], size):
        values = state.union(some)
        if values.bit_count() != size:
            continue
        inside = sum(1 << c for c in some)
        out = 0
        for b in bits(values):
            out |= state.common(state.at(b, inside))
        if out & state.wanted:
            hit = sum(bool(state.board.where(out) & house.cells) for house in state.board.houses_of(inside))
            locked = hit > 1 and size < 4
            name, also = f"naked {SIZES[size]}", (f"naked {SIZES[size]}",) if locked else ()
            why = f"{state.names(inside)} have only {state.values(values)}"
            cost, parts = NAKED[size] - 0.1 * locked, (("set", state.all_of(inside)),)
            yield Pattern(f"locked {SIZES[size]}" if locked else name, cost, out, why, parts, cells=inside, also=also)


def _hidden(state: State, house: House, size: int) -> Found:
    few = [b for b in range(state.board.values) if 1 < (state.places[b] & house.cells).bit_count() <= size]
    for some in combinations(few, size):
        where = 0
        for b in some:
            where |= state.places[b] & house.cells
        if where.bit_count() == size:
            keep = sum(state.at(b, where) for b in some)
            if (out := state.all_of(where) & ~keep) & state.wanted:
                values = state.values(sum(1 << b for b in some))
                why = f"in {house.title}, {values} are only in {state.names(where)}"
                places = tuple((house.atom, b) for b in some)
                yield Pattern(f"hidden {SIZES[size]}", HIDDEN[size], out, why, (("set", keep),), places=places)
