"""Rules that users state: as functions of cells (``@rule``), as constraints and as texts (``Condition``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from inspect import Parameter, signature
from typing import Any

from ...dataclass import dataclass
from ...model import Constraint, Domain, Fact, Number, Variable
from ...model.combined import hint_on_truth
from ...model.domain import fields_only
from ...model.parts import Parts
from ...model.phrase import Phrase, phrase
from . import fields as f
from .board import Board, Filled
from .rule_base import CellsRule, Rule

Function = Callable[..., Constraint | Iterable[Constraint]]
"""A function from the variables of the cells, and the board if it takes it, to the constraints."""

EXPECTED = "lambda board, cells: ..., lambda cells: ... or, a parameter a cell, lambda a, b: ... is expected"
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def rule(function: Function) -> type[CellsRule]:
    """Make a rule about a list of cells from a function of the cells, which it receives as variables.

    Its parameters determine its arguments: ``(board, cells)`` the board and all cells, ``(cells)`` all cells, ``(a,
    b)`` or ``(board, a, b)`` single cells, ``(*cells)`` any number of them. Raises TypeError for other parameters.

    The function returns or yields one or several constraints: ``return sum(cells) == 5``. It is also the judge: on a
    filled board it is called with the numbers in the cells, so its operators compute with numbers and no constraint is
    involved; only explicitly named kinds of constraints evaluate themselves.
    """
    called = _Called.of(function)

    def constraints(self: CellsRule, board: Board) -> Iterable[Constraint]:
        return called.constraints(board, self.cells)

    def judge(self: CellsRule, grid: Filled) -> bool:
        found = called.judged(grid, self.cells)
        return CellsRule.judge(self, grid) if found is None else found

    def validate(self: CellsRule) -> None:
        called.check(self.cells)

    content: dict[str, Any] = {"constraints": constraints, "judge": judge, "validate": validate}
    content |= {f"__{name}__": getattr(function, f"__{name}__") for name in ("doc", "module", "qualname")}
    return dataclass(frozen=True)(type(function.__name__, (CellsRule,), content))


@dataclass(frozen=True)
class _Called:
    """A function under ``@rule``: with or without the board first, and with the cells in one list or singly.

    ``names`` are the parameters for cells, of which ``fewest`` to ``most`` (None: unlimited) are passed.
    """

    function: Function
    board: bool
    listed: bool
    names: tuple[str, ...]
    fewest: int
    most: int | None

    @classmethod
    def of(cls, function: Function) -> _Called:
        """Read a function's signature; raise TypeError if a rule cannot call it."""
        name = getattr(function, "__name__", repr(function))
        given = list(signature(function).parameters.values())
        for one in given:
            if one.kind is one.VAR_KEYWORD or (one.kind is one.KEYWORD_ONLY and one.default is one.empty):
                raise TypeError(
                    f"{name}: a rule's function is called with positional arguments, but {one} is "
                    f"not positional: {EXPECTED}"
                )
        spread = any(one.kind is one.VAR_POSITIONAL for one in given)
        taken = [one for one in given if one.kind in _BY_POSITION]
        board = bool(taken) and _is_board(taken, spread)
        cells = taken[board:]
        if not cells and not spread:
            raise TypeError(f"{name}: a rule's function must take cells, but this one takes none: {EXPECTED}")
        fewest = sum(one.default is one.empty for one in cells)
        names = tuple(one.name for one in cells)
        return cls(function, board, len(cells) == 1 and not spread, names, fewest, None if spread else len(cells))

    def check(self, cells: Sequence[object]) -> None:
        """Raise ValueError if the function does not take this number of cells."""
        if not self.listed and not self.fewest <= len(cells) <= (len(cells) if self.most is None else self.most):
            raise ValueError(f"{len(cells)} cells: one for each parameter is expected ({', '.join(self.names)})")

    def on(self, board: Board, names: Iterable[str]) -> Any:
        cells = board[names]
        return self.function(*([board] if self.board else []), *([cells] if self.listed else cells))

    def constraints(self, board: Board, cells: Iterable[str]) -> list[Constraint]:
        """Return the constraints that the function returns; raise TypeError for anything else."""
        given, name = self.on(board, cells), self.function.__name__
        found = [given] if isinstance(given, Constraint) else given
        if isinstance(found, str) or not isinstance(found, Iterable):
            raise TypeError(f"{name}: constraints are expected, yielded or in a list, not {found!r:.60}")
        listed = list(found)
        for one in listed:
            if not isinstance(one, Constraint):
                raise TypeError(f"{name}: a constraint over the cells is expected, not {one!r:.60}{hint_on_truth(one)}")
        return [_parted(board, one) for one in listed]

    def judged(self, filled: Filled, cells: Iterable[str]) -> bool | None:
        """Evaluate the function on the numbers of a filled board; return None if it cannot compute with numbers.

        That happens if it divides by zero, or uses auxiliary variables or kinds of constraints that only take
        variables.
        """
        try:
            given = self.on(_FilledBoard(filled), cells)
            facts = [given] if isinstance(given, Constraint | Number) else list(given)
        except (TypeError, AttributeError, ValueError, ArithmeticError, LookupError):
            return None
        if not all(isinstance(fact, Constraint | Fact) for fact in facts):
            return None
        return all(fact.holds(filled.values) if isinstance(fact, Constraint) else bool(fact) for fact in facts)


def _is_board(taken: Sequence[Parameter], spread: bool) -> bool:
    """Return whether the first parameter is the board: by its name or type, or if the only other is ``cells``."""
    first = taken[0]
    if first.name == "board" or getattr(first.annotation, "__name__", first.annotation) == "Board":
        return True
    return len(taken) == 2 and not spread and (first.name.startswith("_") or taken[1].name == "cells")


class _FilledBoard(Board):
    """A board whose cells are numbers, and which has no auxiliary variables."""

    def __init__(self, filled: Filled) -> None:
        super().__init__(filled.board.shape, filled.board.rules)
        self.filled = filled

    @cached_property
    def variables(self) -> dict[str, Any]:
        """The values of the cells, as numbers that record their cell."""
        return {name: Number(self.filled[name], name) for name in self.names}

    def auxiliary(self, name: str, values: Iterable[int], *definition: Constraint) -> str:
        raise TypeError(f"the auxiliary variable {name} has no value on a filled board")


def _parted(board: Board, constraint: Constraint) -> Constraint:
    """Return a constraint; the parts of a large comparison become auxiliary variables of the board."""
    parts = Parts()
    found = parts.resolved(constraint)
    for name, variable in parts.made.items():
        board.auxiliary(name, variable.domain, *parts.defined[name])
    return found


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.60} is not a text such as 'R1C1 + R1C2 == 5'")
    return " ".join(value.split())


class Condition(Rule):
    """The text holds, with cells by name and Python's operators: R1C1 + R1C2 == 5, R1C1 < R2C2.

    A comparison with a part that has no value (R1C1 // 0) does not hold. The text is read and never executed.
    """

    sentence = "The comparison in its text holds."
    text: str = f.stated(_text)

    @classmethod
    def of(cls, stated: Constraint | str) -> Condition:
        """Return the rule for a constraint or a text; raise ValueError for anything else."""
        if not isinstance(stated, Constraint | str):
            raise ValueError(
                f"{stated!r:.60} is not a constraint: a constraint or a text such as 'R1C1 + R1C2 == 5' is expected"
            )
        return cls(phrase(stated) if isinstance(stated, Constraint) else stated)

    def validate(self) -> None:
        if not self.scope:
            raise ValueError(f"{self.text[:60]!r} names no cell: a text such as 'R1C1 + R1C2 == 5' is expected")

    @cached_property
    def read(self) -> Phrase:
        """The parsed text."""
        return Phrase(self.text)

    @property
    def scope(self) -> tuple[str, ...]:
        """The cells that the text names, in order, each once."""
        return tuple(map(f.cell_name, self.read.names))

    def check(self, board: Board) -> None:
        self._over({name: board.domain(name)[:1] for name in self.scope})

    def constraints(self, board: Board) -> Iterable[Constraint]:
        yield _parted(board, self._over({name: board.domain(name) for name in self.scope}))

    def judge(self, grid: Filled) -> bool:
        return self._over({name: (grid[name],) for name in self.scope}).holds(grid.values)

    def _over(self, domains: dict[str, Domain]) -> Constraint:
        """Return the constraint for cells with these values."""
        cells = zip(self.read.names, self.scope, strict=True)
        return self.read.over({said: Variable(name, domains[name]) for said, name in cells})

    __getstate__ = fields_only
