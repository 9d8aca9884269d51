"""The rules of variants, one file for each family; see ``Rule`` to define your own."""
# ruff: noqa: F403  for type checkers; at run time names are imported on first use, by the table below

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...lazy import on_first_use

if TYPE_CHECKING:
    from .board import *
    from .cages import *
    from .chaos import *
    from .chess import *
    from .composed import *
    from .dots import *
    from .lines import *
    from .machines import *
    from .outside_clues import *
    from .regions import *
    from .relations import *
    from .rule_base import *
    from .rule_base import Rule
    from .single_cells import *
    from .stated import *
    from .sums import *
    from .value_counts import *
    from .whole_grid import *

_FAMILIES = {
    "rule_base": "CellsRule Rule each",
    "composed": "AllOf AnyOf",
    "board": "DIAGONAL ORTHOGONAL Board Filled Group leaps",
    "cages": "CompareSums DigitalRoot EqualityCage FrameSum KillerCage RellikCage SumOneOf WeightedSum",
    "chaos": "ChaosArrow ChaosConstruction ChaosCount",
    "chess": "AntiKing AntiKnight AntiTaxicab DiagonalNonConsecutive Knightmare Leaper Taxicab",
    "value_counts": "Clone ContainAtLeast ContainExact CountDistinct CountingCircles LookAndSay Quadruple SameValues",
    "dots": "XV Difference Greater Maximum Minimum NonConsecutive Ratio StrictKropki StrictRatio StrictXV",
    "whole_grid": (
        "Balance Calculation ConnectedValues Doppelganger DutchFlatmates GlobalEntropy GlobalMod NumberPath Singles"
    ),
    "single_cells": ("BoxIndexer ColumnIndexer ExtraCells Half OneOf OnlyValues Parity RowIndexer ValueIndexing"),
    "lines": (
        "AlternatingParity Between Entropic EqualParity Lockout Modular Nabner Palindrome "
        "Progression Renban Rossini SlowThermo Thermo Whisper"
    ),
    "machines": "Machine MachineLine",
    "outside_clues": (
        "FullRank HiddenSkyscraper LittleKiller Lunchbox NoRankTies NumberedRoom Sandwich Skyscraper XSum"
    ),
    "regions": (
        "Black Diagonal DisjointGroups ExtraRegion RegionSameValues SubGrid Unused Windoku "
        "asterisk centre_dots girandola"
    ),
    "relations": "Line Pair Regex Relation",
    "stated": "Condition rule",
    "sums": "Arrow DoubleArrow EqualSums PillArrow RegionSumLine SumLine Vudoku Zipper",
}
_HOMES = {name: family for family, names in _FAMILIES.items() for name in names.split()}

__all__ = ["known_rules"]
__all__ += _HOMES

# puzzles without rules and the processes of engines load none
_imported, __dir__ = on_first_use(__name__, __all__, _FAMILIES)
if not TYPE_CHECKING:
    __getattr__ = _imported


def known_rule(name: str) -> type[Rule] | None:
    """Return the kind of rule with a name, as ``known_rules`` has it; only its own family is imported."""
    if name in _HOMES:
        _imported(name)
    from .rule_base import Rule

    return Rule.kinds.get(name)


def loaded(name: str) -> Any:
    """Return a kind of rule of this package for ``isinstance``: (), of which nothing is one, before it is imported."""
    return getattr(sys.modules.get(f"{__name__}.{_HOMES.get(name)}"), name, ())


def known_rules() -> dict[str, type[Rule]]:
    """Return every kind of rule by name, in order: the package's own, which are all imported, and those of others.

    If two have the same name, the one from outside the package is returned.
    """
    for family in _FAMILIES:
        import_module(f".{family}", __name__)
    from .rule_base import Rule

    return dict(sorted(Rule.kinds.items()))
