"""Branch and bound: the values that the best solution so far rules out in the present domains."""

from __future__ import annotations

from collections.abc import Mapping

from sudoku_models.model import Domain, Objective

from .general import SearchState


class Bound:
    """A bound on a linear objective; none before the first solution.

    The objective is seen as a cost to keep low: a sum of ``weights[x] * x``, at most ``most``.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        sign = 1 if objective.minimizes else -1
        self.weights = {x: sign * c for x, c in objective.terms.items()}
        self.most: int | None = None

    def tighten(self, solution: Mapping[str, Domain]) -> None:
        """Require less than the cost of a solution."""
        self.most = sum(w * solution[x][0] for x, w in self.weights.items()) - 1

    def narrow(self, state: SearchState) -> bool:
        """Remove the values that cost too much even if all others are cheapest; False if the bound cannot be met."""
        if self.most is None:
            return True
        domains = state.domains
        least = {x: w * domains[x][0 if w > 0 else -1] for x, w in self.weights.items()}
        spare = self.most - sum(least.values())
        if spare < 0:
            return False
        for x, w in self.weights.items():
            values, low = domains[x], least[x]
            if w * values[-1 if w > 0 else 0] - low > spare:
                state.keep(x, tuple([v for v in values if w * v - low <= spare]))
        return True

    def tried(self, name: str, values: Domain) -> Domain:
        """Return the values of a variable, the cheapest first; ascending if they cost nothing."""
        return values[::-1] if self.weights.get(name, 1) < 0 else values
