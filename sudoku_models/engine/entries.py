"""Read the entry points of installed packages from files: ``importlib.metadata`` takes longer to load than to read
them.

``importlib.metadata`` is still used for packages that are not in plain folders.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from importlib.machinery import PathFinder
from itertools import chain
from pathlib import Path
from typing import Any

_KINDS = (".dist-info", ".egg-info")


@dataclass(frozen=True)
class Registered:
    """A name that a package registers, and the object it refers to, as ``module:attribute``."""

    name: str
    value: str

    @property
    def package(self) -> str:
        """The top-level package of the object."""
        return self.value.partition(":")[0].partition(".")[0].strip()

    def load(self) -> Any:
        """Import the module and return the object; ImportError if that fails, AttributeError if it is missing."""
        module, _, attributes = self.value.partition("[")[0].strip().partition(":")
        return reduce(getattr, filter(None, attributes.strip().split(".")), import_module(module.strip()))


def entries_of(group: str) -> dict[str, Registered]:
    """Return the entries that the installed packages register in a group, by name."""
    return groups_under(group).get(group, {})


def groups_under(prefix: str) -> dict[str, dict[str, Registered]]:
    """Return the entries in all groups whose names start with a prefix, by group and by name."""
    texts = _texts(prefix) if _in_folders() else None
    found: dict[str, dict[str, Registered]] = {}
    for group, entry in _asked_of_metadata() if texts is None else chain.from_iterable(map(_listed, texts)):
        if group.startswith(prefix):
            found.setdefault(group, {})[entry.name] = entry
    return found


def _asked_of_metadata() -> Iterator[tuple[str, Registered]]:
    from importlib import metadata

    points = metadata.entry_points()
    for group in points.groups:
        yield from ((group, Registered(entry.name, entry.value)) for entry in points.select(group=group))


def _in_folders() -> bool:
    """Return whether all packages are found in folders on the path, and in no other way."""
    others = (finder for finder in sys.meta_path if finder is not PathFinder)
    return not any(hasattr(finder, "find_distributions") for finder in others)


def _texts(prefix: str) -> list[str] | None:
    """Return the files that name such a group, for each package the first on the path; None if one is not a folder."""
    found: dict[str, str] = {}
    for path in sys.path:
        try:
            folders = sorted(entry.path for entry in os.scandir(path or ".") if entry.name.endswith(_KINDS))
        except FileNotFoundError:
            continue
        except OSError:
            return None
        if path.endswith(".egg"):
            return None
        for folder in folders:
            package = Path(folder).stem.partition("-")[0].lower().replace("_", "-")
            if package not in found:
                found[package] = _text(folder)
    return [text for text in found.values() if f"[{prefix}" in text]


def _text(folder: str) -> str:
    try:
        return Path(folder, "entry_points.txt").read_text(encoding="utf-8")
    except OSError:
        return ""


def _listed(text: str) -> Iterator[tuple[str, Registered]]:
    """Yield the entries in such a file, each with its group."""
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield group, Registered(name.strip(), value.strip())
