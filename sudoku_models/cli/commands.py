"""The commands by name. The module of a command is loaded when the command is needed."""

from __future__ import annotations

from importlib import import_module

from .parser import Command

GROUPS = ("Solve", "Why", "Make", "Prove", "Compare", "Files")
"""The groups of the help, in its order."""

MODULES = {
    "solve": ("solve", "count", "candidates", "validate"),
    "why": ("explain", "hint", "path", "rate"),
    "generate": ("generate", "grids", "jigsaw", "statistics", "dataset", "set"),
    "boards": (
        *("complete", "minimise", "redundant", "unavoidable", "clues-needed", "search", "traces"),
        *("canonical", "automorphisms", "same", "morph", "augment", "verify"),
    ),
    "certify": ("certify", "check"),
    "compare": ("compare",),
    "backends": ("backends", "plan"),
    "files": ("convert", "export", "inspect", "page", "merge"),
}
"""The modules in which commands stand, in the order of the help."""

HOMES = {name: module for module, names in MODULES.items() for name in names}


def command(name: str) -> Command:
    there = vars(import_module(f".{HOMES[name]}", __package__)).values()
    return next(one for one in there if isinstance(one, Command) and one.name == name)
