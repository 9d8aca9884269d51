"""One puzzle in plain Python: all its 729 candidates are the bits of one long integer (option ``lanes=1``).

Nothing is compiled and nothing has to be loaded, neither numpy nor machine code, so it is what answers a single puzzle
at the start of a process. Bit ``81 d + 9 r + c`` says that the cell in row r and column c can hold the d-th digit. One
operation on the integer is one on all its houses at once: with the cells of each house (or the digits of each cell) in
nine planes, "at least one", "at least two" and "at least three" are counted by adding the planes up bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from sudoku_models.engine.base import CompiledBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Projection, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import Model

from .backend import Arrangement

CELLS = 81
ALL_CELLS = (1 << CELLS) - 1
DIGITS = sum(1 << CELLS * d for d in range(9))
"""The bits of the first cell: times a set of cells it is all their candidates."""

ALL = ALL_CELLS * DIGITS
DIGIT_PLANES = tuple(CELLS * d for d in range(9))

Family = tuple[int, tuple[int, ...], int]
"""Houses side by side: the bits of their first cells, the shifts to their nine cells, and the sum of the shifted 1s."""

Sums = tuple[int, int, int]
"""Where at least one, two and three of the planes have a bit."""


def _family(first_cells: list[int], places: list[int]) -> Family:
    return sum(1 << cell for cell in first_cells) * DIGITS, tuple(places), sum(1 << at for at in places)


FAMILIES = (
    _family([9 * r for r in range(9)], list(range(9))),
    _family(list(range(9)), [9 * r for r in range(9)]),
    _family(
        [27 * r + 3 * c for r, c in product(range(3), repeat=2)], [9 * r + c for r, c in product(range(3), repeat=2)]
    ),
)
"""Rows, columns and boxes, of all digits."""


def _kept() -> list[int]:
    """Return, for each candidate, all others that it leaves when it is true, itself included."""
    kept = []
    for d, cell in product(range(9), range(CELLS)):
        r, c = divmod(cell, 9)
        row, column = 511 << 9 * r, FAMILIES[1][2] << c
        box = FAMILIES[2][2] << 27 * (r // 3) + 3 * (c // 3)
        gone = (row | column | box) << CELLS * d | DIGITS << cell
        kept.append(ALL & ~gone | 1 << CELLS * d + cell)
    return kept


KEPT = _kept()


def sums(state: int, first: int, places: tuple[int, ...]) -> Sums:
    """Add up the planes of a family."""
    one = two = three = 0
    for at in places:
        plane = state >> at & first
        three |= two & plane
        two |= one & plane
        one |= plane
    return one, two, three


def settled(state: int) -> tuple[int, int] | None:
    """Place singles until none is left: cells with one candidate, and candidates alone in a house.

    Returns what is left, and the candidates to branch on: those of a cell with two, else of a house in which a digit
    has two places, else of a cell with more; 0 if no cell is open. None if there is no solution.
    """
    done = 0
    while True:
        one, two, three = sums(state, ALL_CELLS, DIGIT_PLANES)
        if one != ALL_CELLS:
            return None
        single = one & ~two & ~done
        if single:
            done |= single
            state = _taken(state, state & single * DIGITS)
            continue
        open_ = state & two * DIGITS
        found = pair = 0
        for first, places, spread in FAMILIES:
            one_, two_, three_ = sums(state, first, places)
            if one_ != first:
                return None
            found |= (one_ & ~two_) * spread & open_
            pair = pair or (two_ & ~three_ and _first(two_ & ~three_) * spread & state)
        if found:
            state = _taken(state, found)
            continue
        if not two:
            return state, 0
        if cells := two & ~three:
            return state, _most_linked(cells, state)
        return state, pair or _first(two) * DIGITS & state


def _first(bits: int) -> int:
    return bits & -bits


def _most_linked(cells: int, state: int) -> int:
    """Return the two candidates, of cells with two each, that exclude most candidates of such cells.

    Against the first such cell that makes two thirds of the states on hard puzzles, and half on others.
    """
    pairs, best, most = state & cells * DIGITS, 0, -1
    while cells:
        low = _first(cells)
        cells ^= low
        both = low * DIGITS & pairs
        one = _first(both)
        gone = pairs & ~KEPT[one.bit_length() - 1], pairs & ~KEPT[(both ^ one).bit_length() - 1]
        links = gone[0].bit_count() + gone[1].bit_count()
        if links > most:
            best, most = both, links
    return best


def _taken(state: int, candidates: int) -> int:
    """Make candidates true; of two that exclude each other neither is left in its cell."""
    while candidates:
        low = candidates & -candidates
        state &= KEPT[low.bit_length() - 1]
        candidates ^= low
    return state


def solutions(state: int, seen: Callable[[], object]) -> Iterator[int]:
    """Yield the solutions within a state, depth first; ``seen`` is called for each state and may raise to end it."""
    waiting = [state]
    while waiting:
        seen()
        found = settled(waiting.pop())
        if found is None:
            continue
        state, choices = found
        if not choices:
            yield state
            continue
        halves = []
        while choices:
            low = _first(choices)
            choices ^= low
            halves.append(state & KEPT[low.bit_length() - 1])
        waiting += reversed(halves)


def digits_of(state: int) -> list[int]:
    """Return the digits of a solved state, 1 to 9, in row order."""
    found = [0] * CELLS
    for d, at in enumerate(DIGIT_PLANES, 1):
        plane = state >> at & ALL_CELLS
        while plane:
            low = plane & -plane
            found[low.bit_length() - 1] = d
            plane ^= low
    return found


# ---------------------------------------------------------------- the compiled form


@dataclass
class NativeSingle:
    """The candidates of a board in one integer; ``integer`` says which bit is which, and solves it."""

    bits: int = ALL


class CompiledSingle(CompiledBase):
    """A model as a board; its puzzles differ only in candidates."""

    label = "bitset"

    def __init__(self, model: Model, board: Arrangement) -> None:
        self.model = model
        self._cell = {model.names[position]: cell for cell, position in enumerate(board.cells)}
        self._digit = {value: d for d, value in enumerate(board.values)}
        self._values = (0, *board.values)
        self._cells = [self._cell[name] for name in model.names]

    @property
    def native(self) -> NativeSingle:
        """The long integer in which every candidate is open, to be narrowed."""
        return NativeSingle()

    def of_variable(self, name: str) -> int:
        """Return the candidates of a variable in ``native.bits``."""
        return DIGITS << self._cell[name]

    def of_value(self, name: str, value: int) -> int:
        """Return the bit that says that a variable has a value."""
        return 1 << CELLS * self._digit[value] + self._cell[name]

    def values_in(self, answer: int) -> dict[str, int]:
        """Return the values by name of a solved integer."""
        return dict(zip(self.model.names, self._solution(answer), strict=True))

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        record.sizes |= {"cells": CELLS, "houses": 27}
        watch = record.stopwatch()
        state = self._narrowed(request)
        watch.lap("encode")
        return (yield from pulled(self._kept(state, request, clock), request, watch))

    def _kept(self, state: int, request: Request, clock: Budget) -> Iterator[Solution]:
        """Yield solutions, one for each choice of the variables that are kept."""
        projection = Projection(self.model, request.keep)
        return filter(projection.new, map(self._solution, solutions(state, clock.check)))

    def _narrowed(self, request: Request) -> int:
        state = ALL
        for name, values in request.domains.items():
            allowed = sum(self.of_value(name, value) for value in values if value in self._digit)
            state &= ~(DIGITS << self._cell[name]) | allowed
        return state

    def _solution(self, state: int) -> Solution:
        digits, values = digits_of(state), self._values
        return tuple([values[digits[cell]] for cell in self._cells])
