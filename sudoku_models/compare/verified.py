"""Check solutions from an engine's process once more: inside that process the engine could have changed the check, and
rules of a script or notebook are not known there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from ..engine.check import checker_of
from ..puzzle import Puzzle
from ..verbs.agreement import Verdict
from .workers import travel


def verified(puzzle: Puzzle, answer: dict[str, Any], spec: str) -> dict[str, Any]:
    """Return the result of a run with the digest of its first solution in place of ``solutions``.

    WRONG if one of the solutions (of all variables) breaks the model or a rule, or if one came twice.
    """
    solutions = answer.pop("solutions", None) or []
    fault = next(filter(None, (_fault(puzzle, solution) for solution in solutions)), None)
    if fault is None and len(solutions) > len({tuple(solution) for solution in solutions}):
        fault = "the same solution came twice"
    if fault is None:
        first = digest(solutions[0][: puzzle.shape.cells]) if solutions else None
        return {**answer, "solution": first}
    checked = travel(puzzle.rules)
    reason = (
        f"{'its process' if checked else spec} returned a wrong solution{' as checked' if checked else ''}: {fault}"
    )
    return {**answer, "status": str(Verdict.WRONG), "reason": reason, "solution": None, "unique": None, "count": None}


def _fault(puzzle: Puzzle, solution: Sequence[Any]) -> str | None:
    """Return what is wrong with a solution according to the puzzle's model, and to the judge of each of its rules."""
    model = puzzle.structure if len(solution) == len(puzzle.structure.names) else puzzle.shape.model
    values = solution if model is puzzle.structure else solution[: puzzle.shape.cells]
    if any(type(value) is not int for value in values):
        return "it contains something that is not an integer"
    fault = checker_of(model).fault(tuple(values), puzzle.domains)
    if fault or model is not puzzle.structure or not puzzle.rules:
        return fault
    broken = puzzle.violated(dict(zip(model.names, values, strict=True)))
    return f"it breaks the rule {broken[0]}" if broken else None


def digest(solution: Sequence[int]) -> str:
    """Return the digest that identifies a solution in a row: its SHA-256."""
    return hashlib.sha256(" ".join(map(str, solution)).encode()).hexdigest()
