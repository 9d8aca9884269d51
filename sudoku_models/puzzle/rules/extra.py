"""Extra cells: named variables outside the grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model import Constraint
from . import fields as f
from .board import Filled, Group
from .rule_base import Rule

if TYPE_CHECKING:
    from ..shape import Shape
    from .board import Board


def _group_name(value: object) -> str:
    if (
        not isinstance(value, str)
        or not value.isascii()
        or not value.isalpha()
        or not value.isupper()
        or len(value) > 40
    ):
        raise ValueError(f"{value!r:.60} is not a name for extra cells: capital letters are expected")
    return value


@dataclass(frozen=True)
class ExtraCells(Rule):
    """``count`` extra cells NAME1, NAME2, ... (a single one: NAME) in rows of ``width``, with the values of the grid.

    They are not restricted by default; solutions that differ only in them are different.
    """

    sentence = "Cells outside the grid, with the same possible values as its cells."
    name: str = f.stated(_group_name, {"type": "string", "pattern": "^[A-Z]{1,40}$"})
    count: int = f.number(1, 1000, default=1)
    width: int = f.number(1, 1000, default=1)
    label: str = f.text()

    def groups(self, shape: Shape) -> Iterable[Group]:
        yield Group(self.name, -(-self.count // self.width), self.width, None, self.count)

    def constraints(self, board: Board) -> Iterable[Constraint]:
        return ()

    def judge(self, grid: Filled) -> bool:
        return all(v in grid.board.values for v in grid.along(grid.board.groups[self.name].cells))
