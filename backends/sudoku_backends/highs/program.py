"""Linear programs over 0 and 1 as plain data: a column for each value of each variable, and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sudoku_models.model import Domain, Model


@dataclass(frozen=True)
class BoundedRow:
    """``low <= sum of weight times column <= high``."""

    terms: Mapping[int, int]
    low: float
    high: float


@dataclass
class ZeroOneProgram:
    """``columns`` are the variable and the value of each of the first columns; auxiliaries follow.

    ``costs`` are to be minimised, or maximised if ``maximize``; ``offset`` is added to them.
    """

    columns: list[tuple[str, int]]
    width: int
    rows: list[BoundedRow] = field(default_factory=list)
    costs: dict[int, int] = field(default_factory=dict)
    offset: int = 0
    maximize: bool = False

    def highs(self) -> Any:
        """Return the program as a live ``highspy.Highs``; raise Unsupported in a process that has loaded OR-tools."""
        from .engine import load

        return load(self)

    def decode(self, values: Sequence[float]) -> dict[str, int]:
        """Return the value of each variable under the values of the columns."""
        return {name: value for (name, value), x in zip(self.columns, values, strict=False) if x > 0.5}

    def read(self, values: Sequence[float], model: Model) -> tuple[int, ...]:
        """Return the same in the order of the model's variables."""
        found = self.decode(values)
        return tuple([found[name] for name in model.names])


def closed(program: ZeroOneProgram, domains: Mapping[str, Domain]) -> list[int]:
    """Return the columns that narrower domains set to 0."""
    left = {name: frozenset(values) for name, values in domains.items()}
    return [i for i, (name, value) in enumerate(program.columns) if name in left and value not in left[name]]
