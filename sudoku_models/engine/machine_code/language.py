"""The language of kernels: a small subset of Python that runs as it is and is also compiled to machine code.

A function marked as a kernel takes integers and arrays and returns a number. Integers have 64 bits. It may contain
assignments, ``if``, ``while``, ``for ... in range(...)`` and calls of other kernels and of the functions below, and
nothing else; ``compiler`` raises an error for anything more. So every kernel is also plain Python: tests run both
forms, the plain one on arrays that raise an error for an index out of range.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TypeVar

Ints = MutableSequence[int]
Floats = MutableSequence[float]
Function = TypeVar("Function", bound=Callable[..., float])


class Kernels(dict[str, Callable[..., float]]):
    """The kernels of one library by name, in the order of definition."""

    def mark(self, function: Function) -> Function:
        """Mark a function as a kernel of this library."""
        assert function.__name__ not in self, f"two kernels are called {function.__name__}"
        self[function.__name__] = function
        return function


def ones(mask: int) -> int:
    """Return the number of set bits."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """Return the index of the lowest set bit; 64 if there is none."""
    return (mask & -mask).bit_length() - 1 if mask else 64


def highest(mask: int) -> int:
    """Return the index of the highest set bit; -1 if there is none."""
    return mask.bit_length() - 1
