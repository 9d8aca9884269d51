"""The language of kernels: a small part of Python, which runs as it is and is compiled to machine code.

A function that is marked as a kernel takes whole numbers and arrays and returns a number. Whole numbers are of 64 bits.
Inside it there are assignments, ``if``, ``while``, ``for ... in range(...)``, calls of other kernels and of the
functions below, and nothing else; ``compiler`` raises what it does not take. So every kernel is its own twin in plain
Python: tests run both, and the plain one on arrays that refuse a place outside of them.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TypeVar

Ints = MutableSequence[int]
Floats = MutableSequence[float]
Function = TypeVar("Function", bound=Callable[..., float])


class Kernels(dict[str, Callable[..., float]]):
    """The kernels of one library by their names, in the order of definition."""

    def mark(self, function: Function) -> Function:
        """Mark a function as a kernel of this library."""
        assert function.__name__ not in self, f"two kernels are called {function.__name__}"
        self[function.__name__] = function
        return function


def ones(mask: int) -> int:
    """Return how many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """Return the number of the lowest bit that is set; 64 when there is none."""
    return (mask & -mask).bit_length() - 1 if mask else 64


def highest(mask: int) -> int:
    """Return the number of the highest bit that is set; -1 when there is none."""
    return mask.bit_length() - 1
