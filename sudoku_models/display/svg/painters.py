"""The functions that draw each kind of rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...puzzle.rules.rule_base import Rule
from ...puzzle.rules.words import own
from .canvas import Canvas

Draw = Callable[[Canvas, Any, str], bool]
"""Draws a rule in a colour; returns False if it cannot be drawn and must be described in words."""
Function = TypeVar("Function", bound=Draw)

_DRAWINGS: dict[str, Draw] = {}


def draws(name: str) -> Callable[[Function], Function]:
    """Register a function under the name that rules give in ``drawing``, with the colour."""

    def enter(function: Function) -> Function:
        _DRAWINGS[name] = function
        return function

    return enter


def drawing_of(rule: Rule) -> tuple[Draw, str] | None:
    """Return the function that draws a rule, and its colour; None if there is none."""
    name, colour = own(rule, "drawing") or ("", "")
    return (_DRAWINGS[name], colour) if name in _DRAWINGS else None
