"""The declarative language: variables with finite domains, core constraints, expressions, models."""

from .combined import ConstraintLike
from .constraint import OPERATORS, AllDifferent, Compare, Constraint, InDomain, Linear, Table
from .counting_constraints import Connected, Count, Element, LexLess, MinMax, MultisetEqual, NValue
from .domain import Domain, Givens, domain, domain_text
from .expression import Boolean, Expression, Variable, VariableLike, booleans, name_of, names_of, variables
from .global_constraints import Circuit, Cumulative, GlobalCardinality, Inverse, LexLessWhere, NoOverlap, NoSubsetSum
from .houses import Houses, Square, houses_of, square_of
from .known_numbers import Fact, Number
from .logic import And, Implies, Not, Or
from .model import Judge, Model, Objective, PartJudge, brute_force, constraints_of, narrowed_domains
from .model_text import TextError
from .regular import Automaton, Regular
from .terms import Array, all_different, count_of, element, maximum, minimum

__all__ = [
    "OPERATORS",
    "AllDifferent",
    "And",
    "Array",
    "Automaton",
    "Boolean",
    "Circuit",
    "Compare",
    "Connected",
    "Constraint",
    "ConstraintLike",
    "Count",
    "Cumulative",
    "Domain",
    "Element",
    "Expression",
    "Fact",
    "Givens",
    "GlobalCardinality",
    "Houses",
    "Implies",
    "InDomain",
    "Inverse",
    "Judge",
    "LexLess",
    "LexLessWhere",
    "Linear",
    "MinMax",
    "Model",
    "MultisetEqual",
    "NValue",
    "NoOverlap",
    "NoSubsetSum",
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
    "booleans",
    "brute_force",
    "constraints_of",
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
