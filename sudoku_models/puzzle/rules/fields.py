"""The fields of a rule, each validated and normalised when the rule is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, field
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...model.domain import integer

MOST_CELLS = 10_000
"""The length of the longest list of cells in one rule."""
LARGEST_NUMBER = 1_000_000_000
"""The largest absolute value of a number in a rule."""

Check = Callable[[Any], Any]
if TYPE_CHECKING:

    class Cells:
        """A field that takes names, or one text with names separated by blanks, and holds names."""

        def __get__(self, rule: object, kind: type | None = None) -> tuple[str, ...]: ...
        def __set__(self, rule: object, value: Any) -> None: ...

    class Segments:
        """A field that takes several of these, and holds lists of names."""

        def __get__(self, rule: object, kind: type | None = None) -> tuple[tuple[str, ...], ...]: ...
        def __set__(self, rule: object, value: Any) -> None: ...

else:
    Cells = tuple[str, ...]
    Segments = tuple[tuple[str, ...], ...]

_GRID_CELL = re.compile(r"[Rr]0*([1-9]\d{0,3})[Cc]0*([1-9]\d{0,3})\Z")
_TEXT = frozenset([str])
_EXTRA_CELL = re.compile(r"[A-Z]{1,40}(?:[1-9]\d{0,5})?\Z")


def stated(check: Check, default: Any = MISSING, **metadata: Any) -> Any:
    """Declare a field of a rule: ``check`` returns the normal form of a value, or raises ValueError."""
    return field(default=default, metadata={"check": check, **metadata})


def cells(least: int = 1, *, distinct: bool = False, default: Any = MISSING) -> Any:
    """Declare a field that lists cells: names, or one text with names separated by blanks."""
    return stated(lambda value: _cells(value, least, distinct), default, scope=tuple)


def path() -> Any:
    """Declare a field that lists the cells of a line, each once; repeating the first at the end closes the line."""
    return stated(_path, scope=tuple)


def cell() -> Any:
    """Declare a field that names one cell."""
    return stated(cell_name, scope=lambda value: (value,))


def segments(least: int = 1, default: Any = MISSING, *, shortest: int = 1) -> Any:
    """Declare a field of several lists of cells, each of at least ``shortest`` cells; at least one list has a cell."""
    return stated(lambda value: _segments(value, least, shortest), default, scope=chain.from_iterable)


Name = Callable[[Any], str]
"""The name of a rule with some value, as players say it."""


def number(
    low: int = -LARGEST_NUMBER,
    high: int = LARGEST_NUMBER,
    default: Any = MISSING,
    *,
    clue: bool = False,
    name: Name | None = None,
) -> Any:
    """Declare a field that holds an integer from ``low`` to ``high``.

    A number that must be stated is the rule's clue, which texts tell after its title; ``clue`` makes another one that.
    With ``name`` they tell the name that it gives to the rule instead of both.
    """
    return stated(lambda value: whole(value, low, high), default, clue=clue or default is MISSING, name=name)


def optional_number(
    low: int = -LARGEST_NUMBER, high: int = LARGEST_NUMBER, *, clue: bool = False, name: Name | None = None
) -> Any:
    """Declare a field that holds an integer or None; ``clue`` and ``name`` are as for ``number``."""
    return stated(lambda value: None if value is None else whole(value, low, high), None, clue=clue, name=name)


def numbers(least: int = 1, default: Any = MISSING) -> Any:
    """Declare a field that holds several integers, in order."""
    return stated(lambda value: _numbers(value, least), default, clue=default is MISSING)


def value_set(least: int = 1, default: Any = MISSING) -> Any:
    """Declare a field that holds a set of integers, as an ascending tuple."""
    return stated(lambda value: tuple(sorted(set(_numbers(value, least)))), default, clue=default is MISSING)


def flag(default: bool, yes: str = "", no: str = "", noun: str = "") -> Any:
    """Declare a field that is true or false; texts tell it by one of two words, if there are any.

    With a ``noun`` this word and the noun are the name of the rule: Low half.
    """
    name: Name | None = (lambda value: f"{(no, yes)[value].capitalize()} {noun}") if noun else None
    return stated(_flag, default, words=(no, yes), name=name)


def text(default: str = "") -> Any:
    """Declare a field of free text."""
    return stated(_text, default)


def choice(*choices: str, default: Any = MISSING) -> Any:
    """Declare a field that is one of some words."""
    return stated(lambda value: _choice(value, choices), default, clue=True)


def cell_name(value: object) -> str:
    """Return a cell's name in its normal form: R1C2, or an extra cell's name unchanged; raise ValueError otherwise."""
    found = _normal_name(value) if isinstance(value, str) else None
    if found is not None:
        return found
    raise ValueError(f"{_short(value)} is not the name of a cell: R1C1, or an extra cell such as VA1, is expected")


@lru_cache(maxsize=4096)
def _normal_name(text: str) -> str | None:
    """Return a cell's name in its normal form; None for other text."""
    match = _GRID_CELL.match(text)
    if match:
        return f"R{match[1]}C{match[2]}"
    return text if _EXTRA_CELL.match(text) else None


def whole(value: object, low: int = -LARGEST_NUMBER, high: int = LARGEST_NUMBER) -> int:
    """Return an integer from ``low`` to ``high``; raise ValueError for anything else."""
    if type(value) is int and low <= value <= high:
        return value
    try:
        found = integer(value)
    except TypeError:
        raise ValueError(f"{_short(value)} is not an integer") from None
    if not low <= found <= high:
        raise ValueError(f"{_short(found)} is out of range: {low} to {high} are possible")
    return found


def _listed(value: object, what: str) -> Sequence[Any]:
    if type(value) in (tuple, list) and len(value) <= MOST_CELLS:  # type: ignore[arg-type]
        return value  # type: ignore[return-value]
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ValueError(f"{_short(value)} is not a list of {what}")
    found = []
    for item in value:
        found.append(item)
        if len(found) > MOST_CELLS:
            raise ValueError(f"more than {MOST_CELLS} {what} in one list")
    return found


def _cells(value: object, least: int, distinct: bool) -> tuple[str, ...]:
    listed = _listed(value.replace(",", " ").split() if isinstance(value, str) else value, "cells")
    names: tuple[Any, ...] = tuple(map(_normal_name, listed)) if _TEXT.issuperset(map(type, listed)) else (None,)
    if None in names:
        names = tuple(map(cell_name, listed))
    if len(names) < least:
        raise ValueError(f"{len(names)} cells: at least {least} are expected")
    if distinct and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice} appears twice")
    return names


def _path(value: object) -> tuple[str, ...]:
    names = _cells(value, 1, False)
    closed = len(names) > 3 and names[0] == names[-1]
    _cells(names[:-1] if closed else names, 1, True)
    return names


def _segments(value: object, least: int, shortest: int) -> tuple[tuple[str, ...], ...]:
    found = tuple(_cells(part, shortest, False) for part in _listed(value, "segments"))
    if len(found) < least:
        raise ValueError(f"{len(found)} segments: at least {least} are expected")
    if found and not any(found):
        raise ValueError("no segment has a cell: at least one cell is expected")
    return found


def _numbers(value: object, least: int) -> tuple[int, ...]:
    found = tuple(whole(item) for item in _listed(value, "numbers"))
    if len(found) < least:
        raise ValueError(f"{len(found)} numbers: at least {least} are expected")
    return found


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{_short(value)} is neither True nor False")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_CELLS:
        raise ValueError(f"{_short(value)} is not a text of up to {MOST_CELLS} characters")
    return value


def _choice(value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(f"{_short(value)}: one of {', '.join(map(repr, choices))} is expected")
    return str(value)


def _short(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    found = repr(value)
    return found if len(found) <= 60 else found[:57] + "..."
