"""A compiled model that answers only where there is at most one solution: the option ``several=pass``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudoku_models.engine.base import CompiledBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Ending, Reason, Request, Search, Solution
from sudoku_models.engine.derived import Derived
from sudoku_models.engine.record import Record
from sudoku_models.model import VariableLike

if TYPE_CHECKING:
    from .backend import CompiledNative


class CompiledSettling(CompiledBase):
    """A network that is searched for two solutions before one is yielded; if there are two, the search gives up."""

    label = "native"

    def __init__(self, whole: CompiledNative) -> None:
        super().__init__(whole.model, whole.options)
        self.whole = whole

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Yield the only solution, if there is exactly one."""
        found: list[Solution] = []
        search = self.whole.search(replace(request, limit=2), clock, record)
        try:
            while len(found) < 2:
                found.append(next(search))
        except StopIteration as stop:
            ending: Ending = stop.value
            if ending.reason is Reason.EXHAUSTED:
                yield from found
            return ending
        finally:
            search.close()
        return Ending(Reason.GAVE_UP)

    @property
    def native(self) -> Any:
        """The network with its masks; see ``CompiledNative.native``."""
        return self.whole.native

    def variable(self, cell: VariableLike) -> int:
        """Return the place of a variable in the masks of ``native``; KeyError if there is no such variable."""
        return self.whole.variable(cell)

    def literal(self, cell: VariableLike, value: int) -> tuple[int, int]:
        """Return a place and the bit of its mask that stands for a value; KeyError if there is no such value."""
        return self.whole.literal(cell, value)

    def decode(self, answer: Solution) -> dict[str, int]:
        """Return the values by name of a solution that ``native`` found."""
        return self.whole.decode(answer)

    def derived(self) -> Sequence[Derived]:
        """Return what was derived from several constraints together."""
        return self.whole.derived()
