"""The declarative language: variables with finite domains, core constraints, expressions, models."""

from .brute_force import brute_force
from .connected import Connected
from .constraint import OPERATORS, AllDifferent, Compare, Constraint, InDomain, Linear, Table
from .counting import Count, Element, LexLess, MinMax, MultisetEqual, NValue
from .domain import Domain, domain, domain_text
from .expression import Expression, Variable, VariableLike, name_of, names_of, variables
from .houses import Houses, Square, houses_of, square_of
from .logic import And, Implies, Not, Or
from .model import Judge, Model, Objective, narrowed_domains
from .regular import Automaton, Regular
from .text import TextError

__all__ = [
    "OPERATORS",
    "AllDifferent",
    "And",
    "Automaton",
    "Compare",
    "Connected",
    "Constraint",
    "Count",
    "Domain",
    "Element",
    "Expression",
    "Houses",
    "Implies",
    "InDomain",
    "Judge",
    "LexLess",
    "Linear",
    "MinMax",
    "Model",
    "MultisetEqual",
    "NValue",
    "Not",
    "Objective",
    "Or",
    "Regular",
    "Square",
    "Table",
    "TextError",
    "Variable",
    "VariableLike",
    "brute_force",
    "domain",
    "domain_text",
    "houses_of",
    "name_of",
    "names_of",
    "narrowed_domains",
    "square_of",
    "variables",
]
