"""Reads plain command lines without typer, which takes longer to load than most puzzles take to solve.

The results are the same as typer's. Everything else (help, a mistake, an option in another form, an argument that is
not a file) is left to typer, which reports what is wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args

from .codes import Code
from .declarations import Option, parts

FILES = "files"
"""The parameter that takes positional arguments."""

_NUMBER = re.compile(r"-?\d{1,18}\Z", re.ASCII)
_EXPANDED = frozenset("*?[]~$%")
"""Characters in words that typer expands to file names on Windows, where no shell does so."""


class _NotPlainError(Exception):
    """Raised for a command line that typer has to parse."""


def read(command: Callable[..., Code], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of a command's parameters; None if typer has to parse the words."""
    parameters = signature(command).parameters
    values: dict[str, Any] = {name: parameter.default for name, parameter in parameters.items()}
    try:
        values.update(_given(parameters, words))
    except (_NotPlainError, ValueError):
        return None
    return None if Parameter.empty in values.values() else values


def _given(parameters: Mapping[str, Parameter], words: Sequence[str]) -> dict[str, Any]:
    """Return the values given in the words, by parameter."""
    names = {flag: name for name, parameter in parameters.items() for flag in _flags(parameter.annotation)}
    found: dict[str, Any] = {}
    left = iter(words)
    for word in left:
        if os.name == "nt" and not _EXPANDED.isdisjoint(word):
            raise _NotPlainError
        if word == "-" or not word.startswith("-"):
            found.setdefault(FILES, []).append(word)
            continue
        flag, sign, text = word.partition("=") if word.startswith("--") else (word, "", "")
        if flag not in names:
            raise _NotPlainError
        found[names[flag]] = _value(parameters[names[flag]].annotation, text if sign else None, left)
    if not found.keys() <= parameters.keys():
        raise _NotPlainError
    return found


def _flags(hint: Any) -> Iterator[str]:
    """Yield the names of an option that is read here: one with a single value, or a flag without a negative form."""
    kind, declared = parts(hint)
    if isinstance(declared, Option) and _plain(kind) is not None and "/" not in "".join(declared.names):
        yield from declared.names


def _plain(kind: Any) -> type | None:
    """Return the type of a value, without None; None for a type that typer has to parse, such as a list."""
    kinds = [one for one in (get_args(kind) if isinstance(kind, UnionType) else (kind,)) if one is not NoneType]
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) else None


def _value(hint: Any, text: str | None, left: Iterator[str]) -> Any:
    """Return the value of an option: its ``text`` if joined to the option name, otherwise the next word."""
    annotated, declared = parts(hint)
    kind = _plain(annotated)
    if kind is bool:
        if text is not None:
            raise _NotPlainError
        return True
    text = next(left, "-") if text is None else text
    if text.startswith("-") or kind is None or declared is None:
        raise _NotPlainError
    parser = declared.how.get("parser")
    return parser(text) if parser else _of_kind(kind, text, declared.how.get("min"))


def _of_kind(kind: type, text: str, least: int | None) -> Any:
    if kind is int and _NUMBER.match(text) and (least is None or int(text) >= least):
        return int(text)
    if kind in (str, Path) or issubclass(kind, Enum):
        return kind(text)
    raise _NotPlainError
