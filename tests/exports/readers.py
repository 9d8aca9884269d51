"""Readers of exported files that share no code with the writers: each enumerates the solutions that a file has."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

import z3
from google.protobuf import text_format
from ortools.sat import cp_model_pb2
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

from sudoku_models import Model, solutions

Found = list[tuple[int, ...]]
"""Solutions, values in the order of the model's names."""

_SAID = re.compile(r'(?P<name>"(?:[^"\\]|\\.)*"|[^\s"]+?)(?:=(?P<value>-?\d+))? is (?P<what>\S+)\Z')
_HEAD = re.compile(r"\* #variable= (\d+) #constraint= (\d+)\n")


def said(comments: Iterable[str]) -> list[tuple[str, str | None, str]]:
    """Return (name, value or None, what stands for it) for each comment that says so."""
    matches = filter(None, (_SAID.match(comment.strip()) for comment in comments))
    return [(_name(m["name"]), m["value"], m["what"]) for m in matches]


def _name(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


class Literals:
    """Which variable has which value when something is true, from comments ``R1C1=5 is x37``."""

    def __init__(self, comments: Iterable[str]) -> None:
        self.decided: dict[str, int] = {}
        self.values: dict[str, tuple[str, int]] = {}
        for name, value, what in said(comments):
            assert value is not None
            if what == "decided":
                self.decided[name] = int(value)
            else:
                self.values[what] = (name, int(value))

    def solution(self, true: Iterable[str], names: Iterable[str]) -> tuple[int, ...]:
        """Return the values of variables, given what is true; each must have exactly one."""
        chosen = [self.values[what] for what in true if what in self.values]
        values = {**self.decided, **dict(chosen)}
        assert len(chosen) + len(self.decided) == len(values)
        return tuple(values[name] for name in names)


def identifiers(text: str, comment: str, names: Iterable[str]) -> Mapping[str, str]:
    """Return the identifier of each name: itself unless the lines of a file that begin with a sign say otherwise."""
    comments = (line[1:] for line in text.splitlines() if line.startswith(comment))
    found = {name: what for name, value, what in said(comments) if value is None}
    return {name: found.get(name, name) for name in names}


def dimacs(text: str, names: Sequence[str]) -> Found:
    """Read and solve by python-sat."""
    formula = CNF(from_string=text)
    head = next(line for line in text.splitlines() if line.startswith("p cnf")).split()
    assert (formula.nv <= int(head[2]), len(formula.clauses)) == (True, int(head[3]))
    literals = Literals(line[1:] for line in formula.comments if "=" in line)
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        return [literals.solution([str(x) for x in model if x > 0], names) for model in solver.enum_models()]


def here(formats: Iterable[str]) -> list[str]:
    """Leave out the formats of which the reader is not installed: MiniZinc's is a program."""
    return [name for name in formats if name != "minizinc" or shutil.which("minizinc")]


def minizinc(text: str, names: Sequence[str]) -> Found:
    """Compile and solve by MiniZinc's own program with Gecode; with an objective, return the improving solutions."""
    command = ["minizinc", "--solver", "gecode", "--all-solutions", "--output-mode", "json", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "==========" in done.stdout or "=====UNSATISFIABLE=====" in done.stdout, done.stdout + done.stderr
    of = identifiers(text, "%", names)
    answers = [json.loads(part) for part in done.stdout.split("----------")[:-1]]
    return [tuple(answer[of[name]] for name in names) for answer in answers]


def xcsp3(text: str, names: Sequence[str]) -> Found:
    """Read by ``Model.read`` and solve by ``cp-sat``; with an objective, return the improving solutions."""
    root = ElementTree.fromstring(text)
    variables = root.find("variables")
    ids = [one.attrib["id"] for one in (() if variables is None else variables)]
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) for name in ids)
    assert (root.get("type") == "COP") == (root.find("objectives") is not None)
    return [tuple(values[name] for name in names) for values in _solutions(text, ".xml")]


def opb(text: str, names: Sequence[str]) -> Found:
    """Do the same; which variable has which value is in comments."""
    head = _HEAD.match(text)
    model = read(text, ".opb")
    assert head and (len(model.variables), len(model.constraints)) == (int(head[1]), int(head[2]))
    return _of_columns(text, ".opb", names)


def mps(text: str, names: Sequence[str]) -> Found:
    """Do the same."""
    return _of_columns(text, ".mps", names)


def _of_columns(text: str, end: str, names: Sequence[str]) -> Found:
    literals = Literals(line[1:] for line in text.splitlines() if re.match(r"\* \S.*=-?\d+ is (\S+)\Z", line))
    true = ([x for x, value in values.items() if value] for values in _solutions(text, end))
    return [literals.solution(found, names) for found in true]


def read(text: str, end: str) -> Model:
    """Return what ``Model.read`` reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"one{end}")
        path.write_text(text, "utf-8")
        return Model.read(path)


def again(model: Model, end: str) -> Model:
    """Return what ``Model.read`` reads of what ``Model.write`` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"one{end}")
        model.write(path)
        return Model.read(path)


def _solutions(text: str, end: str) -> Iterator[dict[str, int]]:
    for values in solutions(read(text, end), "cp-sat"):
        yield dict(values)  # type: ignore[arg-type]


def proto_of_text(text: str) -> cp_model_pb2.CpModelProto:
    return text_format.Parse(text, cp_model_pb2.CpModelProto())


def proto_of_bytes(data: bytes) -> cp_model_pb2.CpModelProto:
    proto = cp_model_pb2.CpModelProto()
    proto.ParseFromString(data)
    return proto


def cp_sat(text: str, names: Sequence[str]) -> Found:
    """Read by Google's own library and enumerate by CP-SAT; with an objective, return the improving solutions."""
    proto, model, found = proto_of_text(text), cp_model.CpModel(), list[tuple[int, ...]]()
    assert model.proto.parse_text_format(text_format.MessageToString(proto))
    places = {variable.name: i for i, variable in enumerate(proto.variables)}

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            values = self.response_proto.solution
            found.append(tuple(values[places[name]] for name in names))

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = not proto.HasField("objective")
    solver.solve(model, Listener())
    return found


def smt_lib(text: str, names: Sequence[str]) -> Found:
    """Read and solve by Z3."""
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


def smt_optimum(text: str, names: Sequence[str]) -> tuple[int, ...] | None:
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
    of = identifiers(text, ";", names)
    return tuple(values[of[name]] for name in names)
