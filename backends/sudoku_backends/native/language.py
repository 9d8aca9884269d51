"""The language of the kernel: a small part of Python, which runs as it is and is compiled to machine code.

A function marked ``@kernel`` takes whole numbers and arrays and returns a number. Whole numbers are of 64 bits. Inside
it there are assignments, ``if``, ``while``, ``for ... in range(...)``, calls of other kernels and of the functions
below, and nothing else; ``compiler`` raises what it does not take. So every kernel is its own twin in plain Python:
tests run both, and the plain one on arrays that refuse a place outside of them.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TypeVar

Ints = MutableSequence[int]
Floats = MutableSequence[float]
Function = TypeVar("Function", bound=Callable[..., float])

KERNELS: dict[str, Callable[..., float]] = {}
"""Every kernel by its name, in the order of definition."""


def kernel(function: Function) -> Function:
    """Mark a function as part of the kernel."""
    assert function.__name__ not in KERNELS, f"two kernels are called {function.__name__}"
    KERNELS[function.__name__] = function
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
