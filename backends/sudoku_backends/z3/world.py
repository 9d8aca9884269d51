"""A context of z3 with everything that a model says."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

import z3

from sudoku_models.model import Domain, Model

from .formulas import Formula, Formulas

FEW = 12
"""So many stated models are let be before the first look for those that nobody needs any more."""

_living: weakref.WeakSet[Statement] = weakref.WeakSet()
_most = FEW


def _make_room() -> None:
    """Have Python find dropped models where many are stated, again when there are twice as many as were left.

    A model and what was compiled of it refer to each other, so that only the garbage collector ends them, and it does
    not know that each has some megabytes in z3.
    """
    global _most
    if len(_living) >= _most:
        gc.collect()
        _most = max(FEW, 2 * len(_living))


class Statement:
    """A model stated once. Each run works on a copy: what one run did in a context shows in the next one's answers."""

    def __init__(self, model: Model) -> None:
        _make_room()
        _living.add(self)
        self.model = model
        formulas = Formulas(model.domains, z3.Context())
        self._literals = _vector(formulas.literals.values(), formulas.context)
        stated = [*map(formulas.variable, model.names), *map(formulas.of, model.constraints)]
        self._stated = _vector(stated, formulas.context)
        self._keys = tuple(formulas.literals)
        self._lock = Lock()

    def world(self, context: z3.Context | None = None) -> World:
        """Return a copy in a context, by default one of its own; any number of threads may ask for one."""
        context = context or z3.Context()
        with self._lock:
            literals, stated = self._literals.translate(context), self._stated.translate(context)
        return World(self.model, dict(zip(self._keys, literals, strict=True)), stated, context)


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
        """Return a solver that has been told the model."""
        solver = z3.SimpleSolver(ctx=self.context)
        if seed:
            solver.set("random_seed", seed % (1 << 31))
            solver.set("phase_selection", 5)
        here, told = self.context.ref(), solver.solver
        for number in range(len(self.stated)):
            z3.Z3_solver_assert(here, told, z3.Z3_ast_vector_get(here, self.stated.vector, number))
        return solver

    def narrowed(self, domains: Mapping[str, Domain]) -> list[Formula]:
        """Return what narrowed domains say: a literal for a domain of one, else the negations of what is missing."""
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
        """Return what says that one of some variables must change its value."""
        literals, names = self.formulas.literals, self.model.names
        return self.formulas.any(z3.Not(literals[names[p], solution[p]]) for p in positions)
