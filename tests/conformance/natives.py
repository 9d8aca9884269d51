"""How each engine is asked, without the library, about a native model: some literals true, others false.

Each returns the engine's own answer, or None when there is none.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any


def cp_sat(native: Any, true: Sequence[int], false: Sequence[int]) -> Any:
    from ortools.sat.python import cp_model

    literals = [native.model.get_bool_var_from_proto_index(index) for index in (*true, *false)]
    native.model.add_bool_and([*literals[: len(true)], *(~literal for literal in literals[len(true) :])])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver if solver.solve(native.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


def pycosat(native: Any, true: Sequence[int], false: Sequence[int]) -> Any:
    import pycosat

    units = [[literal] for literal in true] + [[-literal] for literal in false]
    answer = pycosat.solve([*native.clauses, *units])
    return None if answer == "UNSAT" else answer


def pysat(native: Any, true: Sequence[int], false: Sequence[int]) -> Any:
    from pysat.solvers import Minisat22

    with Minisat22(bootstrap_with=native.clauses) as solver:
        return solver.get_model() if solver.solve([*true, *(-literal for literal in false)]) else None


def z3(native: Any, true: Sequence[Any], false: Sequence[Any]) -> Any:
    import z3

    native.solver.add(*true, *(z3.Not(literal) for literal in false))
    return native.solver.model() if native.solver.check() == z3.sat else None


def highs(native: Any, true: Sequence[int], false: Sequence[int]) -> Any:
    import highspy

    engine = native.highs()
    for columns, value in ((true, 1), (false, 0)):
        for column in columns:
            engine.addRow(value, value, 1, [column], [1.0])
    engine.run()
    return engine.getSolution() if engine.getModelStatus() == highspy.HighsModelStatus.kOptimal else None


def minizinc(native: str, true: Sequence[str], false: Sequence[str]) -> Any:
    stated = [*true, *(f"not {literal}" for literal in false)]
    text = native + "".join(f"constraint {literal};\n" for literal in stated)
    command = ["minizinc", "--solver", "gecode", "--json-stream", "--output-mode", "json", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    said = [json.loads(line) for line in done.stdout.splitlines() if line]
    assert all(message["type"] != "error" for message in said), said
    return next((message["output"]["json"] for message in said if message["type"] == "solution"), None)


def python_constraint(native: Any, true: Sequence[Any], false: Sequence[Any]) -> Any:
    import constraint

    assert not true
    assert not false
    native.setSolver(constraint.BacktrackingSolver())
    return native.getSolution()


def backtracking(native: Any, true: Sequence[Any], false: Sequence[Any]) -> Any:
    from sudoku_backends.backtracking import BACKEND

    from sudoku_models.engine import Request
    from sudoku_models.model import Not

    extended = native.with_(*true, *map(Not, false))
    return next(BACKEND.compile(extended, BACKEND.Options()).run(Request()), None)


def exact_cover(native: Any, true: Sequence[Any], false: Sequence[Any]) -> Any:
    """Algorithm X in its plainest form, on the options that are wanted and not unwanted."""
    if native.impossible:
        return None
    left = [o for o in native.options if o not in false and all(o == t or o[0] != t[0] for t in true)]
    items = {**native.primary, **native.secondary}
    covers = {option: {item for item, options in items.items() if option in options} for option in left}
    if not all(option in covers for option in true):
        return None
    return _cover(set(native.primary), covers)


def _cover(open_items: set[Any], covers: dict[Any, set[Any]]) -> list[Any] | None:
    if not open_items:
        return []
    item = min(open_items, key=lambda i: sum(i in covered for covered in covers.values()))
    for option, covered in covers.items():
        if item in covered:
            rest = {o: c for o, c in covers.items() if not c & covered}
            found = _cover(open_items - covered, rest)
            if found is not None:
                return [option, *found]
    return None


def bitset(native: Any, true: Sequence[tuple[int, int]], false: Sequence[tuple[int, int]]) -> Any:
    import numpy as np

    masks = np.full((1, 81), 0x1FF, np.uint16)
    for column, bit in true:
        masks[0, column] &= bit
    for column, bit in false:
        masks[0, column] &= 0x1FF ^ bit
    answers = native.solve(masks, limit=1)
    return answers.values[0] if answers.count[0] else None


def one_lane(native: Any, true: Sequence[int], false: Sequence[int]) -> Any:
    from sudoku_backends.bitset.single import KEPT, solutions

    for literal in true:
        native.bits &= KEPT[literal.bit_length() - 1]
    for literal in false:
        native.bits &= ~literal
    return next(solutions(native.bits, lambda: None), None)


def native(native: Any, true: Sequence[Any], false: Sequence[Any]) -> Any:
    for place, bit in true:
        native.masks[place] &= bit
    for place, bit in false:
        native.masks[place] &= ~bit
    return native.solve()


def exact(native: Any, true: Sequence[str], false: Sequence[str]) -> Any:
    for names, value in ((true, 1), (false, 0)):
        for name in names:
            native.addConstraint([(1, name)], True, value, True, value)
    if native.runFull(False) != "SAT":
        return None
    names = native.getVariables()
    return [name for name, value in zip(names, native.getLastSolutionFor(names), strict=True) if value]


def opb(native: str, true: Sequence[str], false: Sequence[str]) -> Any:
    from sudoku_backends.pseudo_boolean.opb import BACKEND

    from sudoku_models.engine.budget import Budget
    from sudoku_models.engine.program import UNSATISFIABLE, ask

    units = [f"+1 {name} = {value} ;\n" for names, value in ((true, 1), (false, 0)) for name in names]
    header, _, rest = native.partition("\n")
    words = header.split()
    counted = " ".join([*words[:-1], str(int(words[-1]) + len(units))])
    answer = ask(BACKEND.Options().command, [f"{counted}\n{rest}", *units], ".opb", Budget())
    return None if answer.status == UNSATISFIABLE else [name for name in answer.values if not name.startswith("-")]


def ace(native: str, true: Sequence[str], false: Sequence[str]) -> Any:
    from sudoku_backends.xcsp3 import ACE as BACKEND

    return _by_xcsp3(BACKEND, native, true, false)


def choco(native: str, true: Sequence[str], false: Sequence[str]) -> Any:
    from sudoku_backends.xcsp3 import CHOCO as BACKEND

    return _by_xcsp3(BACKEND, native, true, false)


def _by_xcsp3(backend: Any, native: str, true: Sequence[str], false: Sequence[str]) -> Any:
    """Run the program on the text with further expressions; the last instantiation is read without the library."""
    import tempfile
    from pathlib import Path

    from sudoku_backends import xcsp3

    from sudoku_models.engine import Request
    from sudoku_models.model import Model

    stated = [*true, *(f"not({literal})" for literal in false)]
    more = "".join(f"<intension> {literal} </intension>\n" for literal in stated)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.xml")
        path.write_text(native.replace("</constraints>", f"{more}</constraints>"))
        arguments = backend.compile(Model([]), backend.Options()).arguments(str(path), Request(), Model([]), False)
        command = [*xcsp3.java_command(None), *arguments]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lists = [said.rpartition(f"<{tag}>")[2].partition(f"</{tag}>")[0].split() for tag in ("list", "values")]
    return dict(zip(lists[0], map(int, lists[1]), strict=True)) if "s SATISFIABLE" in said else None


def dimacs(native: Any, true: Sequence[int], false: Sequence[int]) -> Any:
    from sudoku_backends.cnf.program import BACKEND

    from sudoku_models.engine.budget import Budget
    from sudoku_models.engine.program import UNSATISFIABLE, ask, literals

    clauses = [*native.clauses, *([literal] for literal in true), *([-literal] for literal in false)]
    text = [f"p cnf {native.variables} {len(clauses)}\n", *(f"{' '.join(map(str, c))} 0\n" for c in clauses)]
    answer = ask(BACKEND.Options().command, text, ".cnf", Budget())
    return None if answer.status == UNSATISFIABLE else list(literals(answer.values))


def pumpkin(native: Any, true: Sequence[Any], false: Sequence[Any]) -> Any:
    from pumpkin_solver import SatisfactionResult
    from pumpkin_solver.constraints import Clause

    literals = [native.literals[pair] for pair in true] + [native.literals[pair].negate() for pair in false]
    for literal in literals:
        native.model.add_constraint(Clause([literal], native.model.new_constraint_tag()))
    found = native.model.satisfy()
    return (native, found._0) if isinstance(found, SatisfactionResult.Satisfiable) else None
