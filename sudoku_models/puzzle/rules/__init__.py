"""The rules of variants, one file for each family; see ``Rule`` to define your own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...lazy import imported

if TYPE_CHECKING:
    from .allowed_values import Half, OneOf, OnlyValues, Parity
    from .areas import ConnectedValues, DutchFlatmates, GlobalEntropy, GlobalMod
    from .board import DIAGONAL, ORTHOGONAL, Board, Filled, Group, leaps
    from .cages import CompareSums, DigitalRoot, EqualityCage, FrameSum, KillerCage, RellikCage, SumOneOf, WeightedSum
    from .chaos import ChaosArrow, ChaosConstruction, ChaosCount
    from .chess import AntiKing, AntiKnight, AntiTaxicab, DiagonalNonConsecutive, Knightmare, Leaper, Taxicab
    from .composed import AllOf, AnyOf
    from .condition import Condition
    from .doppelganger import Doppelganger
    from .dots import (
        XV,
        Difference,
        Greater,
        Maximum,
        Minimum,
        NonConsecutive,
        Ratio,
        StrictKropki,
        StrictRatio,
        StrictXV,
    )
    from .extra import ExtraCells
    from .indexing import BoxIndexer, ColumnIndexer, RowIndexer, ValueIndexing
    from .lines import (
        AlternatingParity,
        Between,
        Entropic,
        EqualParity,
        Lockout,
        Modular,
        Nabner,
        Palindrome,
        Progression,
        Renban,
        Rossini,
        SlowThermo,
        Thermo,
        Whisper,
    )
    from .machines import Machine, MachineLine
    from .outside_clues import HiddenSkyscraper, LittleKiller, Lunchbox, NumberedRoom, Sandwich, Skyscraper, XSum
    from .rank import FullRank, NoRankTies
    from .regions import (
        Black,
        Diagonal,
        DisjointGroups,
        ExtraRegion,
        RegionSameValues,
        SubGrid,
        Unused,
        Windoku,
        asterisk,
        centre_dots,
        girandola,
    )
    from .relations import Line, Pair, Regex, Relation
    from .rule_base import CellsRule, Rule, each, rule
    from .sums import Arrow, DoubleArrow, EqualSums, PillArrow, RegionSumLine, SumLine, Vudoku, Zipper
    from .value_counts import (
        Clone,
        ContainAtLeast,
        ContainExact,
        CountDistinct,
        CountingCircles,
        LookAndSay,
        Quadruple,
        SameValues,
    )
    from .whole_grid import Balance, Calculation, NumberPath, Singles

_FAMILIES = {
    "areas": "ConnectedValues DutchFlatmates GlobalEntropy GlobalMod",
    "rule_base": "CellsRule Rule each rule",
    "composed": "AllOf AnyOf",
    "board": "DIAGONAL ORTHOGONAL Board Filled Group leaps",
    "cages": "CompareSums DigitalRoot EqualityCage FrameSum KillerCage RellikCage SumOneOf WeightedSum",
    "allowed_values": "Half OneOf OnlyValues Parity",
    "chaos": "ChaosArrow ChaosConstruction ChaosCount",
    "chess": "AntiKing AntiKnight AntiTaxicab DiagonalNonConsecutive Knightmare Leaper Taxicab",
    "value_counts": "Clone ContainAtLeast ContainExact CountDistinct CountingCircles LookAndSay Quadruple SameValues",
    "doppelganger": "Doppelganger",
    "dots": "XV Difference Greater Maximum Minimum NonConsecutive Ratio StrictKropki StrictRatio StrictXV",
    "extra": "ExtraCells",
    "whole_grid": "Balance Calculation NumberPath Singles",
    "indexing": "BoxIndexer ColumnIndexer RowIndexer ValueIndexing",
    "lines": (
        "AlternatingParity Between Entropic EqualParity Lockout Modular Nabner Palindrome "
        "Progression Renban Rossini SlowThermo Thermo Whisper"
    ),
    "machines": "Machine MachineLine",
    "outside_clues": "HiddenSkyscraper LittleKiller Lunchbox NumberedRoom Sandwich Skyscraper XSum",
    "rank": "FullRank NoRankTies",
    "regions": (
        "Black Diagonal DisjointGroups ExtraRegion RegionSameValues SubGrid Unused Windoku "
        "asterisk centre_dots girandola"
    ),
    "relations": "Line Pair Regex Relation",
    "condition": "Condition",
    "sums": "Arrow DoubleArrow EqualSums PillArrow RegionSumLine SumLine Vudoku Zipper",
}
_HOMES = {name: family for family, names in _FAMILIES.items() for name in names.split()}

__all__ = [
    "DIAGONAL",
    "ORTHOGONAL",
    "XV",
    "AllOf",
    "AlternatingParity",
    "AntiKing",
    "AntiKnight",
    "AntiTaxicab",
    "AnyOf",
    "Arrow",
    "Balance",
    "Between",
    "Black",
    "Board",
    "BoxIndexer",
    "Calculation",
    "CellsRule",
    "ChaosArrow",
    "ChaosConstruction",
    "ChaosCount",
    "Clone",
    "ColumnIndexer",
    "CompareSums",
    "Condition",
    "ConnectedValues",
    "ContainAtLeast",
    "ContainExact",
    "CountDistinct",
    "CountingCircles",
    "Diagonal",
    "DiagonalNonConsecutive",
    "Difference",
    "DigitalRoot",
    "DisjointGroups",
    "Doppelganger",
    "DoubleArrow",
    "DutchFlatmates",
    "Entropic",
    "EqualParity",
    "EqualSums",
    "EqualityCage",
    "ExtraCells",
    "ExtraRegion",
    "Filled",
    "FrameSum",
    "FullRank",
    "GlobalEntropy",
    "GlobalMod",
    "Greater",
    "Group",
    "Half",
    "HiddenSkyscraper",
    "KillerCage",
    "Knightmare",
    "Leaper",
    "Line",
    "LittleKiller",
    "Lockout",
    "LookAndSay",
    "Lunchbox",
    "Machine",
    "MachineLine",
    "Maximum",
    "Minimum",
    "Modular",
    "Nabner",
    "NoRankTies",
    "NonConsecutive",
    "NumberPath",
    "NumberedRoom",
    "OneOf",
    "OnlyValues",
    "Pair",
    "Palindrome",
    "Parity",
    "PillArrow",
    "Progression",
    "Quadruple",
    "Ratio",
    "Regex",
    "RegionSameValues",
    "RegionSumLine",
    "Relation",
    "RellikCage",
    "Renban",
    "Rossini",
    "RowIndexer",
    "Rule",
    "SameValues",
    "Sandwich",
    "Singles",
    "Skyscraper",
    "SlowThermo",
    "StrictKropki",
    "StrictRatio",
    "StrictXV",
    "SubGrid",
    "SumLine",
    "SumOneOf",
    "Taxicab",
    "Thermo",
    "Unused",
    "ValueIndexing",
    "Vudoku",
    "WeightedSum",
    "Whisper",
    "Windoku",
    "XSum",
    "Zipper",
    "asterisk",
    "centre_dots",
    "each",
    "girandola",
    "known_rules",
    "leaps",
    "rule",
]


def known_rules() -> dict[str, type[Rule]]:
    """Return every kind of rule by name, in order: the package's own, which are all imported, and those of others.

    If two have the same name, the one from outside the package is returned.
    """
    for family in _FAMILIES:
        import_module(f".{family}", __name__)
    from .rule_base import Rule

    return dict(sorted(Rule.kinds.items()))


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import the family of a rule on first use, so that puzzles without rules and engine processes load none."""
        return imported(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
