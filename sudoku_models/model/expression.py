"""Variables, and the expressions that their operators make.

``x + y <= 10`` is a Linear constraint, ``x != y`` a Compare, ``x == 5`` an InDomain; what is not linear (``x * y``,
``abs(x - y)``, ``x % 2``) is a separate term (see ``terms``). A constraint has no truth value, so ``if x == y`` and
``x < y < z`` raise TypeError instead of meaning something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeAlias, cast, overload

from .combined import ADVICE, ConstraintLike, hint_on_truth, is_array
from .domain import Domain, domain, integer
from .known_numbers import Number

if TYPE_CHECKING:
    from .arrays import VariableArray
    from .constraint import Constraint
    from .terms import Term


def _by_term(function: str, turned: bool = False) -> Callable[[Any, Operand], Expression]:
    """Return an operator that makes a term by a function of ``terms``, with its operands exchanged if ``turned``."""

    def operator(self: Any, other: Operand) -> Expression:
        from . import terms

        if is_array(other):
            return NotImplemented  # type: ignore[no-any-return]
        left, right = (other, self) if turned else (self, other)
        return expression(getattr(terms, function)(left, right))

    return operator


def _comparison(op: str) -> Callable[[Any, Any], Constraint]:
    return lambda self, other: _compare(self, op, other)


class Arithmetic:
    """Operators shared by variables, terms and expressions."""

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

    def __neg__(self) -> Expression:
        return self._expression().scaled(-1)

    def __pos__(self) -> Expression:
        return self._expression()

    def __abs__(self) -> Expression:
        from .terms import absolute

        return absolute(self)._expression()

    __mul__ = __rmul__ = _by_term("times")
    __floordiv__, __rfloordiv__ = _by_term("quotient"), _by_term("quotient", turned=True)
    __mod__, __rmod__ = _by_term("remainder"), _by_term("remainder", turned=True)
    __pow__, __rpow__ = _by_term("power"), _by_term("power", turned=True)
    __eq__ = _comparison("==")  # type: ignore[assignment]
    __ne__ = _comparison("!=")  # type: ignore[assignment]
    __le__, __lt__ = _comparison("<="), _comparison("<")
    __ge__, __gt__ = _comparison(">="), _comparison(">")

    def __truediv__(self, other: object) -> Expression:
        raise TypeError("variables have whole values: write x // y for the quotient rounded down, or x == y * z")

    __rtruediv__ = __truediv__

    def _no_logic(self, other: object = None) -> Constraint:
        if is_array(other):
            return NotImplemented  # type: ignore[no-any-return]
        raise TypeError(f"{self!r} is not a constraint{hint_on_truth(self)}")

    if not TYPE_CHECKING:  # which refuses them without that
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _no_logic

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from .arrays import computed

        return computed(ufunc, method, inputs, options)

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} has no truth value: compare it, as in x == 1")


class Variable(Arithmetic):
    """A named integer variable with a finite domain. Immutable; ``==`` makes a constraint, so compare by ``name``."""

    __slots__ = ("domain", "name")
    name: str
    domain: Domain

    def __init__(self, name: str, values: Iterable[int]) -> None:
        """Make a variable; raise ValueError if the name is empty or contains a control character."""
        _named(self, name, domain(values))

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a variable is immutable: {attribute} cannot be set")

    def __reduce__(self) -> tuple[type[Variable], tuple[str, Domain]]:
        return Variable, (self.name, self.domain)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Variable({self.name!r}, {self.domain!r})"

    def _expression(self) -> Expression:
        return Expression({self.name: 1}, 0, {self.name: self.domain})


class Boolean(Variable, ConstraintLike):
    """A variable with the values 0 and 1 that is also the constraint that it is 1: ``~p``, ``p & q``, ``p.implies(q)``.

    In sums and comparisons it is a number: ``p + q <= 1``.
    """

    __and__, __or__, __xor__ = ConstraintLike.__and__, ConstraintLike.__or__, ConstraintLike.__xor__
    __rand__, __ror__, __rxor__, __invert__ = __and__, __or__, __xor__, ConstraintLike.__invert__

    def __init__(self, name: str) -> None:
        super().__init__(name, (0, 1))

    def __reduce__(self) -> tuple[Any, ...]:
        return Boolean, (self.name,)

    @property
    def _constraint(self) -> Constraint:
        return self == 1

    def __bool__(self) -> bool:
        raise TypeError(f"{self} has no truth value: it is a variable; {ADVICE}")


@overload
def variables(names: Iterable[str], values: Iterable[int]) -> list[Variable]: ...
@overload
def variables(names: Iterable[str], values: int, high: int) -> list[Variable]: ...
@overload
def variables(names: int | tuple[int, ...], values: int, high: int, name: str = "x") -> VariableArray: ...
@overload
def variables(names: int | tuple[int, ...], values: Iterable[int], *, name: str = "x") -> VariableArray: ...
def variables(
    names: Iterable[str] | int | tuple[int, ...],
    values: Iterable[int] | int,
    high: int | None = None,
    name: str = "x",
) -> list[Variable] | VariableArray:
    """Make variables that share a domain, which is validated once: a list of named ones, or an array.

    ``variables("abc", range(3))``; ``variables((9, 9), 1, 9)`` is an array with the values 1 to 9 and the names
    ``x_0_0`` to ``x_8_8``, ``variables((2, 2), [1, 3, 5])`` one with these values.
    """
    shape = _shape(names)
    if high is not None:
        values = range(integer(values, "the least value"), integer(high, "the greatest value") + 1)
    elif not isinstance(values, Iterable):
        raise TypeError(f"{values!r} is no domain: a collection of values, or the least and the greatest, is expected")
    shared = domain(values)

    def made(names: Iterable[str]) -> list[Variable]:
        return [_named(Variable.__new__(Variable), x, shared) for x in names]

    if shape is None:
        return made(cast("Iterable[str]", names))
    from .arrays import array_of

    return array_of(shape, name, made)


@overload
def booleans(names: int | tuple[int, ...], name: str = "p") -> VariableArray: ...
@overload
def booleans(names: Iterable[str]) -> list[Boolean]: ...
def booleans(names: Iterable[str] | int | tuple[int, ...], name: str = "p") -> list[Boolean] | VariableArray:
    """Make Boolean variables: a list of named ones, or an array: ``booleans("pq")``, ``booleans((3, 3))``."""
    shape = _shape(names)
    if shape is None:
        return list(map(Boolean, cast("Iterable[str]", names)))
    from .arrays import array_of

    return array_of(shape, name, lambda names: list(map(Boolean, names)))


def _shape(names: object) -> tuple[int, ...] | None:
    """Return the shape of an array that is given in place of names."""
    if isinstance(names, int) and not isinstance(names, bool):
        return (names,)
    return names if isinstance(names, tuple) and names and all(type(size) is int for size in names) else None


def _named(variable: Variable, name: str, values: Domain) -> Variable:
    if not isinstance(name, str) or not name or not name.isprintable():
        raise ValueError(f"{name!r} is not a valid name for a variable: a printable, non-empty text is expected")
    _set(variable, "name", name)
    _set(variable, "domain", values)
    return variable


_set = object.__setattr__


class Expression(Arithmetic):
    """A sum: ``terms`` maps variable names to coefficients (never 0); ``constant``; ``parts`` are other terms.

    ``parts`` are pairs of a nonlinear term and its coefficient, which is 0 only for terms that may have no value.
    ``domains`` are the domains of all variables.
    """

    __slots__ = ("constant", "domains", "parts", "terms")

    def __init__(
        self,
        terms: Mapping[str, int],
        constant: int,
        domains: Mapping[str, Domain] | None = None,
        parts: Iterable[tuple[Term, int]] = (),
    ) -> None:
        self.terms = {name: factor for name, factor in terms.items() if factor}
        self.constant = constant
        self.parts = tuple((term, factor) for term, factor in parts if factor or not term.total)
        used = self.terms.keys() | {name for term, _ in self.parts for name in term.domains}
        self.domains = {name: values for name, values in (domains or {}).items() if name in used}

    @property
    def fixed(self) -> bool:
        """Return whether the expression is a number."""
        return not self.terms and not self.parts

    def _expression(self) -> Expression:
        return self

    def scaled(self, factor: int) -> Expression:
        """Return the expression times ``factor``."""
        return _weighted([(self, factor)])

    def __repr__(self) -> str:
        terms = [f"{c}*{name}" for name, c in self.terms.items()] + [f"{c}*{term!r}" for term, c in self.parts]
        return " + ".join([*terms, str(self.constant)])


Operand: TypeAlias = "Arithmetic | int | Constraint"
"""An operand of arithmetic: a variable, a term, an expression or a number. A constraint counts as 1 or 0."""

VariableLike = Variable | str
_NAMES = frozenset([str])


def name_of(variable: VariableLike) -> str:
    """Return the name of a variable, given as an object or by name; raise TypeError for anything else."""
    if isinstance(variable, str):
        return variable
    if isinstance(variable, Variable):
        return variable.name
    if isinstance(variable, Number) and variable.name is not None:
        return variable.name
    raise TypeError(f"{variable!r} is neither a variable nor the name of a variable")


def names_of(variables: Iterable[VariableLike]) -> tuple[str, ...]:
    """Return the names of variables, given as objects or by name."""
    if type(variables) is not tuple:
        if isinstance(variables, str):
            raise TypeError(f"a sequence of variables is expected, not the text {variables!r}")
        if not isinstance(variables, Iterable):
            raise TypeError(f"a sequence of variables is expected, not {variables!r}")
        if getattr(variables, "ndim", 1) > 1:  # a block of an array
            variables = cast(Any, variables).ravel()
    found = tuple(variables)
    return found if _NAMES.issuperset(map(type, found)) else tuple(map(name_of, found))


def expression(operand: Operand) -> Expression:
    """Return a variable, a term, an expression or an integer as an expression; a constraint as its truth, 1 or 0."""
    if isinstance(operand, Arithmetic):
        return operand._expression()
    if isinstance(operand, int):
        return Expression({}, integer(operand))
    if is_array(operand):
        raise TypeError("an array is not one number: a cell of it, or a sum such as x.sum(), is expected")
    from .constraint import Constraint
    from .terms import truth_of

    return truth_of(operand)._expression() if isinstance(operand, Constraint) else Expression({}, integer(operand))


def total(operands: Iterable[Operand]) -> Expression:
    """Return the sum of many operands; adding them one by one would copy the sum each time."""
    return _weighted((expression(operand), 1) for operand in operands)


def _weighted(operands: Iterable[tuple[Expression, int]]) -> Expression:
    """Return the sum of expressions times their factors."""
    terms: dict[str, int] = {}
    domains: dict[str, Domain] = {}
    parts: list[tuple[Term, int]] = []
    constant = 0
    for operand, factor in operands:
        for name, c in operand.terms.items():
            terms[name] = terms.get(name, 0) + factor * c
        domains.update(operand.domains)
        constant += factor * operand.constant
        if operand.parts:
            parts += [(term, factor * c) for term, c in operand.parts]
    return Expression(terms, constant, domains, parts)


def _combine(a: Operand, factor_a: int, b: Operand, factor_b: int) -> Expression:
    if is_array(a) or is_array(b):
        return NotImplemented  # type: ignore[no-any-return]
    return _weighted(((expression(a), factor_a), (expression(b), factor_b)))


def _compare(left: Arithmetic, op: str, right: object) -> Constraint:
    if isinstance(right, str):
        raise TypeError(f"{left!r} is not the text {right!r}: use the variable's name as the key in mappings")
    difference = _combine(left, 1, right, -1)  # type: ignore[arg-type]
    if difference is NotImplemented:
        return NotImplemented  # type: ignore[no-any-return]
    found = relation_of(difference, op)
    vars(found).update(stated=difference.domains, **({"said": (difference, op)} if difference.parts else {}))
    return found


def relation_of(difference: Expression, op: str) -> Constraint:
    """Return the constraint ``difference op 0``."""
    from .constraint import Compare, InDomain, Linear

    if difference.parts:
        from .terms import relation

        return relation(difference, op)
    terms, bound = difference.terms, -difference.constant
    if op == "==" and list(terms.values()) == [1]:
        return InDomain(next(iter(terms)), (bound,))
    if sorted(terms.values()) == [-1, 1]:
        positive, negative = sorted(terms, key=lambda name: -terms[name])
        return Compare(positive, op, negative, bound)
    return Linear(tuple(terms.values()), tuple(terms), op, bound)


class StatedVariables(tuple[Variable, ...]):
    """The variables of a model, in order and with distinct names, which are checked only once.

    ``memo`` caches other objects derived from the variables alone; it is ignored by equality and pickling.
    """

    memo: dict[Any, Any]

    @classmethod
    def of(cls, variables: Iterable[Variable]) -> StatedVariables:
        """Return checked variables; raise TypeError for other objects, and ValueError for a repeated name."""
        if isinstance(variables, StatedVariables):
            return variables
        listed: Any = variables
        if getattr(listed, "ndim", 1) > 1:  # a board as an array
            listed = listed.ravel()
        found = cls(listed)
        found.memo = {}
        if not all(map(isinstance, found, repeat(Variable))):
            wrong = next(variable for variable in found if not isinstance(variable, Variable))
            raise TypeError(f"{wrong!r:.60} is not a variable: a list of variables is expected")
        if len(found.known) < len(found):
            twice = next(name for name, times in Counter(found.names).items() if times > 1)
            raise ValueError(f"the variable {twice} appears twice in the model")
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return StatedVariables.of, (tuple(self),)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple([v.name for v in self])

    @cached_property
    def known(self) -> frozenset[str]:
        """The names as a set."""
        return frozenset(self.names)

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def domains(self) -> dict[str, Domain]:
        return {v.name: v.domain for v in self}

    @cached_property
    def unlike(self) -> tuple[Domain, ...]:
        """The distinct domains."""
        return tuple(dict.fromkeys({id(v.domain): v.domain for v in self}.values()))

    @cached_property
    def values(self) -> int:
        """The total number of values in all domains."""
        return sum([len(v.domain) for v in self])
