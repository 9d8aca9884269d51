"""The ways in which the engine is asked for all solutions of a small model, each held to those of brute force.

A random model is asked in one way, in turn. A way gets the model, narrower domains and all solutions (``truth``), and
tells whether the answer is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.backend import REASONING, REDUCTIONS, CompiledNative

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import BatchStatus, Request, Run
from sudoku_models.engine.record import Record
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
    return sorted(tuple(row) for block in blocks for row in (block.tolist() if hasattr(block, "ndim") else [block]))


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


def seeded(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """In an order by chance."""
    return rows(compiled(model), Request(domains, None, seed=1 + len(truth))) == truth


def narrowed(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """The first propagation loses no value of a solution, and then they are found."""
    asked = compiled(model)
    left = asked.propagated(domains)
    kept = all(value in left[x] for row in truth for x, value in zip(model.names, row, strict=True))
    return kept and rows(asked, Request(domains, None)) == truth


def kept(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """What some variables are in any solution, each once."""
    some = model.names[:: 1 + len(truth) % 2]
    places = [model.index[name] for name in some]
    found = [tuple(row[x] for x in places) for row in compiled(model).run(Request(domains, None, keep=some))]
    return sorted(found) == sorted({tuple(row[x] for x in places) for row in truth})


def in_a_session(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """With one constraint added after the other, and a run between them."""
    session = compiled(Model(model.variables)).assume()
    for constraint in model.constraints:
        next(Run(session.search(Request(domains, 1), Budget(), Record())), None)
        session.add([constraint])
    return sorted(Run(session.search(Request(domains, None), Budget(), Record()))) == truth


def named(model: Model, row: Sequence[int]) -> Solution:
    """Return the values of the first variables, each the k-th of its domain."""
    return tuple(v.domain[k - 1] for v, k in zip(model.variables, row, strict=False))


def in_a_batch(model: Model, domains: Domains, truth: Sequence[Solution]) -> bool:
    """Board by board, one for each choice of values for half the variables."""
    half, most = len(model.variables) // 2, 3
    chosen = [*product(*(range(1, 1 + len(v.domain)) for v in model.variables[:half]))]
    boards = np.zeros((len(chosen), len(model.variables)), np.uint8)
    boards[:, :half] = chosen
    batch = compiled(model).rows(boards, Request(domains, most))
    named = [[v.domain[k - 1] for v, k in zip(model.variables, row, strict=False)] for row in chosen]
    right = [[s for s in truth if [*s[:half]] == row] for row in named]
    firsts = [
        tuple(v.domain[k - 1] for v, k in zip(model.variables, row, strict=True)) for row in batch.values.tolist()
    ]
    answers = zip(right, firsts, batch.count.tolist(), batch.status.tolist(), strict=True)
    return all(
        count == min(len(some), most)
        and (first in some if some else count == 0)
        and (status == BatchStatus.EXHAUSTED or count == most)
        for some, first, count, status in answers
    )


WAYS: tuple[Way, ...] = (
    run, blocks, in_a_batch, narrowed, without_a_part, kept, blocks, seeded, in_a_session, plainest,
)  # fmt: skip
"""Ten, so that in time each way meets every kind of case: every third has variables that are all different."""
