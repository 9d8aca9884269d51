"""The compiled form of ``bitset:lanes=1``: one puzzle at a time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sudoku_models.engine.base import CompiledBase, candidate, variable_name
from sudoku_models.engine.budget import Budget, GaveUp, Meter, OutOfTime
from sudoku_models.engine.contract import Ending, Projection, Reason, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import Model, VariableLike

from .arrangement import Arrangement
from .integer import ALL, CELLS, DIGITS, digits_of, solutions

PATIENCE = 2_000
"""The number of states after which it gives up a puzzle that another engine may answer: about a tenth of a second. The
hardest known puzzles take 300 with the proof of uniqueness.
"""


@dataclass
class NativeSingle:
    """The candidates of a board in one integer; ``integer`` says which bit is which, and solves it."""

    bits: int = ALL


class CompiledSingle(CompiledBase):
    """A model as a board; its puzzles differ only in candidates. With ``passes`` it may leave a puzzle to other
    engines.

    It gives up on a puzzle with several solutions, and after ``PATIENCE`` states.
    """

    label = "bitset"

    def __init__(self, model: Model, board: Arrangement, passes: bool) -> None:
        self.model, self._passes = model, passes
        self._cell = {model.names[position]: cell for cell, position in enumerate(board.cells)}
        self._digit = {value: d for d, value in enumerate(board.values)}
        self._values = (0, *board.values)
        self._cells = [self._cell[name] for name in model.names]

    @property
    def native(self) -> NativeSingle:
        """The long integer in which every candidate is open, to be narrowed."""
        return NativeSingle()

    def variable(self, cell: VariableLike) -> int:
        """Return the candidates of a variable in ``native.bits``; KeyError if there is no such variable."""
        return DIGITS << self._cell[variable_name(self.model, cell)]

    def literal(self, cell: VariableLike, value: int) -> int:
        """Return the bit that says that a variable has a value; KeyError if there is no such variable or value."""
        name, value = candidate(self.model, cell, value)
        return self._bit(name, value)

    def decode(self, answer: int) -> dict[str, int]:
        """Return the values by name of a solved integer."""
        return dict(zip(self.model.names, self._solution(answer), strict=True))

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Search one puzzle."""
        record.sizes |= {"cells": CELLS, "houses": 27}
        watch = record.stopwatch()
        state = self._narrowed(request)
        watch.lap("encode")
        if not self._passes:
            return (yield from pulled(self._kept(state, request, clock), request, watch))
        try:
            found = [*islice(solutions(state, Meter(clock, 1, PATIENCE).check), 2)]
        except OutOfTime:
            return Ending(Reason.TIME)
        except GaveUp:
            return Ending(Reason.GAVE_UP)
        finally:
            watch.lap("run")
        if len(found) > 1:
            return Ending(Reason.GAVE_UP)
        yield from map(self._solution, found)
        return Ending(Reason.EXHAUSTED)

    def _kept(self, state: int, request: Request, clock: Budget) -> Iterator[Solution]:
        """Yield solutions, one for each choice of the variables that are kept."""
        projection = Projection(self.model, request.keep)
        return filter(projection.new, map(self._solution, solutions(state, clock.check)))

    def _narrowed(self, request: Request) -> int:
        state = ALL
        for name, values in request.domains.items():
            allowed = sum(self._bit(name, value) for value in values if value in self._digit)
            state &= ~(DIGITS << self._cell[name]) | allowed
        return state

    def _bit(self, name: str, value: int) -> int:
        return 1 << CELLS * self._digit[value] + self._cell[name]

    def _solution(self, state: int) -> Solution:
        digits, values = digits_of(state), self._values
        return tuple([values[digits[cell]] for cell in self._cells])
