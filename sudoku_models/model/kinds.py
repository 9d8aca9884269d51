"""The core kinds of constraint in one namespace, for code that uses most of them: ``kinds.Table``, ``kinds.Or``."""

from .connected import Connected
from .constraint import AllDifferent, Compare, InDomain, Linear, Table
from .counting_constraints import Count, Element, LexLess, MinMax, MultisetEqual, NValue
from .logic import And, Implies, Not, Or
from .regular import Regular

__all__ = [
    "AllDifferent",
    "And",
    "Compare",
    "Connected",
    "Count",
    "Element",
    "Implies",
    "InDomain",
    "LexLess",
    "Linear",
    "MinMax",
    "MultisetEqual",
    "NValue",
    "Not",
    "Or",
    "Regular",
    "Table",
]
