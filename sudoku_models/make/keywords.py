"""Parse keyword arguments of the verbs: shapes, bands, numbers; an error says what is expected."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from ..puzzle import Shape


def shape_or_nine(shape: Shape | None) -> Shape:
    """Return a shape, the classic one for None; TypeError for anything else."""
    if shape is not None and not isinstance(shape, Shape):
        raise TypeError(f"the shape {shape!r}: a Shape such as Shape.square(9) or Shape.latin(7) is expected")
    return shape or Shape.square(9)


def band(name: str, value: Any, whole: bool = True) -> tuple[Any, Any]:
    """Return the two ends of a band, given as one number or two, the lower one first; ValueError for anything else."""
    ends = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(ends) != 2 or not all(isinstance(end, Integral if whole else Real) for end in ends):
        wanted = "a whole number" if whole else "a number"
        raise ValueError(f"{name}={value!r}: {wanted} is expected, or two of them, the lower one first")
    return ends[0], ends[1]


def names(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return a sequence of names; a text is a single name."""
    return (value,) if isinstance(value, str) else tuple(value)


def refuse_negative(n: int, tries: int | None, time_limit: float | None, workers: int = 1) -> None:
    """Raise ValueError for a number of puzzles or a limit below 0, and for less than one worker."""
    if workers < 1:
        raise ValueError(f"workers={workers}: 1 or more is expected")
    for name, value in (("n", n), ("tries", tries), ("time_limit", time_limit)):
        if value is not None and value < 0:
            raise ValueError(f"{name}={value}: 0 or more is expected")
