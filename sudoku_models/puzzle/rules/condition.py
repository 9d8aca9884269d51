"""A constraint that a user states over the cells of a board, as a rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...model import Constraint, Domain, Variable
from ...model.once import fields_only
from ...model.phrase import MOST_LETTERS, Phrase, phrase
from . import fields as f
from .board import Board, Filled
from .rule_base import Rule


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.60} is not a text such as 'R1C1 + R1C2 == 5'")
    return " ".join(value.split())


@dataclass(frozen=True)
class Condition(Rule):
    """The text holds, with cells by name and Python's operators: R1C1 + R1C2 == 5, R1C1 < R2C2.

    A comparison with a part that has no value (R1C1 // 0) does not hold. The text is read and never executed.
    """

    sentence = "The comparison in its text holds."
    text: str = f.stated(_text, {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS})

    @classmethod
    def of(cls, stated: Constraint | str) -> Condition:
        """Return the rule for a constraint or a text; raise ValueError for anything else."""
        if not isinstance(stated, Constraint | str):
            raise ValueError(
                f"{stated!r:.60} is not a constraint: a constraint or a text such as 'R1C1 + R1C2 == 5' is expected"
            )
        return cls(phrase(stated) if isinstance(stated, Constraint) else stated)

    def validate(self) -> None:
        if not self.scope:
            raise ValueError(f"{self.text[:60]!r} names no cell: a text such as 'R1C1 + R1C2 == 5' is expected")

    @cached_property
    def read(self) -> Phrase:
        """The parsed text."""
        return Phrase(self.text)

    @property
    def scope(self) -> tuple[str, ...]:
        """The cells that the text names, in order, each once."""
        return tuple(map(f.cell_name, self.read.names))

    def check(self, board: Board) -> None:
        self._over({name: board.domain(name)[:1] for name in self.scope})

    def constraints(self, board: Board) -> Iterable[Constraint]:
        from .stated import parted

        return parted(board, self._over({name: board.domain(name) for name in self.scope}))

    def judge(self, grid: Filled) -> bool:
        return self._over({name: (grid[name],) for name in self.scope}).holds(grid.values)

    def _over(self, domains: dict[str, Domain]) -> Constraint:
        """Return the constraint for cells with these values."""
        cells = zip(self.read.names, self.scope, strict=True)
        return self.read.over({said: Variable(name, domains[name]) for said, name in cells})

    __getstate__ = fields_only
