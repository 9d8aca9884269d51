"""The declarative language: variables with finite domains, core constraints, expressions, models."""

from .brute_force import brute_force
from .connected import Connected
from .constraint import OPERATORS, AllDifferent, Compare, Constraint, InDomain, Linear, Table
from .counting_constraints import Count, Element, LexLess, MinMax, MultisetEqual, NValue
from .domain import Domain, domain, domain_text
from .expression import Expression, Variable, VariableLike, name_of, names_of, variables
from .givens import Givens
from .houses import Houses, Square, houses_of, square_of
from .known_numbers import Fact, Number
from .logic import And, Implies, Not, Or
from .model import Judge, Model, Objective, PartJudge, narrowed_domains
from .model_text import TextError
from .regular import Automaton, Regular
from .terms import Array, all_different, count_of, element, maximum, minimum

__all__ = [
    "OPERATORS",
    "AllDifferent",
    "And",
    "Array",
    "Automaton",
    "Compare",
    "Connected",
    "Constraint",
    "Count",
    "Domain",
    "Element",
    "Expression",
    "Fact",
    "Givens",
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
    "Number",
    "Objective",
    "Or",
    "PartJudge",
    "Regular",
    "Square",
    "Table",
    "TextError",
    "Variable",
    "VariableLike",
    "all_different",
    "brute_force",
    "count_of",
    "domain",
    "domain_text",
    "element",
    "houses_of",
    "maximum",
    "minimum",
    "name_of",
    "names_of",
    "narrowed_domains",
    "square_of",
    "variables",
]
