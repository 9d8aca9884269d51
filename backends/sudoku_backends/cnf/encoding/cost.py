"""An objective as a cost over the open candidates of a problem, to be minimised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudoku_models.model import Objective

from .encode import Problem

Group = tuple[tuple[int, int], ...]
"""The literals of one cell, exactly one of which is true, each with its cost; the cheapest costs 0."""


@dataclass(frozen=True)
class Cost:
    """The cost of an assignment beyond ``least``, the part common to all: the sum over the groups of their true
    literals.

    A cost is the objective's value, or its negation if the objective is to be maximised.
    """

    objective: Objective
    least: int
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, problem: Problem, objective: Objective) -> Cost:
        """Read an objective as a cost over the literals of a problem that is not impossible."""
        space, reduced = problem.structure.space, problem.reduced
        cells = {space.index[x]: x for x in objective.terms}
        candidates: dict[str, list[tuple[int, int]]] = {x: [] for x in objective.terms}
        values = space.table[reduced.column].tolist()
        for literal, (cell, value) in enumerate(zip(reduced.cell.tolist(), values, strict=True), 1):
            if cell in cells:
                candidates[cells[cell]].append((literal, value))
        fixed = [cell for cell in reduced.fixed_cells.tolist() if cell in cells]
        return cls.over(objective, candidates, {cells[cell]: int(space.table[reduced.fixed[cell]]) for cell in fixed})

    @classmethod
    def over(
        cls, objective: Objective, candidates: Mapping[str, Sequence[tuple[int, int]]], fixed: Mapping[str, int]
    ) -> Cost:
        """Read an objective as a cost over the open variables, whose values are given in pairs with their literals."""
        sign = 1 if objective.minimizes else -1
        least, groups = sign * objective.constant, []
        for x, c in objective.terms.items():
            if x in fixed:
                least += sign * c * fixed[x]
                continue
            costs = [(literal, sign * c * value) for literal, value in candidates[x]]
            cheapest = min(cost for _, cost in costs)
            least += cheapest
            groups.append(tuple((literal, cost - cheapest) for literal, cost in costs))
        return cls(objective, least, tuple(group for group in groups if any(cost for _, cost in group)))

    @property
    def bound(self) -> int:
        """The value of the objective that no solution improves on."""
        return self.least if self.objective.minimizes else -self.least

    def spent(self, model: list[int]) -> int:
        """Return the cost, beyond the least, of a model of the formula (its signed literals in order)."""
        return sum(cost for group in self.groups for literal, cost in group if model[literal - 1] > 0)
