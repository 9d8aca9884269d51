"""The verb ``core``: a minimal reason why a puzzle or a model has no solution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from ..engine.contract import Request
from ..engine.record import Record
from ..engine.registry import BackendLike
from ..engine.switches import Part
from ..engine.switches import core as minimal
from ..errors import LimitReached, Unsupported
from ..model import Constraint, Domain, Model, VariableLike, domain, name_of
from ..puzzle import Puzzle
from .results import Core
from .task import BOUNDS, LimitKeywords, Problem, as_puzzle, begun


def core(
    problem: Problem,
    backend: BackendLike = "auto",
    *,
    domains: Mapping[VariableLike, Iterable[int]] | None = None,
    **limits: Unpack[LimitKeywords],
) -> Core | None:
    """Return givens, houses, rules and constraints that contradict each other; None if there is a solution.

    No part can be left out: without any single one, the others can be satisfied together. For a bare model the parts
    are its constraints, and ``domains`` that narrow its variables (as givens narrow the cells of a puzzle, whose
    domains may be narrowed further here). The keywords for limits are those of ``solve``. Raises LimitReached, with
    ``known`` as a Core that is not minimal, or None if no contradiction was found either; raises Unsupported for a
    backend that cannot prove that there is no solution.
    """
    narrow = {name_of(x): domain(values) for x, values in (domains or {}).items()}
    base, parts = taken_apart(problem, narrow)
    return conflict(base, parts, backend, limits)


def failed(
    base: Model, assumed: Sequence[Constraint], backend: BackendLike, limits: Mapping[str, Any]
) -> tuple[Constraint, ...]:
    """Return some of the assumed constraints that contradict each other, or the model, none without need.

    If a limit is reached first, some may be there without need.
    """
    try:
        found = conflict(base, [Part(("constraint", c), (c,)) for c in assumed], backend, limits)
    except LimitReached as stopped:
        found = stopped.known or None  # type: ignore[assignment]
    return tuple(assumed) if found is None else found.constraints


def conflict(base: Model, parts: list[Part], backend: BackendLike, limits: Mapping[str, Any]) -> Core | None:
    """Return parts that contradict each other and what always holds; see ``core``."""
    if limits.get("trace") is not None:
        raise Unsupported("core runs many searches, so it cannot be traced: leave out trace")
    budget, record = begun(limits).start(), Record()
    asked = {name: value for name, value in limits.items() if name not in (*BOUNDS, "hint")}
    request = Request(**asked, time_limit=budget.left, memory_limit=budget.memory)
    try:
        found = minimal(base, parts, backend, request, record)
    except LimitReached as stopped:
        known: Any = stopped.known
        raise LimitReached(str(stopped), None if known is None else _core(known, False, record)) from None
    return None if found is None else _core(found, True, record)


def taken_apart(problem: Problem, domains: Mapping[str, Domain]) -> tuple[Model, list[Part]]:
    """Return the parts that always hold, and the parts that the author stated; ``domains`` are further givens.

    A part's label is its kind ("given", "house", "rule" or "constraint") and the cell name, house name, rule or
    constraint itself.
    """
    if not isinstance(problem, Model):
        return _of_puzzle(as_puzzle(problem), domains)
    parts = [Part(("given", x), domains={x: values}) for x, values in domains.items()]
    return Model(problem.variables), [*parts, *(Part(("constraint", c), (c,)) for c in problem.constraints)]


def _of_puzzle(puzzle: Puzzle, domains: Mapping[str, Domain]) -> tuple[Model, list[Part]]:
    """Split a puzzle into its parts; the definitions of auxiliary variables always hold."""
    from ..puzzle.rules.board import Board

    shape, board = puzzle.shape, Board(puzzle.shape, puzzle.rules, alone=True)
    parts = [Part(("given", x), domains={x: v}) for x, v in (*puzzle.domains.items(), *domains.items())]
    houses = zip(shape.houses, shape.constraints(), strict=True)
    parts += [Part(("house", house.name), (different,), assumed=True) for house, different in houses]
    parts += [Part(("rule", rule), tuple(rule.constraints(board)), rules=(rule,)) for rule in puzzle.rules]
    definitions: list[Constraint] = [c for _, stated in board.auxiliaries.values() for c in stated]
    return Model(puzzle.structure.variables, definitions, judge=puzzle.structure.judge), parts


def _core(parts: Iterable[Part], minimal: bool, record: Record) -> Core:
    found: dict[str, list[Any]] = {"given": [], "house": [], "rule": [], "constraint": []}
    for part in parts:
        kind, what = part.label
        found[kind] += part.domains.items() if kind == "given" else [what]
    givens, houses, rules, constraints = map(tuple, found.values())
    return Core(givens, houses, rules, constraints, minimal, record)
