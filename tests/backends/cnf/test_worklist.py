"""The compiled code: where it is kept, and that it can be done without."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sudoku_backends.cnf.propagation import prepare

from sudoku_models.engine.contract import Request
from sudoku_models.engine.kept_kernel import is_kept
from sudoku_models.puzzle.shape import Shape

from .helpers import attempt, compiled, domains_of

numba = pytest.importorskip("numba")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PROGRAM = f"""
from sudoku_backends.cnf.solvers.pycosat import BACKEND, PycosatOptions
from sudoku_models.engine.contract import Request
from sudoku_models.puzzle.shape import Shape
nine = Shape.square(9)
givens = {{x: (int(v),) for x, v in zip(nine.names, {PUZZLE!r}) if v != "."}}
form = BACKEND.compile(nine.model, PycosatOptions(propagate="locked"))
run = form.run(Request(domains=givens, limit=2, patience=10**7))
print("".join(map(str, next(run))), run.record.notes[0])
from sudoku_backends.cnf.propagation.worklist import narrow
print(len(narrow.stats.cache_misses), "compiled")
"""
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_a_process_loads_what_another_one_has_compiled() -> None:
    """How several that start at once share the work is tested with a small kernel, in `tests/engine`."""
    from sudoku_backends.cnf.propagation import worklist

    form = compiled(Shape.square(9).model, propagate="locked")
    form.problem(domains_of(Shape.square(9), PUZZLE))
    assert is_kept(worklist.narrow)
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "backends")])}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, text=True, capture_output=True, check=True)
    answer, mode, loaded = done.stdout.partition(" ")[0], done.stdout.splitlines()[0], done.stdout.splitlines()[1]
    assert (answer, loaded) == (ANSWER, "0 compiled") and "locked (numba)" in mode
    assert "compiling" not in done.stderr


@pytest.mark.parametrize("kept", [True, False])
def test_it_is_said_when_code_is_to_be_compiled(
    kept: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(prepare, "is_kept", lambda kernel: kept)
    prepare._say_if_it_compiles.cache_clear()
    compiled(Shape.square(9).model, propagate="locked").problem(domains_of(Shape.square(9), PUZZLE))
    assert ("compiling the propagation before SAT encodings" in caplog.text) == (not kept)


def test_without_a_folder_for_the_cache_the_code_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from sudoku_backends.cnf.propagation import worklist

    honest = numba.njit

    def refusing(*functions: object, **options: object) -> object:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return honest(*functions, **options)

    monkeypatch.setattr(numba, "njit", refusing)
    total = worklist.compiled(worklist._total.py_func)
    import numpy as np

    assert total(np.array([2, -5, 3], dtype=np.int32), 3) == 5


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
