"""What makes solutions different: the kept variables, and the clause that forbids a solution found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_models.engine.contract import Request
from sudoku_models.engine.record import Record
from sudoku_models.model import Domain, Model

from ..encoding.encode import Problem

Prepare = Callable[[Mapping[str, Domain]], tuple[Problem, str]]
"""Makes a problem, and reports how it was propagated."""


@dataclass(frozen=True)
class Kept:
    """The variables that distinguish solutions: their positions, and whether they are all variables of the model."""

    positions: tuple[int, ...]
    everything: bool

    @staticmethod
    def of_request(model: Model, request: Request) -> Kept:
        """Return the variables that a request keeps."""
        if request.keep is not None:
            positions = tuple(model.index[name] for name in request.keep)
            return Kept(positions, len(set(positions)) == len(model.names))
        every = model.memo.get("cnf kept")
        if every is None:
            every = model.memo["cnf kept"] = Kept(tuple(range(len(model.names))), True)
        assert isinstance(every, Kept)
        return every


def describe(record: Record, problem: Problem, propagated: str) -> None:
    """Write into the record what the engine was given."""
    record.sizes = problem.formula.sizes
    record.notes.append(propagated)


def blocking(problem: Problem, kept: Kept, solution: Sequence[int]) -> list[int]:
    """Return the clause that forbids a solution: one of its open kept values must change."""
    space = problem.structure.space
    numbers = (space.candidate(cell, solution[cell]) for cell in kept.positions)
    candidates = np.array(list(numbers), dtype=np.int64)
    open_ones = problem.reduced.open
    at = np.minimum(np.searchsorted(open_ones, candidates), max(0, len(open_ones) - 1))
    literals: list[int] = (-1 - at[open_ones[at] == candidates]).tolist() if len(open_ones) else []
    return literals
