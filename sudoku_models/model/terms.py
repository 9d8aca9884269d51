"""Nonlinear terms: absolute values, products, quotients, minimum and maximum, truth as 0 and 1.

A term is part of an expression, like a variable. A comparison of expressions with such parts is a single constraint of
an existing kind: MinMax, Count or Element if it fits, otherwise a Table of the combinations that satisfy it, computed
when it is stated.

A term may have no value: ``x // y`` where y is 0, a list beyond its ends. A comparison with such a term in it, however
deep, does not hold there; this is the relational meaning (Frisch and Stuckey, The proper treatment of undefinedness in
constraint languages, 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
from operator import or_
from typing import Any, cast

from .constraint import OPERATORS, AllDifferent, Constraint, Table
from .counting_constraints import Count, Element, MinMax
from .domain import Domain, integer
from .expression import Arithmetic, Expression, Operand, expression, relation_of
from .known_numbers import Fact, Number
from .logic import And, Or

MOST_ROWS = 1_000_000
"""The largest number of combinations of values that are tried for one comparison."""

Meaning = Callable[[Sequence[int]], int | None]
"""A function from the values of the operands to the value of a term; None if undefined, such as a division by 0."""


class Term(Arithmetic):
    """A function of expressions: the ``operands``, and a function of their values."""

    __slots__ = ("domains", "meaning", "needs", "operands", "text")

    def __init__(self, text: str, operands: Iterable[Operand], meaning: Meaning, needs: str = "") -> None:
        """Make a term; ``needs`` is the relation to 0 that its second operand must have, so that it has a value."""
        self.text, self.meaning, self.needs = text, meaning, needs
        self.operands = tuple(map(expression, operands))
        self.domains = _domains(self.operands)

    def _expression(self) -> Expression:
        return Expression({}, 0, self.domains, ((self, 1),))

    def value(self, values: Mapping[str, int]) -> int | None:
        """Return the value of the term; None if it is undefined."""
        found = [value_of(operand, values) for operand in self.operands]
        known = [value for value in found if value is not None]
        return self.meaning(known) if len(known) == len(found) else None

    def conditions(self) -> Iterator[Constraint]:
        """Yield constraints that all hold exactly where the term has a value; none if it always has one."""
        for operand in self.operands:
            yield from conditions(operand)
        if self.needs:
            yield from _unless_sure(self.operands[1], self.needs)

    @property
    def total(self) -> bool:
        """Whether the term has a value for all values of its variables."""
        return next(self.conditions(), None) is None

    def direct(self, op: str, other: str | int) -> Constraint | None:
        """Return ``term op other`` as a constraint of a special kind, if there is one."""
        return None

    def __repr__(self) -> str:
        return f"{self.text}({', '.join(map(repr, self.operands))})"


class Extreme(Term):
    """The minimum or maximum of some expressions."""

    def direct(self, op: str, other: str | int) -> Constraint | None:
        """Return a MinMax for ``==`` over variables."""
        xs = _plain(self.operands)
        if op != "==" or xs is None:
            return None
        return MinMax(xs, lo=other) if self.text == "minimum" else MinMax(xs, hi=other)


class CountTerm(Term):
    """The number of some variables that have certain values."""

    def __init__(self, xs: Iterable[Operand], values: Iterable[int]) -> None:
        wanted = frozenset(map(integer, values))
        super().__init__("count", xs, lambda found: sum(value in wanted for value in found))
        self.wanted = wanted

    def direct(self, op: str, other: str | int) -> Constraint | None:
        """Return a Count over variables."""
        xs = _plain(self.operands)
        return None if xs is None else Count(xs, sorted(self.wanted), op, other)


class ElementTerm(Term):
    """The expression at an index (from 0) of a list; undefined outside the list."""

    def __init__(self, xs: Sequence[Operand], index: Operand) -> None:
        last = len(xs) - 1
        super().__init__("element", [*xs, index], lambda found: found[found[-1]] if 0 <= found[-1] <= last else None)

    def conditions(self) -> Iterator[Constraint]:
        """Yield also that the index is in the list, unless its values show that."""
        yield from super().conditions()
        *xs, index = self.operands
        yield from _unless_sure(index, ">=")
        yield from _unless_sure(index - len(xs), "<")

    def direct(self, op: str, other: str | int) -> Constraint | None:
        """Return an Element for ``==`` over variables."""
        names = _plain(self.operands)
        return None if op != "==" or names is None else Element(names[:-1], names[-1], other)


class TruthTerm(Term):
    """1 if a constraint holds, otherwise 0."""

    def __init__(self, constraint: Constraint, domains: Mapping[str, Domain]) -> None:
        super().__init__(str(constraint), (), lambda _: None)
        self.constraint, self.domains = constraint, dict(domains)

    def value(self, values: Mapping[str, int]) -> int:
        return int(self.constraint.holds(values))


class Array(tuple[Any, ...]):
    """A list of variables or expressions that a variable may index: ``Array(xs)[y] == z``, from 0."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """Return the member at an index, the Array of a slice, or a term for a variable or expression as index."""
        if isinstance(index, Arithmetic | Number):
            return element(self, index)
        found = super().__getitem__(index)
        return Array(found) if isinstance(index, slice) else found

    def __contains__(self, member: object) -> bool:
        """Return whether a variable, as an object or by name, or this same expression object is a member."""
        name = member if isinstance(member, str) else getattr(member, "name", None)
        return any(x is member or (name is not None and getattr(x, "name", None) == name) for x in self)


def minimum(*xs: Operand | Iterable[Operand]) -> Term:
    """Return the minimum of some variables, expressions and numbers."""
    return _worked_out(Extreme("minimum", operands := _flat(xs), min), operands)


def maximum(*xs: Operand | Iterable[Operand]) -> Term:
    """Return the maximum of some variables, expressions and numbers."""
    return _worked_out(Extreme("maximum", operands := _flat(xs), max), operands)


def count_of(xs: Iterable[Operand], *values: Operand) -> Term | Expression:
    """Return the number of some variables or expressions that have one of the values, which may also be variables."""
    listed = _flat([xs])
    if any(isinstance(value, Arithmetic) for value in values):
        equal = [[cast(Any, x) == value for value in values] for x in listed]
        found = cast(Expression, sum(reduce(or_, found) for found in equal))
        return found + sum(expression(x).scaled(0) for x in (*listed, *values))  # no value where one of these has none
    known = [int(value) if isinstance(value, Number) else cast(int, value) for value in values]
    return _worked_out(CountTerm(listed, known), listed)


def element(xs: Sequence[Operand], index: Operand) -> Term:
    """Return the expression at an index (from 0) of a list; a comparison with it is false outside the list."""
    return _worked_out(ElementTerm(xs, index), [*xs, index])


def all_different(*xs: Operand | Iterable[Operand]) -> Constraint:
    """Return the constraint that some variables or expressions are pairwise different."""
    if _numbers(listed := _flat(xs)):
        return cast(Constraint, Fact(len(set(map(int, cast("list[int]", listed)))) == len(listed)))
    operands = [expression(x) for x in listed]
    names = _plain(operands)
    if names is not None:
        found: Constraint = AllDifferent(names)
    else:
        alone = conditions(operands[0]) if len(operands) == 1 else ()
        found = And([a != b for k, a in enumerate(operands) for b in operands[:k]], alone)
    object.__setattr__(found, "stated", _domains(operands))
    return found


def absolute(x: Operand) -> Term:
    """Return the absolute value of an expression."""
    return Term("abs", [x], lambda found: abs(found[0]))


def times(x: Operand, y: Operand) -> Term | Expression:
    """Return the product of two expressions."""
    left, right = expression(x), expression(y)
    if left.fixed or right.fixed:
        return left.scaled(right.constant) if right.fixed else right.scaled(left.constant)
    return Term("product", [left, right], prod)


def quotient(x: Operand, y: Operand) -> Term:
    """Return ``x // y``, rounded down as in Python; undefined if ``y`` is 0."""
    return Term("quotient", [x, y], lambda found: found[0] // found[1] if found[1] else None, needs="!=")


def power(x: Operand, y: Operand) -> Term:
    """Return ``x ** y``; undefined if ``y`` is below 0. ValueError if ``y`` may be above 64, for very large numbers."""
    exponent = expression(y)
    most = exponent.constant + sum(max(c * v for v in exponent.domains[x]) for x, c in exponent.terms.items())
    if exponent.parts or most > 64:
        raise ValueError(f"the exponent {y!r}: variables and numbers up to 64 are expected")
    return Term("power", [x, y], lambda found: found[0] ** found[1] if found[1] >= 0 else None, needs=">=")


def remainder(x: Operand, y: Operand) -> Term:
    """Return ``x % y``, with the sign of ``y`` as in Python; undefined if ``y`` is 0."""
    return Term("remainder", [x, y], lambda found: found[0] % found[1] if found[1] else None, needs="!=")


def truth_of(constraint: Constraint) -> TruthTerm:
    """Return 1 if a constraint holds, otherwise 0; raise TypeError if the domains of its variables are not known.

    They are known if operators on variables made the constraint.
    """
    known = _known(constraint)
    unknown = next((x for x in constraint.scope if x not in known), None)
    if unknown is not None:
        raise TypeError(f"{constraint}: the domain of {unknown} is not known here; state the constraint with operators")
    return TruthTerm(constraint, known)


def _known(constraint: Constraint) -> dict[str, Domain]:
    """Return the domains that operators recorded in a constraint and its parts."""
    found = dict(constraint.stated)
    for value in tuple(vars(constraint).values()):
        parts = value if isinstance(value, tuple) else (value,)
        if parts and isinstance(parts[0], Constraint):  # the rows of a table may be very many
            for part in parts:
                found |= _known(part)
    return found


def value_of(found: Expression, values: Mapping[str, int]) -> int | None:
    """Return the value of an expression; None if one of its terms is undefined."""
    total = found.constant + sum(c * values[name] for name, c in found.terms.items())
    for term, factor in found.parts:
        value = term.value(values)
        if value is None:
            return None
        total += factor * value
    return total


def relation(difference: Expression, op: str) -> Constraint:
    """Return the constraint ``difference op 0`` for an expression with nonlinear terms."""
    found = _direct(difference, op)
    found = _each(difference, op) if found is None else found
    return _table(difference, op) if found is None else found


def _each(difference: Expression, op: str) -> Constraint | None:
    """Return the constraint that all operands of the only term, an Extreme, satisfy the relation, or that one does."""
    term, factor = difference.parts[0]
    if len(difference.parts) > 1 or op in ("==", "!=") or not isinstance(term, Extreme) or not factor:
        return None
    rest = Expression(difference.terms, difference.constant, difference.domains)
    sides = [operand.scaled(factor) + rest for operand in term.operands]
    greatest = (term.text == "maximum") == (factor > 0)
    kind, other = (And, Or) if greatest == (op in ("<", "<=")) else (Or, And)
    known = [OPERATORS[op](side.constant, 0) for side in sides if side.fixed]
    if (kind is And and not all(known)) or (kind is Or and any(known)):
        found = other()
    else:
        found = kind(OPERATORS[op](side, 0) for side in sides if not side.fixed)
    needed = list(term.conditions()) if kind is Or else []  # one operand is enough, but all need a value
    return And(found, needed) if needed else found


class _Parted(Constraint):
    """A comparison with too many combinations for a table. A Model or a rule makes its parts separate variables.

    No model contains it, so it has no text form and no engine receives it.
    """

    parted = True
    difference: Expression
    op: str

    def __init__(self, difference: Expression, op: str) -> None:
        vars(self).update(difference=difference, op=op)

    def variables(self) -> Iterable[str]:
        return tuple(self.difference.domains)

    def holds(self, values: Mapping[str, int]) -> bool:
        value = value_of(self.difference, values)
        return value is not None and bool(OPERATORS[self.op](value, 0))

    def __str__(self) -> str:
        return f"{self.difference!r} {self.op} 0"


def conditions(found: Expression) -> Iterator[Constraint]:
    """Yield constraints that all hold exactly where an expression has a value; none if it always has one."""
    for term, _ in found.parts:
        yield from term.conditions()


def _unless_sure(found: Expression, op: str) -> Iterator[Constraint]:
    """Yield ``found op 0``, for an operator other than ``==``, unless the domains show that it holds."""
    if found.parts:
        yield relation_of(found, op)
        return
    domains = [[c * v for v in found.domains[x]] or [0] for x, c in found.terms.items()]
    low, high = (found.constant + sum(map(end, domains)) for end in (min, max))
    sure = all(OPERATORS[op](end, 0) for end in (low, high)) and (op != "!=" or (low < 0) == (high < 0))
    if not sure and not (len(domains) == 1 and op == "!=" and -found.constant not in domains[0]):
        yield relation_of(found, op)


def _direct(difference: Expression, op: str) -> Constraint | None:
    """Return a constraint of the only term's special kind: ``term op number`` or ``term op variable``."""
    if len(difference.parts) != 1:
        return None
    term, factor = difference.parts[0]
    if factor not in (1, -1):
        return None
    op = op if factor == 1 else FLIPPED[op]
    terms = {name: c * factor for name, c in difference.terms.items()}
    if not terms:
        return term.direct(op, -difference.constant * factor)
    if list(terms.values()) == [-1] and not difference.constant:
        return term.direct(op, next(iter(terms)))
    return None


FLIPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The relations after negating both sides."""


def _table(difference: Expression, op: str) -> Constraint:
    """Return the table of all combinations that satisfy ``difference op 0``; a _Parted if there are too many."""
    names = tuple(difference.domains)
    if prod(len(difference.domains[name]) for name in names) > MOST_ROWS:
        needed = list(conditions(difference))
        return And(_Parted(difference, op), needed) if needed else _Parted(difference, op)
    relation = OPERATORS[op]
    found = []
    for row in product(*(difference.domains[name] for name in names)):
        value = value_of(difference, dict(zip(names, row, strict=True)))
        if value is not None and relation(value, 0):
            found.append(row)
    return Table(names, found)


def _flat(xs: Iterable[Operand | Iterable[Operand]]) -> list[Operand]:
    found: list[Operand] = []
    for x in xs:
        if isinstance(x, Arithmetic | Constraint | str) or not hasattr(x, "__iter__"):
            found.append(x)
        else:
            found += _flat(cast("Iterable[Any]", x))
    return found


def _numbers(operands: Sequence[Operand]) -> bool:
    return any(isinstance(x, Number) for x in operands) and all(isinstance(x, int) for x in operands)


def _worked_out(term: Term, operands: Sequence[Operand]) -> Term:
    """Return a term over numbers as a Number, so that further results are Numbers too."""
    value = term.value({}) if _numbers(operands) else None
    return term if value is None else cast(Term, Number(value))


def _plain(operands: Iterable[Expression]) -> list[str] | None:
    """Return the names if all operands are variables."""
    names: list[str] = []
    for operand in operands:
        if operand.parts or operand.constant or list(operand.terms.values()) != [1]:
            return None
        names += operand.terms
    return names


def _domains(operands: Iterable[Expression]) -> dict[str, Domain]:
    return {name: values for operand in operands for name, values in operand.domains.items()}
