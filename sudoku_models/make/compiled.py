"""Compiled loops where numba is installed (extra ``fast``), and the same loops in plain Python where it is not.

Both give the same bytes: chance comes into a loop as an array of random numbers, never from within.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.kept_kernel import kept_kernel

Loop = Callable[..., Any]


def compiled(loop: Loop) -> Loop:
    """Return a function compiled by numba, its machine code kept on disk; the function itself without numba."""
    return _compiled(loop, nogil=True)


def inlined(loop: Loop) -> Loop:
    """Return a function that numba compiles as a part of each function that calls it; they are in the same file.

    Code on disk is made anew when its own file changes: parts in another file would go unnoticed.
    """
    return _compiled(loop, nogil=True, inline="always")


def _compiled(loop: Loop, **options: Any) -> Loop:
    try:
        return kept_kernel(loop, **options)
    except Exception:  # of many kinds: not installed, or numba that does not fit numpy
        return loop
