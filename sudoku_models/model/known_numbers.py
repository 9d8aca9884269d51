"""Numbers that behave like variables, to evaluate a function over variables on known values.

A function that makes constraints with operators, ``lambda a, b: a * b == 12``, gives a ``Fact`` on numbers. This does
not involve the constraint, so it is an independent check of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _operator(of: Callable[[int, Any], Any], *, truth: bool = False) -> Any:
    """Return an operator of int with a Number as its result, or with a Fact."""

    def computed(self: int, other: Any) -> Any:
        found = of(self, other)
        return found if found is NotImplemented else Fact(found) if truth else Number(found)

    return computed


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

    __add__ = _operator(int.__add__)
    __radd__ = _operator(int.__radd__)
    __sub__ = _operator(int.__sub__)
    __rsub__ = _operator(int.__rsub__)
    __mul__ = _operator(int.__mul__)
    __rmul__ = _operator(int.__rmul__)
    __floordiv__ = _operator(int.__floordiv__)
    __rfloordiv__ = _operator(int.__rfloordiv__)
    __mod__ = _operator(int.__mod__)
    __rmod__ = _operator(int.__rmod__)
    __eq__ = _operator(int.__eq__, truth=True)
    __ne__ = _operator(int.__ne__, truth=True)
    __lt__ = _operator(int.__lt__, truth=True)
    __le__ = _operator(int.__le__, truth=True)
    __gt__ = _operator(int.__gt__, truth=True)
    __ge__ = _operator(int.__ge__, truth=True)

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
