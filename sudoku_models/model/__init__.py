"""The declarative language: variables with finite domains, core constraints, expressions, models."""

from .brute_force import brute_force
from .constraint import OPERATORS, AllDifferent, Compare, Constraint, InDomain, Linear, Table
from .domain import Domain, domain, domain_text
from .expression import Expression, Variable, VariableLike, name_of, names_of, variables
from .houses import Houses, Square, houses_of, square_of
from .model import Model, Objective, narrowed_domains
from .text import TextError

__all__ = [
    "OPERATORS",
    "AllDifferent",
    "Compare",
    "Constraint",
    "Domain",
    "Expression",
    "Houses",
    "InDomain",
    "Linear",
    "Model",
    "Objective",
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
