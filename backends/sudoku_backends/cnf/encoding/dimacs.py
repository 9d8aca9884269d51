"""The DIMACS CNF format, with what each literal means in comment lines.

    c sudoku-models: a comment of our own
    c R1C1=5 is 37
    c R1C2=4 is decided
    p cnf 729 8829
    37 -41 0

A name is written as it is, in JSON quotes when it holds blanks or quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from .encode import Problem
from .plain import NativeClauses, native_of

_CHUNK = 1000


def to_dimacs(native: NativeClauses) -> Iterator[str]:
    """Yield the lines (each with its newline) of a formula with its map."""
    yield "c sudoku-models: clauses of a model; the meaning of each literal follows\n"
    for name, value in native.decided.items():
        yield f"c {_quoted(name)}={value} is decided\n"
    for literal, (name, value) in enumerate(native.candidates, 1):
        yield f"c {_quoted(name)}={value} is {literal}\n"
    yield f"p cnf {native.variables} {len(native.clauses)}\n"
    yield from _clause_lines(native.clauses)


def export(problem: Problem) -> Iterator[str]:
    """Yield the lines of a problem in the same form, without building a list of its clauses."""
    bare = native_of(problem, clauses=False)
    lines = to_dimacs(bare)
    yield from islice(lines, 1 + len(bare.decided) + len(bare.candidates))
    yield f"p cnf {problem.formula.variables} {problem.formula.clauses}\n"
    yield from _clause_lines(problem.formula)


def _clause_lines(clauses: Iterable[Iterable[int]]) -> Iterator[str]:
    """Write a thousand clauses at a time."""
    lines = (" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
    while chunk := list(islice(lines, _CHUNK)):
        yield "".join(chunk)


def _quoted(name: str) -> str:
    return json.dumps(name) if re.search(r'[\s"]', name) or not name else name
