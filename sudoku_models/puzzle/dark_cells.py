"""The cells of a board that rules mark as unused, or as black with a value."""

from __future__ import annotations

from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rules.rule_base import Rule
    from .shape import Shape

DarkCells = tuple[frozenset[int], frozenset[int]]


def dark_cells(shape: Shape, rules: tuple[Rule, ...]) -> DarkCells:
    """Return the cells of the grid, by number, that rules mark as unused, and those that are black with a value."""
    from .rules.composed import AllOf
    from .rules.regions import Black, Unused

    if any(map(isinstance, rules, repeat((AllOf, Black, Unused)))):
        return _marked(shape, rules)
    return frozenset(), frozenset()


@lru_cache(maxsize=64)
def _marked(shape: Shape, rules: tuple[Rule, ...]) -> DarkCells:
    from .rules.composed import flat
    from .rules.regions import Black, Unused

    listed = list(flat(rules))
    found = ({x for rule in listed if isinstance(rule, kind) for x in rule.scope} for kind in (Unused, Black))
    unused, black = (frozenset(shape.places[x] for x in names if x in shape.places) for names in found)
    return unused, black - unused
