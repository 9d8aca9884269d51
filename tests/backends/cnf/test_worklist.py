"""Propagation by kernels."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from sudoku_backends.cnf.propagation import worklist

from sudoku_models.engine.contract import Request
from sudoku_models.puzzle.shape import Shape

from .helpers import attempt, compiled, domains_of

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_the_kernels_do_the_same_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = (Shape.square(4), Shape.latin(4), Shape.irregular("1122 1122 3344 3344"))
    cases = [
        (s, {s.names[i]: (1 + i % 4,) for i in cells}) for s in shapes for cells in ((0, 5), (0, 1, 11), (0, 2, 4))
    ]
    levels = ("singles", "locked")

    def all_of() -> list[Any]:
        asked = (
            compiled(shape.model, propagate=level).problem(domains) for shape, domains in cases for level in levels
        )
        return [(problem.impossible, problem.formula.lists()) for problem in asked]

    found = all_of()
    for shape in shapes:
        shape.model.memo.pop("cnf tables", None)
    monkeypatch.setattr(worklist.LIBRARY, "load", worklist.LIBRARY.plain)
    assert all_of() == found
    for shape in shapes:
        shape.model.memo.pop("cnf tables", None)


def test_threads_have_buffers_of_their_own() -> None:
    nine = Shape.square(9)
    form = compiled(nine.model, propagate="locked")
    lines = [PUZZLE, "." * 30 + PUZZLE[30:], "." * 45 + PUZZLE[45:]]
    alone = [form.problem(domains_of(nine, line)) for line in lines]
    wrong: list[str] = []

    def work(line: str, clauses: list[list[int]]) -> None:
        for _ in range(200):
            if form.problem(domains_of(nine, line)).formula.lists() != clauses:
                wrong.append(line)

    tasks = [(line, problem.formula.lists()) for line, problem in zip(lines, alone, strict=True)]
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
