"""What needs z3: a context with a model in it, and constraints as formulas, truth values that can be part of others.

``x = v`` is a Boolean of its own. Sums are over groups of Booleans of which exactly one is true, one group for each
variable, each Boolean with the weight that its value adds; the least weight of a group is subtracted from all.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

import z3

from sudoku_models.model import OPERATORS, Constraint, Domain, Model, kinds

Weights = Mapping[str, Mapping[int, int]]
"""What each value of each variable adds to a sum."""

Formula = Any
"""A truth value of z3."""


def boolean(x: str, value: int, context: z3.Context) -> Formula:
    """Return the Boolean that says that a variable has a value."""
    return z3.Bool(f"{x}={value}", context)


class Formulas:
    """The literals of some variables in one context of z3, and the formulas over them."""

    def __init__(
        self,
        domains: Mapping[str, Domain],
        context: z3.Context,
        literals: Mapping[tuple[str, int], Formula] | None = None,
    ) -> None:
        """Make the literals, unless the context has them already."""
        self.domains, self.context = domains, context
        names = ((x, v) for x, values in domains.items() for v in values)
        self.literals = literals or {(x, v): boolean(x, v, context) for x, v in names}

    def variable(self, x: str) -> Formula:
        """State that a variable has exactly one of its values."""
        return self.total([(self.literals[x, v], 1) for v in self.domains[x]], "==", 1)

    def of(self, constraint: Constraint) -> Formula:
        """Return the formula of a constraint."""
        return _STATED[type(constraint)](self, constraint)

    def constant(self, value: bool) -> Formula:
        """Return true or false as a formula."""
        return z3.BoolVal(value, self.context)

    def any(self, formulas: Iterable[Formula]) -> Formula:
        """State that at least one of some formulas holds."""
        found = list(formulas)
        return z3.Or(found) if found else self.constant(False)

    def all(self, formulas: Iterable[Formula]) -> Formula:
        """State that all of some formulas hold."""
        found = list(formulas)
        return z3.And(found) if found else self.constant(True)

    def inside(self, x: str, values: Iterable[int]) -> Formula:
        """State that a variable has one of some values."""
        return self.any(self.literals[x, v] for v in values if (x, v) in self.literals)

    def total(self, terms: Sequence[tuple[Formula, int]], op: str, k: int) -> Formula:
        """Compare a sum of weighted truth values with a number; no weight is negative."""
        most = sum(weight for _, weight in terms)
        if op in ("!=", "<", ">"):
            opposite, bound = {"!=": ("==", k), "<": (">=", k), ">": ("<=", k)}[op]
            return z3.Not(self.total(terms, opposite, bound))
        never = k < 0 or k > most if op == "==" else k < 0 if op == "<=" else k > most
        always = (op == "<=" and k >= most) or (op == ">=" and k <= 0)
        if never or always:
            return self.constant(always)
        made = {"==": z3.PbEq, "<=": z3.PbLe, ">=": z3.PbGe}[op]
        return made([term for term in terms if term[1]], k) if most else self.constant(bool(OPERATORS[op](0, k)))

    def weighted(self, weights: Weights, op: str, k: int, others: Sequence[tuple[Formula, int]] = ()) -> Formula:
        """Compare the sum of what the values of some variables add, and of ``others``, with a number."""
        terms = list(others)
        for x, brings in weights.items():
            if not self.domains[x]:
                return self.constant(False)
            least = min(brings[v] for v in self.domains[x])
            terms += [(self.literals[x, v], brings[v] - least) for v in self.domains[x]]
            k -= least
        return self.total(terms, op, k)

    def linear(self, coeffs: Iterable[int], xs: Iterable[str], op: str, k: int) -> Formula:
        """Compare a weighted sum of variables with a number."""
        factors: dict[str, int] = defaultdict(int)
        for c, x in zip(coeffs, xs, strict=True):
            factors[x] += c
        return self.weighted({x: {v: c * v for v in self.domains[x]} for x, c in factors.items()}, op, k)

    def different(self, xs: Sequence[str]) -> Formula:
        """State that no two variables have the same value; if there are no values to spare, also that each value
        occurs.
        """
        values = sorted({v for x in xs for v in self.domains[x]})
        if len(values) < len(xs):
            return self.constant(False)
        op = "==" if len(values) == len(xs) else "<="
        places = ([(self.literals[x, v], 1) for x in xs if (x, v) in self.literals] for v in values)
        return self.all(self.total(terms, op, 1) for terms in places)

    def table(self, xs: Sequence[str], rows: Iterable[Sequence[int]]) -> Formula:
        """State that the values are one of the rows."""
        known = (row for row in rows if all((x, v) in self.literals for x, v in zip(xs, row, strict=True)))
        return self.any(self.all(self.literals[x, v] for x, v in zip(xs, row, strict=True)) for row in known)

    def compared(self, x: str, op: str, y: str | int, c: int = 0) -> Formula:
        """Compare a variable with a number, or with another one and a number."""
        holds = OPERATORS[op]
        if isinstance(y, int):
            return self.inside(x, [v for v in self.domains[x] if holds(v, y + c)])
        return self.linear((1, -1), (x, y), op, c)

    def equal(self, x: str, y: str) -> Formula:
        """State that two variables have the same value."""
        both = [v for v in self.domains[x] if (y, v) in self.literals]
        return self.any(z3.And(self.literals[x, v], self.literals[y, v]) for v in both)

    def counted(self, weights: dict[str, dict[int, int]], op: str, y: str | int, others: Any = ()) -> Formula:
        """Compare a sum with a variable or a number."""
        if isinstance(y, int):
            return self.weighted(weights, op, y, others)
        brought = weights.setdefault(y, dict.fromkeys(self.domains[y], 0))
        for v in self.domains[y]:
            brought[v] -= v
        return self.weighted(weights, op, 0, others)

    def occurrences(self, xs: Iterable[str], values: Iterable[int], sign: int = 1) -> dict[str, dict[int, int]]:
        """Return the weights that count how many variables have one of some values."""
        wanted, found = frozenset(values), dict[str, dict[int, int]]()
        for x in xs:
            brought = found.setdefault(x, dict.fromkeys(self.domains[x], 0))
            for v in brought:
                brought[v] += sign * (v in wanted)
        return found

    def end(self, xs: Sequence[str], y: str | int | None, op: str) -> Formula:
        """State that ``y`` is the least (op is ``>=``) or the greatest (``<=``) of some values; None is ignored."""
        if y is None:
            return self.constant(True)
        if isinstance(y, str):
            cases = (z3.And(self.literals[y, v], self.end(xs, v, op)) for v in self.domains[y])
            return self.any(cases)
        return self.all([self.any(self.inside(x, (y,)) for x in xs), *(self.compared(x, op, y) for x in xs)])

    def before(self, xs: Sequence[str], ys: Sequence[str], strict: bool) -> Formula:
        """State that one list comes before another."""
        found = self.constant(not strict)
        for x, y in zip(reversed(xs), reversed(ys), strict=True):
            found = z3.Or(self.compared(x, "<", y), z3.And(self.equal(x, y), found))
        return found


def _element(formulas: Formulas, c: kinds.Element) -> Formula:
    places = [p for p in formulas.domains[c.i] if 0 <= p < len(c.xs)]
    y = c.y
    return formulas.any(
        z3.And(
            formulas.literals[c.i, p],
            formulas.equal(c.xs[p], y) if isinstance(y, str) else formulas.inside(c.xs[p], (y,)),
        )
        for p in places
    )


def _n_value(formulas: Formulas, c: kinds.NValue) -> Formula:
    values = sorted({v for x in c.xs for v in formulas.domains[x]})
    present = [(formulas.any(formulas.inside(x, (v,)) for x in c.xs), 1) for v in values]
    return formulas.counted({}, c.op, c.y, present)


def _multisets(formulas: Formulas, c: kinds.MultisetEqual) -> Formula:
    values = sorted({v for x in (*c.xs, *c.ys) for v in formulas.domains[x]})
    return formulas.all(_as_often(formulas, c, v) for v in values)


def _as_often(formulas: Formulas, c: kinds.MultisetEqual, value: int) -> Formula:
    weights = formulas.occurrences(c.xs, (value,))
    for y, brought in formulas.occurrences(c.ys, (value,), -1).items():
        before = weights.setdefault(y, dict.fromkeys(brought, 0))
        for v in brought:
            before[v] += brought[v]
    return formulas.weighted(weights, "==", 0)


def _table(formulas: Formulas, c: kinds.Table) -> Formula:
    found = formulas.table(c.xs, c.tuples)
    return found if c.allowed else z3.Not(found)


_STATED: Mapping[type[Constraint], Callable[[Formulas, Any], Formula]] = {
    kinds.AllDifferent: lambda f, c: f.different(c.xs),
    kinds.And: lambda f, c: f.all(map(f.of, c.parts)),
    kinds.Compare: lambda f, c: f.compared(c.x, c.op, c.y, c.c),
    kinds.Count: lambda f, c: f.counted(f.occurrences(c.xs, c.values), c.op, c.y),
    kinds.Element: _element,
    kinds.Implies: lambda f, c: z3.Implies(f.of(c.condition), f.of(c.result)),
    kinds.InDomain: lambda f, c: f.inside(c.x, c.values),
    kinds.LexLess: lambda f, c: f.before(c.xs, c.ys, c.strict),
    kinds.Linear: lambda f, c: f.linear(c.coeffs, c.xs, c.op, c.k),
    kinds.MinMax: lambda f, c: z3.And(f.end(c.xs, c.lo, ">="), f.end(c.xs, c.hi, "<=")),
    kinds.MultisetEqual: _multisets,
    kinds.Not: lambda f, c: z3.Not(f.of(c.part)),
    kinds.NValue: _n_value,
    kinds.Or: lambda f, c: f.any(map(f.of, c.parts)),
    kinds.Table: _table,
}


KEPT = 12
"""The number of models that stay stated, those used last: each may take some megabytes in z3."""

_used: OrderedDict[int, weakref.ref[KeptStatement]] = OrderedDict()
_order = Lock()


def _make_room(latest: KeptStatement) -> None:
    """Forget the statements that have not been used for longest."""
    with _order:
        _used[id(latest)] = weakref.ref(latest)
        _used.move_to_end(id(latest))
        dropped = [_used.popitem(last=False)[1]() for _ in range(len(_used) - KEPT)]
    for statement in dropped:
        if statement is not None:
            statement.forget()


class KeptStatement:
    """A model stated once, and again after it was forgotten. Each run works on a copy: what one run does in a context
    affects the answers of the next.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._lock = Lock()
        self._stated: StatedFormulas | None = None
        with self._lock:
            self._state()
        _make_room(self)

    def _state(self) -> StatedFormulas:
        if self._stated is None:
            self._stated = StatedFormulas(self.model)
        return self._stated

    def forget(self) -> None:
        """Free what the statement takes in z3; the next use states the model again."""
        with self._lock:
            self._stated = None

    def world(self, context: z3.Context | None = None) -> World:
        """Return a copy in a context, by default a new one; any number of threads may call this."""
        context = context or z3.Context()
        with self._lock:
            stated = self._state()
            literals, formulas = stated.literals.translate(context), stated.formulas.translate(context)
            world = World(self.model, dict(zip(stated.keys, literals, strict=True)), formulas, context)
        _make_room(self)
        return world


class StatedFormulas:
    """The formulas of a model in a context of its own."""

    def __init__(self, model: Model) -> None:
        made = Formulas(model.domains, z3.Context())
        self.literals = _vector(made.literals.values(), made.context)
        self.formulas = _vector([*map(made.variable, model.names), *map(made.of, model.constraints)], made.context)
        self.keys = tuple(made.literals)


def _vector(formulas: Iterable[Formula], context: z3.Context) -> Any:
    found = z3.AstVector(ctx=context)
    for formula in formulas:
        found.push(formula)
    return found


class World:
    """A model in a context of its own, of one thread."""

    def __init__(
        self, model: Model, literals: Mapping[tuple[str, int], Formula], stated: Any, context: z3.Context
    ) -> None:
        self.model, self.context, self.stated = model, context, stated
        self.formulas = Formulas(model.domains, context, literals)

    def solver(self, seed: int = 0) -> Any:
        """Return a solver that holds the model."""
        solver = z3.SimpleSolver(ctx=self.context)
        if seed:
            solver.set("random_seed", seed % (1 << 31))
            solver.set("phase_selection", 5)
        here, handle = self.context.ref(), solver.solver
        for number in range(len(self.stated)):
            z3.Z3_solver_assert(here, handle, z3.Z3_ast_vector_get(here, self.stated.vector, number))
        return solver

    def narrowed(self, domains: Mapping[str, Domain]) -> list[Formula]:
        """Return what narrowed domains say: a literal for a domain of one value, otherwise the negations of the missing
        ones.
        """
        literals, found = self.formulas.literals, []
        for x, values in domains.items():
            if len(values) == 1:
                found.append(literals.get((x, values[0]), self.formulas.constant(False)))
            else:
                left = frozenset(values)
                found += [z3.Not(literals[x, v]) for v in self.model.domains[x] if v not in left]
        return found

    def read(self, answer: z3.ModelRef) -> tuple[int, ...]:
        """Return the values under an answer of a solver."""
        return tuple([self._value(answer, x, values) for x, values in self.model.domains.items()])

    def _value(self, answer: z3.ModelRef, x: str, values: Domain) -> int:
        context, literals = self.context.ref(), self.formulas.literals
        for value in values:
            declared = z3.Z3_get_app_decl(context, literals[x, value].as_ast())
            truth = z3.Z3_model_get_const_interp(context, answer.model, declared)
            if truth and z3.Z3_get_bool_value(context, truth) == z3.Z3_L_TRUE:
                return value
        raise ValueError("the engine's answer gives some variable no value")

    def forbidding(self, positions: Sequence[int], solution: Sequence[int]) -> Formula:
        """Return the clause that one of some variables must change its value."""
        literals, names = self.formulas.literals, self.model.names
        return self.formulas.any(z3.Not(literals[names[p], solution[p]]) for p in positions)
