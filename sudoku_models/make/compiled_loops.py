"""Compiled loops if numba is installed (extra ``fast``), otherwise the same loops in plain Python.

Both give the same bytes: random numbers are passed into a loop as an array, never drawn inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.kept_kernel import kept_kernel

Loop = Callable[..., Any]


def compiled(loop: Loop) -> Loop:
    """Return a function compiled by numba, with its machine code kept on disk; without numba, the function itself."""
    return _compiled(loop, nogil=True)


def inlined(loop: Loop) -> Loop:
    """Return a function that numba inlines into each function that calls it; both are in the same file.

    Code on disk is renewed when its own file changes: changes to parts in another file would go unnoticed.
    """
    return _compiled(loop, nogil=True, inline="always")


def _compiled(loop: Loop, **options: Any) -> Loop:
    try:
        return kept_kernel(loop, **options)
    except Exception:  # various errors: not installed, or incompatible with numpy
        return loop
