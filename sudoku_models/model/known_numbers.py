"""Numbers that behave like variables, to evaluate a function over variables on known values.

A function that makes constraints with operators, ``lambda a, b: a * b == 12``, gives a ``Fact`` on numbers. This does
not involve the constraint, so it is an independent check of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_Operator = Callable[[int, Any], Any]


def _arithmetic(of: _Operator) -> Any:
    def computed(self: int, other: Any) -> Any:
        found = of(self, other)
        return found if found is NotImplemented else Number(found)

    return computed


def _comparison(of: _Operator) -> Any:
    def compared(self: int, other: Any) -> Any:
        found = of(self, other)
        return found if found is NotImplemented else Fact(found)

    return compared


class Number(int):
    """The known value of a variable (``name``), or a number computed from such values; as a key, its name counts."""

    name: str | None

    def __new__(cls, value: int, name: str | None = None) -> Number:
        """Make a number; ``name`` is the name of the variable with this value."""
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __hash__(self) -> int:
        return int.__hash__(self) if self.name is None else hash(self.name)

    __add__ = _arithmetic(int.__add__)
    __radd__ = _arithmetic(int.__radd__)
    __sub__ = _arithmetic(int.__sub__)
    __rsub__ = _arithmetic(int.__rsub__)
    __mul__ = _arithmetic(int.__mul__)
    __rmul__ = _arithmetic(int.__rmul__)
    __floordiv__ = _arithmetic(int.__floordiv__)
    __rfloordiv__ = _arithmetic(int.__rfloordiv__)
    __mod__ = _arithmetic(int.__mod__)
    __rmod__ = _arithmetic(int.__rmod__)
    __eq__ = _comparison(int.__eq__)
    __ne__ = _comparison(int.__ne__)
    __lt__ = _comparison(int.__lt__)
    __le__ = _comparison(int.__le__)
    __gt__ = _comparison(int.__gt__)
    __ge__ = _comparison(int.__ge__)

    def __neg__(self) -> Number:
        return Number(-int(self))

    def __abs__(self) -> Number:
        return Number(abs(int(self)))

    def __str__(self) -> str:
        return int.__repr__(self) if self.name is None else self.name


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
