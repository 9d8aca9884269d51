"""A model as a formula, whichever solver is to take it: the options, what is accepted, and the maps of its literals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from sudoku_models.engine.base import CompiledBase
from sudoku_models.engine.contract import Capabilities, Feature, Request
from sudoku_models.engine.numbers import Numbers
from sudoku_models.engine.record import Record
from sudoku_models.errors import BadOption, Unsupported
from sudoku_models.exports.common import no_clause
from sudoku_models.model import AllDifferent, Compare, Domain, InDomain, Model, Or, Table

if TYPE_CHECKING:
    from .formula import Formula, Problem


@dataclass(frozen=True)
class EncodingOptions:
    """How a model becomes clauses.

    ``house``: ``minimal`` says that every variable has a value and every house holds each value at most once;
    ``efficient`` adds that a variable has at most one value, ``extended`` that every house holds every value.
    ``amo`` is the encoding of at-most-one (lists of up to four candidates are always pairwise: nothing is smaller).
    ``propagate`` removes candidates before the encoding by singles, or singles and locked candidates. ``auto`` is
    ``locked`` where there can be machine code, and ``none`` elsewhere. The record notes what was done.
    ``reduction=none`` keeps every candidate and adds the givens as unit clauses: the textbook's formula, for
    comparisons.
    """

    house: str = field(default="extended", metadata={"choices": ("extended", "efficient", "minimal")})
    amo: str = field(
        default="pairwise", metadata={"choices": ("pairwise", "sequential", "commander", "product", "bimander")}
    )
    propagate: str = field(
        default="auto", metadata={"choices": ("auto", "none", "singles", "locked"), "comparing": "none"}
    )
    reduction: str = field(default="givens", metadata={"choices": ("givens", "none")})

    def __post_init__(self) -> None:
        if self.reduction == "none" and self.propagate in ("singles", "locked"):
            raise BadOption(f"propagate={self.propagate} removes candidates, which reduction=none forbids")


LARGEST = 2_000_000
"""The largest number of pairs of values for which a Compare is written out."""

MOST_ATTEMPTED = 64
"""Requests for more solutions than this are not attempted in process."""


def refuses_model(model: Model) -> str | None:
    """Return why a model is too large for the direct encoding; None if it is not."""
    for c in model.constraints:
        if isinstance(c, Compare) and c.op != "!=":
            pairs = len(model.domains[c.x]) * len(model.domains[c.y])
            if pairs > LARGEST:
                return f"a Compare between domains of {pairs} pairs of values is too large for clauses"
    return None


class CompiledFormula(CompiledBase):
    """A model ready to be encoded. Immutable; any number of threads may use it at the same time."""

    options: EncodingOptions

    def __init__(self, model: Model, options: EncodingOptions) -> None:
        from .formula import structure_of

        self.model, self.options = model, options
        self._structure = structure_of(model)

    def asks_for_many(self, request: Request) -> bool:
        """Return whether a request is for more solutions than an attempt in process should list."""
        return not self.model.objective and (request.limit is None or request.limit > MOST_ATTEMPTED)

    def problem(self, domains: Mapping[str, Domain], record: Record | None = None) -> Problem:
        """Return the model narrowed by ``domains``, as a formula; raise ValueError if they name an unknown variable.

        A record notes its sizes and how it was propagated.
        """
        from .propagation import prepared

        problem, propagated = prepared(self._structure, domains, self.options)
        if record:
            record.sizes = problem.formula.sizes
            record.notes.append(propagated)
        return problem

    def native_for(self, domains: Mapping[str, Domain]) -> NativeClauses:
        """Return the clauses of the model narrowed by ``domains``, as lists, with the maps of their literals."""
        return native_of(self.problem(domains))

    @property
    def native(self) -> NativeClauses:
        """A fresh copy of the model's clauses, as lists, with the maps of their literals."""
        return self.native_for({})

    @cached_property
    def _map(self) -> NativeClauses:
        return native_of(self.problem({}), clauses=False)

    def of_variable(self, name: str) -> dict[int, int]:
        """Return the literals of ``native`` for the values of a variable, by value; an empty map if it is decided."""
        return {value: literal for literal, (x, value) in enumerate(self._map.candidates, 1) if x == name}

    def of_value(self, name: str, value: int) -> int:
        """Return the literal of ``native`` that says that a variable has a value.

        Raise Unsupported if that was decided before the encoding.
        """
        if (name, value) not in self._map.literals:
            decided = self._map.decided.get(name)
            known = f"it is {decided}" if decided is not None else "that is ruled out"
            missing = f"{self.label} has no literal for {name} = {value}: {known} before the encoding"
            raise Unsupported(f"{missing}; with the option reduction=none every value has one")
        return self._map.literal(name, value)

    def values_in(self, answer: Iterable[int]) -> dict[str, int]:
        """Return the values by name in an answer to ``native``, or to clauses that extend it: signed literals."""
        return self._map.solution(list(answer))


class Reloaded:
    """A solver that keeps nothing from one question to the next: each loads the formula with all that was added."""

    def __init__(self, formula: Formula) -> None:
        self.formula, self.variables = formula, formula.variables
        self.added: list[Sequence[int]] = []

    def add(self, clause: Sequence[int]) -> None:
        self.added.append(clause)
        self.variables = max(self.variables, *map(abs, clause), 0)

    def clauses(self) -> Iterator[Sequence[int]]:
        return chain(self.formula, self.added)

    def counters(self) -> dict[str, int]:
        """Return nothing: the engine does not say what it did, or in a form of its own."""
        return {}

    def close(self) -> None:
        """Do nothing: nothing is kept."""


# ---------------------------------------------------------------- clauses as plain Python, and the DIMACS CNF format


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
    structure, reduced = problem.structure, problem.reduced
    names, table = structure.names, structure.table
    cells, values = reduced.cell.tolist(), table[reduced.column].tolist()
    decided = reduced.decided
    fixed = zip(decided.tolist(), table[reduced.fixed[decided]].tolist(), strict=True)
    candidates = [] if problem.impossible else [(names[c], v) for c, v in zip(cells, values, strict=True)]
    lists = [list(clause) for clause in problem.formula] if clauses else []
    return NativeClauses(lists, problem.formula.variables, candidates, {names[c]: v for c, v in fixed})


def to_dimacs(native: NativeClauses, formula: Formula | None = None) -> Iterator[str]:
    """Yield the lines (each with its newline) of clauses with their map; those of a formula are not built as lists.

    DIMACS says in comment lines what each literal means:

        c sudoku-models: a comment of our own
        c R1C1=5 is 37
        c R1C2=4 is decided
        p cnf 729 8829
        37 -41 0

    A name is written as it is, in JSON quotes when it holds blanks or quotes.
    """
    yield "c sudoku-models: clauses of a model; the meaning of each literal follows\n"
    for name, value in native.decided.items():
        yield f"c {_quoted(name)}={value} is decided\n"
    for literal, (name, value) in enumerate(native.candidates, 1):
        yield f"c {_quoted(name)}={value} is {literal}\n"
    yield f"p cnf {native.variables} {formula.clauses if formula else len(native.clauses)}\n"
    lines = (" ".join(map(str, (*clause, 0))) + "\n" for clause in formula or native.clauses)
    while some := list(islice(lines, 1000)):
        yield "".join(some)


def _quoted(name: str) -> str:
    return json.dumps(name) if re.search(r'[\s"]', name) or not name else name


def export_dimacs(compiled: CompiledFormula, domains: Mapping[str, Domain]) -> Iterator[str]:
    """Yield the lines of the reduced formula in DIMACS CNF, with the map in comment lines.

    Raise Unsupported for a model with an objective, which clauses cannot express.
    """
    if compiled.model.objective:
        raise Unsupported("DIMACS CNF has no objective: take model.without_objective(), or a format such as opb")
    problem = compiled.problem(domains)
    return to_dimacs(native_of(problem, clauses=False), problem.formula)


CLAUSES = Capabilities(
    kinds=frozenset({AllDifferent, Compare, InDomain, Or, Table}),
    features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.OBJECTIVE}),
    requires=("numpy",),
    refuses=no_clause,
    refuses_model=refuses_model,
    numbers=Numbers(values=4_000),  # a clause is needed for every two values of a variable
    exports={"dimacs": export_dimacs},
)
"""What all solvers of clauses share."""
