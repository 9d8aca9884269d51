"""What is imported on first use, so that nothing is loaded without need: names of a package, and hooks.

A hook is a function that a part of the library calls and that belongs to a part above it, which the lower one must not
import. ``sudoku_models`` registers the hooks when it is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any


def imported(package: str, homes: Mapping[str, str], name: str) -> Any:
    """Return the object with a name from the module that defines it, and keep it in the package.

    For the ``__getattr__`` of a package. AttributeError for an unknown name.
    """
    there = sys.modules[package]
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=there)
    found = getattr(import_module(f".{homes[name]}", package), name)
    setattr(there, name, found)
    return found


_HOOKS: dict[str, str] = {}


def register(hooks: Mapping[str, str]) -> None:
    """Register hooks: for each name the module and the name of a function, as in ``sudoku_models.formats:parse``."""
    _HOOKS.update(hooks)


@cache
def hook(name: str) -> Any:
    """Return the function that is registered under a name."""
    module, _, function = _HOOKS[name].partition(":")
    return getattr(import_module(module), function)
