"""Cores by assumptions: a literal for each part, which enforces it."""

from __future__ import annotations

from collections.abc import Sequence

from ortools.sat.python import cp_model

from sudoku_models.engine.contract import Request
from sudoku_models.errors import LimitReached
from sudoku_models.model import Constraint

from .integers import Integers
from .interrupts import by_engine, stopped_by_ctrl_c
from .task import invalid


def core(builder: Integers, parts: Sequence[Sequence[Constraint]], request: Request) -> list[int] | None:
    """Return the numbers of parts that, with the builder's model, have no solution; None if all parts have one."""
    builder.native()
    model = builder.model
    assumed = [model.new_bool_var(f"part {i}") for i in range(len(parts))]
    for literal, constraints in zip(assumed, parts, strict=True):
        builder.when = [literal]
        for constraint in constraints:
            builder.add(constraint)
    builder.when = []
    model.add_assumptions(assumed)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = request.workers
    solver.parameters.random_seed = request.seed % (1 << 31)
    solver.parameters.catch_sigint_signal = by_engine()
    if request.time_limit is not None:
        solver.parameters.max_time_in_seconds = request.time_limit
    with stopped_by_ctrl_c(solver.stop_search):
        status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        numbers = {literal.index: i for i, literal in enumerate(assumed)}
        return sorted(numbers[index] for index in solver.sufficient_assumptions_for_infeasibility())
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    if status == cp_model.MODEL_INVALID:
        raise invalid(model)
    raise LimitReached("CP-SAT did not settle which parts contradict each other")
