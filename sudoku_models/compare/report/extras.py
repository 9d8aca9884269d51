"""Packages that only parts of a report need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(module: str, extra: str) -> Any:
    """Import a module; ImportError, with the command that installs it, if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        command = f"python -m pip install 'sudoku-models[{extra}]'"
        raise ImportError(f"{module} is not installed: {command}", name=module) from error
