"""DIMACS CNF, read and solved by python-sat."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.formula import CNF
from pysat.solvers import Solver

from .maps import Found, Literals


def solutions(text: str, names: Sequence[str]) -> Found:
    formula = CNF(from_string=text)
    head = next(line for line in text.splitlines() if line.startswith("p cnf")).split()
    assert (formula.nv <= int(head[2]), len(formula.clauses)) == (True, int(head[3]))
    literals = Literals(line[1:] for line in formula.comments if "=" in line)
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        return [literals.solution([str(x) for x in model if x > 0], names) for model in solver.enum_models()]
