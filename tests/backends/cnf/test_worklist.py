"""Propagation by kernels."""

from __future__ import annotations

import threading

import pytest

from sudoku_models.engine.contract import Request
from sudoku_models.puzzle.shape import Shape

from .helpers import attempt, compiled, domains_of

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_threads_have_buffers_of_their_own() -> None:
    nine = Shape.square(9)
    form = compiled(nine.model, propagate="locked")
    lines = [PUZZLE, "." * 30 + PUZZLE[30:], "." * 45 + PUZZLE[45:]]
    alone = [form.native_for(domains_of(nine, line)).clauses for line in lines]
    wrong: list[str] = []

    def work(line: str, clauses: list[list[int]]) -> None:
        for _ in range(200):
            if form.native_for(domains_of(nine, line)).clauses != clauses:
                wrong.append(line)

    tasks = list(zip(lines, alone, strict=True))
    threads = [threading.Thread(target=work, args=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_puzzle_that_propagation_decides_is_settled_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    import pycosat

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the solver was called")

    form = compiled(Shape.square(9).model, propagate="singles")
    form.problem({})
    monkeypatch.setattr(pycosat, "solve", never)
    monkeypatch.setattr(pycosat, "itersolve", never)
    domains = domains_of(Shape.square(9), PUZZLE)
    run = attempt(form, Request(domains=domains, limit=2))
    assert run is not None
    assert ["".join(map(str, s)) for s in run] == [ANSWER]
    assert run.outcome.complete
    assert len(list(form.run(Request(domains=domains, limit=None)))) == 1
