"""Check the results of steps against the problem: a filled board is checked and judged like any engine's solution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..engine.check import checker_of
from ..errors import WrongAnswer
from ..model import Domain, Model
from ..puzzle import Puzzle
from ..verbs.solving import solve
from .ladder import Fact, Ladder

STEPS = "the steps of the ladder"
"""The name used when steps lead to a wrong result."""


def narrowed(problem: Puzzle | Model, domains: Mapping[str, Domain]) -> Puzzle | Model:
    """Return a problem with some of its cells narrowed; the result is a model if one is an extra cell."""
    if isinstance(problem, Puzzle) and set(domains) <= set(problem.shape.names):
        return problem.with_candidates(domains)
    return (problem if isinstance(problem, Model) else problem.model).narrowed(domains)


def model_of(problem: Puzzle | Model) -> Model:
    """Return the model of a problem, without the givens of a puzzle."""
    return problem if isinstance(problem, Model) else problem.structure


def check_board(problem: Puzzle | Model, values: Mapping[str, int]) -> None:
    """Check the values of all cells against the model and every rule's judge; raise WrongAnswer if one is broken.

    Auxiliary variables of rules are found by an engine.
    """
    model, given = (problem, problem.domains) if isinstance(problem, Model) else (problem.structure, problem.domains)
    if model.names == tuple(values):
        fault = checker_of(model).fault(tuple(values.values()), given)
        if fault:
            raise WrongAnswer(f"{STEPS} lead to a wrong solution: {fault}", STEPS)
        return
    if solve(narrowed(problem, {x: (v,) for x, v in values.items()})).status.no_solution:
        raise WrongAnswer(f"{STEPS} lead to a wrong solution: no engine accepts it", STEPS)


def check_facts(ladder: Ladder, facts: Iterable[Fact], solution: Mapping[str, int]) -> None:
    """Raise WrongAnswer if a step removes a candidate that the only solution has."""
    for cell, bit in facts:
        x = ladder.names[cell]
        if solution[x] == bit + ladder.low:
            raise WrongAnswer(f"{STEPS} remove {x} = {solution[x]}, which the only solution has", STEPS)
