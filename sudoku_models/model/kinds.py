"""The core kinds of constraint in one namespace, for code that uses most of them: ``kinds.Table``, ``kinds.Or``."""

from .constraint import AllDifferent, Compare, InDomain, Linear, Table
from .counting_constraints import Connected, Count, Element, LexLess, MinMax, MultisetEqual, NValue
from .global_constraints import Circuit, Cumulative, GlobalCardinality, Inverse, LexLessWhere, NoOverlap, NoSubsetSum
from .logic import And, Implies, Not, Or
from .regular import Regular

__all__ = [
    "AllDifferent",
    "And",
    "Circuit",
    "Compare",
    "Connected",
    "Count",
    "Cumulative",
    "Element",
    "GlobalCardinality",
    "Implies",
    "InDomain",
    "Inverse",
    "LexLess",
    "LexLessWhere",
    "Linear",
    "MinMax",
    "MultisetEqual",
    "NValue",
    "NoOverlap",
    "NoSubsetSum",
    "Not",
    "Or",
    "Regular",
    "Table",
]
