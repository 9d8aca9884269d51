"""What is imported on first use, so that nothing is loaded without need: names of a package, modules, and hooks.

A hook is a function that a part of the library calls and that belongs to a part above it, which the lower one must not
import. ``sudoku_models`` registers the hooks when it is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any


def on_first_use(
    package: str, listed: Sequence[str], modules: Mapping[str, str], packages: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package whose names are imported when they are first used.

    ``listed`` are the names that it shows; ``modules`` has the names that each module defines, separated by blanks;
    ``packages`` are those within it that are imported so too.
    """
    inside = packages.split()
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def imported(name: str) -> Any:
        """Return the object with a name, and keep it in the package; AttributeError for an unknown name."""
        there = sys.modules[package]
        if name in inside:
            return import_module(f".{name}", package)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=there)
        found = getattr(import_module(f".{homes[name]}", package), name)
        setattr(there, name, found)
        return found

    return imported, lambda: sorted({*vars(sys.modules[package]), *listed, *inside})


class Loaded:
    """Another package's module, imported when one of its names is first used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        """Return what the module has under a name, and keep it."""
        found = getattr(import_module(self._module), name)
        setattr(self, name, found)
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
