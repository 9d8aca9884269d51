"""The compiled form of ``bitset:lanes=1``: one puzzle at a time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sudoku_models.engine.base import CompiledBase, candidate, variable_name
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Projection, Request, Search, Solution
from sudoku_models.engine.pulling import pulled
from sudoku_models.engine.record import Record
from sudoku_models.model import Model, VariableLike

from .arrangement import Arrangement
from .integer import ALL, CELLS, DIGITS, digits_of, solutions


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
        return (yield from pulled(self._kept(state, request, clock), request, watch))

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
