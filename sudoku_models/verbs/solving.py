"""The verbs: solve, solutions, count, is_unique, candidates, validate, cross_check.

Each takes a puzzle (a Puzzle, a Grid, text in any known format, rows of values, a numpy array) or a bare Model, and
a backend's specification; ``auto`` chooses one by what the model uses. Limits are for the whole job.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Unpack

from ..engine.registry import BackendLike
from ..errors import LimitReached
from ..puzzle import clashes
from .results import Count, Marks, Result, Solutions, Validation
from .task import LimitKeywords, Limits, Problem, Task, as_puzzle

if TYPE_CHECKING:
    from .agreement import CrossCheck

__all__ = [
    "Limits",
    "Problem",
    "as_puzzle",
    "candidates",
    "count",
    "cross_check",
    "is_unique",
    "solutions",
    "solve",
    "validate",
]


def solve(
    problem: Problem, backend: BackendLike = "auto", *, unique: bool = False, **limits: Unpack[LimitKeywords]
) -> Result:
    """Find a solution; with ``unique`` also tell whether it is the only one.

    Of a model with an objective it is the best one, or the best that a limit left time for: ``objective`` and
    ``bound`` tell which. There ``unique`` raises ValueError.

    Keywords: ``time_limit`` (seconds), ``memory_limit`` (bytes), ``seed``, ``workers``, and ``trace``, which is called
    with every decision of a search (see ``Request``; backtracking tells them). Raises FormatError for text that cannot
    be read, BadOption, BackendMissing and Unsupported for the backend, WrongAnswer for an answer that the model
    contradicts. A limit that is reached gives the status unknown (or ``unique`` None); it is for all that is done here,
    from the reading of the problem on. Of several solutions the same call with the same versions installed gives the
    same one, whatever was solved before, as far as the backend promises it (see ``seed``; no limit of time).

    Where an engine is known to lose solutions of models like this one, another one confirms "unsatisfiable", "unique"
    and "best", and ``record.confirmed`` says which; with ``confirm=False`` the engine's word is taken.
    """
    task = Task.of(problem, backend, Limits.of(limits))
    return task.solved(unique)


def solutions(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Solutions:
    """Yield solutions lazily: grids of a puzzle, mappings from name to value of a bare model.

    Of a model with an objective each is better than the one before, and the last one is the best.

    Close what is returned (or use ``with``) to stop early; its ``outcome`` tells whether there are no more.
    """
    task = Task.of(problem, backend, Limits.of(limits), every=True)
    return Solutions(task.run(limit=limit), task.wrapped)


def count(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Count:
    """Count solutions, up to ``limit``. ``exact`` says whether these are all; a limit in time leaves it False.

    Each is checked, and WrongAnswer raised for one that an engine returns twice. Beyond 65,536 solutions a sample of
    them is remembered for that: a single repetition among n solutions is noticed with a chance of 65,536 / 2n or more.
    An engine that hands over many at once (``native``) is checked many at once: each of them on every constraint and by
    the rules' own sentences, where a sentence is asked once for all solutions that agree in the cells that it looks at.
    So a rule whose sentence looks at most of the board makes counting slower. Where the cells fall apart into groups
    that no constraint links, and no sentence looks at several of them, each group is counted by itself, checked beside
    one solution of the others, and the numbers are multiplied; the record's notes say so.
    """
    return Task.of(problem, backend, Limits.of(limits), every=True).of_all("count").counted(limit)


def is_unique(problem: Problem, backend: BackendLike = "auto", **limits: Unpack[LimitKeywords]) -> bool:
    """Tell whether there is exactly one solution; LimitReached (with the Result) when a limit came first."""
    result = solve(problem, backend, unique=True, **limits)
    if result.unique is None:
        raise LimitReached(f"uniqueness is not settled: {result.reason}", result)
    return result.unique


def candidates(problem: Problem, backend: BackendLike = "auto", **limits: Unpack[LimitKeywords]) -> Marks:
    """Return, for each cell, the values that it has in some solution (none at all when there is no solution).

    It is a dict by the names of cells, which prints in short: ``candidates(puzzle)["R1C1"]``.

    Cells are those of the board, and the extra cells of its rules; of a bare model the variables. Every solution found
    settles one value a cell; unless it is the only one, each cell is asked for values not met yet. Raises LimitReached,
    with what is known so far, when a limit comes first.
    """
    found = Task.of(problem, backend, Limits.of(limits)).of_all("candidates").marked()
    if not found.complete:
        raise LimitReached(f"the candidates are not settled: {found.reason}", found.values)
    return Marks(found)


def validate(problem: Problem) -> Validation:
    """Tell whether a partly filled board is legal: which cells clash, in which house."""
    puzzle = as_puzzle(problem)
    return Validation(clashes(puzzle.shape, puzzle.givens))


def cross_check(
    problem: Problem,
    backends: Iterable[BackendLike] | None = None,
    *,
    unique: bool = True,
    isolate: bool = os.name == "posix",
    **limits: Unpack[LimitKeywords],
) -> CrossCheck:
    """Ask several backends (by default all that are installed) and tell whether they agree; see ``agreement``.

    Each works in a child process, unless ``isolate=False`` says otherwise. Other keywords as for ``solve``.
    """
    from .agreement import cross_check as checked

    return checked(problem, backends, unique=unique, isolate=isolate, **limits)
