"""The functions that draw each kind of rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...puzzle.rules import Rule
from .canvas import Canvas

Draw = Callable[[Canvas, Any, str], bool]
"""Draws a rule in a colour; returns False if it cannot be drawn and must be described in words."""
Function = TypeVar("Function", bound=Draw)

_DRAWN: dict[str, tuple[Draw, str]] = {}


def draws(*kinds: type[Rule], colour: str = "") -> Callable[[Function], Function]:
    """Register a function that draws these kinds in a colour ("": the next colour of the palette)."""

    def enter(function: Function) -> Function:
        for kind in kinds:
            _DRAWN[kind.__name__] = (function, colour)
        return function

    return enter


def drawing_of(rule: Rule) -> tuple[Draw, str] | None:
    """Return the function that draws a rule, and its colour; None if there is none."""
    found = _DRAWN.get(type(rule).__name__)
    return found if found is not None and Rule.kinds.get(type(rule).__name__) is type(rule) else None
