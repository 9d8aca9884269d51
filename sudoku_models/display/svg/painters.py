"""Which function draws which kind of rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...puzzle.rules import Rule
from .canvas import Canvas

Draw = Callable[[Canvas, Any, str], bool]
"""Draws a rule in a colour; False when this one cannot be drawn and has to be put into words."""
Function = TypeVar("Function", bound=Draw)

_DRAWN: dict[str, tuple[Draw, str]] = {}


def draws(*kinds: type[Rule], colour: str = "") -> Callable[[Function], Function]:
    """Enter a function as the one that draws these kinds, in that colour ("": the next one of the palette)."""

    def enter(function: Function) -> Function:
        for kind in kinds:
            _DRAWN[kind.__name__] = (function, colour)
        return function

    return enter


def drawing_of(rule: Rule) -> tuple[Draw, str] | None:
    """Return the function that draws a rule, and its colour; None when there is none."""
    found = _DRAWN.get(type(rule).__name__)
    return found if found is not None and Rule.kinds.get(type(rule).__name__) is type(rule) else None
