"""Numbers that behave like variables, to evaluate a function over variables on known values.

A function that makes constraints with operators, ``lambda a, b: a * b == 12``, gives a ``Fact`` on numbers. This does
not involve the constraint, so it is an independent check of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _operator(name: str, found: Callable[[int], Any]) -> Callable[..., Any]:
    """Return an operator of int whose result is a Number, or a Fact."""
    of = getattr(int, name)

    def computed(self: int, *others: Any) -> Any:
        result = of(self, *others)
        return result if result is NotImplemented else found(result)

    return computed


class Number(int):
    """The known value of a variable (``name``), or a number computed from such values; as a key, its name counts."""

    name: str | None

    def __new__(cls, value: int, name: str | None = None) -> Number:
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __hash__(self) -> int:
        return int.__hash__(self) if self.name is None else hash(self.name)

    def __str__(self) -> str:
        return int.__repr__(self) if self.name is None else self.name


for _name in ["add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod", "neg", "abs"]:
    setattr(Number, f"__{_name}__", _operator(f"__{_name}__", Number))


class Fact(Number):
    """The truth of a comparison, 1 or 0, with the logical operators of constraints."""

    def __and__(self, other: Any) -> Any:
        return Fact(bool(self) and bool(other)) if isinstance(other, Fact) else NotImplemented

    def __or__(self, other: Any) -> Any:
        return Fact(bool(self) or bool(other)) if isinstance(other, Fact) else NotImplemented

    def __invert__(self) -> Fact:
        return Fact(not self)

    def implies(self, result: Fact) -> Any:
        """Return "if this holds, the result holds"."""
        return ~self | result

    def iff(self, other: int) -> Fact:
        """Return "both hold or neither"."""
        return Fact(bool(self) == bool(other))

    def xor(self, other: int) -> Fact:
        """Return "one of the two holds, not both"."""
        return Fact(bool(self) != bool(other))


for _name in ["eq", "ne", "lt", "le", "gt", "ge"]:
    setattr(Number, f"__{_name}__", _operator(f"__{_name}__", Fact))
