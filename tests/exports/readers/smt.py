"""SMT-LIB 2, read and solved by Z3."""

from __future__ import annotations

import re
from collections.abc import Sequence

import z3

from .maps import Found, identifiers


def solutions(text: str, names: Sequence[str]) -> Found:
    constants, solver = _constants(text), z3.Solver()
    solver.add(z3.parse_smt2_string(text))
    found: Found = []
    while solver.check() == z3.sat:
        model = solver.model()
        values = {c: model.eval(z3.Int(c), model_completion=True).as_long() for c in constants}
        found.append(_named(text, values, names))
        if not constants:
            break
        solver.add(z3.Or([z3.Int(c) != value for c, value in values.items()]))
    return found


def optimum(text: str, names: Sequence[str]) -> tuple[int, ...] | None:
    constants, solver = _constants(text), z3.Optimize()
    solver.from_string(text)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    values = {c: model.eval(z3.Int(c), model_completion=True).as_long() for c in constants}
    return _named(text, values, names)


def _constants(text: str) -> list[str]:
    return re.findall(r"^\(declare-fun (\S+) \(\) Int\)$", text, re.MULTILINE)


def _named(text: str, values: dict[str, int], names: Sequence[str]) -> tuple[int, ...]:
    of = identifiers((line[1:] for line in text.splitlines() if line.startswith(";")), names)
    return tuple(values[of[name]] for name in names)
