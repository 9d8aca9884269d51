"""A certificate: a problem as text, a claim about it, the solutions that are known, a formula and its refutation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from ..model import Domain, Model
from ..puzzle import Puzzle
from .formula import Formula
from .lrat import Line


class Claim(StrEnum):
    """What a certificate claims."""

    UNIQUE = "unique"  # there is one solution
    UNSATISFIABLE = "unsatisfiable"  # there is none
    COUNT = "count"  # there are just the solutions that are listed
    OPTIMAL = "optimal"  # no solution is better than the one that is listed


@dataclass(frozen=True)
class Statement:
    """A problem as it is certified: the model, what narrows its variables, and the puzzle whose model it is, if any.

    Solutions that differ only in variables outside ``keep`` count as one: of a puzzle the cells tell solutions apart,
    of a model all variables do.
    """

    model: Model
    domains: Mapping[str, Domain]
    puzzle: Puzzle | None = None

    @classmethod
    def of(cls, problem: Puzzle | Model) -> Statement:
        """State a puzzle or a model."""
        if isinstance(problem, Model):
            return cls(problem, {})
        return cls(problem.structure, problem.domains, problem)

    @property
    def keep(self) -> tuple[str, ...]:
        """The variables that tell solutions apart."""
        return self.model.names if self.puzzle is None else self.puzzle.names


@dataclass(frozen=True)
class Certificate:
    """A claim with its proof.

    ``solutions`` have a value for each variable of the model, in its order. ``formula`` is satisfiable only if the
    claim is false; ``proof`` refutes it. ``refuter`` names the engine that wrote the proof.
    """

    statement: Statement
    claim: Claim
    solutions: tuple[tuple[int, ...], ...]
    formula: Formula = field(repr=False)
    proof: tuple[Line, ...] = field(repr=False)
    refuter: str = ""

    @cached_property
    def objective(self) -> int | None:
        """The value of the objective in the best solution; None for the other claims."""
        model = self.statement.model
        if self.claim is not Claim.OPTIMAL or model.objective is None or not self.solutions:
            return None
        return model.objective.value(dict(zip(model.names, self.solutions[0], strict=True)))

    def __repr__(self) -> str:
        return f"<Certificate: {self}>"

    def _repr_html_(self) -> str:
        return f"<div>{self}</div>"

    def __str__(self) -> str:
        words = {
            Claim.UNIQUE: "one solution",
            Claim.UNSATISFIABLE: "no solution",
            Claim.COUNT: f"{len(self.solutions)} solutions",
            Claim.OPTIMAL: f"no solution better than {self.objective}",
        }
        sizes = f"{self.formula.clauses} clauses, {len(self.proof)} lemmas by {self.refuter}"
        return f"{words[self.claim]} ({sizes})"
