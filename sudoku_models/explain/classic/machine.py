"""The kernels of classic boards as machine code, or as the plain Python that they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...engine.machine_code.language import Kernels

HERE = Path(__file__).parent
FILES = ("basics", "board", "sets", "singles", "trees", "size", "nesting", "direct", "wings", "techniques", "chains", "se")
ENTRIES = {
    "size_path": "mmimmmm",
    "se_path": "mmmimmmm",
    "fails_nested": "mmiimm",
    "mark_refuted": "mmiimm",
    "tree_size": "mmiiim",
}
"""Kernels that are called from outside, with their parameters: m is memory, i a number."""


def kernels() -> Kernels:
    """Import and return all kernels."""
    from . import basics, se, nesting, size  # noqa: F401

    return basics.KERNELS
