"""Make rules ready for another process, which cannot import rules from a script or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from ..model import Constraint, Variable
from ..puzzle import Shape
from ..puzzle.rules import Board, Filled, Group, Rule, each


@dataclass(frozen=True)
class _AsConstraints(Rule):
    """All rules of a puzzle, as the constraints that they yield; judged by evaluating these."""

    yielded: tuple[Constraint, ...]
    auxiliaries: tuple[tuple[Variable, tuple[Constraint, ...]], ...]
    brought: tuple[Group, ...]

    def groups(self, shape: Shape) -> Iterable[Group]:
        return self.brought

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for variable, definition in self.auxiliaries:
            board.auxiliary(variable.name, variable.domain, *definition)
        return self.yielded

    def judge(self, grid: Filled) -> bool:
        return grid.satisfies(self.constraints)


def sendable(shape: Shape, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the rules; if another process cannot import a class among them, one rule with all their constraints."""
    if all(_importable(type(rule)) for rule in each(rules)):
        return rules
    board = Board(shape, rules)
    yielded = tuple(constraint for rule in rules for constraint in rule.constraints(board))
    groups = tuple(group for name, group in board.groups.items() if name)
    return (_AsConstraints(yielded, tuple(board.auxiliaries.values()), groups),)


def _importable(kind: type) -> bool:
    module = sys.modules.get(kind.__module__)
    if module is None or module.__name__ == "__main__" or module.__spec__ is None:
        return False
    return getattr(module, kind.__qualname__, None) is kind
