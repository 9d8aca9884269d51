"""What needs z3: a model in a context of its own. A column of the 0-1 form is a Boolean, a row a formula over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import c_int
from typing import Any

import z3

from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.exports.zero_one import ColumnRow, EngineForm
from sudoku_models.model import Domain

Formula = Any
"""A truth value of z3."""


def name_of_boolean(x: str, value: int) -> str:
    """Return the name of the Boolean that says that a variable has a value."""
    return f"{x}={value}"


class World:
    """A model in a context of z3, of one thread. Each run has its own: what one does affects the answers of the next.

    ``literals`` are the Booleans by name and value.
    """

    def __init__(self, form: EngineForm, context: z3.Context | None = None) -> None:
        self.form, self.context = form, context or z3.Context()
        names = [name_of_boolean(*m) if m else f"tuple {n}" for n, m in enumerate(form.meanings)]
        self._columns = [z3.Bool(name, self.context) for name in names]
        pairs = zip(form.meanings, self._columns, strict=True)
        self.literals: Mapping[tuple[str, int], Formula] = {meaning: column for meaning, column in pairs if meaning}

    def solver(self, seed: int = 0) -> Any:
        """Return a solver that holds the model."""
        solver = z3.SimpleSolver(ctx=self.context)
        if seed:
            solver.set("random_seed", seed % (1 << 31))
            solver.set("phase_selection", 5)
        here, handle = self.context.ref(), solver.solver
        for row in self.form.rows:
            z3.Z3_solver_assert(here, handle, self._formula(row).as_ast())
        return solver

    def _formula(self, row: ColumnRow) -> Formula:
        """Return a row as a clause, or as a pseudo-Boolean constraint without negative weights."""
        columns = self._columns
        literals = [columns[c] if w > 0 else z3.Not(columns[c]) for c, w in row.terms.items()]
        weights = [abs(w) for w in row.terms.values()]
        bound = row.bound - sum(w for w in row.terms.values() if w < 0)
        most = sum(weights)
        if row.op == ">=" and 0 < bound <= min(weights):
            return z3.Or(literals)
        if row.op == "<=" and 0 <= most - bound - 1 < min(weights):
            return z3.Or([z3.Not(literal) for literal in literals])
        if (row.op != "<=" and bound > most) or (row.op != ">=" and bound < 0):
            return z3.BoolVal(False, self.context)
        size, make = len(literals), {"==": z3.Z3_mk_pbeq, "<=": z3.Z3_mk_pble, ">=": z3.Z3_mk_pbge}[row.op]
        asts = (z3.Ast * size)(*[literal.as_ast() for literal in literals])
        bound = max(0, min(bound, most))
        return z3.BoolRef(make(self.context.ref(), size, asts, (c_int * size)(*weights), bound), self.context)

    def narrowed(self, domains: Mapping[str, Domain]) -> list[Formula]:
        """Return what narrowed domains say: a literal for a domain of one value, otherwise the negations of the missing
        ones.
        """
        found = []
        for x, values in domains.items():
            if len(values) == 1:
                found.append(self.literals.get((x, values[0]), z3.BoolVal(False, self.context)))
            else:
                left = frozenset(values)
                found += [z3.Not(self.literals[x, v]) for v in self.form.domains[x] if v not in left]
        return found

    def read(self, answer: z3.ModelRef) -> tuple[int, ...]:
        """Return the values under an answer of a solver."""
        return tuple([self._value(answer, x, values) for x, values in self.form.domains.items()])

    def _value(self, answer: z3.ModelRef, x: str, values: Domain) -> int:
        context = self.context.ref()
        for value in values:
            declared = z3.Z3_get_app_decl(context, self.literals[x, value].as_ast())
            truth = z3.Z3_model_get_const_interp(context, answer.model, declared)
            if truth and z3.Z3_get_bool_value(context, truth) == z3.Z3_L_TRUE:
                return value
        raise ValueError("the engine's answer gives some variable no value")

    def forbidding(self, positions: Sequence[int], solution: Sequence[int]) -> Formula:
        """Return the clause that one of some variables must change its value."""
        names = list(self.form.domains)
        others = [z3.Not(self.literals[names[p], solution[p]]) for p in positions]
        return z3.Or(others) if others else z3.BoolVal(False, self.context)


EARLY = 0.05
"""The number of seconds before its limit at which the engine may stop because of it."""

NO_TIMEOUT = 2**32 - 1
"""The value that the engine takes for no limit, in milliseconds."""


def satisfiable(solver: Any, clock: Budget) -> bool:
    """Return whether a solver finds a solution; raise OutOfTime if the clock expired first, or it was interrupted."""
    clock.check()
    left = clock.left
    solver.set("timeout", NO_TIMEOUT if left is None else min(NO_TIMEOUT, max(1, int(left * 1000))))
    solver.set("ctrl_c", False)
    answer = solver.check()
    if answer == z3.unknown:
        reason, left = solver.reason_unknown(), clock.left
        if reason in ("canceled", "interrupted", "interrupted from keyboard") or (left is not None and left <= EARLY):
            raise OutOfTime
        raise RuntimeError(f"z3 gave up: {reason}")
    return bool(answer == z3.sat)
