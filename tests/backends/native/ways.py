"""The ways in which the engine is asked for all solutions of a small model, each held to those of brute force.

A random model is asked in one way, in turn. A way gets the model, narrower domains and all solutions (``truth``), and
tells whether the answer is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.backend import REASONING, REDUCTIONS
from sudoku_backends.native.compiled import CompiledNative
from sudoku_backends.native.search import Searching

from sudoku_models.engine.contract import Request
from sudoku_models.model import Domain, Model

Solution = tuple[int, ...]
Domains = Mapping[str, Domain]
Way = Callable[[Model, Domains, Sequence[Solution]], bool]

PARTS = (*REDUCTIONS, *REASONING)


def compiled(model: Model, without: str = "") -> CompiledNative:
    """Return a model for the engine, some reasoning left out."""
    return BACKEND.compile(model, NativeOptions(without=without))


def run(model: Model, domains: Domains, truth: Sequence[Solution], **asked: int) -> bool:
    """One by one, as the contract has it."""
    return sorted(compiled(model).run(Request(domains, None, **asked))) == truth


def rows(asked: CompiledNative, request: Request) -> list[Solution]:
    """Return all solutions, sorted, that come in blocks."""
    blocks = asked.run(request).blocks()
    return sorted(tuple(row) for block in blocks for row in (block.tolist() if hasattr(block, "ndim") else block))


def blocks(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """In blocks, as they are counted."""
    return rows(compiled(model), Request(domains, None)) == truth


def plainest(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """With all reasoning left out that can be."""
    return rows(compiled(model, "+".join(PARTS)), Request(domains, None)) == truth


def without_a_part(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """With one part of the reasoning left out: which one depends on the model."""
    part = PARTS[(len(truth) + len(model.constraints)) % len(PARTS)]
    return rows(compiled(model, part), Request(domains, None)) == truth


def propagated(asked: CompiledNative, domains: Domains) -> dict[str, Domain]:
    """Return what the first propagation leaves of the domains; all are empty if there is no solution."""
    start, names = asked.start(domains), asked.model.names
    left = None if start is None else Searching(asked.network, start).narrowed()
    if left is None:
        return dict.fromkeys(names, ())
    stated, base = asked.model.domains, asked.network.base
    kept = zip(names, left, strict=False)
    return {x: tuple([value for value in stated[x] if mask >> (value - base) & 1]) for x, mask in kept}


def narrowed(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """The first propagation loses no value of a solution, and then they are found."""
    asked = compiled(model)
    left = propagated(asked, domains)
    kept = all(value in left[x] for row in truth for x, value in zip(model.names, row, strict=True))
    return kept and rows(asked, Request(domains, None)) == truth


WAYS: tuple[Way, ...] = (run, blocks, narrowed, without_a_part, plainest)
