"""A context of z3 with everything that a model says."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

import z3

from sudoku_models.model import Domain, Model

from .formulas import Formula, Formulas

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
