"""The commands by name, in the order of the help. The module of a command is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from .codes import Code
from .endings import guarded
from .groups import grouped, with_verbose

HOMES = {
    "solve": "answering",
    "count": "answering",
    "candidates": "answering",
    "validate": "answering",
    "explain": "explaining",
    "hint": "explaining",
    "path": "explaining",
    "rate": "explaining",
    "compare": "compare",
    "convert": "converting",
    "export": "converting",
    "plan": "converting",
    "merge": "answering",
    "backends": "backends",
    "inspect": "inspect",
    "page": "page",
    "certify": "certificates",
    "check": "certificates",
    "generate": "making",
    "grids": "making",
    "statistics": "making",
    "dataset": "making",
    "jigsaw": "making",
    "augment": "making",
    "verify": "making",
    "complete": "reducing",
    "minimise": "reducing",
    "redundant": "reducing",
    "unavoidable": "reducing",
    "clues-needed": "reducing",
    "search": "reducing",
    "canonical": "reducing",
    "automorphisms": "reducing",
    "same": "reducing",
    "morph": "reducing",
    "traces": "reducing",
}
"""The module that declares each command, as a function of its name."""


def command(name: str) -> Callable[..., Code]:
    """Return a command as a function whose keywords are its declared options; the function raises nothing."""
    declared = getattr(import_module(f".{HOMES[name]}", __package__), name.replace("-", "_"))
    return guarded(with_verbose(grouped(declared)))
