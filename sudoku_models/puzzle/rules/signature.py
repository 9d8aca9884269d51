"""What a function under ``@rule`` takes: the board or not, and its cells as one list or each by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

EXPECTED = "lambda board, cells: ..., lambda cells: ... or, a parameter a cell, lambda a, b: ... is expected"
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Signature:
    """How a function is called: with the board first or not, the cells in one list (``listed``) or each by itself.

    ``names`` are the parameters for cells, of which ``fewest`` to ``most`` (None: any number) are given.
    """

    name: str
    board: bool
    listed: bool
    names: tuple[str, ...]
    fewest: int
    most: int | None

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Signature:
        """Read a function's signature; TypeError for one that a rule cannot call."""
        name = getattr(function, "__name__", repr(function))
        given = list(signature(function).parameters.values())
        for one in given:
            if one.kind is one.VAR_KEYWORD or (one.kind is one.KEYWORD_ONLY and one.default is one.empty):
                raise TypeError(f"{name}: a rule's function is called by position, and {one} is not: {EXPECTED}")
        spread = any(one.kind is one.VAR_POSITIONAL for one in given)
        taken = [one for one in given if one.kind in _BY_POSITION]
        board = bool(taken) and _is_board(taken, spread)
        cells = taken[board:]
        if not cells and not spread:
            raise TypeError(f"{name}: a rule's function takes cells, and this one takes none: {EXPECTED}")
        fewest = sum(one.default is one.empty for one in cells)
        names = tuple(one.name for one in cells)
        return cls(name, board, len(cells) == 1 and not spread, names, fewest, None if spread else len(cells))

    def check(self, cells: Sequence[object]) -> None:
        """Raise ValueError when the function does not take that many cells."""
        if self.listed or self.fewest <= len(cells) <= (len(cells) if self.most is None else self.most):
            return
        listed = ", ".join(self.names)
        raise ValueError(f"{len(cells)} cells: one for each parameter is expected ({listed})")

    def arguments(self, board: object, cells: Sequence[object]) -> list[object]:
        """Return what the function is called with."""
        return [*([board] if self.board else []), *([cells] if self.listed else cells)]


def _is_board(taken: Sequence[Parameter], spread: bool) -> bool:
    """Return whether the first parameter is the board: by its name or type, or if the only other is ``cells``."""
    first = taken[0]
    if first.name == "board" or getattr(first.annotation, "__name__", first.annotation) == "Board":
        return True
    return len(taken) == 2 and not spread and (first.name.startswith("_") or taken[1].name == "cells")
