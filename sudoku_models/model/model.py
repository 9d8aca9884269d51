"""A model: variables, core constraints and at most one linear objective; always frozen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, product, repeat
from math import prod
from operator import attrgetter, methodcaller
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from ..dataclass import dataclass
from .combined import ConstraintLike, hint_on_truth
from .constraint import Compare, Constraint, Domains, Linear, Values
from .domain import Domain, domain, fields_only, integer, integers
from .expression import Operand, StatedVariables, Variable, VariableLike, expression, name_of, names_of
from .logic import StatedConstraints, listed
from .model_text import model_text, parse_model

if TYPE_CHECKING:
    from pathlib import Path

    from .parts import Parts

PAIRS = 40
"""So many pairs of values of a Compare count as much, in the size of a model, as one value."""

TOO_DEEP = "its constraints (And, Or, Not, Implies) are nested too deeply; a hundred levels always work"
"""Why a model is refused whose constraints lie within each other in more levels than Python's stack allows."""

_PARTED, _VARIABLES = attrgetter("parted"), methodcaller("variables")


@dataclass(frozen=True)
class Objective:
    """Minimise or maximise ``sum(coeffs[i] * xs[i]) + constant``; ``sense`` is "minimize" or "maximize"."""

    sense: str
    coeffs: tuple[int, ...]
    xs: tuple[str, ...]
    constant: int = 0

    def __init__(self, sense: str, coeffs: Iterable[int], xs: Iterable[VariableLike], constant: int = 0) -> None:
        if sense not in ("minimize", "maximize"):
            raise ValueError(f"{sense!r} is not the sense of an objective: minimize or maximize is expected")
        vars(self).update(sense=sense, coeffs=integers(coeffs), xs=names_of(xs), constant=integer(constant))
        if len(self.coeffs) != len(self.xs):
            raise ValueError(f"the objective has {len(self.coeffs)} coefficients for {len(self.xs)} variables")

    @classmethod
    def of(cls, sense: str, operand: Operand) -> Objective:
        """Make an objective from an expression: ``Objective.of("minimize", 2 * x + y)``."""
        terms = expression(operand)
        if terms.parts:
            raise TypeError(f"the objective {terms!r} is not linear: give {terms.parts[0][0]!r} a separate variable")
        return cls(sense, tuple(terms.terms.values()), tuple(terms.terms), terms.constant)

    def value(self, values: Values) -> int:
        return self.constant + sum(c * values[x] for c, x in zip(self.coeffs, self.xs, strict=True))

    @property
    def minimizes(self) -> bool:
        """Return whether smaller is better."""
        return self.sense == "minimize"

    @cached_property
    def terms(self) -> dict[str, int]:
        """The coefficient of each variable that affects the value; the coefficients of a repeated name are added up."""
        found: dict[str, int] = {}
        for c, x in zip(self.coeffs, self.xs, strict=True):
            found[x] = found.get(x, 0) + c
        return {x: c for x, c in found.items() if c}

    def improves(self, value: int, on: int | None) -> bool:
        """Return whether a value is strictly better than another; any value is better than None."""
        return on is None or (value < on if self.minimizes else value > on)

    def better_than(self, value: int) -> Linear:
        """Return the constraint that the objective is strictly better than ``value``."""
        terms, op = self.terms, "<=" if self.minimizes else ">="
        return Linear(terms.values(), terms, op, value - self.constant + (-1 if self.minimizes else 1))

    def best_within(self, domains: Domains) -> int | None:
        """Return a bound: the best value that the domains alone allow; None if one of them is empty."""
        if not all(domains[x] for x in self.terms):
            return None
        least = [(c > 0) == self.minimizes for c in self.terms.values()]
        ends = [domains[x][0 if low else -1] for x, low in zip(self.terms, least, strict=True)]
        return self.constant + sum(c * end for c, end in zip(self.terms.values(), ends, strict=True))

    __getstate__ = fields_only


class PartJudge(Protocol):
    """Judges solutions by a part of the author's rules."""

    def broken(self, values: Values) -> str | None:
        """Return the rule that a solution breaks, or None; ``values`` covers the model's variables."""


class Judge(PartJudge, Protocol):
    """Judges solutions by the author's rules, independently of the constraints; it is data, like a model."""

    def of(self, rules: Iterable[Any]) -> Judge:
        """Return the judge for only these rules, which must be some of its own."""

    def each(self) -> Iterable[PartJudge]:
        """Return judges for parts of the rules; each reads only the values on which its part depends.

        Together they reject the same solutions. Each is deterministic: solutions that agree in all values that it read
        have the same verdict.
        """


class Model:
    """A frozen declarative finite-domain model. ``with_`` makes a new one; it contains no answers and no callables.

    Equality, hash and text cover variables, constraints and objective; ``rules`` are annotations, and ``judge``
    checks solutions against them wherever a solution is checked. ``board`` is the Shape whose cells are the first
    variables, so that a solution can be shown as a grid; models made from this one inherit it. Objects derived from a
    model (checkers, compiled forms) are kept in ``memo``, which belongs to this object only and is ignored by equality
    and pickling.
    """

    variables: StatedVariables
    constraints: StatedConstraints
    objective: Objective | None
    rules: tuple[Any, ...]
    judge: Judge | None
    board: Any
    memo: dict[Any, Any]

    def __init__(
        self,
        variables: Iterable[Variable] = (),
        constraints: Iterable[ConstraintLike | Iterable[Any]] = (),
        objective: Objective | None = None,
        rules: Iterable[Any] = (),
        judge: Judge | None = None,
        board: Any = None,
    ) -> None:
        """Make a model. Raises ValueError if a name is repeated or a constraint names a missing variable."""
        if isinstance(variables, Variable) or isinstance(constraints, Constraint):
            raise TypeError(
                "a list of variables and a list of constraints are expected, even if there is only one of each"
            )
        given: Any = (constraints,) if isinstance(constraints, StatedConstraints) else tuple(constraints)
        blocks: list[StatedConstraints] = []
        loose = given
        proper = all(map(isinstance, given, repeat(Constraint)))
        if not proper:
            blocks = [one for one in given if isinstance(one, StatedConstraints)]
            loose = [one for one in given if not isinstance(one, StatedConstraints)]
            proper = all(map(isinstance, loose, repeat(Constraint)))
            if proper:
                given = chain.from_iterable([one if isinstance(one, StatedConstraints) else (one,) for one in given])
            else:
                blocks, given = [], tuple(listed(given, hasattr(constraints, "ndim")))
                loose, proper = given, all(map(isinstance, given, repeat(Constraint)))
        stated = StatedConstraints(given)
        vars(self).update(variables=StatedVariables.of(variables), constraints=stated)
        if proper and any(map(_PARTED, loose)):
            self._part()
            blocks, loose = [], self.constraints
        elif any(one.is_block or one.blocks for one in blocks):
            stated.blocks = (*chain.from_iterable([(one,) if one.is_block else one.blocks for one in blocks]),)
            stated.rest = [*chain.from_iterable([one.others for one in blocks if not one.is_block]), *loose]
        vars(self).update(objective=objective, rules=tuple(rules), judge=judge, board=board, memo={})
        try:
            self._validate(blocks, loose if proper else None)
        except RecursionError:
            raise ValueError(f"the model cannot be checked: {TOO_DEEP}") from None

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a model is immutable: {attribute} cannot be set; with_ makes a new one")

    def _part(self) -> None:
        """Add the variables that the parts of large comparisons need."""
        from .parts import Parts

        parts = Parts()
        constraints = tuple(map(parts.resolved, self.constraints))
        made, definitions = parts.beside(self.variables.known, constraints)
        variables = StatedVariables.of((*self.variables, *made))
        vars(self).update(variables=variables, constraints=StatedConstraints((*constraints, *definitions)))

    def _validate(self, blocks: Iterable[StatedConstraints], loose: Iterable[Constraint] | None) -> None:
        """Raise an error for what is not a constraint (then ``loose`` is None), and for an unknown name."""
        known = self.variables.known
        right = loose is not None and known.issuperset(chain.from_iterable(map(_VARIABLES, loose)))
        for constraint in () if right and all(known.issuperset(one.known) for one in blocks) else self.constraints:
            if not isinstance(constraint, Constraint):
                raise TypeError(f"{constraint!r} is not a constraint{hint_on_truth(constraint)}")
            if not known.issuperset(constraint.variables()):
                missing = next(x for x in constraint.scope if x not in known)
                raise ValueError(f"{_short(constraint)} names {missing}, which is not a variable of the model")
        if self.objective and not known.issuperset(self.objective.xs):
            raise ValueError(f"the objective names {sorted(set(self.objective.xs) - known)[0]}: it is not a variable")
        self.constraints.known = known

    @classmethod
    def parse(cls, text: str, look: Callable[[], None] | None = None) -> Model:
        """Parse the text form that ``str(model)`` writes; a TextError names the line that cannot be read.

        ``look`` is called now and then while a long text is read; an exception from it ends the reading.
        """
        if not isinstance(text, str):
            raise TypeError(f"{text!r:.60} is not a text: a text in the form of str(model) is expected")
        return parse_model(text, look)

    @classmethod
    def read(cls, path: str | Path) -> Model:
        """Read an instance of a solver competition: .cnf (DIMACS), .opb, .mps, .xml (XCSP3) or .fzn (FlatZinc).

        It may be compressed: .gz, .xz, .bz2 or .zst after that. FormatError says what cannot be read, and where;
        OSError if there is no such file.
        """
        from pathlib import Path

        from .instances import read

        return read(Path(path))

    def write(self, path: str | Path) -> None:
        """Write clauses as .cnf (DIMACS), sums over 0 and 1 as .opb, integer programs as .mps, predicates as .fzn.

        What ``read`` made of such a file is written back equal. ValueError for what a format cannot state, which
        ``export`` writes in an encoding. As .xml, any model is written as ``export`` writes XCSP3. A second ending
        compresses, as for ``read``.
        """
        from pathlib import Path

        from .instances import write

        write(self, Path(path))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in order."""
        return self.variables.names

    @cached_property
    def index(self) -> dict[str, int]:
        """The position of each variable's name."""
        return self.variables.places

    @cached_property
    def domains(self) -> dict[str, Domain]:
        """The domain of each variable, by name."""
        return self.variables.domains

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text: the same in every process."""
        import hashlib

        return hashlib.sha256(str(self).encode()).hexdigest()

    @cached_property
    def size(self) -> int:
        """The size of the model: the total number of values in all domains plus the sizes of all constraints.

        A Compare counts for more if it has many pairs of values, which some engines state one by one.
        """
        compared = ((self.domains[c.x], self.domains[c.y]) for c in self.constraints if isinstance(c, Compare))
        pairs = sum(len(xs) * len(ys) for xs, ys in compared)
        return self.variables.values + sum([c.size for c in self.constraints]) + pairs // PAIRS

    def __getitem__(self, name: str) -> Variable:
        """Return the variable with this name; raise KeyError if there is none."""
        return self.variables[self.index[name]]

    __iter__ = None  # a model is not a list of what it has

    def with_(
        self,
        *constraints: ConstraintLike,
        variables: Iterable[Variable] = (),
        objective: Objective | None = None,
        rules: Iterable[Any] = (),
    ) -> Model:
        """Return a new model with more variables, constraints and rules, and another objective if one is given."""
        added = tuple(variables)
        return Model(
            (*self.variables, *added) if added else self.variables,
            (self.constraints, *constraints),
            objective or self.objective,
            (*self.rules, *rules),
            self.judge,
            self.board,
        )

    def minimise(self, operand: Operand) -> Model:
        """Return the model with an expression to minimise, which replaces its objective, if any.

        A part of it that is not linear gets a variable of its own. Raises ValueError if that takes too large a table.
        """
        return self._optimising("minimize", operand)

    def maximise(self, operand: Operand) -> Model:
        """Return the model with an expression to maximise; see ``minimise``."""
        return self._optimising("maximize", operand)

    minimize, maximize = minimise, maximise

    def _optimising(self, sense: str, operand: Operand) -> Model:
        found = expression(operand)
        if not found.parts:
            return self.with_(objective=Objective.of(sense, found))
        from .parts import Parts
        from .terms import conditions

        parts = Parts()
        objective = Objective.of(sense, parts.linear(found))
        needed = [parts.resolved(condition) for condition in conditions(found)]
        optimised = self.with_parts(parts, objective)
        return optimised.with_(*needed) if needed else optimised

    def with_parts(self, parts: Parts, objective: Objective | None = None) -> Model:
        """Return the model with the variables of ``parts`` and their definitions, except those that it already has."""
        made, definitions = parts.beside(self.variables.known, self.constraints)
        return self.with_(*definitions, variables=made, objective=objective)

    def without_objective(self) -> Model:
        """Return the model without its objective, so that all solutions count; the same object if it has none."""
        if not self.objective:
            return self
        return Model(self.variables, self.constraints, None, self.rules, self.judge, self.board)

    def narrowed(self, domains: Mapping[str, Domain]) -> Model:
        """Return the model with each named variable's domain intersected with ``domains``."""
        if not domains:
            return self
        narrow = narrowed_domains(self.domains, domains)
        variables = [v if narrow[v.name] is v.domain else Variable(v.name, narrow[v.name]) for v in self.variables]
        return Model(variables, self.constraints, self.objective, self.rules, self.judge, self.board)

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` are in the domains and satisfy every constraint."""
        return all(values[v.name] in v.domain for v in self.variables) and not self.violated(values)

    def violated(self, values: Values) -> list[Constraint]:
        """List the constraints that ``values`` do not satisfy."""
        return [c for c in self.constraints if not c.holds(values)]

    @cached_property
    def counts(self) -> Mapping[type[Constraint], int]:
        """The number of constraints of each kind, 0 for a kind that the model does not use; it cannot be changed."""
        return MappingProxyType(Counter(map(type, self.constraints)))

    def kinds(self) -> frozenset[type[Constraint]]:
        """Return the kinds of constraint that the model uses."""
        return frozenset(self.counts)

    def _key(self) -> tuple[Any, ...]:
        return self.names, tuple(v.domain for v in self.variables), self.constraints, self.objective

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self is other or self._key() == other._key()

    @cached_property
    def _hash(self) -> int:
        return hash(self._key())

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return model_text(self)

    def __repr__(self) -> str:
        return f"<Model of {len(self.variables)} variables and {len(self.constraints)} constraints>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.variables, tuple(self.constraints), self.objective, self.rules, self.judge, self.board)


def constraints_of(stated: ConstraintLike | Iterable[Any]) -> tuple[Constraint, ...]:
    """Return constraints as a model takes them; raise TypeError for anything else.

    Those of lists and arrays are taken one by one, and a Boolean variable as "it is 1".
    """
    several: Iterable[Any] = [stated] if isinstance(stated, str | ConstraintLike) else stated
    found = tuple(listed(several, hasattr(several, "ndim")))
    for one in found:
        if not isinstance(one, Constraint):
            raise TypeError(f"{one!r:.100} is not a constraint{hint_on_truth(one)}")
    return found


def narrowed_domains(base: Domains, narrow: Mapping[Any, Iterable[int]]) -> dict[str, Domain]:
    """Return ``base`` with each domain named in ``narrow`` reduced to the values in both.

    ``narrow`` maps variables or names to values. Raises ValueError if it names a variable that ``base`` does not have.
    """
    domains = dict(base)
    for variable, values in narrow.items():
        name = name_of(variable)
        if name not in domains:
            raise ValueError(f"{name} is not a variable of the model")
        domains[name] = _meet(domains[name], values)
    return domains


def _meet(values: Domain, narrow: Iterable[int]) -> Domain:
    left = domain(narrow)
    if len(left) == 1:
        return left if left[0] in values else ()
    allowed = frozenset(left)
    return values if allowed.issuperset(values) else tuple(v for v in values if v in allowed)


def _short(constraint: Constraint) -> str:
    text = str(constraint)
    return text if len(text) <= 80 else text[:77] + "..."


LARGEST = 5_000_000


def brute_force(model: Model) -> Iterator[tuple[int, ...]]:
    """Yield every solution as values in the order of ``model.names``, in lexicographic order.

    Raises ValueError if there are more than five million assignments to try.
    """
    assignments = prod(len(v.domain) for v in model.variables)
    if assignments > LARGEST:
        raise ValueError(f"{assignments} assignments are too many for brute force (at most {LARGEST})")
    for row in product(*(v.domain for v in model.variables)):
        values = dict(zip(model.names, row, strict=True))
        if all(c.holds(values) for c in model.constraints):
            yield row
