"""What is certified: a claim about a problem, and the problem as stated. This is independent of both encoders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..model import Domain, Model
from ..puzzle import Puzzle


class Claim(StrEnum):
    """The claims of certificates."""

    UNIQUE = "unique"  # there is one solution
    UNSATISFIABLE = "unsatisfiable"  # there is no solution
    COUNT = "count"  # there are exactly the solutions that are listed
    OPTIMAL = "optimal"  # no solution is better than the one that is listed


@dataclass(frozen=True)
class Statement:
    """A problem as it is certified: the model, its narrowed variables, and the puzzle whose model it is, if any.

    Solutions that differ only in variables outside ``keep`` count as one: solutions of a puzzle differ in cells,
    solutions of a model in any variable.
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

    def same(self, other: Statement) -> bool:
        """Return whether another statement is of the same problem: the same solutions, distinguished in the same
        way.
        """
        alike = self.model == other.model and self.keep == other.keep
        return alike and dict(self.domains) == dict(other.domains)

    @property
    def keep(self) -> tuple[str, ...]:
        """The variables that distinguish solutions."""
        return self.model.names if self.puzzle is None else self.puzzle.names
