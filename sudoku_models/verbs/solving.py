"""The verbs: solve, solutions, count, is_unique, candidates, validate, export.

Each takes a puzzle (a Puzzle, a Grid, text in any known format, rows of values, a numpy array) or a bare Model, and
a backend's specification; ``auto`` chooses one by what the model uses. Limits are for the whole job.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Unpack, overload

from ..engine.registry import BackendLike
from ..errors import LimitReached
from ..model import ConstraintLike, Model, constraints_of
from ..puzzle import clashes
from .results import Candidates, Result, SolutionCount, Solutions, Status, Validation
from .task import LimitKeywords, Problem, Task, as_puzzle, begun

if TYPE_CHECKING:
    from ..exports import ExportFormat

__all__ = [
    "Problem",
    "as_puzzle",
    "candidates",
    "count",
    "export",
    "is_unique",
    "solutions",
    "solve",
    "validate",
]


def solve(
    problem: Problem,
    backend: BackendLike = "auto",
    *,
    unique: bool = False,
    assuming: Iterable[ConstraintLike] = (),
    **limits: Unpack[LimitKeywords],
) -> Result:
    """Find a solution; with ``unique`` also find out whether it is the only one.

    For a model with an objective it is the best one, or the best found within a limit: compare ``objective`` and
    ``bound``. For such a model, ``unique`` raises ValueError.

    ``assuming`` are constraints that hold for this call. If there is no solution, the result's ``failed`` names some of
    them that contradict each other (or the problem alone: then there are none), and none without need. Raises
    TypeError for anything but a constraint.

    Keywords: ``time_limit`` (seconds), ``memory_limit`` (bytes), ``seed``, ``workers``, ``hint`` (values by variable
    that the search tries first; ``cp-sat`` and ``pysat`` take them), and ``trace``, which is called with every decision
    of a search (see ``Request``; the backtracking backend supports it). Raises FormatError for text
    that cannot be read, BadOption, BackendMissing and Unsupported for the backend, and WrongAnswer for an answer that
    contradicts the model. If a limit is reached, the status is unknown (or ``unique`` is None); a limit covers the
    whole call, including the reading of the problem. If there are several solutions, the same call with the same
    versions installed finds the same one, whatever was solved before, as far as the backend promises this (see
    ``seed``; only without a time limit).

    If an engine is known to lose solutions of models like this one, another one confirms "unsatisfiable", "unique" and
    "best", and ``record.confirmed`` names it; with ``confirm=False`` there is no confirmation.
    """
    assumed = () if isinstance(assuming, tuple) and not assuming else constraints_of(assuming)
    if not assumed:
        return Task.of(problem, backend, limits).solved(unique)
    shared: LimitKeywords = {**limits, "time_limit": None, "memory_limit": None, "budget": begun(limits)}
    base = problem if isinstance(problem, Model) else as_puzzle(problem).model
    result = Task.of(base.with_(*assumed), backend, shared).solved(unique)
    if result.status is not Status.UNSATISFIABLE:
        return result
    if Task.of(base.without_objective(), backend, shared).solved(False).status is Status.UNSATISFIABLE:
        return result  # without any of them
    from .smallest_conflict import failed

    return replace(result, failed=failed(base, assumed, backend, {**shared, "trace": None}))


def solutions(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> Solutions:
    """Yield solutions lazily: grids for a puzzle, mappings from names to values for a bare model.

    For a model with an objective, each is better than the one before, and the last one is the best.

    Close the iterator (or use ``with``) to stop early; its ``outcome`` says whether there are more.
    """
    task = Task.of(problem, backend, limits, every=True)
    return Solutions(task.run(limit=limit), task.wrapped)


def count(
    problem: Problem, backend: BackendLike = "auto", *, limit: int | None = None, **limits: Unpack[LimitKeywords]
) -> SolutionCount:
    """Count solutions, up to ``limit``. ``exact`` says whether these are all; it is False if a time limit was reached.

    Each solution is checked, and WrongAnswer is raised for one that an engine returns twice. Beyond 65,536 solutions,
    only a sample of them is remembered for this: a single repetition among n solutions is noticed with a probability of
    at least 65,536 / 2n. Solutions that an engine returns in batches (``native``) are checked in batches: each against
    every constraint and against the rules' own sentences, where a sentence is evaluated once for all solutions that
    agree in the cells that it depends on. So a rule whose sentence depends on most of the board makes counting slower.
    If no constraint links some variables of a bare model to the others, each of these parts is counted separately,
    together with one solution of the others, and the numbers are multiplied; the record's notes say so.
    """
    return Task.of(problem, backend, limits, every=True).of_all("count").counted(limit)


def is_unique(problem: Problem, backend: BackendLike = "auto", **limits: Unpack[LimitKeywords]) -> bool:
    """Return whether there is exactly one solution; raise LimitReached (with the Result) if that is not settled."""
    result = solve(problem, backend, unique=True, **limits)
    if result.unique is None:
        raise LimitReached(f"uniqueness is not settled: {result.reason}", result)
    return result.unique


def candidates(problem: Problem, backend: BackendLike = "auto", **limits: Unpack[LimitKeywords]) -> Candidates:
    """Return, for each cell, the values that it takes in some solution (all empty if there is no solution).

    The result is a dict by cell name with a short ``repr``: ``candidates(puzzle)["R1C1"]``.

    The cells are those of the board and the extra cells of its rules; for a bare model, the variables. Every solution
    found settles one value for each cell; unless it is the only one, each cell is then tested for further values.
    Raises LimitReached, with what is known so far, if a limit is reached first.
    """
    found = Task.of(problem, backend, limits).of_all("candidates").marked()
    if not found.complete:
        raise LimitReached(f"the candidates are not settled: {found.reason}", dict(found))
    return found


def validate(problem: Problem) -> Validation:
    """Return whether a partly filled board is legal, and which cells clash in which house."""
    puzzle = as_puzzle(problem)
    return Validation(clashes(puzzle.shape, puzzle.givens))


Texts = Literal["dimacs", "opb", "mps", "cp-sat-text", "minizinc", "xcsp3", "smt-lib", "model", "lowered"]


@overload
def export(problem: Problem, to: Texts, *, backend: BackendLike | None = None) -> str: ...
@overload
def export(problem: Problem, to: Literal["cp-sat"], *, backend: BackendLike | None = None) -> bytes: ...
@overload
def export(problem: Problem, to: str | ExportFormat, *, backend: BackendLike | None = None) -> str | bytes: ...
def export(problem: Problem, to: str | ExportFormat, *, backend: BackendLike | None = None) -> str | bytes:
    """Return a model in a file format of another program: text, or bytes if ``to`` is a binary format (``cp-sat``).

    ``to`` is one of ``dimacs``, ``opb``, ``mps``, ``cp-sat``, ``cp-sat-text``, ``minizinc``, ``xcsp3``, ``smt-lib``;
    ``model`` for the model as stated, ``lowered`` for the model rewritten for a backend (``Model.parse`` reads both); a
    format that another backend exports; or your own ``ExportFormat``. ``backend`` chooses the exporter if several offer
    the format, with options (``pysat:amo=product``). Constraints are rewritten to what the format can state; comments
    in the file explain its names. Raises BadOption for an unknown name or a backend that does not offer it,
    BackendMissing if the engine is not installed, and Unsupported if the format cannot state the model.
    """
    from ..exports import pieces

    if isinstance(problem, Model):
        found = list(pieces(problem, {}, to, backend))
    else:
        puzzle = as_puzzle(problem)
        found = list(pieces(puzzle.structure, puzzle.domains, to, backend))
    if found and isinstance(found[0], bytes):
        return b"".join(piece for piece in found if isinstance(piece, bytes))
    return "".join(piece for piece in found if isinstance(piece, str))
