"""The parts of a problem, as its author stated and named them: givens, houses, rules, constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.switches import Part
from ..model import Constraint, Domain, Model
from ..puzzle import Puzzle
from ..verbs.smallest_conflict import taken_apart
from ..verbs.task import Problem, as_puzzle

KINDS = ("given", "house", "rule", "constraint")

Soft = Iterable[Constraint] | Mapping[str, Constraint | Iterable[Constraint]]
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
    return [text for run in runs for text in (run if len(run) < 3 else [_run(run)])]


def _next(house: str) -> str | None:
    """Return the name of the house after a given one, as row 2 after row 1; None if houses are not numbered."""
    kind, _, number = house.rpartition(" ")
    return f"{kind} {int(number) + 1}" if number.isdecimal() and kind else None


def _run(houses: Sequence[str]) -> str:
    kind, _, first = houses[0].rpartition(" ")
    return f"{kind}{'es' if kind.endswith('x') else 's'} {first} to {houses[-1].rpartition(' ')[2]}"


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
    named = soft.items() if isinstance(soft, Mapping) else ((one, one) for one in soft)
    groups = [(name, [one] if isinstance(one, Constraint) else list(one)) for name, one in named]
    parts = tuple(Part(("constraint", name), tuple(group)) for name, group in groups)
    cells = [tuple(dict.fromkeys(x for one in group for x in one.scope)) for _, group in groups]
    stated = tuple(Stated("constraint", name, (), xs) for (name, _), xs in zip(groups, cells, strict=True))
    return TakenApart(base.with_(*(one for _, group in groups for one in group)), base, parts, stated)


def _stated(part: Part, houses: Mapping[str, Iterable[str]]) -> Stated:
    kind, what = part.label
    if kind == "given":
        return Stated(kind, what, tuple(part.domains[what]), (what,))
    cells = houses[what] if kind == "house" else dict.fromkeys(what.scope)
    return Stated(kind, what, (), tuple(cells))
