"""HiGHS: beside OR-tools in other processes only, exact where it takes a model, the best so far at a limit."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from sudoku_backends.highs import BACKEND

from sudoku_models import solve
from sudoku_models.engine import Request, run, workers
from sudoku_models.engine.registry import Selection, select
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Model, Variable
from sudoku_models.verbs.classic import Puzzle

if find_spec("highspy") is None:
    pytest.skip("not applicable (platform): highspy is not installed", allow_module_level=True)

HIGHS = Selection(BACKEND, BACKEND.Options())
XS = [Variable(f"x{i}", range(1, 5)) for i in range(3)]


@pytest.fixture(autouse=True)
def clean() -> None:
    workers.close_idle()


def test_it_takes_turns_with_or_tools_in_different_children() -> None:
    model = Model(XS, [AllDifferent(XS)])
    apart = Request(memory_limit=4 << 30)
    for selection in (select("cp-sat"), HIGHS, select("cp-sat"), select("backtracking"), HIGHS):
        with run(model, selection, apart) as found:
            assert len(list(found)) == 1
        assert found.outcome.record.isolated
    assert len(workers._idle) == 2


def test_beside_or_tools_the_compiled_model_says_what_is_wrong() -> None:
    pytest.importorskip("ortools.sat.python.cp_model", reason="not applicable (platform): ortools is not installed")
    compiled = BACKEND.compile(Model(XS), BACKEND.Options())
    with pytest.raises(Unsupported, match="in a process that has loaded OR-tools"):
        next(compiled.run(Request()))
    with pytest.raises(Unsupported, match="OR-tools"):
        compiled.native.highs()


def test_a_hard_board_is_solved_and_proved_unique() -> None:
    line = ".19...8..3.......1..8.9.23..9.8.....5...3.4.....9.1.....7...62.2..3.8.......527.."
    result = solve(Puzzle.parse(line), HIGHS, unique=True)
    assert result.unique and result.grid
    assert result.grid.to_line().startswith("419723856372586941")


STREAMING = """
import signal, threading
import pytest
from sudoku_backends.highs import BACKEND, LoadedProgram
from sudoku_models.engine import Reason, Request
from sudoku_models.testing.examples import independent_set

hard = BACKEND.compile(independent_set(), BACKEND.Options())

def at_work():
    return "highs" in {thread.name for thread in threading.enumerate()}

# Improvements come while the engine works, with what it has proved of the bound; closing ends it.
values = []
with hard.run(Request(limit=None)) as found:
    for solution in found:
        values.append(sum(solution))
        if found.record.bound is not None:
            break
    assert at_work()
assert not at_work()
assert found.outcome.reason is Reason.CLOSED and values == sorted(set(values))
assert values[-1] < found.outcome.bound < 120

# So does the time.
with hard.run(Request(limit=None, time_limit=0.3)) as found:
    values = [sum(solution) for solution in found]
assert not at_work()
assert found.outcome.reason is Reason.TIME and values == sorted(set(values))

# Ctrl-C in the consumer ends it.
signal.signal(signal.SIGALRM, signal.default_int_handler)
with pytest.raises(KeyboardInterrupt):
    with hard.run(Request(limit=None)) as found:
        next(found)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        list(found)
assert not at_work()

# What the engine raises in its thread arrives.
def broken(self):
    raise RuntimeError("out of order")
LoadedProgram.solve = broken
with pytest.raises(RuntimeError, match="out of order"):
    next(hard.run(Request(limit=None)))
assert not at_work()
"""


def test_improvements_come_from_a_thread_that_ends_with_the_run() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", STREAMING], env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
