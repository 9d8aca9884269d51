"""What the tests of the CNF backends share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from sudoku_backends.cnf.pycosat import BACKEND, PycosatCompiled, PycosatOptions

from sudoku_models.engine.contract import Reason, Request, Run, Search, Solution
from sudoku_models.model import AllDifferent, Compare, Domain, InDomain, Model, Table
from sudoku_models.puzzle.shape import Shape
from sudoku_models.testing import generators

KINDS = (AllDifferent, AllDifferent, Compare, InDomain, Table)


def compiled(model: Model, **options: object) -> PycosatCompiled:
    return BACKEND.compile(model, PycosatOptions(**options))


def solutions(model: Model, domains: Mapping[str, tuple[int, ...]] | None = None, **options: object) -> list[Solution]:
    return list(compiled(model, **options).run(Request(domains=domains or {}, limit=None)))


def domains_of(shape: Shape, line: str) -> dict[str, tuple[int, ...]]:
    values = [shape.values[int(c) - 1] if c.isdigit() and c != "0" else None for c in line]
    return {name: (value,) for name, value in zip(shape.names, values, strict=True) if value is not None}


def random_model(seed: int) -> Model:
    """Return a small model of the kinds that have a direct encoding."""
    rng = Random(seed)
    return generators.random_model(rng, KINDS, rng.randint(1, 5), rng.randint(0, 4))


def random_domains(seed: int, model: Model) -> dict[str, Domain]:
    """Return pencil marks and givens for some variables, some of them outside the model's domains."""
    return generators.random_domains(Random(seed), model)


def attempt(form: Any, request: Request) -> Run | None:
    """Return a run of what a search with patience finds; None if it gives up."""
    found = form.run(replace(request, patience=20_000_000))
    solutions = list(found)
    if found.ending.reason is Reason.GAVE_UP:
        return None

    def again() -> Search:
        yield solutions
        return found.ending

    return Run(again(), None, found.record)
