"""The results of ``explain``: why there is no solution, how several solutions differ, or which parts are redundant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from ..engine.record import Record
from ..engine.switches import Part
from ..model import ConstraintLike, Domain, InDomain, Model, Or, constraints_of
from ..puzzle import Grid, Puzzle
from ..puzzle.puzzle import dark_cells
from ..verbs.results import shortened
from ..verbs.smallest_conflict import taken_apart
from ..verbs.task import Problem, as_puzzle
from .duality import Duality, Members

KINDS = ("given", "house", "rule", "constraint")

Soft = Iterable[ConstraintLike] | Mapping[str, ConstraintLike | Iterable[ConstraintLike]]
"""Constraints that may be given up: a list, or one or several constraints for each of your own names."""


@dataclass(frozen=True)
class Stated:
    """A part that the author stated: ``kind`` is given, house, rule or constraint, ``what`` is the part itself.

    ``what`` is the name of a cell or a house, a Rule, a Constraint, or your own name for one. ``values`` are those that
    a given leaves.
    ``cells`` are the names of its cells; empty for a rule about the whole board.
    """

    kind: str
    what: Any
    values: Domain = ()
    cells: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the name used in sentences: given R5C5 = 3, row 1, Thermo (R1C1 R1C2)."""
        if self.kind == "given":
            return f"{'given ' if len(self.values) == 1 else 'candidates '}{self.what} = {chosen(self.values)}"
        return f'"{self.what}"' if self.kind == "constraint" and isinstance(self.what, str) else str(self.what)

    def to_json(self) -> dict[str, Any]:
        """Return it as data: kind, text, cells, and the values of a given."""
        found: dict[str, Any] = {"kind": self.kind, "text": str(self), "cells": list(self.cells)}
        return {**found, "values": list(self.values)} if self.kind == "given" else found


def chosen(values: Domain) -> str:
    """Format values: 3, 3 or 5, nothing."""
    return " or ".join(map(str, values)) or "nothing"


def listed(parts: Iterable[object], last: str = "and") -> str:
    """Join parts in a sentence: a, b and c."""
    texts = [str(part) for part in parts]
    return texts[0] if len(texts) == 1 else f" {last} ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def in_runs(parts: Iterable[Stated]) -> list[str]:
    """Format parts, with three or more neighbouring houses as one: row 1, row 2, row 3, box 7 as rows 1 to 3, box 7."""
    runs: list[list[str]] = []
    for part in parts:
        text = str(part)
        if runs and part.kind == "house" and text == _next(runs[-1][-1]):
            runs[-1].append(text)
        else:
            runs.append([text])
    return [text for run in runs for text in (run if len(run) < 3 else [as_run(run)])]


def _next(house: str) -> str | None:
    """Return the name of the house after a given one, as row 2 after row 1; None if houses are not numbered."""
    kind, _, number = house.rpartition(" ")
    return f"{kind} {int(number) + 1}" if number.isdecimal() and kind else None


def as_run(houses: Sequence[str]) -> str:
    """Name two or more neighbouring houses: rows 1 to 3."""
    kind, _, first = houses[0].rpartition(" ")
    upto = "to" if len(houses) > 2 else "and"
    return f"{kind}{'es' if kind.endswith('x') else 's'} {first} {upto} {houses[-1].rpartition(' ')[2]}"


@dataclass(frozen=True)
class TakenApart:
    """A problem split into what is always in force and its parts, both for an engine and in words."""

    problem: Puzzle | Model
    base: Model
    parts: tuple[Part, ...]
    stated: tuple[Stated, ...]

    def named(self, numbers: Iterable[int]) -> tuple[Stated, ...]:
        """Return parts by their numbers, givens first."""
        found = [self.stated[i] for i in sorted(numbers)]
        return tuple(sorted(found, key=lambda part: KINDS.index(part.kind)))

    def another(self, free: Collection[int], solution: Mapping[str, int]) -> Model:
        """Return the model of all parts but ``free``, whose solutions differ from a known one."""
        kept = [part for i, part in enumerate(self.parts) if i not in free]
        others = ((x, [v for v in self.base.domains[x] if v != value]) for x, value in solution.items())
        another = Or(*(InDomain(x, values) for x, values in others if values))
        rules = [rule for part in kept for rule in part.rules]
        return self.base.with_(*(c for part in kept for c in part.stated), another, rules=rules)


def apart(problem: Problem, domains: Mapping[str, Domain] | None = None) -> TakenApart:
    """Split a problem into parts; ``domains`` are further givens. Raises what ``as_puzzle`` raises for a bad
    problem.
    """
    read = problem if isinstance(problem, Model) else as_puzzle(problem)
    base, parts = taken_apart(read, domains or {})
    houses = (
        {} if isinstance(read, Model) else {h.name: [read.shape.names[c] for c in h.cells] for h in read.shape.houses}
    )
    return TakenApart(read, base, tuple(parts), tuple(_stated(part, houses) for part in parts))


def softly(problem: Puzzle | Model, soft: Soft) -> TakenApart:
    """Split a problem, which always holds, and constraints that may be given up: each of these is a part."""
    base = problem if isinstance(problem, Model) else problem.model
    named = soft.items() if isinstance(soft, Mapping) else ((one, one) for one in constraints_of(soft))
    groups = [(name, constraints_of(one)) for name, one in named]
    parts = tuple(Part(("constraint", name), group) for name, group in groups)
    cells = [tuple(dict.fromkeys(x for one in group for x in one.scope)) for _, group in groups]
    stated = tuple(Stated("constraint", name, (), xs) for (name, _), xs in zip(groups, cells, strict=True))
    return TakenApart(base.with_(*(one for _, group in groups for one in group)), base, parts, stated)


def _stated(part: Part, houses: Mapping[str, Iterable[str]]) -> Stated:
    kind, what = part.label
    if kind == "given":
        return Stated(kind, what, tuple(part.domains[what]), (what,))
    cells = houses[what] if kind == "house" else dict.fromkeys(what.scope)
    return Stated(kind, what, (), tuple(cells))


# ----------------------------------------------------------------------------
# The results of ``explain``: why there is no solution, how several solutions differ, or which parts are redundant.


MANY = 12
"""More givens than this are counted in the text of a reason that is not minimal; ``parts`` has them all."""

Solved = Grid | Mapping[str, int]


@dataclass(frozen=True)
class Conflict:
    """Parts that cannot hold together, none of them superfluous: without any single one there is a solution.

    If a limit was reached before that was proved for all of them, ``minimal`` is False: they cannot hold together, but
    some of them may be unnecessary.
    """

    parts: tuple[Stated, ...]
    minimal: bool = True

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        return f"<Conflict of {len(self)}: {shortened(str(self))}>"

    def __str__(self) -> str:
        if not self.parts:
            return "There is no solution, whatever is left out."
        verb = "cannot hold together" if len(self.parts) > 1 else "cannot hold"
        rest = "" if self.minimal else " (some of these may not be needed)"
        said = listed(self._texts())
        return f"{said[:1].upper()}{said[1:]} {verb}{rest}."

    def _texts(self) -> list[str]:
        """Format the parts; many givens that were not reduced to the necessary ones are given as a number."""
        givens = [part for part in self.parts if part.kind == "given"]
        if self.minimal or len(givens) <= MANY:
            return in_runs(self.parts)
        return [f"{len(givens)} of the givens", *in_runs(part for part in self.parts if part.kind != "given")]

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        parts = [part.to_json() for part in self.parts]
        return {"parts": parts, "text": str(self)} | ({} if self.minimal else {"minimal": False})


@dataclass(frozen=True)
class Repair:
    """Parts whose removal leaves a solution (``solution`` is one); none of them could stay.

    If a limit was reached before it was proved that fewer parts are not enough, ``minimal`` is False.
    """

    parts: tuple[Stated, ...]
    solution: Solved = field(compare=False, repr=False)
    minimal: bool = True

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        return f"<Repair of {len(self)}: {shortened(str(self))}>"

    def __str__(self) -> str:
        """Say what to leave out, and which values the cells of those givens then have."""
        values = by_name(self.solution)
        givens = [f"{p.what} = {values[p.what]}" for p in self.parts if p.kind == "given" and p.what in values]
        then = f", for example with {listed(givens)}" if givens else ""
        rest = "" if self.minimal else " (perhaps fewer would do)"
        return f"Without {listed(in_runs(self.parts))} there is a solution{then}{rest}."

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        parts = [part.to_json() for part in self.parts]
        found = {"parts": parts, "solution": dict(by_name(self.solution)), "text": str(self)}
        return found | ({} if self.minimal else {"minimal": False})


@dataclass(frozen=True)
class Explanation:
    """Base class: ``status`` is "no solution", "several solutions", "one solution" or "unknown"; ``str`` says it in
    words.

    ``complete`` is False if a limit was reached before everything was known; ``reason_incomplete`` names the limit.
    """

    problem: Puzzle | Model = field(repr=False)
    record: Record = field(repr=False, compare=False)
    status = "unknown"
    limit: str = ""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # which kind it is, and so what it has, depends on the problem

    def __bool__(self) -> bool:
        raise TypeError("an Explanation has no truth value: ask for its status")

    def __str__(self) -> str:
        return f"It is not known how many solutions there are: {self.limit}."

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(str(self))}>"

    def _repr_html_(self) -> str:
        return f"<div>{escape(str(self))}</div>"

    def to_json(self) -> dict[str, Any]:
        """Return it as data: ``status``, ``text``, ``limit`` and what its kind adds."""
        return {"status": self.status, "text": str(self), "limit": self.limit}


@dataclass(frozen=True, repr=False)
class NoSolution(Explanation):
    """Why there is no solution: a minimal ``reason``, and a smallest ``repair`` (None if a limit was reached first).

    ``more`` yields further ones as they are found, repairs in order of size; ``reasons`` and ``repairs`` yield all of
    them, smallest first. They use the engine further, in the thread that made this object.
    """

    status = "no solution"
    reason: Conflict | None = None
    repair: Repair | None = None
    _taken: TakenApart | None = field(default=None, repr=False, compare=False)
    _search: Duality | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        found = ["There is no solution.", *(str(part) for part in (self.reason, self.repair) if part is not None)]
        what = "The search for more was stopped" if len(found) > 1 else "The reason is not known"
        return " ".join([*found, f"{what}: {self.limit}."] if self.limit else found)

    def more(self) -> Iterator[Conflict | Repair]:
        """Yield further minimal reasons and repairs, repairs in order of size, until all are found."""
        if self._search is not None:
            for kind, members in self._search.found():
                yield self._repaired(members) if kind == "repair" else self._named(members)

    def repairs(self) -> Iterator[Repair]:
        """Yield all minimal repairs, smallest first."""
        if self._search is not None:
            yield from map(self._repaired, list(self._search.repaired_in_order))
            for kind, members in self._search.found():
                if kind == "repair":
                    yield self._repaired(members)

    def reasons(self) -> Iterator[Conflict]:
        """Yield all minimal reasons, smallest first."""
        if self._search is not None:
            yield from map(self._named, list(self._search.reasons_in_order))
            yield from map(self._named, self._search.smallest_reasons())

    def _named(self, members: Members) -> Conflict:
        assert self._taken
        return Conflict(self._taken.named(members))

    def _repaired(self, members: Members) -> Repair:
        assert self._taken and self._search
        return Repair(self._taken.named(members), shown(self.problem, self._search.repaired[members]))

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        reason, repair = (None if part is None else part.to_json() for part in (self.reason, self.repair))
        return {**super().to_json(), "reason": reason, "repair": repair}


@dataclass(frozen=True, repr=False)
class SeveralSolutions(Explanation):
    """Two solutions, the cells in which they ``differ``, and the single clues that would leave only one.

    ``clues`` are pairs (cell, value), each proved: with it as a further given there is exactly one solution. If there
    is no such clue (or a limit was reached first), ``together`` are clues that leave one solution together.
    """

    status = "several solutions"
    solutions: tuple[Solved, Solved] | tuple[()] = field(default=(), repr=False)
    differ: tuple[str, ...] = ()
    clues: tuple[tuple[str, int], ...] = ()
    together: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        found = [f"There are several solutions{self._difference()}."]
        if self.clues:
            texts = [f"{x} = {v}" for x, v in self.clues]
            more = f" (or one of {len(texts) - 4} others)" if len(texts) > 4 else ""
            found.append(f"With {listed(texts[:4], 'or')}{more} as a given there is only one.")
        elif self.together:
            texts = [f"{x} = {v}" for x, v in self.together]
            shown = texts if len(texts) < 8 else (*texts[:6], f"{len(texts) - 6} others")
            found.append(f"With {listed(shown)} as givens there is only one.")
        return " ".join([*found, f"Not all clues were tried: {self.limit}."] if self.limit else found)

    def _difference(self) -> str:
        if not self.solutions:
            return ""
        a, b = map(by_name, self.solutions)
        cells = [f"{x} ({a[x]} or {b[x]})" for x in self.differ[:6]]
        rest = f" and {len(self.differ) - 6} more cells" if len(self.differ) > 6 else ""
        return f"; two of them differ in {listed(cells)}{rest}"

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        clues, together = ([{"cell": x, "value": v} for x, v in some] for some in (self.clues, self.together))
        found = {"solutions": [dict(by_name(s)) for s in self.solutions], "differ": list(self.differ)}
        return {**super().to_json(), **found, "clues": clues, "together": together}


@dataclass(frozen=True, repr=False)
class OneSolution(Explanation):
    """The only ``solution``; ``redundant`` are the givens and rules any single one of which could be left out (proved).

    ``open`` are those for which this is not known because a limit was reached first.
    """

    status = "one solution"
    solution: Solved | None = field(default=None, repr=False)
    redundant: tuple[Stated, ...] = ()
    open: tuple[Stated, ...] = ()

    def __str__(self) -> str:
        if self.redundant:
            each = "any one of these" if len(self.redundant) > 1 else "this"
            needed = f"There is still only one without {each}: {', '.join(map(str, self.redundant))}."
        else:
            needed = "Every given and every rule is needed." if not self.open else ""
        others = f"{len(self.open)} other{'s' * (len(self.open) > 1)}"
        left = f"For {others} this is not known: {self.limit}." if self.open else ""
        return " ".join(filter(None, ["There is exactly one solution.", needed, left]))

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        solution = None if self.solution is None else dict(by_name(self.solution))
        redundant, left = ([part.to_json() for part in some] for some in (self.redundant, self.open))
        return {**super().to_json(), "solution": solution, "redundant": redundant, "open": left}


def shown(problem: Puzzle | Model, values: Mapping[str, int]) -> Solved:
    """Return a solution as a verb shows it: a grid for a puzzle without extra cells, otherwise values by name."""
    if isinstance(problem, Puzzle) and len(problem.names) == problem.shape.cells:
        dark = dark_cells(problem.shape, problem.rules)
        return Grid(problem.shape, tuple(values[x] for x in problem.shape.names), *dark)
    names = problem.names
    return {x: values[x] for x in names}


def by_name(solution: Solved) -> Mapping[str, int]:
    """Return the values of a solution by the names of its cells."""
    if not isinstance(solution, Grid):
        return solution
    return {x: v for x, v in zip(solution.shape.names, solution.values, strict=True) if v is not None}
