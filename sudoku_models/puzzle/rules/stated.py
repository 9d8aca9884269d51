"""Evaluates a function under ``@rule``: over variables for solvers, or over a filled board's values as a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from ...model import Constraint, Fact, Number
from ...model.combined import hint_on_truth
from ...model.parts import Parts
from .board import Board, Filled
from .signature import Signature

Function = Callable[..., "Constraint | Iterable[Constraint]"]
"""A function from the variables of the cells, and the board if it takes it, to the constraints."""


class FilledBoard(Board):
    """A board whose cells are numbers, and which has no auxiliary variables."""

    def __init__(self, filled: Filled) -> None:
        super().__init__(filled.board.shape, filled.board.rules)
        self.filled = filled

    @cached_property
    def variables(self) -> dict[str, Any]:
        """The values of the cells, as numbers that record their cell."""
        return {name: Number(self.filled[name], name) for name in self.names}

    def auxiliary(self, name: str, values: Iterable[int], *definition: Constraint) -> str:
        """Raise TypeError: only constraints can define an auxiliary variable."""
        raise TypeError(f"the auxiliary variable {name} has no value on a filled board")


def constraints_of(function: Function, board: Board, cells: Iterable[str]) -> list[Constraint]:
    """Return the constraints that a function returns; raise TypeError for anything else."""
    given = _called(function, board, cells)
    found = [given] if isinstance(given, Constraint) else given
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise TypeError(f"{function.__name__}: constraints are expected, yielded or in a list, not {found!r:.60}")
    listed = list(found)
    for one in listed:
        if not isinstance(one, Constraint):
            hint = hint_on_truth(one)
            raise TypeError(f"{function.__name__}: a constraint over the cells is expected, not {one!r:.60}{hint}")
    return [found for one in listed for found in parted(board, one)]


def parted(board: Board, constraint: Constraint) -> list[Constraint]:
    """Return a constraint; the parts of a large comparison become auxiliary variables of the board."""
    if not constraint.parted:
        return [constraint]
    parts = Parts()
    found = parts.resolved(constraint)
    for name, variable in parts.made.items():
        board.auxiliary(name, variable.domain, *parts.defined[name])
    return [found]


def _called(function: Function, board: Board, cells: Iterable[str]) -> Any:
    return function(*Signature.of(function).arguments(board, board[cells]))


def judged(function: Function, filled: Filled, cells: Iterable[str]) -> bool | None:
    """Evaluate a function on the numbers of a filled board; return None if it cannot compute with numbers.

    That happens if it divides by zero, or uses auxiliary variables or kinds of constraints that only take variables.
    """
    board = FilledBoard(filled)
    try:
        given: Any = _called(function, board, cells)
        facts = [given] if isinstance(given, Constraint | Number) else list(given)
    except (TypeError, AttributeError, ValueError, ArithmeticError, LookupError):
        return None
    if not all(isinstance(fact, Constraint | Fact) for fact in facts):
        return None
    return all(fact.holds(filled.values) if isinstance(fact, Constraint) else bool(fact) for fact in facts)
