"""Packages that only parts of a comparison need: those of the extras ``data`` and ``plot``."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def needed(module: str, extra: str) -> Any:
    """Import a module; ImportError, with the command that installs it, if it is missing."""
    check(module, extra)
    return import_module(module)


def check(module: str, extra: str) -> None:
    """Raise ImportError, with the command that installs it, if a package is missing."""
    package = module.partition(".")[0]
    if find_spec(package) is None:
        command = f"python -m pip install 'sudoku-models[{extra}]'"
        raise ImportError(f"{package} is not installed: {command}", name=package)
