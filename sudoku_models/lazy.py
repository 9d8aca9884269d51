"""Names of a package that are imported on first use, so that nothing is loaded without need."""

from __future__ import annotations

import sys
from collections.abc import Mapping
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
