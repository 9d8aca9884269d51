"""What comments say of the names in a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

Found = list[tuple[int, ...]]
"""Solutions, values in the order of the model's names."""

_SAID = re.compile(r'(?P<name>"(?:[^"\\]|\\.)*"|[^\s"]+?)(?:=(?P<value>-?\d+))? is (?P<what>\S+)\Z')


def said(comments: Iterable[str]) -> list[tuple[str, str | None, str]]:
    """Return (name, value or None, what stands for it) for each comment that says so."""
    matches = filter(None, (_SAID.match(comment.strip()) for comment in comments))
    return [(_name(m["name"]), m["value"], m["what"]) for m in matches]


def _name(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


class Literals:
    """Which variable has which value when something is true, from comments ``R1C1=5 is x37``."""

    def __init__(self, comments: Iterable[str]) -> None:
        self.decided: dict[str, int] = {}
        self.values: dict[str, tuple[str, int]] = {}
        for name, value, what in said(comments):
            assert value is not None
            if what == "decided":
                self.decided[name] = int(value)
            else:
                self.values[what] = (name, int(value))

    def solution(self, true: Iterable[str], names: Iterable[str]) -> tuple[int, ...]:
        """Return the values of variables, given what is true; each must have exactly one."""
        chosen = [self.values[what] for what in true if what in self.values]
        values = {**self.decided, **dict(chosen)}
        assert len(chosen) + len(self.decided) == len(values)
        return tuple(values[name] for name in names)


def identifiers(comments: Iterable[str], names: Iterable[str]) -> Mapping[str, str]:
    """Return the identifier of each name: itself unless comments say otherwise."""
    found = {name: what for name, value, what in said(comments) if value is None}
    return {name: found.get(name, name) for name in names}
