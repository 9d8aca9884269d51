"""The parameters of a function under ``@rule``: with or without the board, and cells as a list or one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

EXPECTED = "lambda board, cells: ..., lambda cells: ... or, a parameter a cell, lambda a, b: ... is expected"
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Signature:
    """How to call a function: with or without the board first, and with the cells in one list (``listed``) or singly.

    ``names`` are the parameters for cells, of which ``fewest`` to ``most`` (None: unlimited) are passed.
    """

    name: str
    board: bool
    listed: bool
    names: tuple[str, ...]
    fewest: int
    most: int | None

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Signature:
        """Read a function's signature; raise TypeError if a rule cannot call it."""
        name = getattr(function, "__name__", repr(function))
        given = list(signature(function).parameters.values())
        for one in given:
            if one.kind is one.VAR_KEYWORD or (one.kind is one.KEYWORD_ONLY and one.default is one.empty):
                raise TypeError(
                    f"{name}: a rule's function is called with positional arguments, but {one} is "
                    f"not positional: {EXPECTED}"
                )
        spread = any(one.kind is one.VAR_POSITIONAL for one in given)
        taken = [one for one in given if one.kind in _BY_POSITION]
        board = bool(taken) and _is_board(taken, spread)
        cells = taken[board:]
        if not cells and not spread:
            raise TypeError(f"{name}: a rule's function must take cells, but this one takes none: {EXPECTED}")
        fewest = sum(one.default is one.empty for one in cells)
        names = tuple(one.name for one in cells)
        return cls(name, board, len(cells) == 1 and not spread, names, fewest, None if spread else len(cells))

    def check(self, cells: Sequence[object]) -> None:
        """Raise ValueError if the function does not take this number of cells."""
        if self.listed or self.fewest <= len(cells) <= (len(cells) if self.most is None else self.most):
            return
        listed = ", ".join(self.names)
        raise ValueError(f"{len(cells)} cells: one for each parameter is expected ({listed})")

    def arguments(self, board: object, cells: Sequence[object]) -> list[object]:
        """Return the arguments for the function."""
        return [*([board] if self.board else []), *([cells] if self.listed else cells)]


def _is_board(taken: Sequence[Parameter], spread: bool) -> bool:
    """Return whether the first parameter is the board: by its name or type, or if the only other is ``cells``."""
    first = taken[0]
    if first.name == "board" or getattr(first.annotation, "__name__", first.annotation) == "Board":
        return True
    return len(taken) == 2 and not spread and (first.name.startswith("_") or taken[1].name == "cells")
