"""Operators on constraints: logic, and sums in which constraints count as 1 or 0."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .constraint import Constraint
    from .expression import Expression, Operand

ADVICE = "combine constraints with &, |, ~ and .implies(), not with and, or, not and if, and put brackets around them"
"""What to write instead of an operator that asks for a truth value."""


def _as_number(name: str) -> Callable[..., Expression]:
    """Return an operator of expressions for a constraint, which counts as 1 or 0."""

    def combined(self: ConstraintLike, *others: Operand) -> Expression:
        from .expression import expression

        found: Expression = getattr(operator, name)(expression(self._constraint), *others)  # arrays answer it, too
        return found

    return combined


class ConstraintLike:
    """What stands for a constraint: a constraint, or a Boolean variable, which says that it is 1.

    Both share these operators. ``==`` and ``!=`` are not among them: they compare constraints as data.

    A chain such as ``a | b | c`` makes one ``Or`` of all its parts, so a chain of any length is not nested deeply.
    """

    def __or__(self, other: ConstraintLike) -> Constraint:
        from .logic import Or

        if is_array(other):
            return NotImplemented
        one = self._constraint
        return Or(*(one.parts if isinstance(one, Or) else (one,)), cast("Constraint", other))

    def __and__(self, other: ConstraintLike) -> Constraint:
        from .logic import And

        if is_array(other):
            return NotImplemented
        one = self._constraint
        return And(*(one.parts if isinstance(one, And) else (one,)), cast("Constraint", other))

    def __invert__(self) -> Constraint:
        from .logic import Not

        return Not(self._constraint)

    def __xor__(self, other: ConstraintLike) -> Constraint:
        return cast("Constraint", NotImplemented) if is_array(other) else self.xor(other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    __add__ = __radd__ = _as_number("__add__")
    __sub__, __neg__ = _as_number("__sub__"), _as_number("__neg__")
    __mul__ = __rmul__ = _as_number("__mul__")

    def __rsub__(self, other: Operand) -> Expression:
        return -self + other

    def implies(self, result: ConstraintLike) -> Constraint:
        """Return "if this holds, the result holds"; with an array of results, such an array."""
        from .logic import Implies

        if is_array(result):
            return self._with_cells("implies", result)
        return Implies(self._constraint, cast("Constraint", result))

    def iff(self, other: ConstraintLike | int) -> Constraint:
        """Return "both hold or neither": ``(a < b).iff(c < d)``. The number 1 or 0 says whether this one holds.

        Raises ValueError for another number, and TypeError for anything but a constraint or a number.
        """
        if is_array(other):
            return self._with_cells("iff", other)
        if isinstance(other, int):
            return self._constraint if truth_number(other) else ~self
        return self.implies(other) & other.implies(self._constraint)

    def xor(self, other: ConstraintLike | int) -> Constraint:
        """Return "one of the two holds, not both"; numbers and errors are as in ``iff``."""
        if is_array(other):
            return self._with_cells("xor", other)
        if isinstance(other, int):
            return self.iff(1 - truth_number(other))
        return (self._constraint | other) & ~(self._constraint & other)

    def _with_cells(self, method: str, others: object) -> Constraint:
        from .arrays import cells

        return cast("Constraint", cells(method, self, others))  # an array of them

    @property
    def _constraint(self) -> Constraint:
        return cast("Constraint", self)

    def __bool__(self) -> bool:
        raise TypeError(f"a constraint has no truth value: {self}; {ADVICE}")


def is_array(operand: object) -> bool:
    """Return whether an operand is an array, whose own operators work cell by cell."""
    return type(operand) is not int and getattr(operand, "ndim", 0) > 0


def truth_number(value: int) -> int:
    """Return 1 or 0 (True or False); raise ValueError for any other number."""
    if value not in (0, 1):
        raise ValueError(f"{value} is not a truth value: 1 or 0, or a constraint, is expected")
    return int(value)


def hint_on_truth(value: object) -> str:
    """Return advice if True or False, or a variable, was given where a constraint was expected; otherwise ""."""
    if hasattr(value, "domain"):
        return ": it is a number; compare it, as in (x == 1), or make it with booleans(...)"
    if not isinstance(value, bool):
        return ""
    return (
        ": == and != between two constraints (or a constraint and a number) compare them as data; "
        "write (a < b).iff(c < d), (a < b).xor(c < d) or (a < b) + 0 == y"
    )
