"""How many filled boards there are: dynamic programming over rows, an oracle that enumerates no board.

A board is filled row by row. All that the rows above say to those below is which values each column and each box of the
band has met. Two such states have as many ways to go on where one becomes the other by renaming values, or by swapping
columns of a box, or boxes, as long as no given below is concerned: so a state is kept once for all that are found to
be equivalent to it. Nothing here uses a model, a rule, a solver or any other part of the library.

The idea is that of the transfer matrix; of Latin squares the states are the regular bipartite graphs of columns and
values (B. D. McKay, I. M. Wanless, "On the number of Latin squares", 2005).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

Column = tuple[tuple[tuple[int, int], ...], int]
"""The givens of a column from the next row on, as (row, value) from 0, and the values that it has met, as bits."""

Box = tuple[tuple[Column, ...], int]
"""The columns of a box, and the values that the box has met in this band of rows, as bits."""

State = tuple[Box, ...]


def filled_boards(
    side: int, box: tuple[int, int] | None = None, givens: Mapping[tuple[int, int], int] | None = None
) -> int:
    """Return the number of filled boards with the values 1 to ``side``, each once in every row, column and box.

    ``box`` is the height and the width of the boxes, None for Latin squares; ``givens`` maps (row, column), from 0, to
    a value. Boards up to 6x6 with boxes and Latin squares up to 7x7 take seconds at most. ValueError if boxes of that
    size do not tile the board.
    """
    height, width = box or (1, side)
    if box and (height * width != side):
        raise ValueError(f"boxes of {height}x{width} cells do not hold the {side} values once each")
    below = dict(givens or {})
    columns = [(tuple(sorted((r, v - 1) for (r, c), v in below.items() if c == x)), 0) for x in range(side)]
    empty = tuple((tuple(columns[x : x + width]), 0) for x in range(0, side, width))
    states = Counter({_equivalent(empty, side): 1})
    for row in range(side):
        ends = (row + 1) % height == 0
        reached: Counter[State] = Counter()
        for state, ways in states.items():
            for following in _following(state, row, side):
                reached[_sorted([(cols, 0) for cols, _ in following] if ends else following)] += ways
        states = Counter()
        for state, ways in reached.items():
            states[_equivalent(state, side)] += ways
    return states.total()


def _following(state: State, row: int, side: int) -> Iterator[list[Box]]:
    """Yield what each filling of the next row leads to."""
    cells = [(b, _allowed(column, met, row, side)) for b, (columns, met) in enumerate(state) for column in columns]
    for bits in _fillings(cells, 0, 0):
        chosen, following = iter(bits), []
        for columns, met in state:
            added = []
            for givens, had in columns:
                bit = next(chosen)
                met |= bit
                added.append((tuple(given for given in givens if given[0] > row), had | bit))
            following.append((tuple(added), met))
        yield following


def _allowed(column: Column, met: int, row: int, side: int) -> int:
    """Return the values that the next cell of a column may have, as bits."""
    givens, had = column
    open_ = (1 << side) - 1 & ~had & ~met
    return next((open_ & 1 << value for r, value in givens if r == row), open_)


def _fillings(cells: list[tuple[int, int]], place: int, used: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to give each cell from ``place`` on a value of its own, each value as a bit."""
    if place == len(cells):
        yield ()
        return
    left = cells[place][1] & ~used
    while left:
        bit = left & -left
        left ^= bit
        for rest in _fillings(cells, place + 1, used | bit):
            yield (bit, *rest)


def _sorted(boxes: Iterator[Box] | list[Box]) -> State:
    """Put columns and boxes in an order of their own: where they stand makes no difference to what lies below."""
    return tuple(sorted((tuple(sorted(columns)), met) for columns, met in boxes))


def _equivalent(state: State, side: int) -> State:
    """Return a state that is equivalent to this one, and mostly the same for all that are.

    Values that no given below has are renamed: first in the order of how they meet the columns together with others,
    then again and again by the columns that they are in, as long as the state becomes smaller.
    """
    fixed = {value for columns, _ in state for givens, _ in columns for _, value in givens}
    free = [value for value in range(side) if value not in fixed]
    best = _renamed(state, free, sorted(free, key=_Meetings(state, side).of))
    while True:
        found = _renamed(best, free, sorted(free, key=lambda value: _places(best, value), reverse=True))
        if found >= best:
            return best
        best = found


class _Meetings:
    """How often values are in the same column, which distinguishes them."""

    def __init__(self, state: State, side: int) -> None:
        masks = [had for columns, _ in state for _, had in columns]
        self.met = [met for _, met in state]
        self.shared = [[sum(m >> a & m >> b & 1 for m in masks) for b in range(side)] for a in range(side)]
        self.once = [(sum(m >> a & 1 for m in self.met), sorted(row)) for a, row in enumerate(self.shared)]

    def of(self, value: int) -> tuple[object, ...]:
        """Return what the value's meetings are, whatever the values are called."""
        others = sorted((times, self.once[other]) for other, times in enumerate(self.shared[value]))
        return (*self.once[value], others)


def _places(state: State, value: int) -> tuple[int, ...]:
    """Return in which columns and boxes of the band a value is."""
    return tuple(mask >> value & 1 for columns, met in state for mask in (met, *(had for _, had in columns)))


def _renamed(state: State, names: list[int], order: list[int]) -> State:
    """Give the values of ``order`` the names, one after the other."""
    new = dict(zip(order, names, strict=True))
    moved = [(1 << old, 1 << name) for old, name in new.items()]
    kept = ~sum(old for old, _ in moved)

    def mask(bits: int) -> int:
        return bits & kept | sum(name for old, name in moved if bits & old)

    return _sorted([(tuple((givens, mask(had)) for givens, had in columns), mask(met)) for columns, met in state])
