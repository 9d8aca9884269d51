"""A reader of OPB, strict about its grammar, that lets CP-SAT enumerate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from .maps import Found, Literals

_MAP = re.compile(r"\* \S.*=-?\d+ is (x\d+|decided)\Z")
_HEAD = re.compile(r"\* #variable= (\d+) #constraint= (\d+)\Z")
_ROW = re.compile(r"((?:[+-]\d+ x\d+ )+)(>=|=) (-?\d+) ;\Z")
_GOAL = re.compile(r"min: ((?:[+-]\d+ x\d+ )*);\Z")
_TERM = re.compile(r"([+-]\d+) x(\d+)")


@dataclass
class Problem:
    model: cp_model.CpModel
    variables: list[cp_model.IntVar]
    literals: Literals


def solutions(text: str, names: Sequence[str]) -> Found:
    problem, found = read(text), []

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            true = [x.name for x in problem.variables if self.value(x)]
            found.append(problem.literals.solution(true, names))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(problem.model, Listener())
    return found


def optimum(text: str, names: Sequence[str]) -> tuple[int, ...] | None:
    problem, solver = read(text), cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(problem.model) != cp_model.OPTIMAL:
        return None
    return problem.literals.solution([x.name for x in problem.variables if solver.value(x)], names)


def read(text: str) -> Problem:
    lines = text.splitlines()
    head = _HEAD.match(lines[0])
    assert head
    model = cp_model.CpModel()
    variables = [model.new_bool_var(f"x{i}") for i in range(1, int(head[1]) + 1)]
    rows = [line for line in lines if not line.startswith("*")]
    goals = [line for line in rows if line.startswith("min:")]
    assert len(rows) - len(goals) == int(head[2]) and rows[: len(goals)] == goals
    for line in goals:
        match = _GOAL.match(line)
        assert match, line
        model.minimize(sum(int(c) * variables[int(i) - 1] for c, i in _TERM.findall(match[1])))
    for line in rows[len(goals) :]:
        match = _ROW.match(line)
        assert match, line
        total = sum(int(c) * variables[int(i) - 1] for c, i in _TERM.findall(match[1]))
        model.add(total == int(match[3])) if match[2] == "=" else model.add(total >= int(match[3]))
    return Problem(model, variables, Literals(line[1:] for line in lines if _MAP.match(line)))
