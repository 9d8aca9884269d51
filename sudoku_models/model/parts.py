"""Makes parts of an expression separate variables if a comparison or an objective needs them.

``abs(x - y)`` becomes a variable that is defined by a constraint, so that a sum of many such parts is one Linear
instead of a table of all combinations. A variable's name is derived from its meaning, so equal parts share a variable.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from hashlib import sha256
from itertools import product
from math import prod

from .constraint import Constraint, InDomain, Linear, Table
from .counting_constraints import Count, Element, MinMax
from .domain import Domain
from .expression import Expression, Variable, relation_of
from .logic import And, Implies, Not, Or
from .terms import MOST_ROWS, CountTerm, ElementTerm, Extreme, Term, TruthTerm, _Parted

FEW_ROWS = 2_000
"""A term with more combinations of values than this is defined through variables for its operands."""
MOST_VALUES = 100_000
"""The largest number of values of a variable made here."""


class Parts:
    """The variables made so far, by name, each with the constraints that define it."""

    def __init__(self) -> None:
        self.made: dict[str, Variable] = {}
        self.defined: dict[str, list[Constraint]] = {}

    def beside(self, known: Container[str], stated: Iterable[Constraint]) -> tuple[list[Variable], list[Constraint]]:
        """Return the variables and the constraints that define them, without those that a model has already."""
        made = [variable for name, variable in self.made.items() if name not in known]
        there = set(stated)
        return made, [c for listed in self.defined.values() for c in listed if c not in there]

    def resolved(self, constraint: Constraint) -> Constraint:
        """Return a constraint with large comparisons, even inside logic, replaced by linear sums of variables."""
        if not constraint.parted:
            return constraint
        if isinstance(constraint, _Parted):
            return relation_of(self.linear(constraint.difference), constraint.op)
        if isinstance(constraint, Not):
            return Not(self.resolved(constraint.part))
        if isinstance(constraint, Implies):
            return Implies(self.resolved(constraint.condition), self.resolved(constraint.result))
        assert isinstance(constraint, Or | And)
        return type(constraint)(map(self.resolved, constraint.parts))

    def linear(self, found: Expression) -> Expression:
        """Return an expression with each nonlinear term replaced by a variable."""
        whole = Expression(found.terms, found.constant, found.domains)
        for term, factor in found.parts:
            whole = whole + (self.variable(term) * factor if factor else 0)
        return whole

    def variable(self, term: Term) -> Variable:
        """Return the variable of a term. Raises ValueError if the term needs too large a table."""
        name = _name(term.text if term.text.isidentifier() else "truth", repr(term))
        if name in self.made:
            return self.made[name]
        if isinstance(term, TruthTerm):
            return self._truth(name, term)
        if isinstance(term, Extreme | CountTerm):
            return self._listed(name, term)
        if isinstance(term, ElementTerm) and _combinations(term.domains.values()) > FEW_ROWS:
            return self._looked_up(name, term)
        return self._tabled(name, term)

    def _truth(self, name: str, term: TruthTerm) -> Variable:
        constraint = self.resolved(term.constraint)
        made = self._made(name, (0, 1))
        holds = made == 1
        self.defined[name] = [Implies(constraint, holds), Implies(holds, constraint)]
        return made

    def _listed(self, name: str, term: Extreme | CountTerm) -> Variable:
        """Return the variable of a minimum, maximum or count, which has its own kind of constraint."""
        xs = [self._single(operand) for operand in term.operands]
        if isinstance(term, CountTerm):
            made = self._made(name, range(len(xs) + 1))
            self.defined[name] = [Count(xs, sorted(term.wanted), "==", made)]
            return made
        made = self._made(name, {value for x in xs for value in x.domain})
        self.defined[name] = [MinMax(xs, lo=made) if term.text == "minimum" else MinMax(xs, hi=made)]
        return made

    def _looked_up(self, name: str, term: ElementTerm) -> Variable:
        """Return the variable of a member of a list; 0 for an index beyond its ends, as in ``_tabled``."""
        *xs, index = map(self._single, term.operands)
        beyond = [value for value in index.domain if not 0 <= value < len(xs)]
        made = self._made(name, {value for x in xs for value in x.domain} | ({0} if beyond else set()))
        found: Constraint = Element(xs, index, made)
        if beyond:
            found = Or(found, And(InDomain(index, beyond), InDomain(made, (0,))))
        self.defined[name] = [found]
        return made

    def _tabled(self, name: str, term: Term) -> Variable:
        """Return the variable of a term as the last column of a table, over fewer variables if there are too many.

        It is 0 where the term has no value: whoever states the term excludes that with its ``conditions``.
        """
        if _combinations(term.domains.values()) > FEW_ROWS:
            xs = [self._single(operand) for operand in term.operands]
            term = Term(term.text, xs, term.meaning)
        if _combinations(term.domains.values()) > MOST_ROWS:
            raise ValueError(
                f"{term!r:.80} has {_combinations(term.domains.values()):,} combinations of values, and at most "
                f"{MOST_ROWS:,} are tried: make the domains of its variables smaller"
            )
        names, rows = tuple(term.domains), []
        for row in product(*term.domains.values()):
            rows.append((*row, term.value(dict(zip(names, row, strict=True))) or 0))
        made = self._made(name, {row[-1] for row in rows})
        self.defined[name] = [Table((*names, made.name), rows)]
        return made

    def _single(self, operand: Expression) -> Variable:
        found = self.linear(operand)
        if not found.constant and list(found.terms.values()) == [1]:
            name = next(iter(found.terms))
            return Variable(name, found.domains[name])
        name = _name("sum", repr(found))
        if name in self.made:
            return self.made[name]
        ends = [(c * found.domains[x][0], c * found.domains[x][-1]) for x, c in found.terms.items()]
        low = found.constant + sum(map(min, ends))
        high = found.constant + sum(map(max, ends))
        if high - low >= MOST_VALUES:
            raise ValueError(f"{found!r:.80} has values from {low} to {high}: at most {MOST_VALUES:,} are expected")
        made = self._made(name, range(low, high + 1))
        self.defined[name] = [Linear((*found.terms.values(), -1), (*found.terms, name), "==", -found.constant)]
        return made

    def _made(self, name: str, values: Iterable[int]) -> Variable:
        return self.made.setdefault(name, Variable(name, values))


def _combinations(domains: Iterable[Domain]) -> int:
    return prod(map(len, domains))


def _name(kind: str, text: str) -> str:
    return f"{kind}_{sha256(text.encode()).hexdigest()[:10]}"
