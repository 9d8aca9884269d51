"""Names that a format allows, for the names of a model, which may be any printable text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")


class Names(dict[str, str]):
    """Maps each name to an identifier: itself if it is valid and not reserved, otherwise ``v`` and a number.

    Identifiers are distinct: a letter, then letters, digits and ``_``, at most 64 characters.
    """

    def __init__(self, names: Iterable[str], reserved: Collection[str] = ()) -> None:
        wanted = list(dict.fromkeys(names))
        kept = {name for name in wanted if _PLAIN.match(name) and name not in reserved}
        super().__init__()
        number = 0
        for name in wanted:
            if name not in kept:
                number += 1
                while f"v{number}" in kept:
                    number += 1
            self[name] = name if name in kept else f"v{number}"

    @property
    def renamed(self) -> Mapping[str, str]:
        """The names that had to be replaced, with their identifiers."""
        return {name: identifier for name, identifier in self.items() if name != identifier}

    def remarks(self) -> list[str]:
        """Return a line for each identifier that differs from its name."""
        return [f"{quoted(name)} is {identifier}" for name, identifier in self.renamed.items()]


def quoted(name: str) -> str:
    """Write a name for a comment: as it is, or as a JSON string if it contains other than plain characters."""
    return name if re.fullmatch(r"[A-Za-z0-9_.]+", name) else json.dumps(name)
