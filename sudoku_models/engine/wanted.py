"""Select the solutions to yield: those whose kept values are new, or those that improve."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..model import Model

Solution = tuple[int, ...]
"""One value for each variable of the model, in the model's order."""

Wanted = Callable[[Solution], bool]
"""Returns whether a solution is to be yielded, and remembers what it needs for that."""


def wanted_of(model: Model, keep: Collection[str] | None) -> Wanted:
    """Return the test for wanted solutions: they improve the objective, or their kept values are new."""
    return Improving(model).new if model.objective else Projection(model, keep).new


class Projection:
    """Helps an adapter that finds solutions over all variables to yield one for each choice of the kept ones.

    If every variable is kept, nothing is remembered. ``positions`` are those of the kept variables in the model.
    """

    def __init__(self, model: Model, keep: Collection[str] | None) -> None:
        self.positions = tuple(range(len(model.names))) if keep is None else tuple(model.index[name] for name in keep)
        self.partial = len(set(self.positions)) < len(model.names)
        self._seen: set[Solution] = set()

    def new(self, solution: Solution) -> bool:
        """Return whether no earlier solution had these kept values, and remember the solution."""
        if not self.partial:
            return True
        kept = tuple(solution[i] for i in self.positions)
        if kept in self._seen:
            return False
        self._seen.add(kept)
        return True


class Improving:
    """Helps an adapter that finds solutions in any order to yield those better than all before.

    ``best`` is the value of the objective in the best of them. ValueError for a model without an objective.
    """

    def __init__(self, model: Model) -> None:
        if model.objective is None:
            raise ValueError("the model has no objective to improve")
        self._names, self._objective = model.names, model.objective
        self.best: int | None = None

    def new(self, solution: Solution) -> bool:
        """Return whether a solution is better than the best one so far, and remember it."""
        value = self._objective.value(dict(zip(self._names, solution, strict=True)))
        if not self._objective.improves(value, self.best):
            return False
        self.best = value
        return True
