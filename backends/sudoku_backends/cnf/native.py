"""The formula as plain Python, which a user can extend or give to another solver, and the DIMACS CNF format.

DIMACS says in comment lines what each literal means:

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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from .encoding import Problem


@dataclass
class NativeClauses:
    """Clauses as lists of integers, with the meaning of the literals: a separate copy, which may be extended.

    ``variables`` is the number of the last literal in use. ``candidates[i]`` is the meaning of literal i + 1: the pair
    (name, value). The literals after them are auxiliaries. ``decided`` are the values that the givens fixed already.
    """

    clauses: list[list[int]]
    variables: int
    candidates: list[tuple[str, int]]
    decided: dict[str, int]

    def __post_init__(self) -> None:
        self._literals = {candidate: i for i, candidate in enumerate(self.candidates, 1)}

    @property
    def literals(self) -> Mapping[tuple[str, int], int]:
        """The literal of each candidate."""
        return self._literals

    def literal(self, name: str, value: int) -> int:
        """Return the literal that says ``name`` is ``value``; raise KeyError if that is decided or impossible."""
        found = self._literals.get((name, value))
        if found is None:
            known = f": it is {self.decided[name]}" if name in self.decided else ""
            raise KeyError(f"no literal says that {name} is {value}{known}")
        return found

    def meaning(self, literal: int) -> tuple[str, int] | None:
        """Return the candidate (name, value) of a literal or its negation; None for an auxiliary.

        Raise KeyError if the formula has no such literal.
        """
        if not 1 <= abs(literal) <= self.variables:
            raise KeyError(f"{literal} is not a literal: 1 to {self.variables} are in use")
        at = abs(literal) - 1
        return self.candidates[at] if at < len(self.candidates) else None

    def solution(self, model: list[int]) -> dict[str, int]:
        """Return the values by name under a model of the clauses (signed literals, as SAT solvers give them)."""
        last = len(self.candidates)
        return {**self.decided, **dict(self.candidates[literal - 1] for literal in model if 0 < literal <= last)}


def native_of(problem: Problem, clauses: bool = True) -> NativeClauses:
    """Return a problem's formula as plain Python data; a model that has no solution gives one empty clause.

    Without ``clauses`` the list is left empty and only the map is made.
    """
    space, reduced = problem.structure.space, problem.reduced
    names, table = space.names, space.table
    cells, values = reduced.cell.tolist(), table[reduced.column].tolist()
    decided = reduced.fixed_cells
    fixed = zip(decided.tolist(), table[reduced.fixed[decided]].tolist(), strict=True)
    candidates = [] if problem.impossible else [(names[c], v) for c, v in zip(cells, values, strict=True)]
    lists = [list(clause) for clause in problem.formula] if clauses else []
    return NativeClauses(lists, problem.formula.variables, candidates, {names[c]: v for c, v in fixed})


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
