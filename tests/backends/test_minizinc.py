"""The program minizinc: names and numbers that it accepts, its end with its children, its message if it is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sudoku_backends import minizinc
from sudoku_backends.minizinc import BACKEND, MiniZincOptions

from sudoku_models.engine import Reason, Request, run
from sudoku_models.engine.registry import Selection
from sudoku_models.errors import BackendFailed
from sudoku_models.model import (
    AllDifferent,
    Constraint,
    Count,
    Implies,
    Model,
    Not,
    NValue,
    Variable,
    brute_force,
)
from sudoku_models.testing.processes import LINUX, children

XS = [Variable(f"x{i}", range(1, 5)) for i in range(3)]
present = pytest.mark.skipif(
    shutil.which("minizinc") is None, reason="not applicable (platform): the program minizinc is not installed"
)

PATIENCE = 300.0
"""Seconds that a test waits for what comes within a moment, however busy the machine is."""

HARD = """
from sudoku_backends.minizinc import BACKEND
from sudoku_models.engine import Request
from sudoku_models.model import Compare, Model, Variable
xs = [Variable(f"x{i}", range(13)) for i in range(14)]
pigeons = Model(xs, [Compare(x, "!=", y) for x in xs for y in xs if x.name < y.name])
print("begun", flush=True)
next(BACKEND.compile(pigeons, BACKEND.Options()).run(Request()), None)
"""


def known(monkeypatch: pytest.MonkeyPatch, **some: frozenset[str]) -> None:
    """Make the program list these solvers with their flags."""
    monkeypatch.setattr(minizinc, "_known", lambda: some)


@present
def test_names_that_it_does_not_take_are_mapped() -> None:
    xs = [Variable(name, (1, 2, 3)) for name in ("var", "a b", "Zelle é", "x1")]
    with run(Model(xs, [AllDifferent(xs[:3]), xs[1] < xs[0], xs[3] == 2]), BACKEND, Request(limit=None)) as found:
        assert sorted(found) == [(2, 1, 3, 2), (3, 1, 2, 2), (3, 2, 1, 2)]
        assert found.outcome.complete


@present
def test_what_the_program_says_of_its_failure_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    known(monkeypatch, **{"no-such-solver": frozenset()})
    with pytest.raises(BackendFailed, match="no-such-solver"):
        next(run(Model(XS), Selection(BACKEND, MiniZincOptions("no-such-solver")), Request()))


@present
def test_a_limit_of_memory_ends_it() -> None:
    with run(Model(XS), BACKEND, Request(memory_limit=16 << 20)) as found:
        assert list(found) == []
    assert found.outcome.reason is Reason.MEMORY
    direct = BACKEND.compile(Model(XS), BACKEND.Options()).run(Request(memory_limit=16 << 20))
    assert list(direct) == []
    assert direct.outcome.reason is Reason.MEMORY


def descendants(pid: int) -> set[int]:
    """Return the processes that come of a process, however far."""
    found = children(pid)
    return found.union(*map(descendants, found))


def at_work(pids: set[int]) -> set[int]:
    """Return those that have not ended; a zombie has."""
    states = {pid: Path(f"/proc/{pid}/stat") for pid in pids}
    return {
        pid for pid, stat in states.items() if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    }


@present
@pytest.mark.skipif(not LINUX, reason="only on Linux: processes are looked up in /proc")
def test_it_and_its_solver_end_when_this_process_is_killed() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    with subprocess.Popen([sys.executable, "-c", HARD], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout and process.stdout.readline() == b"begun\n"
        end = time.monotonic() + PATIENCE
        while len(found := descendants(process.pid)) < 3 and time.monotonic() < end:
            time.sleep(0.05)
        process.kill()
    assert len(found) >= 3  # the shell, the program, its solver
    end = time.monotonic() + PATIENCE
    while (left := at_work(found)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left


@present
@pytest.mark.parametrize(
    "constraint",
    [
        Not(Count(["x0", "x1"], (1,), ">=", 1)),
        Not(NValue(["x0", "x1", "x2"], ">=", "x2")),
        Implies(Count(["x0", "x1"], (1, 2), ">=", 1), Not(Implies(NValue(["x0", "x2"], ">=", 2), XS[0] == 3))),
    ],
)
def test_counters_under_negations_mean_what_they_say(constraint: Constraint) -> None:
    model = Model(XS, [constraint])
    with run(model, BACKEND, Request(limit=None)) as found:
        assert sorted(found) == sorted(brute_force(model))
