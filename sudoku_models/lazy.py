"""Names of a package that are imported when they are first asked for, so that nobody loads what he does not use."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def imported(package: str, homes: Mapping[str, str], name: str) -> Any:
    """Return what a package offers under a name, from the module that is its home; kept there for the next time.

    For the ``__getattr__`` of a package. AttributeError for another name.
    """
    there = sys.modules[package]
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=there)
    found = getattr(import_module(f".{homes[name]}", package), name)
    setattr(there, name, found)
    return found
