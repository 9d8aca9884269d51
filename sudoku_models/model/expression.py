"""Variables and the linear expressions that operators on them make.

``x + y <= 10`` is a Linear constraint, ``x != y`` a Compare, ``x == 5`` an InDomain. A constraint has no truth
value, so ``if x == y`` and ``x < y < z`` raise TypeError instead of meaning something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .domain import Domain, domain, integer

if TYPE_CHECKING:
    from .constraint import Constraint


class Arithmetic:
    """Operators shared by variables and linear expressions."""

    __hash__ = object.__hash__

    def _expression(self) -> Expression:
        raise NotImplementedError

    def __add__(self, other: Operand) -> Expression:
        return _combine(self, 1, other, 1)

    def __radd__(self, other: Operand) -> Expression:
        return _combine(other, 1, self, 1)

    def __sub__(self, other: Operand) -> Expression:
        return _combine(self, 1, other, -1)

    def __rsub__(self, other: Operand) -> Expression:
        return _combine(other, 1, self, -1)

    def __mul__(self, factor: int) -> Expression:
        return self._expression().scaled(integer(factor))

    __rmul__ = __mul__

    def __neg__(self) -> Expression:
        return self._expression().scaled(-1)

    def __eq__(self, other: object) -> Constraint:  # type: ignore[override]
        return _compare(self, "==", other)

    def __ne__(self, other: object) -> Constraint:  # type: ignore[override]
        return _compare(self, "!=", other)

    def __le__(self, other: Operand) -> Constraint:
        return _compare(self, "<=", other)

    def __lt__(self, other: Operand) -> Constraint:
        return _compare(self, "<", other)

    def __ge__(self, other: Operand) -> Constraint:
        return _compare(self, ">=", other)

    def __gt__(self, other: Operand) -> Constraint:
        return _compare(self, ">", other)


class Variable(Arithmetic):
    """A named integer variable with a finite domain. Immutable; ``==`` makes a constraint, so compare by ``name``."""

    __slots__ = ("domain", "name")
    name: str
    domain: Domain

    def __init__(self, name: str, values: Iterable[int]) -> None:
        """Make a variable; ValueError when the name is empty or holds a control character."""
        if not isinstance(name, str) or not name or not name.isprintable():
            raise ValueError(f"{name!r} is no name for a variable: a printable, non-empty text is expected")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "domain", domain(values))

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a variable is immutable: {attribute} cannot be set")

    def __reduce__(self) -> tuple[type[Variable], tuple[str, Domain]]:
        return Variable, (self.name, self.domain)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Variable({self.name!r}, {self.domain!r})"

    def _expression(self) -> Expression:
        return Expression({self.name: 1}, 0)


def variables(names: Iterable[str], values: Iterable[int]) -> list[Variable]:
    """Make variables that share one domain, which is validated once."""
    shared = domain(values)
    made = [Variable(name, ()) for name in names]
    for variable in made:
        object.__setattr__(variable, "domain", shared)
    return made


class Expression(Arithmetic):
    """A linear expression: ``terms`` maps variable names to coefficients (never 0), plus ``constant``."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: dict[str, int], constant: int) -> None:
        self.terms = {name: factor for name, factor in terms.items() if factor}
        self.constant = constant

    def _expression(self) -> Expression:
        return self

    def scaled(self, factor: int) -> Expression:
        """Return the expression times ``factor``."""
        return Expression({name: factor * c for name, c in self.terms.items()}, factor * self.constant)

    def __repr__(self) -> str:
        return " + ".join([f"{c}*{name}" for name, c in self.terms.items()] + [str(self.constant)])


Operand = Arithmetic | int
VariableLike = Variable | str


def name_of(variable: VariableLike) -> str:
    """Return the name of a variable given as itself or by name; TypeError for anything else."""
    if isinstance(variable, Variable):
        return variable.name
    if isinstance(variable, str):
        return variable
    raise TypeError(f"{variable!r} is neither a variable nor the name of one")


def names_of(variables: Iterable[VariableLike]) -> tuple[str, ...]:
    """Return the names of variables given as themselves or by name."""
    if isinstance(variables, str):
        raise TypeError(f"a sequence of variables is expected, not the text {variables!r}")
    if not isinstance(variables, Iterable):
        raise TypeError(f"a sequence of variables is expected, not {variables!r}")
    return tuple(map(name_of, variables))


def expression(operand: Operand) -> Expression:
    """Return a variable, an expression or an integer as an expression."""
    if isinstance(operand, Arithmetic):
        return operand._expression()
    return Expression({}, integer(operand))


def _combine(a: Operand, factor_a: int, b: Operand, factor_b: int) -> Expression:
    left, right = expression(a), expression(b)
    terms = {name: factor_a * c for name, c in left.terms.items()}
    for name, c in right.terms.items():
        terms[name] = terms.get(name, 0) + factor_b * c
    return Expression(terms, factor_a * left.constant + factor_b * right.constant)


def _compare(left: Arithmetic, op: str, right: object) -> Constraint:
    from .constraint import Compare, InDomain, Linear

    if isinstance(right, str):
        raise TypeError(f"{left!r} is not the text {right!r}: in mappings a variable stands by its name")
    if not isinstance(right, Arithmetic):
        right = integer(right)
    difference = _combine(left, 1, right, -1)
    terms, bound = difference.terms, -difference.constant
    if op == "==" and list(terms.values()) == [1]:
        return InDomain(next(iter(terms)), (bound,))
    if sorted(terms.values()) == [-1, 1]:
        positive, negative = sorted(terms, key=lambda name: -terms[name])
        return Compare(positive, op, negative, bound)
    return Linear(tuple(terms.values()), tuple(terms), op, bound)
